// What can be done about a run that is damaged: each hint is given only where it works.
#include "run/recorded/remedy.h"

#include "record/log_form.h"
#include "run/recorded/recorded.h"
#include "run/run_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thud/run.h>

// A hint with the name of the run in it.
static void write_hint(thud_fault *fault, const char *before, const char *folder, const char *after)
{
    // a path that is cut off would be another path
    (void)snprintf(fault->hint, sizeof fault->hint, "%s%s%s", before,
                   strlen(folder) <= 80 ? folder : "RUN", after);
}

// When the scene ends; INFINITY if that cannot be read.
static double read_end(const char *folder)
{
    thud_scene *scene = NULL;
    thud_fault fault = {0};
    double end = thudi_run_read_scene(folder, &scene, &fault) >= 0 ? scene->end : INFINITY;
    thud_scene_destroy(scene);
    return end;
}

// A checkpoint that is whole, belongs to the scene, and has steps left.
static bool can_continue(const char *folder, bool previous, double end)
{
    thud_state state = {0};
    thud_fault fault;
    thud_checkpoint *checkpoint = NULL;
    const thud_field fields[] = {{"t0", THUD_FIELD_DOUBLE, 1, &state.t0},
                                 {"n", THUD_FIELD_INT64, 1, &state.n},
                                 {"h", THUD_FIELD_DOUBLE, 1, &state.h}};
    bool can = thud_record_salvage(folder, previous, NULL, &checkpoint, &fault) >= 0 &&
               thud_checkpoint_restore(checkpoint, fields, 3, &fault) >= 0 &&
               !thud_run_is_over(&state, end);
    thud_checkpoint_free(checkpoint);
    return can;
}

void thudi_remedy_elsewhere(const char *folder, thud_fault *fault)
{
    if (fault->hint[0] != '\0')
        return;
    double end = read_end(folder);
    if (can_continue(folder, false, end) || can_continue(folder, true, end))
        write_hint(
            fault, "use 'thud resume ", folder,
            " --from-checkpoint NEW' to continue from a checkpoint, in a new run directory NEW");
    else
        write_hint(fault, "run it again with 'thud run ", folder,
                   "/scene.yaml --out NEW': there is no checkpoint to continue from");
}

// Are log and series those that the checkpoint speaks of?
static bool matches(const char *folder, bool previous)
{
    thud_fault fault;
    thud_checkpoint *checkpoint = NULL;
    bool is_match = thud_record_check_one(folder, previous, NULL, &checkpoint, &fault) >= 0;
    thud_checkpoint_free(checkpoint);
    return is_match;
}

static bool has_json(const char *folder)
{
    char *text = malloc(THUDI_RUN_JSON);
    if (!text)
        return false;
    thudi_run_json_read(folder, text);
    bool is_there = text[0] != '\0';
    free(text);
    return is_there;
}

// Is the fault about this file of the run?
static bool is_of(const thud_fault *fault, const char *name)
{
    const char *slash = strrchr(fault->file, '/');
    return (slash && strcmp(slash + 1, name) == 0) || strcmp(fault->name, name) == 0;
}

// Log and series are those of the newest checkpoint: what is wrong is after it, or in another file.
static void advise_sound(const char *folder, thudi_damage damage, thud_fault *fault)
{
    if (damage == THUDI_DAMAGE_READ)
        write_hint(fault, "use 'thud resume ", folder,
                   "': the damage is after the last checkpoint");
    else if (is_of(fault, "run.json") && !has_json(folder))
        write_hint(fault, "use 'thud resume ", folder,
                   "': it writes run.json again, and computes steps that are left");
    else if (is_of(fault, "run.json"))
        write_hint(fault, "remove run.json, then use 'thud resume ", folder,
                   "': it writes run.json again");
    else if (is_of(fault, "checkpoint.prev.thud"))
        write_hint(fault, "remove the file: ", folder, "/checkpoint.thud is intact");
    else
        (void)snprintf(fault->hint, sizeof fault->hint, THUDI_DO_NOT_RELY);
}

void thudi_remedy(const char *folder, thudi_damage damage, thud_fault *fault)
{
    if (fault->hint[0] != '\0')
        return;
    if (thud_record_is_busy(folder))
        (void)snprintf(fault->hint, sizeof fault->hint, "wait for the run to end, then try again");
    else if (matches(folder, false))
        advise_sound(folder, damage, fault);
    else if (matches(folder, true))
        write_hint(fault, "use 'thud resume ", folder,
                   "': it computes the steps after the older checkpoint again");
    else
        thudi_remedy_elsewhere(folder, fault);
}

void thud_recorded_advise(const char *folder, thud_fault *fault)
{
    bool is_log = thudi_log_has_path(fault->file) || thudi_log_is_shown_by(fault->name);
    if (fault->status == THUD_ERR_RECORD && (is_log || is_of(fault, "series.csv")))
        thudi_remedy(folder, is_log ? THUDI_DAMAGE_READ : THUDI_DAMAGE_FOUND, fault);
}
