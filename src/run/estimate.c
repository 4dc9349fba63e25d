// What a run will need. Bytes are those that runs of shipped scenes were seen to take, some rounded
// up: tests/cli/check_estimate holds them against each other.
#include "thud/estimate.h"

#include "core/fault.h"
#include "core/math/elementary.h"

#include "run/path_grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>

static const double BASE_BYTES = 12e6;     // the program itself, with a scene of a few bodies
static const double BODY_BYTES = 565;      // a body in memory, without its contacts
static const double CONTACT_BYTES = 270;   // a row in the step, or in its verification
static const double ROW_BYTES = 650;       // a row of an inclusion in the step and the verification
static const double SCENE_BYTES = 300;     // a body read from a scene, and in its model
static const double CONTACTS_FLAT = 2.5;   // rows that are looked at per body, in a dense pack
static const double CONTACTS_DEEP = 4.5;   // the same in three dimensions
static const double LOADED_PER_BODY = 3.2; // of these carry load
static const double NODE_BYTES = 32;       // a node of the grid of a crowd, while it is made
static const double SERIES_BYTES = 20;     // a number of series.csv
static const double JAM_BASE_BYTES = 12e6; // the program with the solver's tables
static const double JAM_BYTES = 165;       // by count^(5/3)
static const double FRAME_BYTES = 250;     // a frame beside its vectors and rows
static const double LISTED_BYTES = 160;    // a body in scene.yaml and bodies.csv
static const double FILES_BYTES = 1e4;     // the small files of a run
static const double STEPS_ROUNDING = 1e-9; // a run of n steps must not count as n + 1
static const double PART = 0.8;            // of what there is that a run may take

double thud_memory_available(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[200];
    double kilobytes = 0;
    static const char key[] = "MemAvailable:";
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, sizeof key - 1) == 0)
            kilobytes = strtod(line + sizeof key - 1, NULL);
    if (file)
        (void)fclose(file);
    double bytes = 1024 * kilobytes;
    struct rlimit limit;
    bool is_limited = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    if (is_limited && (bytes == 0 || (double)limit.rlim_cur < bytes))
        bytes = (double)limit.rlim_cur;
    return bytes;
}

bool thud_memory_is_too_much(double bytes)
{
    double available = thud_memory_available();
    return available > 0 && bytes > PART * available;
}

// The factor of the interior point method, which fills in as count^(5/3); see docs/jamming.md.
double thud_estimate_jam(double count)
{
    return JAM_BASE_BYTES + JAM_BYTES * thudi_pow(count, 5. / 3);
}

double thud_estimate_building(double bodies)
{
    return BASE_BYTES + SCENE_BYTES * bodies;
}

int thud_bodies_that_fit(void)
{
    double available = thud_memory_available();
    double most = (PART * available - BASE_BYTES) / SCENE_BYTES;
    if (available == 0 || most > THUD_SCENE_BODIES)
        return THUD_SCENE_BODIES;
    return most > 1000 ? (int)most : 1000;
}

double thud_estimate_bodies(double bodies)
{
    return BASE_BYTES + (BODY_BYTES + CONTACTS_FLAT * CONTACT_BYTES) * bodies;
}

// Of the nearest folder that is there already.
static double disk_available(const char *folder)
{
    struct statvfs system;
    char path[4096];
    (void)snprintf(path, sizeof path, "%s", folder);
    while (statvfs(path, &system) != 0)
    {
        char *slash = strrchr(path, '/');
        if (!slash)
            (void)snprintf(path, sizeof path, ".");
        else if (slash == path)
            path[1] = '\0';
        else
            *slash = '\0';
        if (strcmp(path, ".") == 0 && statvfs(path, &system) != 0)
            return 0;
    }
    return (double)system.f_bavail * (double)system.f_frsize;
}

static double memory_of(const thud_scene *scene)
{
    double bodies = scene->body_count, dim = scene->coordinate_count;
    double rows = scene->constraint_count;
    double of_law = thud_law_find((int)scene->law)->row_bytes;
    if (scene->kind != THUD_SCENE_SPHERES)
        return BASE_BYTES + dim * 200 + rows * (ROW_BYTES + of_law) + 16 * dim * dim;
    rows = bodies * (scene->dim == 3 ? CONTACTS_DEEP : CONTACTS_FLAT);
    return BASE_BYTES + bodies * BODY_BYTES + rows * (CONTACT_BYTES + of_law) +
           NODE_BYTES * thudi_path_nodes(scene);
}

thud_estimate thud_estimate_run(const thud_scene *scene, const char *folder)
{
    bool is_world = scene->kind == THUD_SCENE_SPHERES;
    double dim = is_world ? (double)scene->dim * scene->body_count : scene->coordinate_count;
    double bodies = scene->body_count, rows = scene->constraint_count;
    double loaded = is_world ? LOADED_PER_BODY * bodies : rows;
    thud_estimate estimate = {.steps =
                                  ceil((scene->end - scene->start) / scene->step - STEPS_ROUNDING),
                              .memory_available = thud_memory_available(),
                              .disk_available = disk_available(folder)};
    estimate.frames = 1 + (scene->record_all ? estimate.steps : scene->frames);
    if (estimate.frames > estimate.steps + 1)
        estimate.frames = estimate.steps + 1;
    double columns = 14 + (is_world ? 1.0 + scene->wall_count + scene->obstacle_count +
                                          3.0 * scene->measure_count
                                    : 2.0 * scene->coordinate_count + scene->constraint_count);
    estimate.memory = memory_of(scene);
    const thud_law_info *law = thud_law_find((int)scene->law);
    double vectors = law->traits & THUD_TRAIT_MOVE_APART ? 5 : 4; // of a frame
    double row = 32 + 8.0 * law->kept;
    estimate.disk = estimate.frames * (8 * vectors * dim + 2 * row * loaded + FRAME_BYTES) +
                    estimate.steps * columns * SERIES_BYTES + bodies * LISTED_BYTES + FILES_BYTES;
    return estimate;
}

bool thud_estimate_is_too_much(const thud_estimate *estimate, const char **what)
{
    *what = "memory";
    if (estimate->memory_available > 0 && estimate->memory > PART * estimate->memory_available)
        return true;
    *what = "disk";
    return estimate->disk_available > 0 && estimate->disk > PART * estimate->disk_available;
}

thud_status thud_estimate_check(const thud_estimate *estimate, const thud_scene *scene,
                                thud_fault *fault)
{
    const char *what;
    char need[THUD_NUMBER_SIZE], have[THUD_NUMBER_SIZE];
    if (!thud_estimate_is_too_much(estimate, &what))
        return THUD_OK;
    bool is_memory = strcmp(what, "memory") == 0;
    return thudi_fail(
        fault, THUD_ERR_LIMIT, (thudi_at){.file = scene->file},
        "make the scene smaller, or record less",
        "the run needs about %s of %s, but only %s is available",
        thud_words_bytes(need, is_memory ? estimate->memory : estimate->disk), what,
        thud_words_bytes(have, is_memory ? estimate->memory_available : estimate->disk_available));
}
