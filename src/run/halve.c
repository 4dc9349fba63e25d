// The second run of 'thud run --halve'.
#include "run/halve.h"

#include "core/clock.h"
#include "run/accuracy_read.h"
#include "run/run_json.h"
#include "thud/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// What is below this part of the mean size of a measure is near 0: a percentage misleads there.
static const double NEAR_ZERO = 0.1;

// Energies, pressures of a crowd and coordinates: what scenes without measures are about.
static bool is_state(const thud_scene *scene, const char *name)
{
    static const char *const names[] = {"kinetic", "potential", "pressure_max", "pressure_mean"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (int i = 0; i < scene->coordinate_count; i++)
        if (strcmp(name, scene->coordinates[i].name) == 0)
            return true;
    return false;
}

int thudi_measured_columns(const thud_scene *scene, const thud_model *model, int *columns)
{
    const char *const *names;
    int all = thud_model_series(model, &names), count = 0;
    for (int i = 0; i < all; i++)
    {
        thud_series_column column;
        thud_model_series_column(model, i, &column);
        if (scene->measure_count > 0 ? column.measure >= 0 : is_state(scene, names[i]))
            columns[count++] = i;
    }
    return count;
}

int thudi_name_width(const thud_model *model, const int *columns, int count)
{
    static const int least = 7, most = 24;
    const char *const *names;
    int width = least;
    (void)thud_model_series(model, &names);
    for (int i = 0; i < count; i++)
    {
        int length = (int)strlen(names[columns[i]]);
        width = length > width ? length : width;
    }
    return width < most ? width : most;
}

thud_status thudi_halving_begin(thudi_halving *halving, const thudi_recorder *recorder)
{
    const char *const *names;
    size_t all = (size_t)thud_model_series(recorder->model, &names);
    *halving = (thudi_halving){.recorder = recorder};
    halving->columns = malloc(all * sizeof *halving->columns);
    halving->first = calloc(all, sizeof *halving->first);
    halving->second = calloc(all, sizeof *halving->second);
    halving->rows = calloc(all, sizeof *halving->rows);
    if (!halving->columns || !halving->first || !halving->second || !halving->rows)
        return THUD_ERR_MEMORY;
    halving->count = thudi_measured_columns(recorder->scene, recorder->model, halving->columns);
    return THUD_OK;
}

void thudi_halving_end(thudi_halving *halving)
{
    free(halving->columns);
    free(halving->first);
    free(halving->second);
    free(halving->rows);
}

static void add_values(const thudi_halving *halving, const double *values, thud_series_sum *sums)
{
    for (int i = 0; i < halving->count; i++)
        thud_series_sum_add(&sums[i], values[1], values[halving->columns[i]]);
}

int thudi_halving_observe(const thud_view *view, void *user)
{
    thudi_halving *halving = user;
    (void)view;
    if (halving->recorder)
        add_values(halving, halving->recorder->values, halving->first);
    return 0;
}

// The second run as its observer needs it.
typedef struct second_run
{
    thudi_halving *halving;
    const thud_scene *scene;
} second_run;

static int observe(const thud_model *model, const double *values, void *user)
{
    second_run *run = user;
    const thud_scene *scene = run->scene;
    double part = (values[1] - scene->start) / (scene->end - scene->start);
    const thudi_listener *listener = &run->halving->recorder->listener;
    (void)model;
    add_values(run->halving, values, run->halving->second);
    if (listener->progress)
        listener->progress(
            &(thud_recording_progress){.t = values[1], .part = part, .is_second = true},
            listener->user);
    return 0;
}

// "-1.4 %"; the difference itself where the value is near 0 beside the usual size.
static void write_change(char text[32], double value, double halved, double usual)
{
    double change = halved - value;
    char percent[THUD_NUMBER_SIZE];
    if (!isfinite(value) || !isfinite(halved))
        text[0] = '\0';
    else if (change == 0)
        (void)thud_format(text, 32, "same");
    else if (value == 0 || fabs(value) < NEAR_ZERO * usual)
        (void)thud_format(text, 32, "%+.2g", change);
    else
        (void)thud_format(text, 32, "%.31s", thud_words_percent(percent, change / value));
}

static thud_halved compare(int column, const thud_series_sum *a, const thud_series_sum *b)
{
    double usual = a->time > 0 ? a->size / a->time : 0;
    thud_halved row = {.column = column,
                       .end = a->end,
                       .end_halved = b->end,
                       .mean = thud_series_sum_mean(a),
                       .mean_halved = thud_series_sum_mean(b),
                       .largest = a->largest,
                       .largest_halved = b->largest};
    write_change(row.end_change, row.end, row.end_halved, usual);
    write_change(row.mean_change, row.mean, row.mean_halved, usual);
    // of sizes, as either sign may be the larger one
    write_change(row.largest_change, row.largest, copysign(row.largest_halved, row.largest), 0);
    return row;
}

void thudi_halving_fill(thudi_halving *halving)
{
    for (int i = 0; i < halving->count; i++)
        halving->rows[i] = compare(halving->columns[i], &halving->first[i], &halving->second[i]);
}

thud_status thudi_halving_run(thudi_halving *halving, thud_scene *scene)
{
    const thudi_requests *requests = &halving->recorder->requests;
    second_run run = {halving, scene};
    double begun = thudi_seconds();
    thud_fault fault = {0};
    thud_series_run_def def = {.scene = scene,
                               .h = 0.5 * scene->step,
                               .observe = observe,
                               .user = &run,
                               .stop = requests->stop,
                               .deadline = isfinite(requests->deadline) ? requests->deadline : 0};
    thud_status status = thud_series_run(&def, &halving->steps, &fault);
    halving->seconds = thudi_seconds() - begun;
    if (status == THUD_STOPPED)
        (void)thud_format(halving->why, sizeof halving->why,
                          "the second run, at h/2, was stopped; the run itself is complete");
    else if (status < 0)
        (void)thud_format(halving->why, sizeof halving->why, "the second run failed: %.500s",
                          fault.text[0] ? fault.text : thud_status_text(status));
    else
        halving->step = def.h;
    if (halving->step > 0)
        thudi_halving_fill(halving);
    return status == THUD_STOPPED ? status : THUD_OK;
}

thud_status thudi_halving_keep(thudi_halving *halving, const thud_model *model, const char *json)
{
    thud_accuracy accuracy;
    char how[40];
    const char *const *names;
    int all = thud_model_series(model, &names);
    (void)thud_json_find_text(json, "ending", how, sizeof how);
    if (strcmp(how, "done") != 0)
        return THUD_OK;
    bool has_memory = thudi_accuracy_read(json, &accuracy);
    int count = accuracy.halved_count;
    halving->columns = calloc((size_t)count + 1, sizeof *halving->columns);
    halving->rows = accuracy.halved;
    if (!has_memory || !halving->columns)
        return THUD_ERR_MEMORY;
    for (int i = 0; i < count; i++)
    {
        halving->columns[i] = halving->rows[i].column;
        if (halving->columns[i] < 0 || halving->columns[i] >= all)
            return THUD_OK; // the file was altered
    }
    halving->count = count;
    halving->steps = thud_json_find_count(json, "accuracy.halved.steps");
    halving->seconds = accuracy.seconds;
    halving->kept_step = count > 0 ? accuracy.step : 0;
    (void)thud_json_find_text(json, "hash", halving->kept_hash, sizeof halving->kept_hash);
    return THUD_OK;
}

void thudi_halving_confirm(thudi_halving *halving, bool is_done, uint64_t chain)
{
    char hash[20];
    (void)thud_format(hash, sizeof hash, "%016" PRIx64, chain);
    if (halving->kept_step > 0 && is_done && strcmp(hash, halving->kept_hash) == 0)
        halving->step = halving->kept_step;
    else if (halving->kept_step > 0)
        (void)thud_format(
            halving->why, sizeof halving->why,
            "the resumed run came to another end; what was measured before is dropped");
}
