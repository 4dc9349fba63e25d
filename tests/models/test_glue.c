// Glue on problems with an answer in closed form: V16, a plane, two that turn, plates, a wheel.
#include "world_rig.h"

#include <string.h>

// A body over a floor, and a force given by its integral.
typedef struct floor_scene
{
    double glue;
    double breaks[3], values[4]; // f is values[i] before breaks[i], values[3] after
} floor_scene;

static double floor_integral(const floor_scene *s, double t)
{
    double sum = 0, from = 0;
    for (int i = 0; i < 3; i++)
    {
        double to = fmin(t, s->breaks[i]);
        sum += to > from ? s->values[i] * (to - from) : 0;
        from = fmax(from, to);
    }
    return sum + (t > from ? s->values[3] * (t - from) : 0);
}

static int floor_impulse(double t, double t_next, const double *q, double *impulse, void *user)
{
    (void)q;
    impulse[0] = floor_integral(user, t_next) - floor_integral(user, t);
    return 0;
}

static int floor_push(const thud_moment *at, thud_rows *rows, void *user)
{
    const floor_scene *s = user;
    (void)thud_rows_push(rows, &(thud_row){.key = 5,
                                           .gap = at->q[0],
                                           .glue = s->glue,
                                           .count = 1,
                                           .index = (int[]){0},
                                           .slope = (double[]){1}});
    return 0;
}

static thud_inclusion floor_problem(floor_scene *s)
{
    static const thud_smoothness fixed = {0, 0};
    return (thud_inclusion){.dim = 1,
                            .law = THUD_LAW_GLUE,
                            .impulse = floor_impulse,
                            .gaps = floor_push,
                            .smooth = &fixed,
                            .user = s};
}

static double memory(const thud_state *state)
{
    return state->multiplier_count > 0 ? state->multipliers[0].memory : 0;
}

// V16. m u + gamma + S = m u_0 + integral of f at every step, S the sum of what gamma_min clips.
static void one_body(void)
{
    static const double steps[] = {0.01, 0.003, 0.0137, 0.05};
    for (int i = 0; i < 4; i++)
    {
        double h = steps[i], contact = 0, release = 0, worst = 0, kept = 0, at_three = 0;
        floor_scene s = {.glue = -INFINITY, .breaks = {2, 3, 3}, .values = {0, -1, 0, 2}};
        thud_inclusion problem = floor_problem(&s);
        track way;
        REQUIRE(track_start(
            &way, &problem,
            &(thud_state_def){.dim = 1, .h = h, .q = (double[]){1}, .u = (double[]){-1}}, NULL));
        while (thud_state_time(way.state) < 6 && track_step(&way))
        {
            double t = thud_state_time(way.state), gamma = memory(way.state);
            contact = contact == 0 && gamma < 0 ? t : contact;
            release = contact > 0 && release == 0 && gamma == 0 ? t : release;
            at_three = t <= 3 + h / 2 ? gamma - (t > 3 ? 2 * (t - 3) : 3 - t) : at_three;
            double sum = way.state->u[0] + gamma - (-1 + floor_integral(&s, t));
            kept = fmax(kept, fabs(sum));
            double exact = t < 1 ? 1 - t : t < 4 ? 0 : (t - 4) * (t - 4);
            worst = fmax(worst, fabs(way.state->q[0] - exact));
        }
        CHECK_NEAR(contact, 1, 1.001 * h);
        CHECK_NEAR(at_three, -2, 1e-12);
        CHECK(release >= 4 - 1e-9 && release <= 4 + h + 1e-9);
        CHECK_AT_MOST(kept, 1e-13);
        CHECK_AT_MOST(worst, 8 * h);
        printf("  h = %g: contact %.4f, release %.4f, error %.3g h, identity %.2g\n", h, contact,
               release, worst / h, kept);
        track_end(&way);
    }
}

// The normal motion over a plane of 45 degrees: gravity is reversed at 5, gamma_min = -2.
static void plane(void)
{
    for (int level = 0; level < 3; level++)
    {
        double h = 0.01 / (1 << level), down = -sqrt(0.5), release = 0, clipped = 0, kept = 0;
        floor_scene s = {.glue = -2, .breaks = {5, 5, 5}, .values = {down, 0, 0, -down}};
        thud_inclusion problem = floor_problem(&s);
        track way;
        REQUIRE(track_start(
            &way, &problem,
            &(thud_state_def){.dim = 1, .h = h, .q = (double[]){1}, .u = (double[]){0}}, NULL));
        while (thud_state_time(way.state) < 10 - h / 2 && track_step(&way))
        {
            double t = thud_state_time(way.state);
            release = memory(way.before) < 0 && memory(way.state) == 0 ? t : release;
            double nu = thud_work_report(way.work)->answer.mu[0];
            clipped += -nu - memory(way.state);
            CHECK(memory(way.state) >= -2);
            kept = fmax(
                kept, fabs(way.state->u[0] + memory(way.state) + clipped - floor_integral(&s, t)));
        }
        CHECK_NEAR(release, 7.828427, 2 * h);
        CHECK_NEAR(1 + way.state->q[0], 2.667262, 5 * h);
        CHECK_AT_MOST(kept, 1e-12);
        printf("  h = %g: release %.5f, y(10) = %.5f, identity %.2g\n", h, release,
               1 + way.state->q[0], kept);
        track_end(&way);
    }
}

static void fill_table(world_rig *rig, double value)
{
    for (int k = 0; k < WORLD_MATERIALS * WORLD_MATERIALS; k++)
        rig->table[k] = value;
}

static double angular(const track *way)
{
    const thud_state *s = way->state;
    double sum = 0;
    for (int k = 0; k < s->dim; k += 2)
        sum += way->problem.mass[k] * (s->q[k] * s->u[k + 1] - s->q[k + 1] * s->u[k]);
    return sum;
}

// Masses 1 and 2 meet at distance 1 with normal speed 1 and tangential speed 1/2.
static void turning_pair(void)
{
    for (int level = 0; level < 3; level++)
    {
        double h = 0.01 / (1 << level), contact = 0, release = 0, gamma = 0, force = 0;
        world_rig rig = {.def = {.dim = 2, .h = h}, .count = 2};
        fill_table(&rig, -INFINITY);
        // the tangential path is turned so that it is met at x = 1, y = 0 after 1/8
        rig.spheres[0] = (thud_sphere){.center = {0, 0}, .radius = 0.5, .mass = 1};
        rig.spheres[1] = (thud_sphere){
            .center = {1.125, -0.0625}, .velocity = {-1, 0.5}, .radius = 0.5, .mass = 2};
        REQUIRE(world_open(&rig, THUD_LAW_GLUE, NULL));
        track *way = &rig.way;
        double turn = angular(way);
        for (int n = 0; thud_state_time(way->state) < 6; n++)
        {
            REQUIRE(track_step(way));
            double t = thud_state_time(way->state), now = memory(way->state);
            contact = contact == 0 && now < 0 ? t : contact;
            if (contact > 0 && gamma == 0 && t > contact + 4 * h)
                gamma = now;
            if (contact > 0 && force == 0 && t > contact + 0.4)
                force = way->state->multipliers[0].impulse / h;
            release = contact > 0 && release == 0 && now == 0 ? t : release;
            for (int k = 0; k < 2; k++) // momentum
                CHECK_NEAR(way->state->u[k] + 2 * way->state->u[2 + k], k ? 1 : -2, 1e-14);
            CHECK_NEAR(angular(way), turn, 1e-12);
        }
        CHECK_NEAR(gamma, -2. / 3, 3 * h);
        CHECK_NEAR(force, -1. / 6, 3 * h);
        CHECK_NEAR(release - contact, 4, 20 * h);
        printf("  h = %g: gamma %.5f, lambda %.5f, release %.4f after contact\n", h, gamma, force,
               release - contact);
        world_close(&rig);
    }
}

static void set_memory(thud_state *state, int i, uint64_t key, double gamma)
{
    REQUIRE(thud_state_reserve(state, i + 1) == THUD_OK);
    state->multipliers[i] = (thud_multiplier){.key = key, .memory = gamma};
    state->multiplier_count = i + 1;
}

// Two plates drawn apart at +-.3, a grain between them that is held by 1.2 and .5.
static void plates(void)
{
    affine a = affine_make(1);
    affine_row *low = affine_add(&a), *high = affine_add(&a);
    low->speed = high->speed = 0.3;
    low->slope[0] = 1;
    high->slope[0] = -1;
    low->glue = high->glue = -INFINITY;
    thud_inclusion problem = affine_problem(&a, THUD_LAW_GLUE);
    track way;
    REQUIRE(track_start(&way, &problem, &(thud_state_def){.dim = 1, .h = 0.01, .q = (double[]){0}},
                        NULL));
    set_memory(way.state, 0, 10, -1.2);
    set_memory(way.state, 1, 11, -0.5);
    REQUIRE(track_step(&way));
    CHECK_NEAR(way.state->u[0], -0.3, 1e-15);
    REQUIRE(way.state->multiplier_count == 2);
    CHECK_NEAR(way.state->multipliers[0].memory, -0.4, 1e-15);
    CHECK(way.state->multipliers[1].memory == 0);
    CHECK_NEAR(way.state->multipliers[0].impulse, -0.8, 1e-15);
    CHECK(way.state->multipliers[1].impulse == -0.5);
    CHECK(track_steps(&way, 5));
    CHECK_NEAR(way.state->u[0], -0.3, 1e-14);
    track_end(&way);
}

// A hub and six around it, all touching: twelve contacts, one of them too many to be told apart.
static void make_wheel(world_rig *rig, double h, double omega)
{
    double gap = 2e-5 * 0.5 * (1 + 1e-9), far = 1 + gap;
    *rig = (world_rig){.def = {.dim = 2, .h = h}, .count = 7};
    fill_table(rig, -INFINITY);
    for (int i = 0; i < 7; i++)
    {
        double angle = i * 1.0471975511965976, r = i ? far : 0;
        rig->spheres[i] =
            (thud_sphere){.center = {r * cos(angle), r * sin(angle)}, .radius = 0.5, .mass = 1};
        rig->spheres[i].velocity[0] = -omega * rig->spheres[i].center[1];
        rig->spheres[i].velocity[1] = omega * rig->spheres[i].center[0];
    }
}

static void hold_wheel(thud_state *state, double gamma)
{
    int count = 0;
    for (uint64_t i = 0; i < 7; i++)
        for (uint64_t j = i + 1; j < 7; j++)
            if (i == 0 || j == i + 1 || (i == 1 && j == 6))
                set_memory(state, count++, i << 32 | j, gamma);
    CHECK(count == 12);
}

static void wheel(void)
{
    for (int level = 0; level < 3; level++)
    {
        double h = 0.01 / (1 << level), last = 0;
        world_rig rig;
        make_wheel(&rig, h, 1);
        REQUIRE(world_open(&rig, THUD_LAW_GLUE, NULL));
        track *way = &rig.way;
        hold_wheel(way->state, -0.5);
        double turn = angular(way);
        while (thud_state_time(way->state) < 2)
        {
            REQUIRE(track_step(way));
            CHECK_NEAR(angular(way), turn, 1e-12);
            for (int i = 0; i < way->state->multiplier_count; i++)
                if (way->state->multipliers[i].memory < 0)
                    last = thud_state_time(way->state);
        }
        CHECK_NEAR(last, 1, 4 * h);
        printf("  h = %g: last release %.4f\n", h, last);
        world_close(&rig);
    }
}

// A wheel at rest keeps every gamma, bit for bit, although they are not unique.
static void at_rest(void)
{
    world_rig rig;
    make_wheel(&rig, 0.01, 0);
    REQUIRE(world_open(&rig, THUD_LAW_GLUE, NULL));
    track *way = &rig.way;
    hold_wheel(way->state, -0.5);
    for (int n = 0; n < 200; n++)
    {
        REQUIRE(track_step(way));
        REQUIRE(way->state->multiplier_count == 12);
        for (int i = 0; i < 12; i++)
            REQUIRE(way->state->multipliers[i].memory == -0.5);
    }
    world_close(&rig);
}

// gamma_min = 0 is dry.
static void none_is_dry(void)
{
    uint64_t seed = test_seed(20261131);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 60; trial++)
    {
        affine a = affine_make(test_random_int(&random, 1, 6));
        double q[AFFINE_DIM] = {0}, u[AFFINE_DIM];
        int rows = test_random_int(&random, 1, a.dim);
        for (int k = 0; k < a.dim; k++)
        {
            a.mass[k] = exp(test_random_uniform(&random, -1, 1));
            a.force[k] = test_random_normal(&random);
            u[k] = test_random_normal(&random);
        }
        for (int i = 0; i < rows; i++)
        {
            affine_row *row = affine_add(&a);
            row->offset = test_random_uniform(&random, 0.1, 1);
            for (int k = 0; k < a.dim; k++)
                row->slope[k] = test_random_normal(&random);
        }
        thud_inclusion dry = affine_problem(&a, THUD_LAW_DRY), other = dry;
        other.law = THUD_LAW_GLUE;
        thud_state_def def = {.dim = a.dim, .h = 0.0625, .q = q, .u = u};
        track one, two;
        REQUIRE(track_start(&one, &dry, &def, NULL) && track_start(&two, &other, &def, NULL));
        for (int n = 0; n < 60; n++)
        {
            REQUIRE(track_step(&one) && track_step(&two));
            for (int k = 0; k < a.dim; k++)
            {
                CHECK_NEAR(two.state->q[k], one.state->q[k], 1e-12);
                CHECK_NEAR(two.state->u[k], one.state->u[k], 1e-12);
            }
        }
        track_end(&one);
        track_end(&two);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

// Towards the middle until t = 1, then away from it.
static int squeeze(double t, int count, const int *id, const double *q, double *force, void *user)
{
    (void)id, (void)user;
    for (int k = 0; k < 2 * count; k++)
        force[k] += t < 1 ? -q[k] : q[k] / 2;
    return 0;
}

static void thirty_disks(void)
{
    uint64_t seed = test_seed(20261132);
    test_random random = test_random_start(seed);
    world_rig rig = {.def = {.dim = 2, .h = 0.01, .force = squeeze, .force_is_steady = true},
                     .count = 30};
    fill_table(&rig, -0.3);
    for (int i = 0; i < 30; i++)
        rig.spheres[i] = (thud_sphere){.center = {2.3 * (i % 6) - 5.75, 2.3 * (int)(i / 6) - 4.6},
                                       .radius = test_random_uniform(&random, 0.8, 1),
                                       .mass = test_random_uniform(&random, 0.5, 2)};
    REQUIRE(world_open(&rig, THUD_LAW_GLUE, NULL));
    track *way = &rig.way;
    double lowest = 0, least = 0;
    int most = 0;
    for (int n = 0; n < 300; n++)
    {
        double sum[2] = {0, 0}, wanted[2] = {0, 0}, size = 0;
        REQUIRE(track_step(way));
        const thud_report *report = thud_work_report(way->work);
        for (int k = 0; k < 60; k++)
        {
            sum[k % 2] += way->problem.mass[k] * (way->state->u[k] - way->before->u[k]);
            wanted[k % 2] += 0.01 * report->mean_force[k];
            size += way->problem.mass[k] * fabs(way->state->u[k]);
        }
        for (int k = 0; k < 2; k++)
            CHECK_NEAR(sum[k], wanted[k], 1e-14 * (size + 1));
        int held = 0;
        for (int i = 0; i < way->state->multiplier_count; i++)
        {
            const thud_multiplier *m = &way->state->multipliers[i];
            held += m->memory < 0;
            lowest = fmin(lowest, m->impulse);
            least = fmin(least, m->memory);
        }
        most = held > most ? held : most;
    }
    CHECK(most > 30 && lowest < -1e-3 && least == -0.3);
    track_say(way, "thirty disks");
    printf("  %d held at most, %d at the end, strongest pull %.3g (seed %llu)\n", most,
           way->state->multiplier_count, -lowest / 0.01, (unsigned long long)seed);
    world_close(&rig);
}

// What is forged must be found.
static void forged(void)
{
    world_rig rig;
    make_wheel(&rig, 0.01, 1);
    REQUIRE(world_open(&rig, THUD_LAW_GLUE, NULL));
    track *way = &rig.way;
    hold_wheel(way->state, -0.5);
    REQUIRE(track_step(way));
    thud_state *after = way->state, *good = NULL;
    REQUIRE(thud_state_create(&(thud_state_def){.dim = 14, .h = 0.01, .q = after->q}, &good) ==
            THUD_OK);
    REQUIRE(thud_state_copy(good, after) == THUD_OK);
    for (int fault = 0; fault < 7; fault++)
    {
        thud_verdict verdict;
        thud_multiplier *first = &after->multipliers[0];
        REQUIRE(thud_state_copy(after, good) == THUD_OK);
        if (fault == 0)
            after->u[1] += 1e-9;
        else if (fault == 1)
            after->q[1] += 1e-9;
        else if (fault == 2)
            first->impulse -= 1e-6;
        else if (fault == 3)
            first->memory -= 1e-9;
        else if (fault == 4)
            first->impulse = -0.6; // below what it was held by
        else if (fault == 5)
            first->memory = 0;
        else
            after->multiplier_count--; // held before, and gone
        CHECK(thud_check_spheres(&way->problem, &rig.judge, way->before, after, &way->check,
                                 &verdict) == THUD_OK);
        if (verdict.holds)
            test_fail(__FILE__, __LINE__, "fault %d was not found", fault);
    }
    thud_state_destroy(good);
    world_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"one-body", one_body},
        {"plane", plane},
        {"turning-pair", turning_pair},
        {"plates", plates},
        {"wheel", wheel},
        {"at-rest", at_rest},
        {"none-is-dry", none_is_dry},
        {"thirty-disks", thirty_disks},
        {"forged", forged},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
