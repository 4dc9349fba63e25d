// A run that is being written. The last line of series.csv says where it is. How fast it is follows
// from when that line and the older checkpoint, or run.json at the beginning, were written.
#include "run/recorded/recorded_now.h"

#include "core/whole.h"
#include "run/recorded/recorded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// When a file was last written, in seconds; NAN if it is not there.
static double when_written(const char *folder, const char *name)
{
    char path[1100];
    struct stat what;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (lstat(path, &what) != 0)
        return NAN;
    return (double)what.st_mtim.tv_sec + 1e-9 * (double)what.st_mtim.tv_nsec;
}

static double *find_column(thud_recorded_now *now, const char *name)
{
    const struct
    {
        const char *name;
        double *value;
    } columns[] = {{"step", &now->step},         {"t", &now->t},
                   {"min_gap", &now->min_gap},   {"violation", &now->violation},
                   {"backward", &now->backward}, {"forward", &now->forward}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(columns[i].name, name) == 0)
            return columns[i].value;
    return NULL;
}

static void read_line(const char *folder, thud_recorded_now *now)
{
    thud_series *series = NULL;
    thud_fault fault;
    bool found = false;
    if (thud_series_open(folder, NULL, &series, &fault) < 0)
        return;
    int count = thud_series_columns(series);
    double *values = malloc((size_t)count * sizeof *values);
    if (values && thud_series_last(series, values, &found, &fault) >= 0 && found)
        for (int i = 0; i < count; i++)
        {
            double *value = find_column(now, thud_series_name(series, i));
            if (value)
                *value = values[i];
        }
    if (!(now->step >= 0 && now->step < THUDI_MOST_WHOLE)) // the line was altered
        now->step = NAN;
    free(values);
    thud_series_close(series);
}

// The older checkpoint, if this session wrote it; it may be replaced while we look.
static thudi_moment older_checkpoint(const char *folder)
{
    static const char name[] = "checkpoint.prev.thud";
    thud_fault fault;
    thud_checkpoint *checkpoint = NULL;
    int64_t n = -1;
    const thud_field node[] = {{"n", THUD_FIELD_INT64, 1, &n}};
    double before = when_written(folder, name);
    bool is_read = thud_checkpoint_read(folder, true, NULL, &checkpoint, &fault) >= 0 &&
                   thud_checkpoint_restore(checkpoint, node, 1, &fault) >= 0;
    thud_checkpoint_free(checkpoint);
    bool is_same = is_read && when_written(folder, name) == before;
    return (thudi_moment){is_same ? (double)n : NAN, before};
}

void thudi_now_rate(thud_recorded_now *now, const thud_scene *scene, thudi_moment from,
                    thudi_moment to)
{
    double seconds = to.when - from.when, steps = to.step - from.step;
    bool is_known = seconds > 0 && steps > 0;
    now->part = (now->t - scene->start) / (scene->end - scene->start);
    now->steps_per_second = is_known ? steps / seconds : NAN;
    now->time_per_second = now->steps_per_second * scene->step;
    now->seconds_left = fmax(scene->end - now->t, 0) / now->time_per_second;
}

void thudi_now_read(const thud_recorded *recorded, const thud_recorded_ending *end,
                    thud_recorded_now *now)
{
    const char *folder = recorded->folder;
    *now = (thud_recorded_now){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    read_line(folder, now);
    int64_t first = thud_log_view(recorded->log).first_node;
    thudi_moment from = {end->figures[THUD_TALLY_steps] + (double)first,
                         when_written(folder, "run.json")};
    thudi_moment last = {now->step, when_written(folder, "series.csv")};
    thudi_moment older = older_checkpoint(folder);
    if (older.step < last.step && older.when >= from.when)
        from = older;
    thudi_now_rate(now, recorded->scene, from, last);
}

void thudi_now_write(const thud_recorded_now *now, const thud_scene *scene, thud_writer *writer)
{
    char step[THUD_NUMBER_SIZE], rate[THUD_NUMBER_SIZE], left[THUD_NUMBER_SIZE],
        unit[THUD_COUNT_SIZE];
    if (isnan(now->step))
    {
        thud_write(writer, "  now: at the start; no step is in series.csv yet\n");
        return;
    }
    thud_write(writer, "  now: %.0f %%, step %s, t = %.6g of %.6g%s\n", floor(100 * now->part),
               thud_words_grouped(step, (long long)now->step), now->t, scene->end,
               thud_words_unit(unit, scene->unit_time));
    if (!isnan(now->seconds_left))
    {
        thud_write(writer, "  rate: %s steps/s", thud_words_short(rate, now->steps_per_second));
        thud_write(writer, ", %s%s of simulated time per second; %s left\n",
                   thud_words_short(rate, now->time_per_second),
                   thud_words_unit(unit, scene->unit_time),
                   thud_words_duration(left, now->seconds_left));
    }
    if (isnan(now->backward))
        return;
    thud_write(writer, "  last step: smallest gap %s", thud_words_short(rate, now->min_gap));
    thud_write(writer, ", gaps off by at most %s\n", thud_words_short(rate, now->backward));
}

void thudi_now_json(const thud_recorded_now *now, thud_json *json)
{
    thud_json_open(json, "now");
    thud_json_number(json, "step", now->step);
    thud_json_number(json, "t", now->t);
    thud_json_number(json, "part", now->part);
    thud_json_number(json, "steps_per_second", now->steps_per_second);
    thud_json_number(json, "time_per_second", now->time_per_second);
    thud_json_number(json, "seconds_left", now->seconds_left);
    thud_json_number(json, "min_gap", now->min_gap);
    thud_json_number(json, "violation", now->violation);
    thud_json_number(json, "backward", now->backward);
    thud_json_number(json, "forward", now->forward);
    thud_json_close(json);
}
