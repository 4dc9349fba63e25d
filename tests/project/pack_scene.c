// Packs that settle: the start on a jittered grid, one step, and the sums over its rows.
#include "pack_scene.h"

#include "thud_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static thud_sphere draw_sphere(const pack_def *def, int i, test_random *random)
{
    int columns = def->columns, layer = def->dim == 3 ? columns * columns : columns;
    double radius = test_random_uniform(random, 0.9, 1.1), place[3] = {0, 0, 0};
    place[0] = i % columns;
    place[1] = def->dim == 3 ? i / columns % columns : i / layer;
    place[2] = i / layer;
    thud_sphere s = {.radius = radius, .mass = pow(radius, def->dim)};
    for (int k = 0; k < def->dim && k < 3; k++)
    {
        s.center[k] = 1.2 + 2.4 * place[k] + test_random_uniform(random, -0.09, 0.09);
        s.velocity[k] = test_random_uniform(random, -0.1, 0.1);
    }
    return s;
}

static thud_status add_all(const pack_def *def, pack *p)
{
    test_random random = test_random_start(def->seed);
    int up = def->dim - 1;
    double side = 2.4 * def->columns, low[3] = {0, 0, 0}, high[3] = {side, side, side};
    high[up] = INFINITY;
    thud_status status = thud_world_add_box(p->world, low, high, NULL);
    for (int i = 0; i < def->count && status >= 0; i++)
    {
        thud_sphere s = draw_sphere(def, i, &random);
        p->weight += s.mass;
        p->m_g_r += s.mass * s.radius;
        status = thud_world_add(p->world, &s, 1, NULL);
    }
    return status;
}

bool pack_start(const pack_def *def, pack *p)
{
    thud_world_def world = {
        .dim = def->dim, .h = def->h, .drag = def->drag, .tol = def->tol, .tol_a = def->tol_a};
    world.gravity[def->dim - 1] = -1;
    *p = (pack){.drag = def->drag};
    if (thud_world_create(&world, &p->world) < 0 || add_all(def, p) < 0)
        return false;
    if (thud_world_prepare(p->world, THUD_REFUSE_OVERLAP, NULL) < 0)
        return false;
    thud_work_def work = thud_world_work(p->world);
    work.projector.method = def->method;
    p->problem = thud_world_inclusion(p->world);
    p->u_before = calloc((size_t)(def->dim * def->count), sizeof *p->u_before);
    return p->u_before && thud_work_create(&work, &p->work) >= 0;
}

void pack_free(pack *p)
{
    thud_work_destroy(p->work);
    thud_world_destroy(p->world);
    free(p->u_before);
}

thud_status pack_step(pack *p)
{
    thud_state *state = thud_world_state(p->world);
    memcpy(p->u_before, state->u, (size_t)state->dim * sizeof *state->u);
    return thud_step(&p->problem, state, p->work);
}

// The vertical momentum gained beside what gravity and drag give, and the energies.
static void measure_bodies(const pack *p, pack_figures *f, double *gain)
{
    thud_bodies b = thud_world_bodies(p->world);
    double h = thud_world_state(p->world)->h;
    *gain = 0;
    for (int k = 0; k < b.dim * b.count; k++)
    {
        f->kinetic += 0.5 * b.mass[k] * b.u[k] * b.u[k];
        if (k % b.dim != b.dim - 1)
            continue;
        f->height += b.mass[k] * b.q[k];
        *gain += b.mass[k] * ((b.u[k] - p->u_before[k]) / h + 1 + p->drag * p->u_before[k]);
    }
    f->energy_scale = f->kinetic / p->m_g_r;
}

static double slope_times(const thud_row *row, const double *q)
{
    double sum = 0;
    for (int b = 0; b < row->count; b++)
        for (int k = 0; k < row->width; k++)
            sum += row->slope[b * row->width + k] * q[row->index[b] + k];
    return sum;
}

// Per body: how many multipliers count, and how many of them are of the floor.
static void count_contacts(const pack *p, double level, pack_figures *f, int *all, int *floor)
{
    const thud_report *report = thud_work_report(p->work);
    int dim = thud_world_bodies(p->world).dim;
    for (int i = 0; i < thud_rows_count(report->rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(report->rows, i, &room);
        if (!(report->answer.mu[i] > level))
            continue;
        f->positive++;
        for (int b = 0; b < row.count; b++)
            all[row.index[b] / dim]++;
        if (row.count == 1 && row.slope[dim - 1] > 0.5)
            floor[row.index[0] / dim]++;
    }
}

pack_figures pack_measure(const pack *p, double level)
{
    const thud_report *report = thud_work_report(p->work);
    thud_bodies bodies = thud_world_bodies(p->world);
    double h = thud_world_state(p->world)->h, gain;
    pack_figures f = {0};
    measure_bodies(p, &f, &gain);
    for (int i = 0; i < thud_rows_count(report->rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(report->rows, i, &room);
        double lambda = report->answer.mu[i] / h;
        if (row.count == 1)
            f.floor_force += lambda * row.slope[bodies.dim - 1] / p->weight;
        f.virial += lambda * slope_times(&row, bodies.q) / f.height;
    }
    f.balance = fabs(f.floor_force - gain / p->weight);
    int *all = calloc(2 * (size_t)bodies.count, sizeof *all), *floor = all + bodies.count;
    if (!all)
        return f;
    count_contacts(p, level * h * p->weight / bodies.count, &f, all, floor);
    for (int i = 0; i < bodies.count; i++)
        f.floor_only += all[i] == 1 && floor[i] == 1;
    free(all);
    return f;
}
