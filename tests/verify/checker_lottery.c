// Random problems: affine rows that may move, or spheres in a box that may grow, and a force.
#include "checker_lottery.h"

#include <string.h>

static void push(const lottery *of, thud_rows *rows, const thud_row *row)
{
    if (!thud_key_same(row->key, of->dropped))
        thud_rows_push(rows, row);
}

static int affine_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const lottery *of = user;
    for (int i = 0; i < of->row_count; i++)
    {
        int index[LOTTERY_DIM], count = 0;
        double slope[LOTTERY_DIM], gap = of->offset[i] + of->drift[i] * (at->t - of->t0);
        for (int k = 0; k < of->problem.dim; k++)
        {
            if (of->slope[i][k] == 0)
                continue;
            gap += of->slope[i][k] * at->q[k];
            index[count] = k;
            slope[count++] = of->slope[i][k];
        }
        thud_row row = {.key = thud_key_number(i + 1),
                        .gap = gap,
                        .count = count,
                        .index = index,
                        .slope = slope};
        push(of, rows, &row);
    }
    return 0;
}

static double radius_at(const lottery *of, int i, double t)
{
    return of->radius[i] * (1 + of->growth * t);
}

static void push_contact(const lottery *of, const thud_moment *at, int i, int j, thud_rows *rows)
{
    int width = of->width;
    double d[3], slope[6], length = 0;
    for (int c = 0; c < width; c++)
    {
        d[c] = at->q[j * width + c] - at->q[i * width + c];
        length += d[c] * d[c];
    }
    length = sqrt(length);
    for (int c = 0; c < width; c++)
    {
        slope[width + c] = d[c] / length;
        slope[c] = -slope[width + c];
    }
    thud_row row = {.key = thud_key_number(100 + i * LOTTERY_BODIES + j),
                    .gap = length - radius_at(of, i, at->t) - radius_at(of, j, at->t),
                    .width = width,
                    .count = 2,
                    .index = (int[]){i * width, j * width},
                    .slope = slope};
    push(of, rows, &row);
}

static int sphere_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    const lottery *of = user;
    double up[3] = {0, 0, 0};
    up[of->width - 1] = 1;
    for (int i = 0; i < of->bodies; i++)
    {
        int index = i * of->width;
        thud_row ground = {.key = thud_key_number(i + 1),
                           .gap = at->q[index + of->width - 1] - radius_at(of, i, at->t),
                           .width = of->width,
                           .count = 1,
                           .index = &index,
                           .slope = up};
        push(of, rows, &ground);
        for (int j = i + 1; j < of->bodies; j++)
            push_contact(of, at, i, j, rows);
    }
    return 0;
}

static int waving_force(double t, const double *q, double *f, void *user)
{
    const lottery *of = user;
    for (int k = 0; k < of->problem.dim; k++)
        f[k] = of->weight[k] * (1 + of->wave * cos(3 * t + k)) - 0.25 * q[k];
    return 0;
}

static int waving_impulse(double t, double t_next, const double *q, double *impulse, void *user)
{
    const lottery *of = user;
    for (int k = 0; k < of->problem.dim; k++)
        impulse[k] =
            of->weight[k] * ((t_next - t) + of->wave / 3 * (sin(3 * t_next + k) - sin(3 * t + k))) -
            0.25 * q[k] * (t_next - t);
    return 0;
}

static void draw_force(lottery *of, test_random *random)
{
    int kind = test_random_int(random, 0, 3);
    for (int k = 0; k < of->problem.dim; k++)
        of->weight[k] = of->mass[k] * test_random_normal(random);
    of->wave = kind >= 2 ? 1 : 0;
    if (kind == 3)
        of->problem.impulse = waving_impulse;
    else if (kind > 0)
        of->problem.force = waving_force;
    of->problem.force_is_steady = kind == 1;
}

// Rows through or above the start, some of them equal, opposite, or badly scaled.
static void draw_affine(lottery *of, test_random *random)
{
    int dim = of->problem.dim = test_random_int(random, 1, 10);
    of->row_count = test_random_int(random, 0, 20);
    of->problem.gaps = affine_gaps;
    for (int k = 0; k < dim; k++)
    {
        of->mass[k] = pow(10, test_random_uniform(random, -1, 1));
        of->q[k] = test_random_normal(random);
        of->u[k] = test_random_normal(random);
    }
    for (int i = 0; i < of->row_count; i++)
    {
        double sum = 0, scale = pow(10, test_random_uniform(random, -3, 3));
        bool again = i > 0 && test_random_int(random, 0, 9) == 0;
        for (int k = 0; k < dim; k++)
        {
            bool zero = test_random_int(random, 0, 2) == 0;
            of->slope[i][k] = zero ? 0 : scale * test_random_normal(random);
            if (again)
                of->slope[i][k] = of->slope[i - 1][k];
            sum += of->slope[i][k] * of->q[k];
        }
        of->drift[i] = test_random_int(random, 0, 2) ? 0 : 0.1 * scale * test_random_normal(random);
        double room =
            test_random_int(random, 0, 1) ? 0.1 * scale * test_random_uniform(random, 0, 1) : 0;
        of->offset[i] = room - sum;
    }
}

// Spheres on a line that leans, near each other, over the ground.
static void draw_spheres(lottery *of, test_random *random)
{
    of->width = test_random_int(random, 2, 3);
    of->bodies = test_random_int(random, 1, LOTTERY_BODIES);
    of->problem.dim = of->width * of->bodies;
    of->problem.gaps = sphere_gaps;
    of->growth = test_random_int(random, 0, 1) ? 0.05 : 0;
    double height = 0;
    for (int i = 0; i < of->bodies; i++)
    {
        double m = pow(10, test_random_uniform(random, -1, 1));
        of->radius[i] = test_random_uniform(random, 0.5, 1);
        height += radius_at(of, i, of->t0);
        for (int c = 0; c < of->width; c++)
        {
            int k = i * of->width + c;
            of->mass[k] = m;
            of->q[k] = c == of->width - 1 ? height : 0.1 * test_random_normal(random);
            of->u[k] = test_random_normal(random);
        }
        height += radius_at(of, i, of->t0) + test_random_uniform(random, 0, 0.1);
    }
}

void lottery_draw(lottery *of, test_random *random)
{
    memset(of, 0, sizeof *of);
    of->t0 = test_random_int(random, 0, 1) ? 0 : test_random_uniform(random, -1, 1);
    of->h = pow(10, test_random_uniform(random, -3, -0.5));
    of->problem.order = test_random_int(random, 0, 2) ? THUD_SECOND_ORDER : THUD_FIRST_ORDER;
    if (test_random_int(random, 0, 1))
        draw_affine(of, random);
    else
        draw_spheres(of, random);
    of->problem.mass = of->mass;
    of->problem.user = of;
    of->problem.smooth = &of->smooth;
    draw_force(of, random);
}
