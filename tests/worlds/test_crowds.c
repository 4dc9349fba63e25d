// Crowds with known paths: round a pillar, past each other, in a queue, jammed at a door.
#include "crowd_rig.h"

#include <string.h>

// |q| >= 1, U = (1, 0): in contact tan(theta / 2) = tan(theta_0 / 2) exp(-t).
static double pillar_error(double h, double *impulse)
{
    const double start = 2.8, end = 1.6;
    thud_sphere person = {.center = {cos(start), sin(start), 0}, .radius = 0.2, .mass = 1};
    const double wish[2] = {1, 0};
    crowd_rig rig = {.def = {.h = h, .tol = 1e-8, .tol_a = 1e-6},
                     .persons = &person,
                     .wish = wish,
                     .count = 1,
                     .obstacles = {{.solid = {.kind = THUD_BALL, .radius = 0.8}}},
                     .obstacle_count = 1};
    double worst = 0;
    *impulse = 0;
    if (!crowd_open(&rig))
        return NAN;
    while (thud_state_time(rig.state) + h <= end + h / 2 && crowd_steps(&rig, 1))
    {
        double t = thud_state_time(rig.state), theta = 2 * atan(tan(start / 2) * exp(-t));
        const double *q = rig.state->q;
        worst = fmax(worst, hypot(q[0] - cos(theta), q[1] - sin(theta)));
        *impulse += h * crowd_multiplier(&rig, thud_key_surface(0, 0));
    }
    CHECK(rig.min_gap > 0);
    crowd_close(&rig);
    return worst;
}

// The integral of lambda = -cos theta is ln(sin theta(T) / sin theta(0)) as theta' = -sin theta.
static void pillar(void)
{
    double before = 0, before_impulse = 0, theta = 2 * atan(tan(1.4) * exp(-1.6));
    double exact = log(sin(theta) / sin(2.8));
    for (int k = 0; k < 4; k++)
    {
        double h = 0.02 / (1 << k), impulse, error = pillar_error(h, &impulse);
        double off = fabs(impulse - exact);
        printf("  h = %g: path %.3g (factor %.2f), multiplier %.3g (factor %.2f)\n", h, error,
               before / error, off, before_impulse / off);
        CHECK_AT_MOST(error, 0.9 * h);
        CHECK_AT_MOST(off, 3 * h);
        if (k > 0)
            CHECK_NEAR(before / error, 2, 0.15);
        before = error;
        before_impulse = off;
    }
}

// Two that want to pass each other turn about each other: the difference goes round a pillar.
static double crossing_error(double h, const double mass[2], double *drift)
{
    const double start = 2.8, speed = 1, distance = 0.5;
    // the second one comes from the right; q_0 - q_1 = distance (cos, sin)
    double x = distance / 2 * cos(start), y = distance / 2 * sin(start), worst = 0;
    thud_sphere persons[2] = {{.center = {x, y, 0}, .radius = distance / 2, .mass = mass[0]},
                              {.center = {-x, -y, 0}, .radius = distance / 2, .mass = mass[1]}};
    const double wish[4] = {speed, 0, -speed, 0};
    crowd_rig rig = {
        .def = {.h = h, .tol = 1e-8, .tol_a = 1e-6}, .persons = persons, .wish = wish, .count = 2};
    *drift = 0;
    if (!crowd_open(&rig))
        return NAN;
    double share = mass[0] / (mass[0] + mass[1]);
    while (thud_state_time(rig.state) < 0.4 - h / 2 && crowd_steps(&rig, 1))
    {
        double t = thud_state_time(rig.state);
        double theta = 2 * atan(tan(start / 2) * exp(-2 * speed / distance * t));
        const double *q = rig.state->q;
        double along = share * q[0] + (1 - share) * q[2],
               beside = share * q[1] + (1 - share) * q[3];
        // the centre of weights goes its way whatever the two do
        double from = (2 * share - 1) * x + (2 * share - 1) * speed * t;
        *drift = fmax(*drift, fabs(along - from) + fabs(beside - (2 * share - 1) * y));
        worst = fmax(
            worst, hypot(q[0] - q[2] - distance * cos(theta), q[1] - q[3] - distance * sin(theta)));
    }
    crowd_close(&rig);
    return worst;
}

static void crossing(void)
{
    static const double masses[2][2] = {{1, 1}, {1, 3}};
    for (int m = 0; m < 2; m++)
    {
        double before = 0;
        for (int k = 0; k < 4; k++)
        {
            double drift, h = 0.01 / (1 << k), error = crossing_error(h, masses[m], &drift);
            printf("  weights %g %g, h = %g: %.3g (factor %.2f), centre off by %.1g\n",
                   masses[m][0], masses[m][1], h, error, before / error, drift);
            CHECK_AT_MOST(error, 2 * h);
            CHECK_AT_MOST(drift, 1e-14);
            if (k > 0)
                CHECK_NEAR(before / error, 2, 0.15);
            before = error;
        }
    }
}

enum
{
    FILE_OF = 40
};

// A single file pressed against a wall: contact k carries all who stand behind it.
static void queue(void)
{
    thud_sphere persons[FILE_OF];
    double wish[2 * FILE_OF], behind = 0;
    for (int i = 0; i < FILE_OF; i++)
    {
        persons[i] = (thud_sphere){.center = {-0.25 - 0.5 * i, 0, 0}, .radius = 0.25, .mass = 1};
        wish[2 * i] = 1 + 0.01 * i;
        wish[2 * i + 1] = 0;
    }
    crowd_rig rig = {.def = {.h = 0.05, .tol = 1e-8, .tol_a = 1e-9},
                     .persons = persons,
                     .wish = wish,
                     .count = FILE_OF,
                     .walls = {{.normal = {-1, 0, 0}}},
                     .wall_count = 1};
    if (!crowd_open(&rig) || !crowd_steps(&rig, 20))
        return;
    for (int i = FILE_OF - 1; i >= 0; i--)
    {
        thud_key key = i > 0 ? thud_key_pair(i - 1, i, 0) : thud_key_wall(0, 0);
        behind += wish[2 * i];
        CHECK_NEAR(crowd_multiplier(&rig, key), behind, 1e-5 * behind);
        CHECK_NEAR(rig.state->q[2 * i], persons[i].center[0], 1e-5);
        CHECK_AT_MOST(fabs(rig.state->q[2 * i + 1]), 0);
    }
    CHECK_NEAR(behind, FILE_OF * (1 + 0.005 * (FILE_OF - 1)), 1e-12);
    crowd_close(&rig);
}

// The nearest increasing sequence in the metric of weights: pool neighbours that are out of order.
static void pool(int count, const double *x, const double *weight, double *out)
{
    double mean[FILE_OF], sum[FILE_OF];
    int size[FILE_OF], blocks = 0;
    for (int i = 0; i < count; i++)
    {
        mean[blocks] = x[i];
        sum[blocks] = weight[i];
        size[blocks++] = 1;
        while (blocks > 1 && mean[blocks - 2] >= mean[blocks - 1])
        {
            double both = sum[blocks - 2] + sum[blocks - 1];
            mean[blocks - 2] =
                (mean[blocks - 2] * sum[blocks - 2] + mean[blocks - 1] * sum[blocks - 1]) / both;
            sum[blocks - 2] = both;
            size[blocks - 2] += size[blocks - 1];
            blocks--;
        }
    }
    for (int b = 0, i = 0; b < blocks; b++)
        for (int k = 0; k < size[b]; k++)
            out[i++] = mean[b];
}

// Walkers of different speed in a narrow passage: those behind a slow one close up and push. After
// n steps they are where q_0 + n h U is nearest to being in order, at any h.
static void single_file(void)
{
    const double radius = 0.2, tol = 1e-7, h = 0.1, least = 2 * radius + 2 * tol * radius;
    thud_sphere persons[FILE_OF];
    double wish[2 * FILE_OF], weight[FILE_OF], free[FILE_OF], exact[FILE_OF], worst = 0;
    uint64_t seed = test_seed(15);
    test_random random = test_random_start(seed);
    for (int i = 0; i < FILE_OF; i++)
    {
        weight[i] = 1 + test_random_uniform(&random, 0, 1);
        persons[i] =
            (thud_sphere){.center = {0.7 * i + 0.2 * test_random_uniform(&random, 0, 1), 0, 0},
                          .radius = radius,
                          .mass = weight[i]};
        wish[2 * i] = 0.5 + test_random_uniform(&random, 0, 1);
        wish[2 * i + 1] = 0;
    }
    crowd_rig rig = {.def = {.h = h, .tol = tol, .tol_a = 1e-9},
                     .persons = persons,
                     .wish = wish,
                     .count = FILE_OF};
    int together = 0;
    if (!crowd_open(&rig))
        return;
    for (int n = 1; n <= 100 && crowd_steps(&rig, 1); n++)
    {
        for (int i = 0; i < FILE_OF; i++)
            free[i] = persons[i].center[0] + n * h * wish[2 * i] - i * least;
        pool(FILE_OF, free, weight, exact);
        for (int i = 0; i < FILE_OF; i++)
            worst = fmax(worst, fabs(rig.state->q[2 * i] - exact[i] - i * least));
        together = rig.state->multiplier_count;
    }
    printf("  seed %llu: %d contacts at the end, off by %.2g\n", (unsigned long long)seed, together,
           worst);
    CHECK(together > FILE_OF / 2);
    CHECK_AT_MOST(worst, FILE_OF * tol * radius);
    crowd_close(&rig);
}

static thud_verify_obstacle post(double x)
{
    return (thud_verify_obstacle){
        .solid = {.kind = THUD_BALL, .points = {{x, 0, 0}}, .radius = 0.1}};
}

// One who is too wide for a door stands in it: both posts push with 1 / (2 cos a).
static void too_wide(void)
{
    const double half = 0.25, reach = 0.4; // of the posts from the middle; of the radii together
    double y = sqrt(reach * reach - half * half), cosine = y / reach;
    thud_sphere person = {.center = {0, y + 0.001, 0}, .radius = 0.3, .mass = 1};
    const double wish[2] = {0, -1.5};
    crowd_rig rig = {.def = {.h = 0.05, .tol = 1e-8, .tol_a = 1e-8},
                     .persons = &person,
                     .wish = wish,
                     .count = 1,
                     .obstacles = {post(-half), post(half)},
                     .obstacle_count = 2};
    if (!crowd_open(&rig) || !crowd_steps(&rig, 1000))
        return;
    for (int k = 0; k < 2; k++)
        CHECK_NEAR(crowd_multiplier(&rig, thud_key_surface(k, 0)), 1.5 / (2 * cosine), 1e-6);
    CHECK_NEAR(rig.state->q[0], 0, 1e-7);
    CHECK_NEAR(rig.state->q[1], y, 1e-7);
    crowd_close(&rig);
}

// Two who reach a door of one width together hold each other: each post pushes with 1 / cos a, they
// push each other with tan a, and nobody gets through. (Balanced on a ridge: a hair of asymmetry
// grows with time, so they are watched for a while only.)
static void arch(void)
{
    const double radius = 0.25, half = 0.45, reach = 0.35;
    double aside = half - radius, y = sqrt(reach * reach - aside * aside), cosine = y / reach;
    thud_sphere persons[2] = {{.center = {-radius, y, 0}, .radius = radius, .mass = 1},
                              {.center = {radius, y, 0}, .radius = radius, .mass = 1}};
    const double wish[4] = {0, -1, 0, -1};
    crowd_rig rig = {.def = {.h = 0.01, .tol = 1e-9, .tol_a = 1e-9},
                     .persons = persons,
                     .wish = wish,
                     .count = 2,
                     .obstacles = {post(-half), post(half)},
                     .obstacle_count = 2};
    if (!crowd_open(&rig) || !crowd_steps(&rig, 100))
        return;
    CHECK_NEAR(crowd_multiplier(&rig, thud_key_pair(0, 1, 0)), aside / y, 1e-5);
    for (int k = 0; k < 2; k++)
        CHECK_NEAR(crowd_multiplier(&rig, thud_key_surface(k, k)), 1 / cosine, 1e-5);
    for (int i = 0; i < 2; i++)
    {
        CHECK_NEAR(rig.state->q[2 * i], persons[i].center[0], 1e-6);
        CHECK_NEAR(rig.state->q[2 * i + 1], y, 1e-6);
    }
    crowd_close(&rig);
}

static thud_status refuse(thud_world_def def, const thud_sphere *person, const char *reason)
{
    thud_world *world;
    def.dim = 2;
    def.order = THUD_FIRST_ORDER;
    def.h = 0.1;
    thud_status status = thud_world_create(&def, &world);
    if (status < 0)
        return status;
    status = thud_world_add(world, person, 1, NULL);
    if (status >= 0)
        status = thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL);
    if (reason)
        CHECK(strstr(thud_world_message(world), reason) != NULL);
    thud_world_destroy(world);
    return status;
}

static int pull_down(double t, double gravity[3], void *user)
{
    (void)user;
    gravity[1] = -t;
    return 0;
}

static void refused(void)
{
    const thud_sphere person = {.radius = 1, .mass = 1};
    const thud_sphere walker = {.velocity = {0, 1, 0}, .radius = 1, .mass = 1};
    const double table[1] = {0.5}, glue[1] = {-1};
    CHECK(refuse((thud_world_def){0}, &person, NULL) == THUD_OK);
    CHECK(refuse((thud_world_def){.gravity = {0, -1, 0}}, &person, "gravity") == THUD_ERR_ARGUMENT);
    CHECK(refuse((thud_world_def){.gravity_law = pull_down}, &person, "gravity") ==
          THUD_ERR_ARGUMENT);
    CHECK(refuse((thud_world_def){.drag = 1}, &person, "drag") == THUD_ERR_ARGUMENT);
    CHECK(
        refuse((thud_world_def){.material_count = 1, .law = THUD_LAW_RESTITUTION, .numbers = table},
               &person, "restitution") == THUD_ERR_ARGUMENT);
    CHECK(refuse((thud_world_def){.material_count = 1, .law = THUD_LAW_GLUE, .numbers = glue},
                 &person, "glue") == THUD_ERR_ARGUMENT);
    CHECK(refuse((thud_world_def){0}, &walker, "velocity") == THUD_ERR_ARGUMENT);
    CHECK(refuse((thud_world_def){.noise = -1}, &person, NULL) == THUD_ERR_ARGUMENT);
    CHECK(refuse((thud_world_def){.noise = INFINITY}, &person, NULL) == THUD_ERR_NOT_FINITE);
    thud_world *world;
    CHECK(thud_world_create(&(thud_world_def){.h = 1, .noise = 1}, &world) == THUD_ERR_ARGUMENT);
    CHECK(thud_world_create(&(thud_world_def){.h = 1, .order = (thud_order)2}, &world) ==
          THUD_ERR_ARGUMENT);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"pillar", pillar},           {"crossing", crossing}, {"queue", queue},
        {"single-file", single_file}, {"too-wide", too_wide}, {"arch", arch},
        {"refused", refused},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
