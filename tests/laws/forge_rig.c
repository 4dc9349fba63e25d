// Forged steps and twin runs: see forge_rig.h.
#include "forge_rig.h"

void forge_steps(world_rig *rig, forge_fn *spoil, int count)
{
    track *way = &rig->way;
    thud_state *after = way->state, *good = NULL;
    thud_state_def def = {.dim = after->dim, .h = after->h, .q = after->q};
    REQUIRE(thud_state_create(&def, &good) == THUD_OK);
    REQUIRE(thud_state_copy(good, after) == THUD_OK);
    for (int fault = 0; fault < count; fault++)
    {
        thud_verdict verdict;
        REQUIRE(thud_state_copy(after, good) == THUD_OK);
        spoil(fault, way->before, after);
        CHECK(thud_verify_spheres(&way->problem, &rig->judge, way->before, after, &way->check,
                                  &verdict) == THUD_OK);
        if (verdict.holds)
            test_fail(__FILE__, __LINE__, "fault %d was not found", fault);
    }
    REQUIRE(thud_state_copy(after, good) == THUD_OK);
    thud_state_destroy(good);
}

static affine random_problem(test_random *random, bool redundant, int trial, double *u)
{
    affine a = affine_make(test_random_int(random, 1, 6));
    int rows = test_random_int(random, 1, redundant ? 8 : a.dim);
    for (int k = 0; k < a.dim; k++)
    {
        a.mass[k] = exp(test_random_uniform(random, -1, 1));
        a.force[k] = test_random_normal(random);
        u[k] = test_random_normal(random);
    }
    for (int i = 0; i < rows; i++)
    {
        affine_row *row = affine_add(&a);
        row->offset = test_random_uniform(random, 0.1, 1);
        row->speed = redundant ? test_random_uniform(random, 0, 0.1) : 0;
        row->shift = redundant && trial % 2 ? 1e-6 : 0;
        for (int k = 0; k < a.dim; k++)
            row->slope[k] = test_random_normal(random);
    }
    return a;
}

void twin_runs(thud_law law, bool redundant, uint64_t standard, twin_fn *compare)
{
    uint64_t seed = test_seed(standard);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 60; trial++)
    {
        double q[AFFINE_DIM] = {0}, u[AFFINE_DIM];
        affine a = random_problem(&random, redundant, trial, u);
        thud_inclusion inelastic = affine_problem(&a, THUD_LAW_INELASTIC), other = inelastic;
        other.law = law;
        thud_state_def def = {.dim = a.dim, .h = 0.0625, .q = q, .u = u};
        track one, two;
        REQUIRE(track_start(&one, &inelastic, &def, NULL) && track_start(&two, &other, &def, NULL));
        one.check.backward = two.check.backward = 2e-6;
        for (int n = 0; n < 60; n++)
        {
            REQUIRE(track_step(&one) && track_step(&two));
            compare(&one, &two);
        }
        track_end(&one);
        track_end(&two);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}
