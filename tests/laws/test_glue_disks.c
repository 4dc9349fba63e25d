// Thirty disks that are squeezed together and drawn apart: glue holds what it should, and its
// memory accounts for every impulse.
#include "forge_rig.h"

// Towards the middle until t = 1, then away from it.
static int squeeze(double t, int count, const int *id, const double *q, double *force, void *user)
{
    (void)id, (void)user;
    for (int k = 0; k < 2 * count; k++)
        force[k] += t < 1 ? -q[k] : q[k] / 2;
    return 0;
}

// What the steps so far have done, from memories alone: by coordinate the sum of
// h f + G_n^T (gamma_n - gamma_n+1 - clip_n), clip = -nu - gamma', which is M (u_N - u_0).
static void add_telescope(const track *way, double touch, double *sum, double *size)
{
    const thud_report *report = thud_work_report(way->work);
    for (int k = 0; k < way->state->dim; k++)
        sum[k] += way->state->h * report->mean_force[k];
    for (int i = 0; i < thud_rows_count(report->rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(report->rows, i, &room);
        double gamma[2] = {0, 0};
        const thud_state *states[2] = {way->before, way->state};
        for (int s = 0; s < 2; s++)
            for (int m = 0; m < states[s]->multiplier_count; m++)
                if (thud_key_same(states[s]->multipliers[m].key, row.key))
                    gamma[s] = states[s]->multipliers[m].memory;
        double clip = -report->answer.mu[i] - gamma[1];
        CHECK(clip <= 0); // gamma_min clips the memory, never the impulse
        CHECK(gamma[1] <= 0 && gamma[1] >= -0.3);
        if (gamma[1] < 0) // what is held touches
            CHECK_AT_MOST(fabs(report->lin[i]), touch);
        for (int b = 0; b < row.count; b++)
            for (int k = 0; k < 2; k++)
            {
                double part = row.slope[2 * b + k] * (gamma[0] - gamma[1] - clip);
                sum[row.index[b] + k] += part;
                *size += fabs(part);
            }
    }
}

typedef struct thirty
{
    int most, held, pulled;
    double strongest, least, worst, size;
    double touch; // what is held is nearer
    double sum[60], start[60];
} thirty;

static void watch(const track *way, thirty *seen)
{
    add_telescope(way, seen->touch, seen->sum, &seen->size);
    for (int k = 0; k < 60; k++)
    {
        double change = way->problem.mass[k] * (way->state->u[k] - seen->start[k]);
        seen->worst = fmax(seen->worst, fabs(change - seen->sum[k]));
    }
    seen->held = 0;
    for (int i = 0; i < way->state->multiplier_count; i++)
    {
        const thud_multiplier *m = &way->state->multipliers[i];
        seen->held += m->memory < 0;
        seen->pulled += m->impulse < 0;
        seen->strongest = fmin(seen->strongest, m->impulse);
        seen->least = fmin(seen->least, m->memory);
    }
    seen->most = seen->held > seen->most ? seen->held : seen->most;
}

// Momentum of all: pairs do not change it.
static void check_momentum(const track *way)
{
    double sum[2] = {0, 0}, wanted[2] = {0, 0}, size = 1;
    for (int k = 0; k < 60; k++)
    {
        sum[k % 2] += way->problem.mass[k] * (way->state->u[k] - way->before->u[k]);
        wanted[k % 2] += 0.01 * thud_work_report(way->work)->mean_force[k];
        size += way->problem.mass[k] * fabs(way->state->u[k]);
    }
    for (int k = 0; k < 2; k++)
        CHECK_NEAR(sum[k], wanted[k], 1e-14 * size);
}

// Thirty disks pressed together, then drawn apart until the last has let go.
static void run_thirty(double tol, const thud_projector_def *projector)
{
    uint64_t seed = test_seed(20261132);
    test_random random = test_random_start(seed);
    world_rig rig = {.def = {.dim = 2, .h = 0.01, .force = squeeze, .force_is_steady = true},
                     .count = 30};
    thirty seen = {.touch = 4 * tol};
    rig.def.tol = tol;
    world_fill_table(&rig, -0.3);
    for (int i = 0; i < 30; i++)
        rig.spheres[i] = (thud_sphere){.center = {2.3 * (i % 6) - 5.75, 2.3 * (int)(i / 6) - 4.6},
                                       .radius = test_random_uniform(&random, 0.8, 1),
                                       .mass = test_random_uniform(&random, 0.5, 2)};
    REQUIRE(world_open(&rig, THUD_LAW_GLUE, projector));
    track *way = &rig.way;
    for (int n = 0; n < 450; n++)
    {
        REQUIRE(track_step(way));
        watch(way, &seen);
        check_momentum(way);
    }
    CHECK(seen.most > 30 && seen.strongest < -1e-3 && seen.least == -0.3 && seen.pulled > 50);
    CHECK(seen.held == 0 && way->state->multiplier_count == 0); // all have let go
    CHECK_AT_MOST(seen.worst, 1e-14 * seen.size);
    track_say(way, "thirty disks");
    printf("  %d held at most, strongest pull %.3g, identity %.2g of impulses %.3g (seed %llu)\n",
           seen.most, -seen.strongest / 0.01, seen.worst, seen.size, (unsigned long long)seed);
    world_close(&rig);
}

static void thirty_disks(void)
{
    run_thirty(1e-5, NULL);
}

// By sweeps, and as coarsely as a preview.
static void thirty_preview(void)
{
    run_thirty(1e-3, &(thud_projector_def){.method = THUD_METHOD_AGS});
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"thirty-disks", thirty_disks},
        {"thirty-preview", thirty_preview},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
