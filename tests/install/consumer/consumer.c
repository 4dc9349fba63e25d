// A program of a user: a ball falls onto a floor, by the installed library alone, and the
// independent checker looks at every step. Prints the version of the library.
#include <stdio.h>
#include <thud/thud.h>
#include <thud/verify.h>

static int gravity(double t, const double *q, double *f, void *user)
{
    (void)t, (void)q, (void)user;
    f[0] = -1.0;
    return 0;
}

static int above_floor(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    const double up = 1.0;
    const thud_row floor = {.key = thud_key_number(1),
                            .gap = at->q[0],
                            .count = 1,
                            .index = (const int[]){0},
                            .slope = &up};
    return thud_rows_push(rows, &floor) < 0;
}

int main(void)
{
    const double height = 1.0;
    const thud_inclusion ball = {
        .dim = 1, .force = gravity, .force_is_steady = true, .gaps = above_floor};
    const thud_state_def def = {.dim = 1, .h = 0.125, .q = &height};
    thud_state *state = NULL, *before = NULL;
    thud_work *work = NULL;
    bool good = thud_state_create(&def, &state) >= 0 && thud_state_create(&def, &before) >= 0 &&
                thud_work_create(NULL, &work) >= 0;
    for (int n = 0; good && n < 32; n++)
    {
        thud_verdict verdict;
        good = thud_state_copy(before, state) >= 0 && thud_step(&ball, state, work) >= 0 &&
               thud_verify_step(&ball, before, state, NULL, &verdict) >= 0 && verdict.holds;
    }
    good = good && state->q[0] >= 0.0 && state->q[0] < 1e-9;
    printf("%s\n", good ? thud_version() : "wrong");
    thud_work_destroy(work);
    thud_state_destroy(before);
    thud_state_destroy(state);
    return good ? 0 : 1;
}
