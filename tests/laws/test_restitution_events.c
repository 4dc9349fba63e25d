// Restitution against the event-driven reference: masses on a line, each meeting one at a time.
#include "forge_rig.h"

#include <string.h>
#include <thud/events.h>

// Masses on a line between two walls, each meeting one other at a time.
enum
{
    LINE_MOST = 3
};

typedef struct line
{
    int count;
    double x[LINE_MOST], v[LINE_MOST], mass[LINE_MOST], radius[LINE_MOST];
    double e[LINE_MOST + 1]; // e[i] is between i - 1 and i, walls at both ends
} line;

// The same line as an inclusion of points.
static affine line_of(const line *s)
{
    affine a = affine_make(s->count);
    for (int i = 0; i <= s->count; i++)
    {
        affine_row *row = affine_add(&a);
        row->offset = i == s->count ? 1 : 0;
        if (i > 0)
        {
            row->slope[i - 1] = -1;
            row->offset -= s->radius[i - 1];
        }
        if (i < s->count)
        {
            row->slope[i] = 1;
            row->offset -= s->radius[i];
        }
        row->restitution = s->e[i];
    }
    memcpy(a.mass, s->mass, (size_t)s->count * sizeof *a.mass);
    return a;
}

// And for the event-driven reference: every body and wall is a material of its own.
static thud_events *line_events(const line *s, double end)
{
    enum
    {
        MATERIALS = LINE_MOST + 2
    };
    double table[MATERIALS * MATERIALS] = {0};
    int material[MATERIALS];
    thud_events *events = NULL;
    for (int i = 0; i <= s->count; i++)
        table[i * MATERIALS + i + 1] = table[(i + 1) * MATERIALS + i] = s->e[i];
    for (int i = 0; i < MATERIALS; i++)
        material[i] = i;
    thud_events_def def = {.dim = 1,
                           .count = s->count,
                           .wall_count = 2,
                           .end = end,
                           .q = s->x,
                           .u = s->v,
                           .radius = s->radius,
                           .mass = s->mass,
                           .normal = (double[]){1, -1},
                           .offset = (double[]){0, -1},
                           .material_count = MATERIALS,
                           .restitution = table,
                           .material = material + 1,
                           .wall_material = (int[]){0, s->count + 1}};
    CHECK(thud_events_create(&def, &events) >= 0);
    return events;
}

static line random_line(test_random *random)
{
    line s = {.count = test_random_int(random, 1, LINE_MOST)};
    for (int i = 0; i <= s.count; i++)
        s.e[i] = test_random_uniform(random, 0.3, 1);
    for (int i = 0; i < s.count; i++)
    {
        s.x[i] = (i + test_random_uniform(random, 0.3, 0.7)) / s.count;
        s.v[i] = test_random_normal(random);
        s.mass[i] = exp(test_random_uniform(random, -1, 1));
        s.radius[i] = test_random_uniform(random, 0.01, 0.05);
    }
    return s;
}

static void against_events(void)
{
    uint64_t seed = test_seed(20261117);
    test_random random = test_random_start(seed);
    double worst = 0;
    int met = 0, left_out = 0;
    for (int trial = 0; trial < 40; trial++)
    {
        line s = random_line(&random);
        double h = 1e-3, end = 1.5, x[LINE_MOST];
        thud_events *events = line_events(&s, end);
        REQUIRE(events);
        thud_events_result found = thud_events_view(events);
        thud_events_at(events, found.reached, x, NULL);
        thud_events_destroy(events);
        if (found.ending != THUD_EVENTS_DONE) // a light mass squeezed: impacts accumulate
        {
            left_out++;
            continue;
        }
        met += found.event_count;
        affine a = line_of(&s);
        thud_inclusion problem = affine_problem(&a, THUD_LAW_RESTITUTION);
        track way;
        REQUIRE(track_start(&way, &problem,
                            &(thud_state_def){.dim = s.count, .h = h, .q = s.x, .u = s.v}, NULL));
        CHECK(track_steps(&way, 1500));
        for (int i = 0; i < s.count; i++)
        {
            worst = fmax(worst, fabs(way.state->q[i] - x[i]) / h);
            CHECK_AT_MOST(fabs(way.state->q[i] - x[i]), 20 * h);
        }
        track_end(&way);
    }
    CHECK(met > 100 && left_out < 4);
    printf("  %d impacts, error %.3g h at most, %d left out (seed %llu)\n", met, worst, left_out,
           (unsigned long long)seed);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"against-events", against_events},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
