// A step and its verdict: see models_rig.h.
#include "models_rig.h"

#include <string.h>

affine affine_make(int dim)
{
    affine a = {.dim = dim};
    for (int k = 0; k < dim; k++)
        a.mass[k] = 1;
    for (int i = 0; i < AFFINE_ROWS; i++)
        a.order[i] = i;
    return a;
}

affine_row *affine_add(affine *a)
{
    a->rows[a->count] = (affine_row){0};
    return &a->rows[a->count++];
}

static int affine_push(const thud_moment *at, thud_rows *rows, void *user)
{
    static const int all[AFFINE_DIM] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    const affine *a = user;
    for (int j = 0; j < a->count; j++)
    {
        const affine_row *row = &a->rows[a->order[j]];
        double slope[AFFINE_DIM], gap = row->offset + row->speed * at->t;
        int index[AFFINE_DIM], used = 0;
        for (int k = 0; k < a->dim; k++)
            if (row->slope[k] != 0)
            {
                gap += row->slope[k] * at->q[k];
                slope[used] = row->slope[k];
                index[used++] = all[k];
            }
        (void)thud_rows_push(
            rows, &(thud_row){.key = thud_key_number(10 + a->order[j]),
                              .gap = gap,
                              .shift = row->shift,
                              .law = row->glue < 0 ? THUD_LAW_GLUE : THUD_LAW_RESTITUTION,
                              .numbers = row->glue < 0 ? &row->glue : &row->restitution,
                              .count = used,
                              .index = index,
                              .slope = slope});
    }
    return 0;
}

static int affine_force(double t, const double *q, double *f, void *user)
{
    const affine *a = user;
    (void)t, (void)q;
    memcpy(f, a->force, (size_t)a->dim * sizeof *f);
    return 0;
}

thud_inclusion affine_problem(affine *a, thud_law law)
{
    static const thud_smoothness uniform = {0, 0};
    return (thud_inclusion){.dim = a->dim,
                            .law = law,
                            .mass = a->mass,
                            .force = affine_force,
                            .force_is_steady = true,
                            .gaps = affine_push,
                            .smooth = &uniform,
                            .user = a};
}

static bool prepare(track *way, const thud_work_def *work)
{
    thud_state_def def = {.dim = way->state->dim, .h = way->state->h, .q = way->state->q};
    bool made = thud_state_create(&def, &way->before) == THUD_OK &&
                thud_work_create(work, &way->work) == THUD_OK;
    CHECK(made);
    return made;
}

bool track_start(track *way, const thud_inclusion *problem, const thud_state_def *state,
                 const thud_work_def *work)
{
    *way = (track){.problem = *problem, .owns_state = true};
    bool made = thud_state_create(state, &way->state) == THUD_OK;
    CHECK(made);
    return made && prepare(way, work);
}

bool track_world(track *way, thud_world *world, const thud_work_def *work,
                 const thud_verify_spheres_def *spheres, double backward)
{
    *way = (track){.problem = thud_world_inclusion(world),
                   .state = thud_world_state(world),
                   .spheres = spheres,
                   .check = {.backward = backward, .strict = true}};
    return prepare(way, work);
}

void track_end(track *way)
{
    thud_work_destroy(way->work);
    thud_state_destroy(way->before);
    if (way->owns_state)
        thud_state_destroy(way->state);
}

static void judge(track *way)
{
    thud_verdict verdict;
    thud_status status =
        way->spheres
            ? thud_verify_spheres(&way->problem, way->spheres, way->before, way->state, &way->check,
                                  &verdict)
            : thud_verify_step(&way->problem, way->before, way->state, &way->check, &verdict);
    CHECK(status == THUD_OK);
    for (int i = 0; i < THUD_CERT_COUNT && status == THUD_OK; i++)
    {
        const thud_check *check = &verdict.checks[i];
        way->worst[i] = fmax(way->worst[i], check->value);
        if (!check->holds)
            test_fail(__FILE__, __LINE__, "step %d: %s: %.3g of its tolerance, at %lld, key %llx",
                      way->steps, thud_certificate_title((thud_certificate_name)i), check->value,
                      (long long)check->where,
                      (unsigned long long)thud_key_read(check->key, THUD_KEYS_NUMBERED).a);
    }
}

bool track_step(track *way)
{
    if (thud_state_copy(way->before, way->state) < 0)
        return false;
    thud_status status = thud_step(&way->problem, way->state, way->work);
    if (status < 0)
    {
        test_fail(__FILE__, __LINE__, "step %d: %s", way->steps + 1, thud_work_message(way->work));
        return false;
    }
    way->steps++;
    judge(way);
    return test_failures() < 20;
}

bool track_steps(track *way, int count)
{
    for (int n = 0; n < count; n++)
        if (!track_step(way))
            return false;
    return true;
}

double track_kinetic(const track *way)
{
    double sum = 0;
    for (int k = 0; k < way->state->dim; k++)
    {
        double m = way->problem.mass ? way->problem.mass[k] : 1;
        sum += m / 2 * way->state->u[k] * way->state->u[k];
    }
    return sum;
}

void track_say(const track *way, const char *name)
{
    printf("  %s: %d steps, certificates", name, way->steps);
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        printf(" %.2g", way->worst[i]);
    printf("\n");
}
