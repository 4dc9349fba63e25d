// The list of near pairs, without a world: the pairs that are near at every time, whenever the list
// was made; the rooms that a search opens and closes; and every allocation that fails.
#include "near/near.h"
#include "thud_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST = 300,
    STEPS = 40
};

// Bodies that move straight on, some in a cell.
typedef struct swarm
{
    int dim, count;
    thudi_periods periods;
    bool is_periodic;
    double shear_speed;
    double q[3 * MOST], trial[3 * MOST], v[3 * MOST], radius[MOST];
} swarm;

static void scatter(swarm *s, test_random *random, int dim, int count, double box)
{
    *s = (swarm){.dim = dim, .count = count};
    for (int i = 0; i < dim * count; i++)
    {
        s->q[i] = test_random_uniform(random, 0, box);
        s->v[i] = test_random_normal(random) + 3; // they have a mean
    }
    for (int i = 0; i < count; i++)
        s->radius[i] = test_random_uniform(random, 0.2, 1);
}

static thudi_near_view view_of(const swarm *s)
{
    return (thudi_near_view){.dim = s->dim,
                             .count = s->count,
                             .q = s->q,
                             .radius = s->radius,
                             .to = s->v,
                             .w = s->v,
                             .u = s->v,
                             .periods = s->is_periodic ? &s->periods : NULL,
                             .is_sheared = s->shear_speed != 0,
                             .reach_limit = s->is_periodic ? 0.95 * s->periods.length[0] : INFINITY,
                             .shift = {.part = 2e-5}};
}

// The square of the distance of a and a partner.
static double square_of(const swarm *s, const thudi_near_view *view, int a, int partner)
{
    int b = view->periods ? partner & THUDI_IMAGE_BODY : partner;
    double x[2][3] = {{0}}, offset[3], sum = 0;
    for (int k = 0; k < s->dim; k++)
    {
        x[0][k] = s->q[s->dim * a + k];
        x[1][k] = s->q[s->dim * b + k];
    }
    thudi_image_offset(view->periods, x[0], x[1], partner, offset);
    for (int k = 0; k < 3; k++)
        sum += thudi_image_between(x[0][k], x[1][k], offset[k]) *
               thudi_image_between(x[0][k], x[1][k], offset[k]);
    return sum;
}

// How many pairs are near: images differ in m modulo 4.
static int count_near(const swarm *s, const thudi_near *near, const thudi_near_view *view)
{
    int found = 0, codes = view->periods ? 64 : 1;
    for (int a = 0; a < s->count; a++)
        for (int b = a + 1; b < s->count; b++)
            for (int code = 0; code < codes; code++)
            {
                bool has = true; // an image along this axis
                for (int k = 0; k < 3; k++)
                    has = has && ((code >> 2 * k & 3) == 0 ||
                                  (view->periods && view->periods->length[k] > 0));
                double reach = near->bodies[a].reach + near->bodies[b].reach;
                found += has && square_of(s, view, a, code << THUDI_IMAGE_AT | b) < reach * reach;
            }
    return found;
}

// One phase: what is near must be found, and nothing else.
static thud_status take_phase(const swarm *s, thudi_near *near, thud_rooms *rooms, double *reaches,
                              int *found)
{
    thudi_near_view view = view_of(s);
    thudi_near_motion motion;
    thudi_near_request request = {.ahead = 0.01, .travel = 0.01};
    THUD_TRY(thudi_near_open(near, &view, rooms));
    thudi_near_measure(near, &view, &motion);
    for (int i = 0; i < s->count; i++)
        near->bodies[i].reach = reaches[i] = s->radius[i] * 1.05;
    if (thudi_near_needs_list(near, &view, &motion, &request))
        THUD_TRY(thudi_near_make_list(near, &view, rooms));
    THUD_TRY(thudi_near_open_pairs(near, rooms));
    *found = 0;
    for (int c = 0; c < thudi_near_chunk_count(s->count); c++)
    {
        thudi_near_place place = thudi_near_begin(near, &view, c);
        while (place.pair < place.end) // by a number that divides nothing
            *found +=
                thudi_near_select(near, &view, 7, &place, near->pairs + place.pair, near->gaps);
    }
    for (int i = 0; i < s->count; i++)
        CHECK(near->bodies[i].reach == reaches[i] && near->bodies[i].radius == s->radius[i] &&
              near->bodies[i].q[0] == s->q[s->dim * i]); // no search wrote over them
    CHECK(*found == count_near(s, near, &view));
    return THUD_OK;
}

static thud_status phase(const swarm *s, thudi_near *near, thud_rooms *rooms, int *found)
{
    static double reaches[MOST];
    int open = thud_rooms_count(rooms);
    thud_status status = take_phase(s, near, rooms, reaches, found);
    int most = open + (near->parts > 1 ? 4 : 3);
    CHECK(status >= 0 ? thud_rooms_count(rooms) == most : thud_rooms_count(rooms) <= most);
    thud_rooms_close(rooms, open);
    return status;
}

static void move(swarm *s, double h)
{
    for (int i = 0; i < s->dim * s->count; i++)
        s->q[i] += h * s->v[i];
    s->periods.shear += h * s->shear_speed;
}

// Steps of a swarm; how often the list was made.
static void follow(swarm *s)
{
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_near near = {.cells.allocator = allocator};
    thud_rooms rooms = {.allocator = allocator};
    int made = 0, pairs = 0;
    REQUIRE(thudi_near_reserve(&near, s->dim, (size_t)s->count) == THUD_OK);
    for (int n = 0; n < STEPS; n++)
    {
        double was = near.is_valid ? near.q.items[0] : NAN;
        int found;
        CHECK(phase(s, &near, &rooms, &found) == THUD_OK);
        made += !(was == near.q.items[0]);
        pairs += found;
        move(s, 0.01);
    }
    printf("  %d pairs, %d lists in %d steps\n", pairs, made, STEPS);
    CHECK(pairs > 100 && made > 1 && made < STEPS);
    thudi_near_free(&near);
    thudi_rooms_free(&rooms);
}

static void open_space(void)
{
    swarm *s = calloc(1, sizeof *s);
    test_random random = test_random_begin(71);
    REQUIRE(s);
    for (int dim = 2; dim <= 3; dim++)
    {
        scatter(s, &random, dim, MOST - dim, dim == 2 ? 30 : 12);
        follow(s);
    }
    free(s);
}

static void cell(void)
{
    swarm *s = calloc(1, sizeof *s);
    test_random random = test_random_begin(72);
    REQUIRE(s);
    for (int dim = 2; dim <= 3; dim++)
        for (int sheared = 0; sheared < 2; sheared++)
        {
            scatter(s, &random, dim, 80, 10);
            s->is_periodic = true;
            s->periods = (thudi_periods){.length = {10, 10, dim == 3 ? 10 : 0}, .shear = 0.3};
            s->shear_speed = sheared;
            follow(s);
        }
    free(s);
}

// A reach that is more than a cell allows names its body.
static void too_far(void)
{
    swarm *s = calloc(1, sizeof *s);
    test_random random = test_random_begin(73);
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_near near = {.cells.allocator = allocator};
    thud_rooms rooms = {.allocator = allocator};
    REQUIRE(s);
    scatter(s, &random, 2, 20, 10);
    s->is_periodic = true;
    s->periods = (thudi_periods){.length = {10, 10, 0}};
    REQUIRE(thudi_near_reserve(&near, 2, 20) == THUD_OK);
    thudi_near_view view = view_of(s);
    for (int i = 0; i < 20; i++)
        near.reach.items[i] = i == 13 ? 9.6 : 1;
    CHECK(thudi_near_find(&near, &view, &rooms) == THUD_ERR_STEP && near.too_far == 13);
    near.reach.items[13] = 1;
    s->q[3] = 1e30;
    CHECK(thudi_near_find(&near, &view, &rooms) == THUD_ERR_LIMIT);
    CHECK(thud_rooms_count(&rooms) == 0);
    thudi_near_free(&near);
    thudi_rooms_free(&rooms);
    free(s);
}

// A crowd after a thin swarm: the room of the pairs that were found last is too small.
static void larger_room(void)
{
    swarm *s = calloc(1, sizeof *s);
    test_random random = test_random_begin(74);
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thudi_near near = {.cells.allocator = allocator};
    thud_rooms rooms = {.allocator = allocator};
    int found;
    REQUIRE(s);
    CHECK(thudi_near_reserve(&near, 3, MOST) == THUD_OK);
    for (int round = 0; round < 4 && test_failures() == 0; round++)
    {
        scatter(s, &random, 3, MOST, round % 2 ? 2 : 60);
        near.is_valid = false;
        CHECK(phase(s, &near, &rooms, &found) == THUD_OK);
        CHECK(round % 2 ? found > 5000 : found < 500);
    }
    thudi_near_free(&near);
    thudi_rooms_free(&rooms);
    free(s);
}

// Every allocation of two phases fails in turn, then the same object and rooms are used again.
static void fail_each(swarm *s, swarm *crowd)
{
    long fail_at = 1;
    for (bool done = false; !done && fail_at < 60; fail_at++)
    {
        test_meter meter = {0};
        thud_allocator allocator = {test_meter_resize, &meter};
        thudi_near near = {.cells.allocator = allocator};
        thud_rooms rooms = {.allocator = allocator};
        int found[2];
        meter.fail_at = fail_at;
        thud_status status = thudi_near_reserve(&near, 3, MOST);
        if (status >= 0)
            status = phase(s, &near, &rooms, &found[0]);
        near.is_valid = false; // the next bodies are others
        if (status >= 0)
            status = phase(crowd, &near, &rooms, &found[0]);
        done = meter.calls < fail_at;
        // blocks that rooms cannot join when they close do not fail the search
        CHECK(status == THUD_OK || (!done && status == THUD_ERR_MEMORY));
        CHECK(thud_rooms_count(&rooms) == 0);
        meter.fail_at = 0;
        near.is_valid = false;
        CHECK(thudi_near_reserve(&near, 3, MOST) == THUD_OK);
        CHECK(phase(crowd, &near, &rooms, &found[1]) == THUD_OK);
        CHECK(!done || found[0] == found[1]);
        thudi_near_free(&near);
        thudi_rooms_free(&rooms);
        CHECK(meter.blocks == 0);
    }
    printf("  %ld allocations\n", fail_at - 2);
    CHECK(fail_at > 10 && fail_at < 60);
}

static void failing_memory(void)
{
    swarm *s = calloc(2, sizeof *s);
    test_random random = test_random_begin(75);
    REQUIRE(s);
    for (int periodic = 0; periodic < 2; periodic++)
    {
        scatter(&s[0], &random, 3, 60, 20);
        scatter(&s[1], &random, 3, 90, 4);
        for (int k = 0; k < 2; k++)
        {
            s[k].is_periodic = periodic;
            s[k].periods = (thudi_periods){.length = {20, 20, 0}, .shear = 0.3};
        }
        fail_each(&s[0], &s[1]);
    }
    free(s);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"open-space", open_space},
        {"cell", cell},
        {"too-far", too_far},
        {"larger-room", larger_room},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
