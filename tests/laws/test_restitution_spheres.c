// Restitution among disks and spheres: clusters with mixed e, a column, and steps that are forged.
#include "forge_rig.h"

#include <string.h>

// Seven disks, one in the middle, jittered; materials, masses and e by chance.
static void make_cluster(world_rig *rig, test_random *random)
{
    *rig = (world_rig){.def = {.dim = 2, .h = 0.01}, .count = 7};
    for (int a = 0; a < WORLD_MATERIALS; a++)
        for (int b = a; b < WORLD_MATERIALS; b++)
        {
            int pick = test_random_int(random, 0, 3);
            double e = pick == 0 ? 0 : pick == 1 ? 1 : test_random_uniform(random, 0, 1);
            rig->table[a * WORLD_MATERIALS + b] = rig->table[b * WORLD_MATERIALS + a] = e;
        }
    for (int i = 0; i < 7; i++)
    {
        double angle = i * 1.0471975511965976, far = i == 0 ? 0 : 2.02;
        far += i == 0 ? 0 : test_random_uniform(random, 0, 0.3);
        thud_sphere *s = &rig->spheres[i];
        *s = (thud_sphere){.center = {far * cos(angle), far * sin(angle)}, .radius = 1};
        s->radius = test_random_uniform(random, 0.9, 1);
        s->mass = exp(test_random_uniform(random, -1, 1));
        rig->material[i] = test_random_int(random, 0, WORLD_MATERIALS - 1);
        for (int k = 0; k < 2; k++) // inwards, so that there are impacts of many at once
            s->velocity[k] = -s->center[k] + 0.3 * test_random_normal(random);
    }
}

// Sum of lambda_i lin_i over rows of clusters that follow the plain scheme, as no row has e > 0.
static double plain_gain(const track *way)
{
    const thud_report *report = thud_work_report(way->work);
    double sum = 0;
    for (int i = 0; i < thud_rows_count(report->rows); i++)
        if (report->impulse[i] == report->answer.mu[i])
            sum += fmax(0, report->impulse[i] / way->state->h * report->answer.lin[i]);
    return sum;
}

// bounded: clusters without e > 0 may gain what they are allowed to.
static void run_clusters(double tol, const thud_projector_def *projector, bool bounded,
                         uint64_t standard)
{
    uint64_t seed = test_seed(standard);
    test_random random = test_random_start(seed);
    double gain = 0, allowed = 0, up = 0, worst[THUD_CERT_COUNT] = {0};
    int64_t loaded = 0;
    for (int trial = 0; trial < 200; trial++)
    {
        world_rig rig;
        make_cluster(&rig, &random);
        rig.def.tol = tol;
        for (int k = 0; k < WORLD_MATERIALS * WORLD_MATERIALS && projector && !bounded; k++)
            rig.table[k] = 0.05 + 0.95 * rig.table[k];
        REQUIRE(world_open(&rig, THUD_LAW_RESTITUTION, projector));
        if (projector) // rows that hardly push may be open, as the rule to stop allows
            rig.way.check.backward *= 1000;
        double energy = track_kinetic(&rig.way), first = energy;
        for (int n = 0; n < 120; n++)
        {
            REQUIRE(track_step(&rig.way));
            double next = track_kinetic(&rig.way);
            double plain = bounded ? plain_gain(&rig.way) : 0;
            gain = fmax(gain, (next - energy - plain) / first);
            allowed = fmax(allowed, plain / first);
            up = fmax(up, (next - energy) / first);
            energy = next;
            loaded += rig.way.state->multiplier_count;
        }
        for (int i = 0; i < THUD_CERT_COUNT; i++)
            worst[i] = fmax(worst[i], rig.way.worst[i]);
        world_close(&rig);
    }
    CHECK_AT_MOST(gain, 1e-12);
    CHECK(loaded > 2000);
    printf("  energy up by %.2g of itself at most, %lld contacts (seed %llu), certificates", gain,
           (long long)loaded, (unsigned long long)seed);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        printf(" %.2g", worst[i]);
    printf("\n");
    if (bounded)
        printf(
            "  sum of lambda lin where no row has e > 0: %.2g of the energy at most; up by %.2g\n",
            allowed, up);
}

static void clusters(void)
{
    run_clusters(1e-5, NULL, false, 20261121);
}

static void clusters_preview(void)
{
    run_clusters(1e-3, NULL, false, 20261122);
}

// The iterative method, stopped as early as it may be: nu is far from exact.
static void clusters_iterative(void)
{
    run_clusters(1e-3, &(thud_projector_def){.method = THUD_METHOD_AGS}, false, 20261123);
}

// The same with e = 0 here and there: a cluster where every e is 0 gains at most sum lambda_i
// lin_i.
static void clusters_zeros(void)
{
    run_clusters(1e-3, &(thud_projector_def){.method = THUD_METHOD_AGS}, true, 20261126);
}

// The same step with the bodies in another order.
static void permuted(void)
{
    uint64_t seed = test_seed(20261124);
    test_random random = test_random_start(seed);
    double worst = 0;
    for (int trial = 0; trial < 200; trial++)
    {
        world_rig rig, other;
        int place[7] = {0, 1, 2, 3, 4, 5, 6};
        make_cluster(&rig, &random);
        other = rig;
        for (int i = 6; i > 0; i--)
        {
            int j = test_random_int(&random, 0, i), kept = place[i];
            place[i] = place[j];
            place[j] = kept;
        }
        for (int i = 0; i < 7; i++)
        {
            other.spheres[place[i]] = rig.spheres[i];
            other.material[place[i]] = rig.material[i];
        }
        REQUIRE(world_open(&rig, THUD_LAW_RESTITUTION, NULL));
        REQUIRE(world_open(&other, THUD_LAW_RESTITUTION, NULL));
        for (int n = 0; n < 60; n++)
        {
            thud_state *a = rig.way.state, *b = other.way.state;
            for (int k = 0; k < 14; k++)
            {
                int to = 2 * place[k / 2] + k % 2;
                b->q[to] = a->q[k];
                b->u[to] = a->u[k];
            }
            REQUIRE(track_step(&rig.way) && track_step(&other.way));
            for (int k = 0; k < 14; k++)
            {
                int to = 2 * place[k / 2] + k % 2;
                worst = fmax(worst, fmax(fabs(b->q[to] - a->q[k]), fabs(b->u[to] - a->u[k])));
            }
        }
        world_close(&rig);
        world_close(&other);
    }
    CHECK_AT_MOST(worst, 1e-12);
    printf("  %.2g at most (seed %llu)\n", worst, (unsigned long long)seed);
}

// Ten spheres on top of each other at rest, and staying so.
static void column(void)
{
    static const double es[] = {0, 0.3, 0.6, 0.9};
    for (int i = 0; i < 4; i++)
    {
        // gaps as the solver keeps them, so that nothing is to be opened at the start
        double rest = 2e-5 * (1 + 1e-9);
        world_rig rig = {.def = {.dim = 3, .h = 0.01, .gravity = {0, 0, -1}}, .count = 10};
        for (int k = 0; k < WORLD_MATERIALS * WORLD_MATERIALS; k++)
            rig.table[k] = es[i];
        for (int k = 0; k < 10; k++)
            rig.spheres[k] =
                (thud_sphere){.center = {0, 0, 1 + rest + k * (2 + rest)}, .radius = 1, .mass = 1};
        rig.walls[rig.wall_count++] = (thud_plane){.normal = {0, 0, 1}};
        REQUIRE(world_open(&rig, THUD_LAW_RESTITUTION, NULL));
        double most = 0;
        for (int n = 0; n < 1000; n++)
        {
            REQUIRE(track_step(&rig.way));
            most = fmax(most, track_kinetic(&rig.way));
        }
        CHECK_AT_MOST(most, 0.5 * 10 * 1e-4);
        for (int k = 0; k < 10; k++)
            CHECK_NEAR(rig.way.state->q[3 * k + 2], 1 + 2 * k, 1e-3);
        printf("  e = %g: kinetic energy %.3g n (h g)^2 / 2\n", es[i], most / (5 * 1e-4));
        world_close(&rig);
    }
}

// Disks on a floor that swings, growing as they bounce.
static void shaken(void)
{
    uint64_t seed = test_seed(20261125);
    test_random random = test_random_start(seed);
    world_rig rig = {.def = {.dim = 2, .h = 0.005, .gravity = {0, -1}},
                     .count = 24,
                     .swing = 0.1,
                     .rate = 7,
                     .growth = 0.02};
    for (int a = 0; a < WORLD_MATERIALS; a++)
        for (int b = a; b < WORLD_MATERIALS; b++)
            rig.table[a * WORLD_MATERIALS + b] = rig.table[b * WORLD_MATERIALS + a] =
                test_random_uniform(&random, 0, 1);
    for (int i = 0; i < 24; i++)
    {
        rig.spheres[i] = (thud_sphere){.center = {0.7 * (i % 6) + 0.5, 0.7 * (int)(i / 6) + 0.6},
                                       .radius = test_random_uniform(&random, 0.2, 0.3),
                                       .mass = test_random_uniform(&random, 0.5, 2)};
        rig.material[i] = i % WORLD_MATERIALS;
    }
    rig.walls[0] = (thud_plane){.normal = {0, 1}};
    rig.walls[1] = (thud_plane){.normal = {1, 0}};
    rig.walls[2] = (thud_plane){.normal = {-1, 0}, .offset = -4.5};
    rig.wall_count = 3;
    rig.wall_material[1] = 1;
    REQUIRE(world_open(&rig, THUD_LAW_RESTITUTION, NULL));
    int64_t loaded = 0;
    for (int n = 0; n < 1000; n++)
    {
        REQUIRE(track_step(&rig.way));
        loaded += rig.way.state->multiplier_count;
    }
    CHECK(loaded > 2000);
    track_say(&rig.way, "shaken");
    printf("  %lld contacts (seed %llu)\n", (long long)loaded, (unsigned long long)seed);
    world_close(&rig);
}

static void spoil(int fault, const thud_state *before, thud_state *after)
{
    thud_multiplier *first = &after->multipliers[0];
    if (fault == 0)
        after->u[1] += 1e-9;
    else if (fault == 1)
        after->q[1] += 1e-9;
    else if (fault == 2)
        first->impulse *= 1 + 1e-9;
    else if (fault == 3)
        first->memory *= 1 + 1e-9;
    else if (fault == 4)
        memcpy(after->u, before->u, 6 * sizeof(double));
    else if (fault == 5)
        first->memory = -1;
    else if (fault == 6) // a larger e: u' = w + k (u' - w), impulses too
    {
        for (int k = 0; k < 6; k++)
            after->u[k] = before->u[k] + 1.2 * (after->u[k] - before->u[k]);
        for (int i = 0; i < after->multiplier_count; i++)
            after->multipliers[i].impulse *= 1.2;
    }
    else if (fault == 7) // the displacement of another e
        for (int k = 0; k < 6; k++)
            after->q[k] += 0.05 * (after->q[k] - before->q[k]);
    else
        after->multiplier_count--;
}

// Three disks that meet a wall and each other, one step: what is forged must be found.
static void forged(void)
{
    world_rig rig = {.def = {.dim = 2, .h = 0.1}, .count = 3};
    thud_verdict verdict;
    for (int k = 0; k < WORLD_MATERIALS * WORLD_MATERIALS; k++)
        rig.table[k] = 0.5;
    for (int i = 0; i < 3; i++)
        rig.spheres[i] = (thud_sphere){
            .center = {2.05 * i, 1.02}, .velocity = {1 - i, -1}, .radius = 1, .mass = 1 + i};
    rig.walls[rig.wall_count++] = (thud_plane){.normal = {0, 1}};
    REQUIRE(world_open(&rig, THUD_LAW_RESTITUTION, NULL));
    REQUIRE(track_step(&rig.way));
    track *way = &rig.way;
    REQUIRE(way->state->multiplier_count >= 3);
    forge_steps(&rig, spoil, 9);
    // another table: the judge must see that e is not what it should be
    for (int k = 0; k < WORLD_MATERIALS * WORLD_MATERIALS; k++)
        rig.table[k] = 0.5 + 1e-9;
    CHECK(thud_verify_spheres(&way->problem, &rig.judge, way->before, way->state, &way->check,
                              &verdict) == THUD_OK);
    CHECK(!verdict.holds);
    world_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"clusters", clusters},
        {"clusters-preview", clusters_preview},
        {"clusters-iterative", clusters_iterative},
        {"clusters-zeros", clusters_zeros},
        {"permuted", permuted},
        {"column", column},
        {"shaken", shaken},
        {"forged", forged},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
