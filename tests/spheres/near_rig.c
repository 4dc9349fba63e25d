// A world of spheres and walls, asked for its rows at moments drawn at random.
#include "near_rig.h"

#include <stdlib.h>
#include <string.h>

void *near_rig_room(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        abort();
    return block;
}

void near_rig_make(near_rig *rig, test_random *random, int dim, int count, double span)
{
    int side = 1;
    while ((dim == 3 ? side * side * side : side * side) < count)
        side++;
    *rig = (near_rig){.dim = dim, .count = count, .h = 0.1};
    size_t bodies = (size_t)count, size = (size_t)dim * bodies;
    rig->spheres = near_rig_room(bodies, sizeof *rig->spheres);
    rig->q = near_rig_room(4 * size, sizeof *rig->q);
    rig->u = rig->q + size;
    rig->w = rig->u + size;
    rig->trial = rig->w + size;
    rig->multipliers = near_rig_room(bodies, sizeof *rig->multipliers);
    for (int i = 0; i < count; i++)
    {
        thud_sphere *s = &rig->spheres[i];
        int at[3] = {i % side, i / side % side, i / side / side};
        s->radius = 0.49 / pow(span, test_random_uniform(random, 0, 1));
        s->mass = 1;
        for (int k = 0; k < dim && k < 3; k++)
            s->center[k] = at[k];
    }
    rig->walls = 3;
    rig->planes[0] = (thud_plane){{1, 0, 0}, -3};
    rig->planes[1] = (thud_plane){{-1, 0, 0}, -side - 3};
    rig->planes[2] = (thud_plane){{3, 4, 0}, -20};
}

void near_rig_drop(near_rig *rig)
{
    free(rig->spheres);
    free(rig->q);
    free(rig->multipliers);
}

thud_world *near_rig_world(const near_rig *rig, const thud_allocator *allocator)
{
    thud_world_def def = {
        .dim = rig->dim, .h = rig->h, .tol = NEAR_RIG_TOL, .allocator = allocator};
    thud_world *world = NULL;
    CHECK(thud_world_create(&def, &world) == THUD_OK);
    CHECK(thud_world_add(world, rig->spheres, rig->count, NULL) == THUD_OK);
    for (int w = 0; w < rig->walls; w++)
        CHECK(thud_world_add_wall(world, &(thud_wall_def){.plane = rig->planes[w]}, NULL) ==
              THUD_OK);
    CHECK(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    return world;
}

int near_rig_by_key(const void *x, const void *y)
{
    const thud_multiplier *a = x, *b = y;
    return (thud_key_before(b->key, a->key)) - (thud_key_before(a->key, b->key));
}

void near_rig_draw(near_rig *rig, test_random *random, double off, double along, double speed)
{
    for (int i = 0; i < rig->dim * rig->count; i++)
    {
        int k = i % rig->dim;
        rig->q[i] =
            rig->spheres[i / rig->dim].center[k] + along + test_random_uniform(random, -off, off);
        rig->u[i] = along + test_random_uniform(random, -speed, speed);
        rig->w[i] = rig->u[i] + (k == 0 ? -0.3 : 0);
        rig->trial[i] = rig->q[i] + rig->h * (along + test_random_uniform(random, -speed, speed));
    }
    rig->multiplier_count = rig->count / 3;
    for (int m = 0; m < rig->multiplier_count; m++)
    {
        int a = test_random_int(random, 0, rig->count + 1);
        int b = test_random_int(random, 0, 40) + a;
        bool wall = test_random_int(random, 0, 3) == 0;
        rig->multipliers[m].key =
            wall ? thud_key_wall(m % (rig->walls + 1), a) : thud_key_pair(a, b, 0);
    }
    qsort(rig->multipliers, (size_t)rig->multiplier_count, sizeof *rig->multipliers,
          near_rig_by_key);
}

static thud_moment near_rig_moment(const near_rig *rig, thud_phase phase)
{
    return (thud_moment){.phase = phase,
                         .t = rig->h,
                         .h = rig->h,
                         .q = rig->q,
                         .u = rig->u,
                         .w = rig->w,
                         .trial = phase == THUD_FIND_MISSING ? rig->trial : NULL,
                         .multipliers = rig->multipliers,
                         .multiplier_count = rig->multiplier_count};
}

void near_rig_ask(thud_world *world, const near_rig *rig, thud_phase phase, thud_rows *rows)
{
    thud_inclusion problem = thud_world_inclusion(world);
    thud_moment at = near_rig_moment(rig, phase);
    thud_rows_clear(rows);
    CHECK(problem.gaps(&at, rows, problem.user) == 0);
    CHECK(thud_rows_status(rows) == THUD_OK);
    thud_rows_sort(rows);
}

void near_rig_compare(const thud_rows *a, const thud_rows *b, const char *what, int round)
{
    int wrong = thud_rows_count(a) != thud_rows_count(b);
    double noted[2] = {thud_rows_noted_gap(a), thud_rows_noted_gap(b)};
    for (int i = 0; i < thud_rows_count(a) && i < thud_rows_count(b); i++)
    {
        thud_row_room rooms[2];
        thud_row x = thud_rows_get(a, i, &rooms[0]), y = thud_rows_get(b, i, &rooms[1]);
        wrong += !thud_key_same(x.key, y.key) || x.gap != y.gap || x.shift != y.shift ||
                 x.width != y.width || x.count != y.count || x.kind != y.kind ||
                 memcmp(x.index, y.index, (size_t)x.count * sizeof *x.index) != 0 ||
                 memcmp(x.slope, y.slope, (size_t)(x.count * x.width) * sizeof *x.slope) != 0;
    }
    if (wrong > 0 || memcmp(&noted[0], &noted[1], sizeof *noted) != 0)
        test_fail(__FILE__, __LINE__, "%s, round %d: %d rows differ, %d and %d; noted %g and %g",
                  what, round, wrong, thud_rows_count(a), thud_rows_count(b), noted[0], noted[1]);
}
