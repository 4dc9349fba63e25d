// The event-driven reference by itself: cases with an answer in closed form, laws that every event
// must obey, and what it refuses.
#include "thud_test.h"

#include <string.h>
#include <thud/events.h>

enum
{
    BODIES = 6,
    WALLS = 6
};

// A description with room for its arrays.
typedef struct setting
{
    thud_events_def def;
    double q[3 * BODIES], u[3 * BODIES], radius[BODIES], mass[BODIES];
    double normal[3 * WALLS], offset[WALLS], e[4];
    int material[BODIES], wall_material[WALLS];
} setting;

static void setting_open(setting *s, int dim, int count, double end)
{
    *s = (setting){.def = {.dim = dim, .count = count, .end = end}};
    s->def.q = s->q;
    s->def.u = s->u;
    s->def.radius = s->radius;
    s->def.mass = s->mass;
    s->def.normal = s->normal;
    s->def.offset = s->offset;
    for (int i = 0; i < count; i++)
        s->radius[i] = 0.5, s->mass[i] = 1;
}

static void setting_bounce(setting *s, double e)
{
    s->def.material_count = 1;
    s->e[0] = e;
    s->def.restitution = s->e;
}

// Two bodies with an oblique impact under gravity, against the formula for two.
static void two_bodies(void)
{
    static const double es[] = {0, 0.4, 1};
    for (int i = 0; i < 3; i++)
    {
        setting s;
        setting_open(&s, 2, 2, 2);
        setting_bounce(&s, es[i]);
        s.mass[1] = 3;
        s.u[0] = 1; // towards (1.6, 0.6): 0.8, 0.6 at contact, after 0.8
        s.q[2] = 1.6, s.q[3] = 0.6;
        s.def.acceleration[1] = -2;
        thud_events *events = NULL;
        REQUIRE(thud_events_create(&s.def, &events) == THUD_OK);
        thud_events_result found = thud_events_view(events);
        REQUIRE(found.event_count == 1 && found.contact_count == 1);
        double p = (1 + es[i]) * 0.8 * 0.75, q[4], u[4], late = 2 - 0.8;
        CHECK_NEAR(found.events[0].t, 0.8, 1e-15);
        CHECK_NEAR(found.contacts[0].impulse, p, 1e-15);
        CHECK_NEAR(found.contacts[0].normal[0], 0.8, 1e-15);
        CHECK_NEAR(thud_events_mass(events, 0, 1, 0.79), 0, 0);
        CHECK_NEAR(thud_events_mass(events, 0, 1, 2), p, 1e-15);
        CHECK(found.contacts[0].a == 0 && found.contacts[0].b == 1);
        thud_events_at(events, 2, q, u);
        CHECK_NEAR(q[0], 0.8 + late * (1 - 0.8 * p), 1e-14);
        CHECK_NEAR(q[1], -4 - late * 0.6 * p, 1e-14);
        CHECK_NEAR(u[2], 0.8 * p / 3, 1e-15);
        CHECK_NEAR(u[3], -4 + 0.6 * p / 3, 1e-14);
        CHECK_NEAR(found.events[0].before[1], -1.6, 1e-15);
        CHECK_NEAR(found.events[0].after[1], -1.6 - 0.6 * p, 1e-14);
        CHECK_AT_MOST(fabs(found.min_gap), 1e-14);
        thud_events_destroy(events);
    }
}

static void check_cradle(const double mass[3], double e, const double wanted[3],
                         const double atoms[2])
{
    setting s;
    setting_open(&s, 3, 3, 1.5);
    setting_bounce(&s, e);
    s.q[3] = 1.7, s.q[6] = 2.7, s.u[0] = 1;
    memcpy(s.mass, mass, 3 * sizeof *mass);
    thud_events *events = NULL;
    REQUIRE(thud_events_create(&s.def, &events) == THUD_OK);
    thud_events_result found = thud_events_view(events);
    double u[9];
    REQUIRE(found.event_count == 1);
    CHECK_NEAR(found.events[0].t, 0.7, 1e-15);
    thud_events_at(events, 1.5, NULL, u);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(u[3 * (size_t)i], wanted[i], 1e-15);
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(thud_events_mass(events, i, i + 1, 1.5), atoms[i], 1e-15);
    thud_events_destroy(events);
}

// One body meets two that touch: all at once, by one projection.
static void together(void)
{
    static const double equal[] = {1, 1, 1}, rising[] = {1, 2, 3};
    check_cradle(equal, 0, (double[]){1. / 3, 1. / 3, 1. / 3}, (double[]){2. / 3, 1. / 3});
    check_cradle(rising, 0, (double[]){1. / 6, 1. / 6, 1. / 6}, (double[]){5. / 6, 1. / 2});
    check_cradle(equal, 0.5, (double[]){0, 0.5, 0.5}, (double[]){1, 0.5});
    check_cradle(equal, 1, (double[]){-1. / 3, 2. / 3, 2. / 3}, (double[]){4. / 3, 2. / 3});
    setting s; // two targets side by side: nothing between them
    setting_open(&s, 2, 3, 2);
    double side = sqrt(3) / 2, u[6];
    double q[] = {-0.613, 0, side, 0.5, side, -0.5};
    memcpy(s.q, q, sizeof q);
    s.u[0] = 1;
    thud_events *events = NULL;
    REQUIRE(thud_events_create(&s.def, &events) == THUD_OK);
    thud_events_at(events, 2, NULL, u);
    CHECK_NEAR(u[0], 0.4, 1e-15);
    CHECK_NEAR(u[2], 0.3, 1e-15);
    CHECK_NEAR(u[5], -sqrt(3) / 10, 1e-15);
    CHECK_NEAR(thud_events_mass(events, 0, 1, 2), sqrt(3) / 5, 1e-15);
    CHECK_NEAR(thud_events_mass(events, 1, 2, 2), 0, 0);
    thud_events_destroy(events);
}

// A disk in a corner: one wall, then both; and a start that leaves at once.
static void corners(void)
{
    setting s;
    setting_open(&s, 2, 1, 3);
    s.q[0] = 2, s.q[1] = 0.6, s.u[0] = -1, s.u[1] = -0.25;
    s.normal[1] = 2, s.normal[2] = sin(0.7), s.normal[3] = -cos(0.7); // lengths do not matter
    s.offset[1] = sin(0.7) * 0.5 - cos(0.7) * 0.5 - 0.5; // both at the centre (0.5, 0.5)
    s.def.wall_count = 2;
    thud_events *events = NULL;
    REQUIRE(thud_events_create(&s.def, &events) == THUD_OK);
    thud_events_result found = thud_events_view(events);
    REQUIRE(found.event_count == 2);
    CHECK_NEAR(found.events[0].t, 0.4, 1e-15);
    CHECK_NEAR(found.events[1].t, 1.5, 1e-14);
    CHECK_NEAR(thud_events_mass(events, 0, -1, 1), 0.25, 1e-15);
    CHECK_NEAR(thud_events_mass(events, 0, -1, 3) - 0.25, 1 / tan(0.7), 1e-14);
    CHECK_NEAR(thud_events_mass(events, 0, -2, 3), 1 / sin(0.7), 1e-14);
    CHECK_NEAR(found.separation, 1.1, 1e-14);
    thud_events_destroy(events);
    s.q[1] = 0.5, s.def.wall_count = 1;
    REQUIRE(thud_events_create(&s.def, &events) == THUD_OK);
    found = thud_events_view(events);
    REQUIRE(found.event_count == 1 && found.events[0].t == 0);
    CHECK_NEAR(found.events[0].after[1], 0, 0);
    CHECK_NEAR(found.contacts[0].impulse, 0.25, 0);
    thud_events_destroy(events);
}

// A ball falls from 1 with G = 2: impacts at 1, 1 + 2 e, ...; they accumulate at (1+e)/(1-e).
static void bouncing_ball(void)
{
    static const double es[] = {0, 0.5, 0.9};
    for (int i = 0; i < 3; i++)
    {
        setting s;
        setting_open(&s, 1, 1, 25);
        setting_bounce(&s, es[i]);
        s.q[0] = 1.5, s.normal[0] = 1, s.def.wall_count = 1, s.def.acceleration[0] = -2;
        thud_events *events = NULL;
        REQUIRE(thud_events_create(&s.def, &events) == THUD_NEWS);
        thud_events_result found = thud_events_view(events);
        CHECK(found.ending == (i == 0 ? THUD_EVENTS_SUSTAINED : THUD_EVENTS_ACCUMULATE));
        CHECK(found.why_a == 0 && found.why_b == -1);
        CHECK(*thud_events_text(found.ending));
        double zeno = (1 + es[i]) / (1 - es[i]), t = 1, flight = 2 * es[i];
        CHECK_NEAR(found.reached, zeno, i == 0 ? 1e-14 : 1e-3);
        CHECK(found.reached <= zeno + 1e-12);
        for (int k = 0; k < found.event_count; k++)
        {
            CHECK_NEAR(found.events[k].t, t, 1e-11);
            t += flight;
            flight *= es[i];
        }
        CHECK(found.event_count >= (i == 0 ? 1 : 15));
        CHECK_AT_MOST(fabs(found.min_gap), 1e-12);
        printf("  e = %g: %d impacts to %.9g of %.9g\n", es[i], found.event_count, found.reached,
               zeno);
        thud_events_destroy(events);
    }
}

// Bodies in a box, or in the open under gravity, far apart at the start.
static void make_random(setting *s, test_random *random, bool box)
{
    int dim = test_random_int(random, 2, 3), count = test_random_int(random, 2, BODIES);
    setting_open(s, dim, count, 3);
    s->def.material_count = 2;
    s->def.restitution = s->e;
    s->e[0] = test_random_uniform(random, 0, 1);
    s->e[1] = s->e[2] = test_random_int(random, 0, 1) ? 0 : test_random_uniform(random, 0, 1);
    s->e[3] = 1;
    s->def.material = s->material;
    for (int i = 0; i < count; i++)
    {
        s->radius[i] = test_random_uniform(random, 0.2, 0.6);
        s->mass[i] = exp(test_random_uniform(random, -1, 1));
        s->material[i] = test_random_int(random, 0, 1);
        for (int k = 0; k < dim; k++)
        {
            double place = k == 0 ? i % 3 : k == 1 ? i / 3 : 0;
            s->q[dim * i + k] = 1.4 * place + test_random_uniform(random, -0.05, 0.05);
            s->u[dim * i + k] = test_random_normal(random);
        }
    }
    for (int k = 0; box && k < dim; k++)
        for (int side = 0; side < 2; side++)
        {
            int w = s->def.wall_count++;
            s->normal[dim * w + k] = side ? -1 : 1;
            s->offset[w] = side ? -4 : -1;
        }
    if (!box)
        s->def.acceleration[dim - 1] = -1;
}

// Momentum, energy, gaps, and the impulses, of every event.
static void check_event(const setting *s, const thud_events *events, const thud_event *event)
{
    thud_events_result found = thud_events_view(events);
    int dim = s->def.dim, length = dim * s->def.count;
    double change[3 * BODIES], kinetic[2] = {0}, q[3 * BODIES];
    for (int k = 0; k < length; k++)
    {
        double m = s->mass[k / dim];
        change[k] = m * (event->after[k] - event->before[k]);
        kinetic[0] += m * event->before[k] * event->before[k] / 2;
        kinetic[1] += m * event->after[k] * event->after[k] / 2;
    }
    CHECK_AT_MOST(kinetic[1], kinetic[0] * (1 + 1e-13));
    thud_events_at(events, event->t, q, NULL);
    for (int i = event->first; i < event->first + event->count; i++)
    {
        const thud_event_contact *c = &found.contacts[i];
        double rate = 0;
        CHECK(c->impulse > 0);
        for (int k = 0; k < dim; k++)
        {
            double p = c->impulse * c->normal[k];
            change[dim * c->a + k] += c->b >= 0 ? p : -p;
            if (c->b >= 0)
                change[dim * c->b + k] -= p;
            rate += c->normal[k] * event->after[dim * c->a + k] * (c->b >= 0 ? -1 : 1);
            rate += c->b >= 0 ? c->normal[k] * event->after[dim * c->b + k] : 0;
        }
        CHECK_AT_MOST(-rate, 1e-11);
    }
    for (int k = 0; k < length; k++)
        CHECK_NEAR(change[k], 0, 1e-12);
}

static void laws(void)
{
    uint64_t seed = test_seed(20261130);
    test_random random = test_random_start(seed);
    int met = 0, early = 0;
    double least = 0;
    for (int trial = 0; trial < 400; trial++)
    {
        setting s;
        make_random(&s, &random, trial % 2);
        thud_events *events = NULL;
        thud_status status = thud_events_create(&s.def, &events);
        if (status == THUD_ERR_OVERLAP)
            continue;
        REQUIRE(status >= 0);
        thud_events_result found = thud_events_view(events);
        early += status == THUD_NEWS;
        for (int i = 0; i < found.event_count; i++)
            check_event(&s, events, &found.events[i]);
        met += found.event_count;
        least = fmin(least, found.min_gap);
        thud_events_destroy(events);
    }
    CHECK(met > 500);
    CHECK_AT_MOST(-least, 1e-11);
    printf("  %d impacts, %d ended early, smallest gap %.2g (seed %llu)\n", met, early, least,
           (unsigned long long)seed);
}

static void refused(void)
{
    setting good;
    setting_open(&good, 2, 2, 1);
    good.q[2] = 2, good.normal[1] = 1, good.offset[0] = -3, good.def.wall_count = 1;
    setting_bounce(&good, 0.5);
    thud_events *events = NULL;
    REQUIRE(thud_events_create(&good.def, &events) == THUD_OK);
    thud_events_destroy(events);
    thud_events_destroy(NULL);
    for (int fault = 0; fault < 12; fault++)
    {
        thud_events_def def = good.def;
        double other[4] = {0, 0, 0.5, 0}, negative[2] = {1, -1}, large = 1.5;
        double unknown[4] = {0, NAN, 0, 0};
        int material[2] = {0, 1};
        thud_status wanted = THUD_ERR_ARGUMENT;
        if (fault == 0)
            def.dim = 4;
        else if (fault == 1)
            def.count = 0;
        else if (fault == 2)
            def.end = 0;
        else if (fault == 3)
            def.q = NULL;
        else if (fault == 4)
            def.q = other, wanted = THUD_ERR_OVERLAP;
        else if (fault == 5)
            def.radius = other;
        else if (fault == 6)
            def.mass = negative;
        else if (fault == 7)
            def.normal = other;
        else if (fault == 8)
            def.restitution = &large;
        else if (fault == 9)
            def.material = material;
        else if (fault == 10)
            def.u = unknown;
        else
            def.offset = NULL;
        CHECK(thud_events_create(&def, &events) == wanted);
        CHECK(!events);
    }
    good.def.limit = 1;
    good.u[0] = 1, good.u[2] = -1;
    CHECK(thud_events_create(&good.def, &events) == THUD_NEWS);
    CHECK(events && thud_events_view(events).ending == THUD_EVENTS_LIMIT);
    thud_events_destroy(events);
}

static void lack_of_memory(void)
{
    setting s;
    setting_open(&s, 2, 3, 2);
    s.q[2] = 1.2, s.q[4] = 2.4, s.u[0] = 2;
    bool done = false;
    for (long fail_at = 1; !done; fail_at++)
    {
        test_meter meter = {.fail_at = fail_at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_events *events = NULL;
        s.def.allocator = &allocator;
        thud_status status = thud_events_create(&s.def, &events);
        done = status == THUD_OK;
        CHECK(done || status == THUD_ERR_MEMORY);
        thud_events_destroy(events);
        CHECK(meter.blocks == 0);
        REQUIRE(fail_at < 100);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"two-bodies", two_bodies},         {"together", together}, {"corners", corners},
        {"bouncing-ball", bouncing_ball},   {"laws", laws},         {"refused", refused},
        {"lack-of-memory", lack_of_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
