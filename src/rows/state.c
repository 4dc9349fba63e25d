// The state (t_0, n, h, q, u, keyed multipliers):  t_n = t_0 + n h, never accumulated.
#include "core/door.h"
#include "core/math/finite.h"
#include "core/memory.h"
#include "thud/inclusion.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static thud_status check_def(const thud_state_def *def)
{
    if (def->dim < 1 || !def->q || !(def->h > 0))
        return THUD_ERR_ARGUMENT;
    if (!isfinite(def->t0) || !isfinite(def->h) || !thudi_all_finite(def->q, def->dim) ||
        (def->u && !thudi_all_finite(def->u, def->dim)))
        return THUD_ERR_NOT_FINITE;
    return THUD_OK;
}

static thud_status create(const thud_state_def *def, thud_state **out)
{
    THUD_TRY(check_def(def));
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    size_t size = (size_t)def->dim * sizeof(double);
    thud_state *state = thudi_allocate_zeroed(&allocator, sizeof *state);
    if (!state)
        return THUD_ERR_MEMORY;
    state->allocator = allocator;
    state->dim = def->dim;
    state->t0 = def->t0;
    state->h = def->h;
    state->q = thudi_allocate_zeroed(&allocator, size);
    state->u = thudi_allocate_zeroed(&allocator, size);
    if (!state->q || !state->u)
    {
        thud_state_destroy(state);
        return THUD_ERR_MEMORY;
    }
    memcpy(state->q, def->q, size);
    if (def->u)
        memcpy(state->u, def->u, size);
    *out = state;
    return THUD_OK;
}

THUDI_DOOR thud_status thud_state_create(const thud_state_def *def, thud_state **out)
{
    *out = NULL;
    THUD_TRY(thud_float_check());
    return create(def, out);
}

void thud_state_destroy(thud_state *state)
{
    if (!state)
        return;
    thud_allocator allocator = state->allocator;
    size_t size = (size_t)state->dim * sizeof(double);
    thudi_free(&allocator, state->q, size);
    thudi_free(&allocator, state->u, size);
    thudi_free(&allocator, state->multipliers,
               (size_t)state->multiplier_capacity * sizeof *state->multipliers);
    thudi_free(&allocator, state->more, state->more_capacity * sizeof *state->more);
    thudi_free(&allocator, state, sizeof *state);
}

double thud_state_time(const thud_state *state)
{
    return fma((double)state->n, state->h, state->t0);
}

thud_status thud_state_set_step(thud_state *state, double h)
{
    THUD_TRY(thud_float_check());
    if (!(h > 0))
        return THUD_ERR_ARGUMENT;
    if (!isfinite(h))
        return THUD_ERR_NOT_FINITE;
    double factor = h / state->h;
    for (int i = 0; i < state->multiplier_count; i++)
        state->multipliers[i].impulse *= factor;
    state->t0 = thud_state_time(state);
    state->n = 0;
    state->h = h;
    return THUD_OK;
}

thud_status thud_state_reserve(thud_state *state, int count)
{
    if (count < 0)
        return THUD_ERR_ARGUMENT;
    if (count > INT_MAX / 2)
        return THUD_ERR_LIMIT;
    size_t capacity = (size_t)state->multiplier_capacity;
    THUD_TRY(thudi_grow(&state->allocator, &state->multipliers, sizeof *state->multipliers,
                        (size_t)count, &capacity));
    state->multiplier_capacity = (int)capacity;
    return thudi_grow(&state->allocator, &state->more, sizeof *state->more,
                      (size_t)count * (size_t)state->more_width, &state->more_capacity);
}

thud_status thud_state_widen(thud_state *state, int width)
{
    if (width < 0 || width >= THUD_KEPT_MAX)
        return THUD_ERR_ARGUMENT;
    size_t count = (size_t)state->multiplier_count * (size_t)width;
    THUD_TRY(thudi_grow(&state->allocator, &state->more, sizeof *state->more, count,
                        &state->more_capacity));
    if (count > 0)
        memset(state->more, 0, count * sizeof *state->more);
    state->more_width = width;
    return THUD_OK;
}

thud_status thud_state_set_multipliers(thud_state *state, const thud_multiplier *multipliers,
                                       const double *more, int count, int width)
{
    if (count < 0 || (count > 0 && (!multipliers || (width > 0 && !more))))
        return THUD_ERR_ARGUMENT;
    state->multiplier_count = 0;
    THUD_TRY(thud_state_widen(state, width));
    THUD_TRY(thud_state_reserve(state, count));
    state->multiplier_count = count;
    size_t numbers = (size_t)count * (size_t)width;
    if (count > 0)
        memcpy(state->multipliers, multipliers, (size_t)count * sizeof *multipliers);
    if (numbers > 0)
        memcpy(state->more, more, numbers * sizeof *more);
    return THUD_OK;
}

thud_status thud_state_copy(thud_state *to, const thud_state *from)
{
    if (to->dim != from->dim)
        return THUD_ERR_ARGUMENT;
    if (to->more_width != from->more_width)
        THUD_TRY(thud_state_widen(to, from->more_width));
    THUD_TRY(thud_state_reserve(to, from->multiplier_count));
    size_t size = (size_t)from->dim * sizeof(double);
    to->t0 = from->t0;
    to->n = from->n;
    to->h = from->h;
    memcpy(to->q, from->q, size);
    memcpy(to->u, from->u, size);
    to->multiplier_count = from->multiplier_count;
    if (from->multiplier_count > 0)
        memcpy(to->multipliers, from->multipliers,
               (size_t)from->multiplier_count * sizeof *to->multipliers);
    size_t more = (size_t)from->multiplier_count * (size_t)from->more_width;
    if (more > 0)
        memcpy(to->more, from->more, more * sizeof *to->more);
    return THUD_OK;
}
