// Steps known in closed form:  u' = w + M^-1 G^T mu,  gap + h G u' = 0 on every row that holds.
#include "checker_scenes.h"

#include <math.h>
#include <string.h>

static void push_general(thud_rows *rows, int number, double gap, int count, const int *index,
                         const double *slope)
{
    thud_row row = {
        .key = thud_key_number(number), .gap = gap, .count = count, .index = index, .slope = slope};
    thud_rows_push(rows, &row);
}

// a ball over a floor

static int floor_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    double height = user ? *(const double *)user : 0;
    push_general(rows, 1, at->q[0] - height, 1, (int[]){0}, (double[]){1});
    return 0;
}

static int weight_of_two(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    f[0] = -4;
    return 0;
}

static double one = 1;

// three spheres of diameter 1 along a line; keys 1 and 2 are contacts, 3 is a wall at its end

static const double along[3] = {0.6, 0.8, 0};

static int cradle_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const double *q = at->q;
    for (int i = 0; i < 2; i++)
    {
        double d[3], slope[6], length = 0;
        for (int c = 0; c < 3; c++)
        {
            d[c] = q[3 * i + 3 + c] - q[3 * i + c];
            length += d[c] * d[c];
        }
        length = sqrt(length);
        for (int c = 0; c < 3; c++)
        {
            slope[3 + c] = d[c] / length;
            slope[c] = -slope[3 + c];
        }
        thud_row row = {.key = thud_key_number(2 - i), // pushed out of order, for the sort to mend
                        .gap = length - 1,
                        .width = 3,
                        .count = 2,
                        .index = (int[]){3 * i, 3 * i + 3},
                        .slope = slope};
        thud_rows_push(rows, &row);
    }
    if (!user)
        return 0;
    double reach = along[0] * q[6] + along[1] * q[7] + along[2] * q[8];
    thud_row wall = {.key = {3},
                     .gap = 2.5 - reach - 0.5,
                     .width = 3,
                     .count = 1,
                     .index = (int[]){6},
                     .slope = (double[]){-along[0], -along[1], -along[2]}};
    thud_rows_push(rows, &wall);
    return 0;
}

static const double cradle_mass[9] = {1, 1, 1, 2, 2, 2, 3, 3, 3};

static int cradle_force(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    for (int k = 0; k < 9; k++)
        f[k] = k % 3 == 2 ? -cradle_mass[k] : 0;
    return 0;
}

// a column of three balls of diameter 1 over a floor, in one dimension

static int column_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    const double *q = at->q;
    push_general(rows, 1, q[0] - 0.5, 1, (int[]){0}, (double[]){1});
    push_general(rows, 2, q[1] - q[0] - 1, 2, (int[]){0, 1}, (double[]){-1, 1});
    push_general(rows, 3, q[2] - q[1] - 1, 2, (int[]){1, 2}, (double[]){-1, 1});
    return 0;
}

static const double column_mass[3] = {1, 2, 4};

static int column_impulse(double t, double t_next, const double *q, double *impulse, void *user)
{
    (void)q, (void)user;
    for (int k = 0; k < 3; k++)
        impulse[k] = -8 * column_mass[k] * (t_next - t);
    return 0;
}

// an oblique corner in the plane

static int corner_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    const double *q = at->q;
    push_general(rows, 1, q[1], 1, (int[]){1}, (double[]){1});
    push_general(rows, 2, 0.75 * q[0] + q[1], 2, (int[]){0, 1}, (double[]){0.75, 1});
    return 0;
}

static const double corner_mass[2] = {1, 2};

// the play operator: |q - t| <= 1/2, dragged along

static int play_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    push_general(rows, 1, at->q[0] - (at->t - 0.5), 1, (int[]){0}, (double[]){1});
    push_general(rows, 2, at->t + 0.5 - at->q[0], 1, (int[]){0}, (double[]){-1});
    return 0;
}

static const double play_mass[1] = {2};

static int play_velocity(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    f[0] = 0.25;
    return 0;
}

// a floor at t^2 / 2

static int moving_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    push_general(rows, 1, at->q[0] - at->t * at->t / 2, 1, (int[]){0}, (double[]){1});
    return 0;
}

static const thud_smoothness moving_smooth = {.gap_tt = 1};
static const thud_smoothness fixed_smooth = {0};

// a force 1 / (2 sqrt t) from its singularity on

static int singular_force(double t, const double *q, double *f, void *user)
{
    (void)q, (void)user;
    f[0] = 1 / (2 * sqrt(t));
    f[1] = 2 / sqrt(t);
    return 0;
}

static int singular_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    push_general(rows, 1, at->q[1], 1, (int[]){1}, (double[]){1});
    return 0;
}

static const double two_mass[1] = {2}, singular_mass[2] = {2, 4};

const checker_scene scenes[] = {
    {.name = "ball on a floor",
     .problem = {.dim = 1,
                 .mass = two_mass,
                 .force = weight_of_two,
                 .force_is_steady = true,
                 .gaps = floor_gaps,
                 .smooth = &fixed_smooth},
     .h = 0.5,
     .q = {0.25},
     .u = {-1},
     .mean_force = {-4},
     .wanted_u = {-0.5},
     .wanted_mu = {3},
     .row_count = 1},
    {.name = "ball at rest",
     .problem =
         {.dim = 1, .mass = two_mass, .force = weight_of_two, .gaps = floor_gaps, .user = &one},
     .t0 = -1,
     .n = 7,
     .h = 0.5,
     .q = {1},
     .mean_force = {-4},
     .wanted_mu = {2},
     .row_count = 1},
    {.name = "cradle of masses 1, 2, 3",
     .problem = {.dim = 9,
                 .mass = cradle_mass,
                 .force = cradle_force,
                 .force_is_steady = true,
                 .gaps = cradle_gaps},
     .h = 0.25,
     .q = {0, 0, 0, 0.6, 0.8, 0, 1.2, 1.6, 0},
     .u = {0.6, 0.8, 0.25, 0, 0, 0.125, -0.6, -0.8, 0.5},
     .mean_force = {0, 0, -1, 0, 0, -2, 0, 0, -3},
     .wanted_u = {-0.2, -0.8 / 3, 0, -0.2, -0.8 / 3, -0.125, -0.2, -0.8 / 3, 0.25},
     .wanted_mu = {2, 4.0 / 3},
     .row_count = 2},
    {.name = "cradle against a wall",
     .problem = {.dim = 9, .mass = cradle_mass, .gaps = cradle_gaps, .user = &one},
     .t0 = 3,
     .n = 100,
     .h = 0.1,
     .q = {0, 0, 0, 0.6, 0.8, 0, 1.2, 1.6, 0},
     .u = {1.2, 1.6, 0.5, 0.6, 0.8, 0.25, 0.6, 0.8, 0.125},
     .wanted_u = {0, 0, 0.5, 0, 0, 0.25, 0, 0, 0.125},
     .wanted_mu = {4, 2, 7},
     .row_count = 3},
    {.name = "column of three",
     .problem = {.dim = 3, .mass = column_mass, .impulse = column_impulse, .gaps = column_gaps},
     .h = 0.125,
     .q = {0.625, 1.75, 2.875},
     .u = {-3, -3, -3},
     .mean_force = {-8, -16, -32},
     .wanted_u = {-1, -2, -3},
     .wanted_mu = {11, 8, 4},
     .row_count = 3},
    {.name = "oblique corner",
     .problem = {.dim = 2, .mass = corner_mass, .gaps = corner_gaps},
     .t0 = 1e3,
     .h = 0.25,
     .q = {0.5, 0.25},
     .u = {-5, -6},
     .wanted_u = {-2, -1},
     .wanted_mu = {6, 4},
     .row_count = 2},
    {.name = "play operator",
     .problem = {.dim = 1,
                 .order = THUD_FIRST_ORDER,
                 .mass = play_mass,
                 .force = play_velocity,
                 .gaps = play_gaps,
                 .smooth = &fixed_smooth},
     .h = 0.25,
     .q = {-0.5},
     .mean_force = {0.25},
     .wanted_u = {1},
     .wanted_mu = {1.5, 0},
     .row_count = 2},
    {.name = "moving floor",
     .problem = {.dim = 1, .gaps = moving_gaps, .smooth = &moving_smooth},
     .t0 = 1,
     .n = 3,
     .h = 0.125,
     .q = {1},
     .u = {0.5},
     .wanted_u = {1},
     .wanted_mu = {0.5},
     .row_count = 1},
    {.name = "force 1 / (2 sqrt t)",
     .problem = {.dim = 2,
                 .mass = singular_mass,
                 .force = singular_force,
                 .gaps = singular_gaps,
                 .smooth = &fixed_smooth},
     .h = 0.25,
     .q = {3, 0.0625},
     .u = {1, -1},
     .mean_force = {2, 8},
     .wanted_u = {1.25, -0.25},
     .wanted_mu = {1},
     .row_count = 1},
};

const int scene_count = sizeof scenes / sizeof *scenes;

void scene_rebind(scene_step *step)
{
    step->before.q = step->q0;
    step->before.u = step->u0;
    step->before.multipliers = step->kept0;
    step->after.q = step->q1;
    step->after.u = step->u1;
    step->after.multipliers = step->kept1;
}

static void start(const checker_scene *scene, scene_step *step)
{
    memset(step, 0, sizeof *step);
    scene_rebind(step);
    step->before.dim = step->after.dim = scene->problem.dim;
    step->before.t0 = step->after.t0 = scene->t0;
    step->before.h = step->after.h = scene->h;
    step->before.n = scene->n;
    step->after.n = scene->n + 1;
    memcpy(step->q0, scene->q, sizeof scene->q);
    memcpy(step->u0, scene->u, sizeof scene->u);
}

static double mass(const checker_scene *scene, int k)
{
    return scene->problem.mass ? scene->problem.mass[k] : 1;
}

static void predict(const checker_scene *scene, double *w)
{
    for (int k = 0; k < scene->problem.dim; k++)
        w[k] = scene->problem.order == THUD_FIRST_ORDER
                   ? scene->mean_force[k]
                   : scene->u[k] + scene->h * scene->mean_force[k] / mass(scene, k);
}

// The coordinate of slope e.
static int coordinate(const thud_row *row, int e)
{
    return row->width > 1 ? row->index[e / row->width] + e % row->width : row->index[e];
}

static int length(const thud_row *row)
{
    return row->width > 1 ? row->count * row->width : row->count;
}

static void add_row(const checker_scene *scene, const thud_row *row, double mu, double *u)
{
    for (int e = 0; e < length(row); e++)
        u[coordinate(row, e)] += mu * row->slope[e] / mass(scene, coordinate(row, e));
}

// One visit to a row: make its lin >= 0 by its own multiplier.
static void relax(const checker_scene *scene, const thud_row *row, double *mu, double *u)
{
    double lin = row->gap, stiffness = 0;
    for (int e = 0; e < length(row); e++)
    {
        int k = coordinate(row, e);
        lin += scene->h * row->slope[e] * u[k];
        stiffness += scene->h * row->slope[e] * row->slope[e] / mass(scene, k);
    }
    double better = fmax(0, *mu - lin / stiffness);
    add_row(scene, row, better - *mu, u);
    *mu = better;
}

static void commit(scene_step *step, const thud_rows *rows, const double *mu)
{
    for (int k = 0; k < step->after.dim; k++)
        step->q1[k] = step->q0[k] + step->before.h * step->u1[k];
    for (int i = 0; i < thud_rows_count(rows); i++)
        if (mu[i] != 0)
            step->kept1[step->after.multiplier_count++] =
                (thud_multiplier){thud_rows_get(rows, i, NULL).key, mu[i], 0};
}

void scene_take_step(const checker_scene *scene, uint64_t dropped, scene_step *step)
{
    const thud_inclusion *problem = &scene->problem;
    double mu[SCENE_ROWS] = {0}, w[SCENE_DIM] = {0};
    thud_rows *rows = NULL;
    start(scene, step);
    predict(scene, w);
    double t_next = fma((double)step->after.n, scene->h, scene->t0);
    thud_moment at = {.t = t_next, .h = scene->h, .q = scene->q, .w = w};
    if (thud_rows_create(problem->dim, NULL, &rows) != THUD_OK)
        return;
    problem->gaps(&at, rows, problem->user);
    thud_rows_sort(rows);
    memcpy(step->u1, w, sizeof w);
    for (int sweep = 0; sweep < 2000; sweep++)
        for (int i = 0; i < thud_rows_count(rows); i++)
        {
            thud_row_room room;
            thud_row row = thud_rows_get(rows, i, &room);
            if (!thud_key_same(row.key, thud_key_number((int64_t)dropped)))
                relax(scene, &row, &mu[i], step->u1);
        }
    // u' from mu afresh, so that no rounding of the sweeps is left in it
    memcpy(step->u1, w, sizeof w);
    for (int i = 0; i < thud_rows_count(rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        add_row(scene, &row, mu[i], step->u1);
    }
    commit(step, rows, mu);
    thud_rows_destroy(rows);
}
