// References by an exact solution and by the finest run.
#include "study/reference.h"

#include "core/mass.h"
#include "study/gauss.h"

#include <math.h>
#include <string.h>

// Of a number of steps: a time at the end of a step belongs to the next one.
static const double STEPS_ROUNDING = 1e-14;

enum
{
    GRID = 2048,            // equal parts of the run, for the integral of the force
    MOST_NUMBERS = 1 << 25, // of a finest run
};

thud_status thudi_reference_open(thudi_reference *ref, const thud_scene *scene, thud_model *model,
                                 const thud_allocator *allocator)
{
    const thud_state *state = thud_model_state(model);
    *ref = (thudi_reference){.allocator = allocator,
                             .scene = scene,
                             .problem = thud_model_problem(model),
                             .dim = state->dim,
                             .start = scene->start,
                             .end = scene->end};
    size_t dim = (size_t)state->dim;
    ref->q0 = thudi_allocate_zeroed(allocator, 4 * dim * sizeof(double));
    if (!ref->q0)
        return THUD_ERR_MEMORY;
    ref->u0 = ref->q0 + dim;
    ref->here = ref->u0 + dim;
    ref->there = ref->here + dim;
    memcpy(ref->q0, state->q, dim * sizeof(double));
    memcpy(ref->u0, state->u, dim * sizeof(double));
    return THUD_OK;
}

void thudi_reference_close(thudi_reference *ref)
{
    if (!ref->allocator)
        return;
    thudi_free(ref->allocator, ref->q0, 4 * (size_t)ref->dim * sizeof(double));
    thudi_array_free(ref->allocator, &ref->room);
    thudi_array_free(ref->allocator, &ref->splits);
    thudi_array_free(ref->allocator, &ref->grid);
    thudi_array_free(ref->allocator, &ref->work);
    thudi_array_free(ref->allocator, &ref->nodes);
    thud_events_destroy(ref->events);
}

// --- exact ----------------------------------------------------------------------------------

static void exact_at(thudi_reference *ref, double t, double *q, double *u)
{
    for (int k = 0; k < ref->dim; k++)
    {
        const thud_scene_exact *exact = &ref->scene->exact[k];
        int i = 0;
        while (i + 1 < exact->count && t >= exact->pieces[i].until)
            i++;
        const thud_scene_piece *piece = &exact->pieces[i];
        thud_jet jet = {0};
        thud_varying_differentiate(&piece->q, t, NULL, ref->room.items, &jet);
        q[k] = jet.value;
        if (u)
            u[k] = thud_varying_is_given(&piece->u) ? thud_varying_at(&piece->u, t, ref->room.items)
                                                    : jet.t;
    }
}

static int by_value(const double *a, const double *b)
{
    return (*a > *b) - (*a < *b);
}

// Insert t, which is between start and end, into an increasing list without twins.
static thud_status insert(thudi_reference *ref, double t)
{
    int i = ref->split_count;
    if (!(t > ref->start && t < ref->end))
        return THUD_OK;
    THUD_TRY(thudi_array_reserve(ref->allocator, &ref->splits, (size_t)i + 1));
    double *items = ref->splits.items;
    for (int k = 0; k < i; k++)
        if (items[k] == t)
            return THUD_OK;
    for (; i > 0 && by_value(&items[i - 1], &t) > 0; i--)
        items[i] = items[i - 1];
    items[i] = t;
    ref->split_count++;
    return THUD_OK;
}

typedef struct force_sum
{
    thudi_reference *ref;
    double *sum;
} force_sum;

static void add_force(double t, double weight, void *user)
{
    force_sum *s = user;
    exact_at(s->ref, t, s->ref->here, NULL);
    // an expression outside of its domain makes the error NAN, which is seen
    (void)s->ref->problem->force(t, s->ref->here, s->ref->there, s->ref->problem->user);
    for (int k = 0; k < s->ref->dim; k++)
        s->sum[k] += weight * s->ref->there[k];
}

// Add the integral of the force over [a, b], a short stretch, to sum.
static void add_work(thudi_reference *ref, double a, double b, double *sum)
{
    force_sum s = {ref, sum};
    if (ref->problem->impulse)
    {
        exact_at(ref, (a + b) / 2, ref->here, NULL);
        (void)ref->problem->impulse(a, b, ref->here, ref->there, ref->problem->user);
        for (int k = 0; k < ref->dim; k++)
            sum[k] += ref->there[k];
    }
    else if (ref->problem->force)
        thudi_gauss_two(a, b, add_force, &s); // of 1/2048 of the run: 1e-13
}

// The times of the grid: equal parts, and where something jumps.
static thud_status make_grid(thudi_reference *ref)
{
    size_t room = GRID + 1 + (size_t)ref->split_count, dim = (size_t)ref->dim;
    THUD_TRY(thudi_array_reserve(ref->allocator, &ref->grid, room));
    THUD_TRY(thudi_array_reserve(ref->allocator, &ref->work, room * dim));
    int next = 0;
    for (int i = 0; i <= GRID; i++)
    {
        double t = i == GRID ? ref->end : ref->start + (ref->end - ref->start) * i / GRID;
        for (; next < ref->split_count && ref->splits.items[next] <= t; next++)
            if (ref->splits.items[next] < t)
                ref->grid.items[ref->grid_count++] = ref->splits.items[next];
        ref->grid.items[ref->grid_count++] = t;
    }
    memset(ref->work.items, 0, room * dim * sizeof(double));
    for (int i = 1; i < ref->grid_count; i++)
    {
        double *to = ref->work.items + (size_t)i * dim;
        memcpy(to, to - dim, dim * sizeof *to);
        add_work(ref, ref->grid.items[i - 1], ref->grid.items[i], to);
    }
    return THUD_OK;
}

thud_status thudi_reference_use_exact(thudi_reference *ref)
{
    size_t room = (size_t)thud_scene_varying_room(ref->scene);
    ref->kind = THUD_REFERENCE_EXACT;
    for (int k = 0; k < ref->dim; k++)
        for (int i = 0; i < ref->scene->exact[k].count; i++)
            THUD_TRY(insert(ref, ref->scene->exact[k].pieces[i].until));
    for (int i = 0; i < ref->scene->break_count; i++)
        THUD_TRY(insert(ref, ref->scene->breaks[i]));
    THUD_TRY(thudi_array_reserve(ref->allocator, &ref->room, room));
    return make_grid(ref);
}

// The integral of the force from the start to t.
static void work_at(thudi_reference *ref, double t, double *sum)
{
    int low = 0, high = ref->grid_count - 1;
    while (high - low > 1)
    {
        int middle = (low + high) / 2;
        *(ref->grid.items[middle] <= t ? &low : &high) = middle;
    }
    memcpy(sum, ref->work.items + (size_t)low * (size_t)ref->dim, (size_t)ref->dim * sizeof *sum);
    add_work(ref, ref->grid.items[low], t, sum);
}

// Momentum less what the force and the drag gave: that is what the constraints did.
static void exact_impulse(thudi_reference *ref, double t, const double *q, const double *u,
                          double *impulse)
{
    bool first = ref->problem->order == THUD_FIRST_ORDER;
    work_at(ref, t, impulse);
    for (int k = 0; k < ref->dim; k++)
    {
        double moved = q[k] - ref->q0[k], m = thudi_mass(ref->problem->mass, k);
        if (first)
            impulse[k] = m * (moved - impulse[k]);
        else
            impulse[k] = m * (u[k] - ref->u0[k] + ref->problem->drag * moved) - impulse[k];
    }
}

// --- the finest run -------------------------------------------------------------------------

thud_status thudi_reference_use_finest(thudi_reference *ref, double h, int64_t steps)
{
    size_t wanted = 3 * (size_t)ref->dim * ((size_t)steps + 2);
    ref->kind = THUD_REFERENCE_FINEST;
    ref->h = h;
    ref->steps = 0;
    if (wanted > MOST_NUMBERS)
        return THUD_ERR_LIMIT;
    return thudi_array_reserve(ref->allocator, &ref->nodes, wanted);
}

void thudi_reference_note(thudi_reference *ref, int64_t n, const double *q, const double *u,
                          const double *impulse)
{
    size_t dim = (size_t)ref->dim, at = 3 * dim * (size_t)n;
    if (at + 3 * dim > ref->nodes.capacity)
        return;
    double *to = ref->nodes.items + at;
    memcpy(to, q, dim * sizeof *to);
    memcpy(to + dim, u, dim * sizeof *to);
    memcpy(to + 2 * dim, impulse, dim * sizeof *to);
    ref->steps = n;
}

static void finest_at(const thudi_reference *ref, double t, double *q, double *u, double *impulse)
{
    size_t dim = (size_t)ref->dim;
    double x = (t - ref->start) / ref->h;
    int64_t n = x > 0 ? (int64_t)x : 0;
    n = n < ref->steps ? n : ref->steps - 1;
    const double *a = ref->nodes.items + 3 * dim * (size_t)n, *b = a + 3 * dim;
    double part = x - (double)n;
    for (size_t k = 0; k < dim; k++)
    {
        q[k] = a[k] + part * (b[k] - a[k]);
        u[k] = b[dim + k];
        impulse[k] = a[2 * dim + k] + part * (b[2 * dim + k] - a[2 * dim + k]);
    }
}

// --- all ------------------------------------------------------------------------------------

double thudi_reference_next_split(const thudi_reference *ref, double t)
{
    if (ref->kind == THUD_REFERENCE_FINEST)
        return ref->start + (floor((t - ref->start) / ref->h * (1 + STEPS_ROUNDING)) + 1) * ref->h;
    for (int i = 0; i < ref->split_count; i++)
        if (ref->splits.items[i] > t)
            return ref->splits.items[i];
    return INFINITY;
}

void thudi_reference_at(thudi_reference *ref, double t, double *q, double *u, double *impulse)
{
    if (ref->kind == THUD_REFERENCE_FINEST)
    {
        finest_at(ref, t, q, u, impulse);
        return;
    }
    if (ref->kind == THUD_REFERENCE_EXACT)
    {
        exact_at(ref, t, q, u);
        exact_impulse(ref, t, q, u, impulse);
        return;
    }
    thud_events_at(ref->events, t, q, u);
    for (int k = 0; k < ref->dim; k++)
    {
        double g[3] = {0};
        thudi_reference_gravity(ref, g);
        impulse[k] = thudi_mass(ref->problem->mass, k) *
                     (u[k] - ref->u0[k] - g[k % ref->scene->dim] * (t - ref->start));
    }
}
