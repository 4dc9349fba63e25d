// Extreme proportions: mass ratios, and one sphere with thousands of neighbours.
#include "sphere_rig.h"

#include <stdlib.h>

static thud_status stack(double lower, double upper, int steps, sphere_rig *rig)
{
    thud_world_def def = {.h = 0.02, .gravity = {0, 0, -1}};
    thud_sphere balls[2] = {{{0, 0, 0.6}, {0}, 0.5, lower}, {{0.01, 0, 1.8}, {0}, 0.5, upper}};
    thud_status status = THUD_OK;
    if (!rig_open(rig, &def))
        return THUD_ERR_MEMORY;
    rig_box(rig, -1, 1, INFINITY);
    CHECK(thud_world_add(rig->world, balls, 2, NULL) == THUD_OK);
    CHECK(rig_prepare(rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    for (int n = 0; n < steps && status >= 0; n++)
        status = rig_step(rig);
    return status;
}

static void stack_of_two(void)
{
    static const double ratios[] = {1e6, 1e-6, 1e9, 1e-9};
    for (int i = 0; i < 4; i++)
    {
        sphere_rig rig;
        thud_status status = stack(1, ratios[i], 300, &rig);
        CHECK(status >= 0 || (status == THUD_ERR_NOT_CONVERGED && i >= 2));
        printf("  upper / lower %g: ", ratios[i]);
        rig_say(&rig, status < 0 ? thud_work_message(rig.work) : "converged");
        rig_close(&rig);
    }
}

// A heavy ball falls on a pile of light ones, by the sweeping method.
static void on_a_pile(double mass)
{
    sphere_rig rig;
    thud_status status = THUD_OK;
    thud_world_def def = {.h = 0.05, .gravity = {0, 0, -1}};
    if (!rig_open(&rig, &def))
        return;
    rig_box(&rig, 0, 4.6, INFINITY);
    rig.sweep_limit = 100000; // to be told soon
    rig_pour(&rig, 40, 0.4, 0.5, 4, 0, test_seed(29));
    thud_sphere ball = {{2.3, 2.3, 6}, {0, 0, 0}, 1.5, mass};
    CHECK(thud_world_add(rig.world, &ball, 1, NULL) == THUD_OK);
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    for (int n = 0; n < 120 && status >= 0; n++)
        status = rig_step(&rig);
    CHECK(status >= 0 || (status == THUD_ERR_NOT_CONVERGED && mass > 1e6));
    printf("  %g on a pile of 40: ", mass);
    rig_say(&rig, status < 0 ? thud_work_message(rig.work) : "converged");
    rig_close(&rig);
}

static void heavy_million(void)
{
    on_a_pile(1e6);
}

static void heavy_billion(void)
{
    on_a_pile(1e9);
}

// count small spheres around a big one, all flying to it, all of them reaching it at once.
static void crowd(int count, int steps)
{
    sphere_rig rig;
    thud_world_def def = {.h = 0.05};
    double big = 10, small = 8.0 / sqrt(count), golden = acos(-1) * (3 - sqrt(5));
    if (!rig_open(&rig, &def))
        return;
    thud_sphere *balls = calloc((size_t)count + 1, sizeof *balls);
    REQUIRE(balls);
    balls[0] = (thud_sphere){.radius = big, .mass = 100};
    for (int i = 1; i <= count; i++)
    {
        double z = 1 - (2 * i - 1.0) / count, r = sqrt(1 - z * z);
        double way[3] = {r * cos(golden * i), r * sin(golden * i), z};
        balls[i] = (thud_sphere){.radius = small, .mass = 1};
        for (int k = 0; k < 3; k++)
        {
            balls[i].center[k] = (big + 1.02 * small) * way[k];
            balls[i].velocity[k] = -way[k] * (1 + 0.2 * z);
        }
    }
    rig.sweep_limit = 20000; // plain Gauss-Seidel needs less than 1,000
    CHECK(thud_world_add(rig.world, balls, count + 1, NULL) == THUD_OK);
    CHECK(rig_prepare(&rig, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    rig.may_be_slack = true;
    rig_steps(&rig, steps);
    thud_contacts contacts;
    int pushed = 0;
    CHECK(thud_world_contacts(rig.world, thud_work_report(rig.work), &contacts) == THUD_OK);
    for (int i = 0; i < contacts.count; i++)
        pushed += contacts.a[i] == 0;
    CHECK(pushed == count);
    printf("  %d rows with the big one\n", pushed);
    rig_say(&rig, "crowd");
    rig_close(&rig);
    free(balls);
}

static void crowd_of_2000(void)
{
    crowd(2000, 5);
}

static void crowd_of_10000(void)
{
    crowd(10000, 1);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"stack-of-two", stack_of_two},     {"heavy-million", heavy_million},
        {"heavy-billion", heavy_billion},   {"crowd-of-2000", crowd_of_2000},
        {"crowd-of-10000", crowd_of_10000},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
