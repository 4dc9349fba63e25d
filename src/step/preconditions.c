// What a step cannot be taken with: everything about problem and state that can be told beforehand.
#include "step/work.h"

#include "core/math/finite.h"

#include <math.h>

static const char *find_model_fault(const thud_inclusion *problem)
{
    if (problem->order != THUD_SECOND_ORDER && problem->order != THUD_FIRST_ORDER)
        return "unknown order";
    if (!thud_law_find((int)problem->law))
        return "unknown contact law";
    if (problem->order == THUD_FIRST_ORDER && thud_law_has((int)problem->law, THUD_TRAIT_ORDER_2))
        return "the contact law has no meaning in first order";
    if (!(problem->noise >= 0 && isfinite(problem->noise)))
        return "noise is negative or not finite";
    if (problem->order != THUD_FIRST_ORDER && problem->noise > 0)
        return "noise needs first order";
    if (problem->order == THUD_FIRST_ORDER && problem->drag > 0)
        return "drag has no meaning in first order";
    return NULL;
}

static const char *find_number_fault(const thud_inclusion *problem, const thud_state *state)
{
    const thud_smoothness *smooth = problem->smooth;
    if (problem->break_count < 0 || (problem->break_count > 0 && !problem->breaks))
        return "break_count is given without breaks";
    if (problem->kinks && (problem->kinks->count < 0 || !problem->kinks->range))
        return "kinks are given without their ranges";
    if (!(state->h > 0) || state->n < 0 || state->n >= INT64_C(1) << 53)
        return "the state's h or n is out of range";
    if (!(problem->drag >= 0 && problem->drag * state->h <= 1))
        return "drag is negative or more than 1 / h";
    if (smooth && !(smooth->gap_tt >= 0 && smooth->gap_tq >= 0))
        return "a bound on how g varies in time is negative or not a number";
    for (int b = 0; b < problem->break_count; b++)
        if (isnan(problem->breaks[b]) || (b > 0 && !(problem->breaks[b] > problem->breaks[b - 1])))
            return "breaks do not increase";
    if (problem->mass && !thudi_all_positive(problem->mass, problem->dim))
        return "a mass is not positive";
    return NULL;
}

const char *thudi_step_fault(const thud_inclusion *problem, const thud_state *state,
                             thud_status *status)
{
    double next = thudi_next_time(state);
    *status = THUD_ERR_ARGUMENT;
    if (problem->dim < 1 || problem->dim != state->dim)
        return "the problem and the state have different dims";
    const char *fault = find_model_fault(problem);
    if (!fault && state->more_width > 0 &&
        state->more_width != thud_law_find((int)problem->law)->kept - 1)
        fault = "the state keeps numbers of another contact law";
    if (!fault)
        fault = find_number_fault(problem, state);
    if (fault)
        return fault;
    if (isfinite(next) && !(next > thud_state_time(state)))
        return "the step is below the spacing of floating-point numbers at this time";
    *status = THUD_ERR_NOT_FINITE;
    if (!isfinite(next))
        return "the time at the end of the step is not finite";
    if (!thudi_all_finite(state->q, problem->dim) || !thudi_all_finite(state->u, problem->dim) ||
        (problem->mass && !thudi_all_finite(problem->mass, problem->dim)))
        return "a mass, a position or a velocity is not finite";
    *status = THUD_OK;
    return NULL;
}
