// What the unit tests share: see unit_rig.h.
#include "unit_rig.h"

#include <string.h>

rig rig_start(const thud_state_def *state, const thud_work_def *work)
{
    rig r = {NULL, NULL};
    CHECK(thud_state_create(state, &r.state) == THUD_OK);
    CHECK(thud_work_create(work, &r.work) == THUD_OK);
    return r;
}

void rig_end(rig *r)
{
    thud_work_destroy(r->work);
    thud_state_destroy(r->state);
    *r = (rig){NULL, NULL};
}

thud_state *state_twin(const thud_state *state)
{
    static const double zero[1024]; // not q itself, which may be what a test has spoilt
    thud_state *twin = NULL;
    thud_state_def def = {.dim = state->dim, .h = 1, .q = zero};
    if (thud_state_create(&def, &twin) == THUD_OK && thud_state_copy(twin, state) == THUD_OK)
        return twin;
    test_fail(__FILE__, __LINE__, "a state could not be copied");
    return twin;
}

thud_rows *rows_of(int dim, const thud_allocator *allocator)
{
    thud_rows *rows = NULL;
    CHECK(thud_rows_create(dim, allocator, &rows) == THUD_OK);
    return rows;
}

bool same_bits(const double *a, const double *b, int count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

bool same_state(const thud_state *a, const thud_state *b)
{
    bool same = a->dim == b->dim && a->n == b->n && same_bits(&a->t0, &b->t0, 1) &&
                same_bits(&a->h, &b->h, 1) && same_bits(a->q, b->q, a->dim) &&
                same_bits(a->u, b->u, a->dim) && a->multiplier_count == b->multiplier_count;
    for (int i = 0; same && i < a->multiplier_count; i++)
        same = thud_key_same(a->multipliers[i].key, b->multipliers[i].key) &&
               same_bits(&a->multipliers[i].impulse, &b->multipliers[i].impulse, 1) &&
               same_bits(&a->multipliers[i].memory, &b->multipliers[i].memory, 1);
    return same;
}

void check_failed_step(const thud_inclusion *problem, rig *r, thud_status wanted)
{
    char step[40];
    thud_state *before = state_twin(r->state);
    thud_status status = thud_step(problem, r->state, r->work);
    const char *message = thud_work_message(r->work);
    if (status != wanted)
        test_fail(__FILE__, __LINE__, "status %s, wanted %s (%s)", thud_status_name(status),
                  thud_status_name(wanted), message);
    CHECK(same_state(before, r->state));
    (void)snprintf(step, sizeof step, "step %lld ", (long long)before->n + 1);
    if (!strstr(message, step) || !strstr(message, "t = "))
        test_fail(__FILE__, __LINE__, "no step or no time in the message: \"%s\"", message);
    thud_state_destroy(before);
}

walls walls_random(test_random *random, double fastest)
{
    walls w = {.dim = test_random_int(random, 1, WALL_DIM), .h = 0.0625, .shift = 0};
    w.count = test_random_int(random, w.dim, WALL_LIMIT);
    for (int i = 0; i < w.count; i++)
    {
        double length = 0;
        for (int k = 0; k < w.dim; k++)
        {
            w.normal[i][k] = test_random_normal(random);
            length += w.normal[i][k] * w.normal[i][k];
        }
        w.offset[i] = -sqrt(length) * test_random_uniform(random, 0.05, 1);
        w.speed[i] = -sqrt(length) * test_random_uniform(random, 0, fastest);
        w.order[i] = i;
    }
    for (int k = 0; k < w.dim; k++)
    {
        w.mass[k] = exp(test_random_uniform(random, -2, 2));
        w.steady[k] = test_random_normal(random);
        w.drift[k] = test_random_normal(random);
        w.u[k] = test_random_normal(random);
    }
    return w;
}

double walls_gap(const walls *w, int i, double t, const double *q)
{
    double gap = -ldexp(w->offset[i] + w->speed[i] * ldexp(t, -w->time), w->length);
    for (int k = 0; k < w->dim; k++)
        gap += w->normal[i][k] * q[k];
    return gap;
}

static int walls_push(const thud_moment *at, thud_rows *rows, void *user)
{
    static const int all[WALL_DIM] = {0, 1, 2, 3, 4, 5};
    const walls *w = user;
    for (int j = 0; j < w->count; j++)
    {
        int i = w->order[j];
        thud_row row = {.key = thud_key_number(1000 - 7 * i),
                        .gap = walls_gap(w, i, at->t, at->q),
                        .shift = ldexp(w->shift, w->length),
                        .count = w->dim,
                        .index = all,
                        .slope = w->normal[i]};
        (void)thud_rows_push(rows, &row);
    }
    return 0;
}

static int walls_force(double t, const double *q, double *f, void *user)
{
    const walls *w = user;
    double s = ldexp(t, -w->time);
    (void)q;
    for (int k = 0; k < w->dim; k++)
        f[k] = ldexp(w->steady[k] + w->drift[k] * s * s + 0.25 / sqrt(s),
                     w->weight + w->length - 2 * w->time);
    return 0;
}

thud_inclusion walls_problem(walls *w, double mass[WALL_DIM])
{
    for (int k = 0; k < w->dim; k++)
        mass[k] = ldexp(w->mass[k], w->weight);
    return (thud_inclusion){
        .dim = w->dim, .mass = mass, .force = walls_force, .gaps = walls_push, .user = w};
}

rig walls_start(const walls *w)
{
    double q[WALL_DIM], u[WALL_DIM];
    for (int k = 0; k < w->dim; k++)
    {
        q[k] = ldexp(w->q[k], w->length);
        u[k] = ldexp(w->u[k], w->length - w->time);
    }
    return rig_start(&(thud_state_def){.dim = w->dim, .h = ldexp(w->h, w->time), .q = q, .u = u},
                     NULL);
}
