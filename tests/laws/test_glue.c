// Glue on problems with an answer in closed form: V16, a plane, two that turn, plates, a wheel.
#include "forge_rig.h"

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
    (void)thud_rows_push(rows, &(thud_row){.key = {5},
                                           .gap = at->q[0],
                                           .law = THUD_LAW_GLUE,
                                           .numbers = &s->glue,
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
        world_fill_table(&rig, -INFINITY);
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

static void set_memory(thud_state *state, int i, thud_key key, double gamma)
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
    set_memory(way.state, 0, thud_key_number(10), -1.2);
    set_memory(way.state, 1, thud_key_number(11), -0.5);
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
    world_fill_table(rig, -INFINITY);
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
    for (int i = 0; i < 7; i++)
        for (int j = i + 1; j < 7; j++)
            if (i == 0 || j == i + 1 || (i == 1 && j == 6))
                set_memory(state, count++, thud_key_pair(i, j, 0), gamma);
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

static void near(const track *one, const track *two)
{
    for (int k = 0; k < one->state->dim; k++)
    {
        CHECK_NEAR(two->state->q[k], one->state->q[k], 1e-12);
        CHECK_NEAR(two->state->u[k], one->state->u[k], 1e-12);
    }
}

// gamma_min = 0 is inelastic.
static void none_is_inelastic(void)
{
    twin_runs(THUD_LAW_GLUE, false, 20261131, near);
}

// A body that is removed or moved leaves no glue behind; the others keep theirs.
static void bodies_go(void)
{
    for (int moved = 0; moved < 2; moved++)
    {
        world_rig rig;
        make_wheel(&rig, 0.01, 1);
        REQUIRE(world_open(&rig, THUD_LAW_GLUE, NULL));
        hold_wheel(rig.way.state, -0.5);
        REQUIRE(track_steps(&rig.way, 3));
        thud_sphere away = {.center = {9, 9}, .radius = 0.5, .mass = 1};
        if (moved)
            CHECK(thud_world_set(rig.world, 4, &away) == THUD_OK);
        else
            CHECK(thud_world_remove(rig.world, (int[]){4}, 1) == THUD_OK);
        const thud_state *state = thud_world_state(rig.world);
        CHECK(state->multiplier_count == 9); // of twelve the body had three
        REQUIRE(thud_world_prepare(rig.world, THUD_REFUSE_OVERLAP, NULL) >= 0);
        thud_inclusion problem = thud_world_inclusion(rig.world);
        for (int n = 0; n < 20; n++)
            CHECK(thud_step(&problem, thud_world_state(rig.world), rig.way.work) >= 0);
        rig.way.state = thud_world_state(rig.world);
        world_close(&rig);
    }
}

// Another step begins a new segment; the step before it is still judged.
static void segments(void)
{
    world_rig rig;
    thud_verdict verdict;
    make_wheel(&rig, 0.01, 1);
    REQUIRE(world_open(&rig, THUD_LAW_GLUE, NULL));
    track *way = &rig.way;
    hold_wheel(way->state, -0.5);
    for (int n = 0; n < 200; n++)
    {
        REQUIRE(track_step(way));
        if (n % 7 != 6)
            continue;
        REQUIRE(thud_state_set_step(way->state, n % 2 ? 0.003 : 0.017) == THUD_OK);
        CHECK(thud_verify_spheres(&way->problem, &rig.judge, way->before, way->state, &way->check,
                                  &verdict) == THUD_OK);
        CHECK(verdict.holds);
    }
    world_close(&rig);
}

static void spoil(int fault, const thud_state *before, thud_state *after)
{
    thud_multiplier *first = &after->multipliers[0];
    (void)before;
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
}

// What is forged must be found.
static void forged(void)
{
    world_rig rig;
    make_wheel(&rig, 0.01, 1);
    REQUIRE(world_open(&rig, THUD_LAW_GLUE, NULL));
    hold_wheel(rig.way.state, -0.5);
    REQUIRE(track_step(&rig.way));
    forge_steps(&rig, spoil, 7);
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
        {"none-is-inelastic", none_is_inelastic},
        {"forged", forged},
        {"bodies-go", bodies_go},
        {"segments", segments},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
