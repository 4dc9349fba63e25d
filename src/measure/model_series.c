// The series: what is written of every step, by name.
//
//     kinetic = sum m |u|^2 / 2,   potential = -sum m g(t) . q,   force on a wall = sum mu / h
//
// Sums over bodies and contacts are exact, so they do not depend on their order.
//
// The names are made once; the values come in the same order, so both are written by one walk.
#include "measure/model_measures.h"

#include "core/mass.h"
#include "core/math/exact_four.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

thud_status thudi_model_add_name(thud_model *model, const char *first, const char *name,
                                 const char *last)
{
    size_t size = strlen(first) + strlen(name) + strlen(last) + 1;
    THUD_TRY(thudi_array_reserve(&model->allocator, &model->series->names,
                                 (size_t)model->series->name_count + 1));
    char *text = thudi_allocate_zeroed(&model->allocator, size);
    if (!text)
        return THUD_ERR_MEMORY;
    (void)snprintf(text, size, "%s%s%s", first, name, last);
    model->series->names.items[model->series->name_count++] = text;
    return THUD_OK;
}

static thud_status name_spheres(thud_model *model)
{
    const thud_scene *scene = model->scene;
    if (scene->order == THUD_FIRST_ORDER)
    {
        THUD_TRY(thudi_model_add_name(model, "pressure_max", "", ""));
        THUD_TRY(thudi_model_add_name(model, "pressure_mean", "", ""));
    }
    else
        THUD_TRY(thudi_model_add_name(model, "potential", "", ""));
    for (int i = 0; i < scene->wall_count; i++)
        THUD_TRY(thudi_model_add_name(model, "force.", scene->walls[i].name, ""));
    for (int i = 0; i < scene->obstacle_count; i++)
        THUD_TRY(thudi_model_add_name(model, "force.", scene->obstacles[i].name, ""));
    return THUD_OK;
}

static thud_status name_inclusion(thud_model *model)
{
    const thud_scene *scene = model->scene;
    for (int i = 0; i < scene->coordinate_count; i++)
        THUD_TRY(thudi_model_add_name(model, "", scene->coordinates[i].name, ""));
    for (int i = 0; i < scene->coordinate_count; i++)
        THUD_TRY(thudi_model_add_name(model, "u.", scene->coordinates[i].name, ""));
    for (int i = 0; i < scene->constraint_count; i++)
        THUD_TRY(thudi_model_add_name(model, "force.", scene->constraints[i].name, ""));
    return THUD_OK;
}

// Room for sums: those of walls and obstacles, and later those of the bins of a profile.
static thud_status take_sums(thud_model *model)
{
    const thud_scene *scene = model->scene;
    thudi_series *series = model->series;
    series->sum_count = model->world ? scene->wall_count + scene->obstacle_count : 0;
    for (int i = 0; i < scene->measure_count; i++)
        if (scene->measures[i].bins > series->sum_count)
            series->sum_count = scene->measures[i].bins;
    if (series->sum_count == 0)
        return THUD_OK;
    size_t size = (size_t)series->sum_count * sizeof *series->sums;
    series->sums = thudi_allocate_zeroed(&model->allocator, size);
    return series->sums ? THUD_OK : THUD_ERR_MEMORY;
}

static thud_status take_counts(thud_model *model)
{
    const thud_allocator *from = &model->allocator;
    thudi_series *series = model->series;
    size_t measures = (size_t)model->scene->measure_count;
    size_t bodies = (size_t)model->scene->body_count; // 0 for inclusions
    THUD_TRY(take_sums(model));
    if (measures == 0)
        return THUD_OK;
    series->crossed = thudi_allocate_zeroed(from, measures * sizeof *series->crossed);
    series->carried = thudi_allocate_zeroed(from, measures * sizeof *series->carried);
    series->watched = thudi_allocate_zeroed(from, measures * sizeof *series->watched);
    if (!series->crossed || !series->carried || !series->watched)
        return THUD_ERR_MEMORY;
    if (bodies == 0)
        return THUD_OK;
    series->sides = thudi_allocate_zeroed(from, measures * bodies * sizeof *series->sides);
    series->radii = thudi_allocate_zeroed(from, bodies * sizeof *series->radii);
    return series->sides && series->radii ? THUD_OK : THUD_ERR_MEMORY;
}

void thudi_series_discard(thud_model *model)
{
    const thud_allocator *from = &model->allocator;
    thudi_series *series = model->series;
    size_t measures = (size_t)model->scene->measure_count;
    size_t bodies = (size_t)model->scene->body_count;
    if (!series)
        return;
    for (int i = 0; i < series->name_count; i++)
        thudi_free(from, series->names.items[i], strlen(series->names.items[i]) + 1);
    thudi_array_free(from, &series->names);
    thudi_free(from, series->sides, bodies * measures * sizeof *series->sides);
    thudi_free(from, series->crossed, measures * sizeof *series->crossed);
    thudi_free(from, series->carried, measures * sizeof *series->carried);
    thudi_free(from, series->watched, measures * sizeof *series->watched);
    thudi_free(from, series->radii, bodies * sizeof *series->radii);
    thudi_free(from, series->sums, (size_t)series->sum_count * sizeof *series->sums);
    thudi_free(from, series, sizeof *series);
    model->series = NULL;
}

// A name of the scene that a column has already would make two of them: one of the first, or, of a
// measure, one before the measures.
static const char *find_duplicate(const thud_model *model, int columns, int measures)
{
    for (int i = columns; i < model->series->name_count; i++)
        for (int k = 0; k < (i < measures ? columns : measures); k++)
            if (strcmp(model->series->names.items[i], model->series->names.items[k]) == 0)
                return model->series->names.items[i];
    return NULL;
}

thud_status thudi_series_make(thud_model *model, thud_fault *fault)
{
    static const char *const steps[] = {"step",   "t",       "rows",      "contacts", "rounds",
                                        "sweeps", "min_gap", "violation", "backward", "forward",
                                        "kkt",    "between", "news",      "kinetic"};
    model->series = thudi_allocate_zeroed(&model->allocator, sizeof *model->series);
    if (!model->series)
        return THUD_ERR_MEMORY;
    THUD_TRY(take_counts(model));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        THUD_TRY(thudi_model_add_name(model, steps[i], "", ""));
    int columns = model->series->name_count; // potential, or the pressures of a crowd, are ours too
    if (model->world)
        columns += model->scene->order == THUD_FIRST_ORDER ? 2 : 1;
    THUD_TRY(model->world ? name_spheres(model) : name_inclusion(model));
    int measures = model->series->name_count;
    for (int i = 0; i < model->scene->measure_count; i++)
        THUD_TRY(thudi_measure_names(model, &model->scene->measures[i]));
    const char *twin = find_duplicate(model, columns, measures);
    if (!twin)
        return thudi_times_find(model, fault);
    (void)thudi_fail_unplaced(fault, THUD_ERR_SCENE, "choose another name",
                              "'%s' is already the name of a column of series.csv", twin);
    if (fault)
        (void)snprintf(fault->file, sizeof fault->file, "%s", model->scene->file);
    return THUD_ERR_SCENE;
}

int thud_model_series(const thud_model *model, const char *const **names)
{
    *names = (const char *const *)model->series->names.items;
    return model->series->name_count;
}

static double kinetic_energy(const thud_view *view)
{
    thudi_exact_four sums;
    thudi_exact_four_clear(&sums);
    for (int k = 0; k < view->problem->dim; k += 4)
    {
        int count = view->problem->dim - k; // of those that are there, the first four are loaded
        four u = four_load_first(view->u + k, count), m = four_of(1);
        if (view->problem->mass)
            m = four_load_first(view->problem->mass + k, count);
        thudi_exact_four_add(&sums, m * u * u);
    }
    return thudi_exact_four_total(&sums) / 2;
}

static double potential_energy(const thud_model *model, const thud_view *view)
{
    const thud_scene *scene = model->scene;
    thudi_exact_four sums;
    double gravity[3];
    for (int k = 0; k < 3; k++)
        gravity[k] = thudi_model_value(model, &scene->gravity[k], view->t);
    four along = {-gravity[0], -gravity[1], scene->dim == 3 ? -gravity[2] : 0, 0};
    thudi_exact_four_clear(&sums);
    for (int i = 0; i < scene->body_count; i++)
    {
        size_t at = (size_t)scene->dim * (size_t)i;
        four q = four_load_first(view->q + at, scene->dim);
        thudi_exact_four_add(&sums, view->problem->mass[at] * along * q);
    }
    return thudi_exact_four_total(&sums);
}

static double *write_step(const thud_view *view, double *values)
{
    const thud_report *report = view->report;
    const thud_state *state = view->state;
    *values++ = (double)state->n;
    *values++ = view->t;
    if (!report) // the start: nothing was solved
    {
        for (int i = 0; i < 11; i++)
            *values++ = i < 4 || i == 10 ? 0 : NAN;
        return values;
    }
    const thud_certificate *proof = &report->answer.certificate;
    *values++ = thud_rows_count(report->rows);
    *values++ = state->multiplier_count;
    *values++ = report->rounds;
    *values++ = (double)report->effort.sweeps;
    *values++ = report->min_gap;
    *values++ = proof->violation + 0.0; // no -0
    *values++ = proof->backward;
    *values++ = proof->forward;
    *values++ = proof->kkt;
    *values++ = report->between;
    *values++ = report->news;
    return values;
}

// Forces on all walls and obstacles at once: one walk over the multipliers, those come last.
static void add_wall_forces(const thud_model *model, const thud_view *view, double *forces)
{
    const thud_state *state = view->state;
    int count = model->scene->wall_count + model->scene->obstacle_count, body, wall = -1;
    thudi_exact_sum *sums = model->series->sums;
    if (count > 0)
        memset(sums, 0, (size_t)count * sizeof *sums);
    for (int i = state->multiplier_count - 1; i >= 0 && wall < 0; i--)
    {
        // sorted: once it is a pair, no more of walls and obstacles
        thudi_model_key(model, state->multipliers[i].key, &body, &wall);
        if (wall > INT_MIN && wall < 0)
            thudi_exact_add(&sums[-1 - wall],
                            state->multipliers[i].impulse * (1 / thudi_model_span(view)));
    }
    for (int i = 0; i < count; i++)
        forces[i] = thudi_exact_value(&sums[i]);
}

// The bodies push a wall against its normal.
static double *write_force_on(const thud_model *model, const thud_scene_measure *measure,
                              const thud_view *view, const double *forces, double *values)
{
    double sum[3] = {0, 0, 0};
    thud_plane plane;
    if (measure->wall_count == 0)
        thudi_model_obstacle_force(model, measure->obstacle, view, sum);
    for (int i = 0; i < measure->wall_count; i++)
    {
        thud_model_wall(model, measure->first_wall + i, view->t, &plane);
        for (int k = 0; k < 3; k++)
            sum[k] -= plane.normal[k] * forces[measure->first_wall + i];
    }
    for (int k = 0; k < model->scene->dim && k < 3; k++)
        *values++ = sum[k];
    return values;
}

static double side_of(const thud_model *model, const thud_scene_plane *plane, double t,
                      const double *x)
{
    double sum = 0;
    for (int k = 0; k < model->scene->dim; k++)
        sum += thudi_model_value(model, &plane->normal[k], t) *
               (x[k] - thudi_model_value(model, &plane->point[k], t));
    return sum;
}

// A plane that is not finite has no sides: nothing is counted, and later steps go on from before.
static double count_through(thud_model *model, int measure, const thud_view *view)
{
    const thud_scene *scene = model->scene;
    bool is_finite = true;
    signed char *sides = model->series->sides + (size_t)measure * (size_t)scene->body_count;
    for (int i = 0; i < scene->body_count; i++)
    {
        const double *x = view->q + (size_t)scene->dim * (size_t)i;
        double side = side_of(model, &scene->measures[measure].plane, view->t, x);
        signed char now = side >= 0 ? 1 : -1;
        is_finite = is_finite && isfinite(side);
        if (!isfinite(side))
            continue;
        if (sides[i] != 0 && sides[i] != now)
            model->series->crossed[measure] += now;
        sides[i] = now;
    }
    return is_finite ? model->series->crossed[measure] : NAN;
}

static void write_spheres(thud_model *model, const thud_view *view, double *values)
{
    const thud_scene *scene = model->scene;
    if (scene->order == THUD_FIRST_ORDER)
    {
        thudi_crowd_pressures(model, view, &values[0], &values[1]);
        values += 2;
    }
    else
        *values++ = potential_energy(model, view);
    double *forces = values;
    add_wall_forces(model, view, forces);
    values += scene->wall_count + scene->obstacle_count;
    for (int i = 0; i < scene->measure_count; i++)
    {
        const thud_scene_measure *measure = &scene->measures[i];
        if (measure->kind == THUD_MEASURE_COUNT_THROUGH)
            *values++ = count_through(model, i, view);
        else if (measure->kind == THUD_MEASURE_FORCE_ON)
            values = write_force_on(model, measure, view, forces, values);
        else
            values = thudi_measure_values(model, i, view, values);
    }
}

static void write_inclusion(const thud_model *model, const thud_view *view, double *values)
{
    const thud_scene *scene = model->scene;
    size_t dim = (size_t)scene->coordinate_count;
    const thud_state *state = view->state;
    memcpy(values, view->q, dim * sizeof *values);
    memcpy(values + dim, view->u, dim * sizeof *values);
    double *forces = values + 2 * dim;
    memset(forces, 0, (size_t)scene->constraint_count * sizeof *forces);
    for (int i = 0; i < state->multiplier_count; i++)
    {
        int constraint = thud_scene_constraint_of(scene, state->multipliers[i].key);
        if (constraint >= 0)
            forces[constraint] = state->multipliers[i].impulse * (1 / thudi_model_span(view));
    }
}

void thud_model_measure(thud_model *model, const thud_view *view, double *values)
{
    double *next = write_step(view, values);
    *next++ = kinetic_energy(view);
    if (model->world)
        write_spheres(model, view, next);
    else
        write_inclusion(model, view, next);
    thud_model_follow(model, model->series->crossed, model->series->carried, values);
}

void thud_model_fields(thud_model *model, thud_field fields[THUD_MODEL_FIELDS])
{
    int64_t measures = model->scene->measure_count;
    const thud_field table[THUD_MODEL_FIELDS] = {
        {"sides", THUD_FIELD_INT8, measures * model->scene->body_count, model->series->sides},
        {"crossed", THUD_FIELD_DOUBLE, measures, model->series->crossed},
        {"carried", THUD_FIELD_DOUBLE, measures, model->series->carried},
    };
    memcpy(fields, table, sizeof table);
}
