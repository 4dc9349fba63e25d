// What is in a run directory, for people and programs.
#include "core/fault.h"
#include "core/memory.h"
#include "core/whole.h"
#include "run/measure_values.h"
#include "run/recorded/recorded.h"
#include "run/recorded/recorded_now.h"
#include "thud/estimate.h"
#include "thud/recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_SHOWN = 8 // groups of damaged frames
};

static bool is_running(const thud_recorded_info *all)
{
    return strcmp(all->end.how, "running") == 0;
}

// What to do next.
static const char *next_command(const char *how)
{
    if (strcmp(how, "interrupted") == 0 || strcmp(how, "stopped") == 0)
        return "; 'thud resume' continues it";
    return strcmp(how, "incomplete") == 0 ? "; 'thud verify' says what to do" : "";
}

static void write_ending(const thud_recorded_info *all, thud_writer *writer)
{
    const thud_recorded_ending *end = &all->end;
    // these follow from the lock, the log or the files
    bool is_known = strcmp(end->how, "interrupted") == 0 || is_running(all) ||
                    strcmp(end->how, "incomplete") == 0;
    const char *wrong = end->fault_text[0] ? end->fault_text : NULL;
    thud_write(writer, is_known || wrong ? "  ending: " : "  ending, as recorded: ");
    thud_write_safe(writer, wrong ? "unknown" : end->how);
    thud_write(writer, "%s", end->error[0] ? ": " : "");
    thud_write_safe(writer, end->error);
    thud_write(writer, "%s\n",
               all->is_damaged ? "" : next_command(wrong ? "incomplete" : end->how));
    if (wrong)
        thud_write(writer, "  run.json: %s\n", wrong);
}

// "; damaged: frames 3 to 5, 9": the numbers that are not among those of the frames read.
static void write_damaged(const thud_log *log, thud_writer *writer)
{
    thud_log_summary summary = thud_log_view(log);
    int64_t next = 0, left = summary.damaged_count;
    thud_write(writer, "; damaged: %s", left > 1 ? "frames" : "frame");
    for (int64_t i = 0, shown = 0; left > 0; i++)
    {
        bool is_end = i >= summary.frame_count;
        int64_t number = is_end ? next + left : thud_log_number(log, i);
        int64_t lost = number - next;
        if (lost > 0 && shown == MOST_SHOWN)
        {
            thud_write(writer, " and %lld more", (long long)left);
            return;
        }
        if (lost > 0)
            thud_write(writer, shown++ > 0 ? ", %lld" : " %lld", (long long)next);
        if (lost > 1)
            thud_write(writer, " to %lld", (long long)number - 1);
        left -= lost;
        next = number + 1;
    }
}

// What of the log could be read.
static void write_log(const thud_recorded *recorded, const thud_recorded_info *all,
                      thud_writer *writer)
{
    thud_log_summary log = thud_log_view(recorded->log);
    char count[THUD_COUNT_SIZE], bytes[THUD_NUMBER_SIZE];
    bool is_empty = log.frame_count == 0;
    thud_write(writer, "  %s%s from t = %g to %g, %s",
               thud_words_count(count, log.frame_count, "frame"), all->is_damaged ? " intact" : "",
               is_empty ? recorded->scene->start : all->times[0],
               is_empty ? recorded->scene->start : all->times[1],
               thud_words_bytes(bytes, (double)log.bytes));
    if (!all->is_damaged)
        thud_write(writer, ", all checksums of the log match%s\n",
                   log.is_cut ? "; the last frame was cut off and is left out" : "");
    else
    {
        if (log.damaged_count > 0)
            write_damaged(recorded->log, writer);
        thud_write(writer, "%s\n", log.is_cut ? "; the end of the log cannot be read" : "");
        thud_write(writer, "  hashes of steps are intact up to step %lld\n",
                   (long long)log.step_count - 1);
    }
}

// What the run says of its steps, unless that was written when it began.
static void write_figures(const thud_recorded_info *all, thud_writer *writer)
{
    const thud_recorded_ending *end = &all->end;
    const thud_figure *figures = thud_tally_figures();
    double steps = end->figures[THUD_TALLY_steps], least = end->figures[THUD_TALLY_min_gap];
    char count[THUD_COUNT_SIZE], gap[THUD_NUMBER_SIZE];
    if (is_running(all) || strcmp(end->how, "interrupted") == 0 ||
        !(steps >= 0 && steps < THUDI_MOST_COUNT))
        return;
    thud_write(writer, "  as recorded: %s, smallest gap %s, ",
               thud_words_count(count, (long long)steps, "step"),
               isnan(least) ? "unknown (none was near)" : thud_words_short(gap, least));
    thud_write(writer, "largest change of a gap that makes every step exact: %s\n",
               thud_words_short(gap, end->figures[THUD_TALLY_backward]));
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
        if (figures[i].show == THUD_FIGURE_SAID && end->figures[i] >= 0)
            thud_write(writer, "  as recorded: %s: %s\n", figures[i].text,
                       figures[i].type == THUD_FIGURE_REAL
                           ? thud_words_short(gap, end->figures[i])
                           : thud_words_grouped(gap, (long long)end->figures[i]));
    thud_write(writer,
               "  as recorded: %.0f of %.0f recorded steps hold; 'thud verify' verifies them\n",
               end->held, end->checked);
}

void thud_recorded_info_write(const thud_recorded *recorded, const thud_recorded_info *all,
                              thud_writer *writer)
{
    const thud_scene *scene = recorded->scene;
    thud_log_summary log = thud_log_view(recorded->log);
    thud_scene_write_head(scene, writer);
    thud_write(writer, "\n");
    write_log(recorded, all, writer);
    if (log.first_node > 0)
    {
        thud_write(writer, "  continues ");
        thud_write_safe(writer, all->end.origin[0] ? all->end.origin : "another run");
        thud_write(writer, " after step %lld; steps before it are not in this run\n",
                   (long long)log.first_node);
    }
    thud_step_write_far("  ", scene, recorded->model, writer);
    write_ending(all, writer);
    if (is_running(all))
        thudi_now_write(&all->now, scene, writer);
    write_figures(all, writer);
}

// All values are null where they cannot be read.
static void json_measures(const thud_recorded *recorded, thud_json *json)
{
    const char *const *names;
    thud_fault fault;
    int count = thud_model_series(recorded->model, &names);
    double *values = calloc((size_t)count, sizeof *values);
    if (!values)
    {
        json->has_failed = true;
        return;
    }
    if (thudi_measures_read(recorded->folder, recorded->model, values, &fault) < 0)
        for (int i = 0; i < count; i++)
            values[i] = NAN;
    thudi_measures_json(recorded->model, values, json);
    free(values);
}

void thud_recorded_info_json(const thud_recorded *recorded, const thud_recorded_info *all,
                             thud_json *json)
{
    const thud_recorded_ending *end = &all->end;
    thud_log_summary log = thud_log_view(recorded->log);
    thud_json_open(json, NULL);
    thud_json_text(json, "title", recorded->scene->title);
    thud_json_text(json, "kind",
                   recorded->scene->kind == THUD_SCENE_SPHERES ? "spheres" : "inclusion");
    thud_json_whole(json, "bodies", recorded->scene->body_count);
    thud_json_whole(json, "coordinates", log.dim);
    thud_json_number(json, "step", recorded->scene->step);
    thud_step_write_json(recorded->scene, recorded->model, json);
    thud_json_whole(json, "first_step", log.first_node);
    thud_json_whole(json, "frames", log.frame_count);
    thud_json_number(json, "missing_frames", end->missing_frames);
    thud_json_number(json, "missing_steps", end->missing_steps);
    thud_json_whole(json, "damaged_frames", log.damaged_count);
    thud_json_number(json, "first", all->times[0]);
    thud_json_number(json, "last", all->times[1]);
    thud_json_whole(json, "bytes", log.bytes);
    thud_json_flag(json, "is_cut", log.is_cut);
    thud_json_text(json, "ending", end->how);
    thud_json_text(json, "error", end->error);
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
        if (thud_tally_figures()[i].show >= THUD_FIGURE_TOLD)
            thud_json_number(json, thud_tally_figures()[i].name, end->figures[i]);
    thud_json_number(json, "checked", end->checked);
    thud_json_number(json, "held", end->held);
    if (is_running(all))
        thudi_now_json(&all->now, json);
    json_measures(recorded, json);
    thud_json_close(json);
}

// A log that was to be read although it may be damaged: is it? A damaged step, or the head of the
// last frame, costs no frame that is counted, so the log is opened once more as an intact one.
static thud_status find_damage(const thud_recorded *recorded, bool *is_damaged, thud_fault *fault)
{
    thud_log *log = NULL;
    thud_fault damage = {0};
    *is_damaged = thud_log_view(recorded->log).damaged_count > 0;
    if (!recorded->skips_damaged || *is_damaged)
        return THUD_OK;
    thud_status status = thud_log_open(recorded->folder, NULL, &log, &damage);
    thud_log_close(log);
    *is_damaged = status == THUD_ERR_RECORD;
    if (status >= 0 || *is_damaged)
        return THUD_OK;
    if (fault)
        *fault = damage;
    return status;
}

thud_status thud_recorded_read_info(const thud_recorded *recorded, thud_recorded_info *all,
                                    thud_fault *fault)
{
    thud_log_summary log = thud_log_view(recorded->log);
    *all = (thud_recorded_info){.times = {NAN, NAN}};
    THUD_TRY(find_damage(recorded, &all->is_damaged, fault));
    THUD_TRY(thud_recorded_read_frames(recorded, log.frame_count, all->times, fault));
    if (thud_recorded_end(recorded, log.frame_count > 0 ? all->times[1] : recorded->scene->start,
                          &all->end) < 0)
        return thudi_fail_memory(fault);
    if (all->is_damaged)
    {
        (void)snprintf(all->end.how, sizeof all->end.how, "incomplete");
        (void)snprintf(all->end.error, sizeof all->end.error, "the log is damaged");
    }
    thudi_ending_add_files(recorded->folder, &all->end);
    if (is_running(all))
        thudi_now_read(recorded, &all->end, &all->now);
    return THUD_OK;
}
