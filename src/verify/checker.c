// Checks one step of the scheme from its two ends, the multipliers and the problem alone:
//
//     f_n   = mean of f(s, q_n) over [t_n, t_n+1]                        checker_force.c
//     w     = u_n + h M^-1 f_n          (first order: w = f_n)
//     rows  = g_i(t_n+1, q_n), grad g_i(t_n+1, q_n)                      the problem's callback
//     nine certificates on (q_n, u_n, q_n+1, u_n+1, mu)                  checker_certificates.c
//
// No code is shared with the solver: what both got wrong in the same way would go unseen.
#include "verify/checker.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

// The smallest count above which t0 + n h can no longer be formed with an exact n.
#define LARGEST_COUNT (INT64_C(1) << 53)

static const char *const titles[THUD_CERT_COUNT] = {
    "stationarity", "sign",   "feasible", "complementarity", "motion",
    "no overlap",   "energy", "momentum", "between",
};

static const char *const texts[THUD_CERT_COUNT] = {
#define CERTIFICATE_TEXT(name, text) text,
    THUD_CERTIFICATE_LIST(CERTIFICATE_TEXT)
#undef CERTIFICATE_TEXT
};

static bool is_certificate(thud_certificate_name name)
{
    return (int)name >= 0 && (int)name < THUD_CERT_COUNT;
}

const char *thud_certificate_title(thud_certificate_name name)
{
    return is_certificate(name) ? titles[name] : "unknown";
}

const char *thud_certificate_text(thud_certificate_name name)
{
    return is_certificate(name) ? texts[name] : "unknown";
}

void *thudi_checker_allocate(const thudi_checker *checker, size_t size)
{
    const thud_allocator *from = &checker->allocator;
    void *block = from->resize ? from->resize(NULL, 0, size, from->user) : malloc(size);
    return block ? memset(block, 0, size) : NULL;
}

void thudi_checker_release(const thudi_checker *checker, void *block, size_t size)
{
    const thud_allocator *to = &checker->allocator;
    if (block && to->resize)
        to->resize(block, size, 0, to->user);
    else
        free(block);
}

static bool all_finite(const double *x, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

static bool is_state_sound(const thud_state *state)
{
    return isfinite(state->t0) && isfinite(state->h) && state->h > 0 && state->n >= 0 &&
           state->n < LARGEST_COUNT && all_finite(state->q, state->dim) &&
           all_finite(state->u, state->dim);
}

static bool is_state_complete(const thud_state *state, int dim)
{
    return state && state->dim == dim && state->q && state->u && state->multiplier_count >= 0 &&
           (state->multipliers || state->multiplier_count == 0);
}

static bool is_amount(double x)
{
    return x >= 0 && isfinite(x);
}

static bool is_law_possible(const thud_inclusion *problem)
{
    const thudi_checked_law *law = thudi_checked_law_of(problem->law);
    return law && (!law->needs_second_order || problem->order == THUD_SECOND_ORDER);
}

static bool is_problem_complete(const thud_inclusion *problem)
{
    return problem && is_amount(problem->noise) &&
           (problem->noise == 0 || problem->order == THUD_FIRST_ORDER) && problem->dim >= 1 &&
           problem->break_count >= 0 && (problem->breaks || problem->break_count == 0) &&
           (!problem->kinks || (problem->kinks->count >= 0 && problem->kinks->range)) &&
           (problem->order == THUD_SECOND_ORDER || problem->order == THUD_FIRST_ORDER) &&
           is_law_possible(problem);
}

// Without this M is no metric, and nothing can be measured.
static bool is_mass_positive(const thud_inclusion *problem)
{
    for (int k = 0; problem->mass && k < problem->dim; k++)
        if (!(problem->mass[k] > 0) || !isfinite(problem->mass[k]))
            return false;
    return true;
}

static thud_status take_arguments(thudi_checker *checker, const thud_inclusion *problem,
                                  const thud_state *before, const thud_state *after,
                                  const thud_verify_def *def)
{
    if (!is_problem_complete(problem) || !is_state_complete(before, problem->dim) ||
        !is_state_complete(after, problem->dim) || !is_mass_positive(problem))
        return THUD_ERR_ARGUMENT;
    checker->problem = problem;
    checker->law = thudi_checked_law_of(problem->law);
    checker->per_row = checker->law->kept > 1 ? checker->law->kept : 1;
    checker->before = before;
    checker->after = after;
    checker->dim = problem->dim;
    if (def)
        checker->def = *def;
    if (!is_amount(checker->def.tolerance) || !is_amount(checker->def.backward) ||
        !is_amount(checker->def.feasibility) || !(checker->def.accuracy >= 0) ||
        checker->def.exact_limit < 0)
        return THUD_ERR_ARGUMENT;
    if (checker->def.tolerance == 0)
        checker->def.tolerance = 8 * DBL_EPSILON;
    checker->allocator = thudi_allocator_or_default(checker->def.allocator);
    return THUD_OK;
}

// The times as the state defines them, rounded once each.
static void take_times(thudi_checker *checker)
{
    const thud_state *before = checker->before, *after = checker->after;
    checker->h = before->h;
    checker->t = fma((double)before->n, before->h, before->t0);
    checker->t_next = fma((double)(before->n + 1), before->h, before->t0);
    checker->starts_segment = after->n == 0 && after->t0 == checker->t_next;
}

static thud_status take_coordinates(thudi_checker *checker)
{
    size_t dim = (size_t)checker->dim;
    bool has_own = checker->law->has_own_displacement;
    checker->coordinate_size = dim * (sizeof(thudi_sum) + (has_own ? 7 : 6) * sizeof(double));
    checker->coordinate_block = thudi_checker_allocate(checker, checker->coordinate_size);
    if (!checker->coordinate_block)
        return THUD_ERR_MEMORY;
    checker->total = checker->coordinate_block;
    checker->force = (double *)(checker->total + dim);
    checker->force_size = checker->force + dim;
    checker->force_error = checker->force_size + dim;
    checker->prediction = checker->force_error + dim;
    checker->speed_bound = checker->prediction + dim;
    checker->coordinate_allowed = checker->speed_bound + dim;
    checker->own_x = has_own ? checker->coordinate_allowed + dim : NULL;
    checker->x = has_own ? checker->own_x : checker->after->u;
    return THUD_OK;
}

static thud_status take_rows(thudi_checker *checker)
{
    size_t count = (size_t)thudi_list_count(&checker->rows);
    size_t sums = checker->law->has_own_displacement ? 2 : 1;
    checker->row_count = (int)count;
    checker->verdict.rows = (int)count;
    thudi_checker_find_width(checker);
    if (count == 0)
        return THUD_OK;
    checker->row_size = count * (sums * sizeof(thudi_sum) + 3 * sizeof(double) + 2 * sizeof(int));
    checker->row_block = thudi_checker_allocate(checker, checker->row_size);
    if (!checker->row_block)
        return THUD_ERR_MEMORY;
    checker->lin = checker->row_block;
    checker->lin_x = checker->lin + (sums - 1) * count;
    checker->allowed = (double *)(checker->lin + sums * count);
    checker->load = checker->allowed + count;
    checker->row_tolerance = checker->load + count;
    checker->before_index = (int *)(checker->row_tolerance + count);
    checker->after_index = checker->before_index + count;
    return THUD_OK;
}

// Free what is known of the rows of the step.
static void drop_rows(thudi_checker *checker)
{
    thudi_checker_release(checker, checker->row_block, checker->row_size);
    checker->row_block = NULL;
    thudi_list_free(&checker->rows, &checker->allocator);
}

static thud_status predict(thudi_checker *checker)
{
    thud_status status = thudi_checker_find_force(checker);
    if (status == THUD_OK)
        status = thudi_checker_find_quadrature(checker);
    if (status != THUD_OK)
        return status;
    thudi_checker_add_noise(checker);
    bool first = checker->problem->order == THUD_FIRST_ORDER;
    for (int k = 0; k < checker->dim; k++)
    {
        double push = checker->h * checker->force[k] / thudi_checker_mass(checker, k);
        checker->prediction[k] = first ? checker->force[k] : checker->before->u[k] + push;
    }
    return all_finite(checker->prediction, checker->dim) ? THUD_OK : THUD_ERR_NOT_FINITE;
}

// The list checks what is pushed, but a checker tests every index itself. Rows that are made again
// from keys are the checker's own.
static thud_status validate(const thud_rows *rows, int dim)
{
    for (int i = 0; i < thud_rows_count(rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        int width = row.width > 1 ? row.width : 1;
        if (width > 3 || row.count < 0 || (width > 1 && row.count > 2))
            return THUD_ERR_ARGUMENT;
        for (int j = 0; j < row.count; j++)
            if (row.index[j] < 0 || row.index[j] > dim - width)
                return THUD_ERR_ARGUMENT;
        if (!isfinite(row.gap) || !all_finite(row.slope, row.count * width))
            return THUD_ERR_NOT_FINITE;
    }
    return THUD_OK;
}

static int find_rows(const thudi_checker *checker, const thud_moment *at, thudi_row_list *list)
{
    const thudi_known *known = checker->known;
    if (!known)
        return checker->problem->gaps(at, list->whole, checker->problem->user);
    return known->find_rows(at, at->known ? &checker->rows : NULL, list, known->user);
}

// Find all constraints at (t, q).
static thud_status call_gaps(thudi_checker *checker, thud_phase phase, double t, const double *q,
                             thudi_row_list *list)
{
    thud_moment at = {.phase = phase,
                      .known = phase == THUD_LOOK_BACK ? checker->rows.whole : NULL,
                      .t = t,
                      .h = checker->h,
                      .q = q,
                      .u = checker->before->u,
                      .w = checker->prediction,
                      .multipliers = checker->before->multipliers,
                      .multiplier_count = checker->before->multiplier_count};
    thudi_list_clear(list);
    if (!checker->problem->gaps && !checker->known)
        return THUD_OK;
    int failed = find_rows(checker, &at, list);
    // a push that found no memory comes first: the callback may have failed because of it
    thud_status status = thud_rows_status(list->whole);
    if (status != THUD_OK)
        return status;
    if (failed)
        return THUD_ERR_CALLBACK;
    status = validate(list->whole, checker->dim);
    if (status == THUD_OK)
        thudi_list_sort(list);
    return status;
}

static thud_status verify_nodes(thudi_checker *checker)
{
    thud_verdict *verdict = &checker->verdict;
    thud_status status =
        call_gaps(checker, THUD_LINEARISE, checker->t_next, checker->after->q, &checker->node);
    if (status != THUD_OK)
        return status;
    verdict->min_gap = thudi_checker_verify_node(checker, checker->after->q, THUD_CERT_NO_OVERLAP);
    verdict->between = INFINITY;
    if (!checker->problem->smooth)
        return THUD_OK; // g >= -INFINITY is all that can be said, and it holds
    verdict->between = thudi_checker_bound_between(checker);
    thudi_checker_verify_node(checker, checker->after->q, THUD_CERT_BETWEEN);
    status = call_gaps(checker, THUD_LINEARISE, checker->t, checker->before->q, &checker->node);
    if (status != THUD_OK)
        return status;
    thudi_checker_add_speed_bound_before(checker);
    thudi_checker_verify_node(checker, checker->before->q, THUD_CERT_BETWEEN);
    if (!is_amount(verdict->between))
        verdict->checks[THUD_CERT_BETWEEN].value = INFINITY;
    return THUD_OK;
}

static thud_status verify_all(thudi_checker *checker)
{
    const thud_allocator *allocator = checker->def.allocator;
    if (!is_state_sound(checker->before) || !is_state_sound(checker->after))
        return THUD_ERR_NOT_FINITE; // callbacks are not written for such numbers
    take_times(checker);
    thud_status status = take_coordinates(checker);
    if (status == THUD_OK)
        status = predict(checker);
    if (status == THUD_OK)
        status = thud_rows_create(checker->dim, allocator, &checker->rows.whole);
    if (status == THUD_OK)
        status = thud_rows_create(checker->dim, allocator, &checker->node.whole);
    if (status == THUD_OK)
        status =
            call_gaps(checker, THUD_LINEARISE, checker->t_next, checker->before->q, &checker->rows);
    if (status == THUD_OK)
        status = take_rows(checker);
    if (status != THUD_OK)
        return status;
    thudi_checker_verify_sign(checker);
    thudi_checker_find_momentum_scale(checker);
    status = thudi_checker_measure_rows(checker);
    if (status != THUD_OK)
        return status;
    thudi_checker_verify_stationarity(checker);
    thudi_checker_verify_feasible(checker);
    thudi_checker_verify_complementarity(checker);
    thudi_checker_verify_motion(checker);
    thudi_checker_verify_energy(checker);
    thudi_checker_verify_momentum(checker);
    if (checker->law->looks_back)
        status = call_gaps(checker, THUD_LOOK_BACK, checker->t, checker->before->q, &checker->node);
    if (status == THUD_OK && checker->law->verify_step)
        status = checker->law->verify_step(checker);
    drop_rows(checker); // the memory is needed for the rows of the nodes
    return status == THUD_OK ? verify_nodes(checker) : status;
}

// Where a number is not finite nothing is proved: every certificate fails.
static void fail_all(thud_verdict *verdict)
{
    *verdict = (thud_verdict){.between = INFINITY, .min_gap = NAN};
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        verdict->checks[i] = (thud_check){.value = INFINITY, .residual = NAN, .where = -1};
}

static void conclude(thud_verdict *verdict)
{
    verdict->holds = true;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        thud_check *check = &verdict->checks[i];
        check->holds = check->value <= 1;
        verdict->holds = verdict->holds && check->holds;
    }
}

thud_status thudi_verify_known(const thud_inclusion *problem, const thud_state *before,
                               const thud_state *after, const thud_verify_def *def,
                               const thudi_known *known, thud_verdict *verdict)
{
    thudi_checker checker = {.known = known};
    if (!verdict)
        return THUD_ERR_ARGUMENT;
    thud_status status = thud_float_check();
    if (status == THUD_OK)
        status = take_arguments(&checker, problem, before, after, def);
    if (status != THUD_OK)
        return status;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        checker.verdict.checks[i].where = -1;
    status = verify_all(&checker);
    drop_rows(&checker);
    thudi_checker_release(&checker, checker.coordinate_block, checker.coordinate_size);
    thudi_list_free(&checker.node, &checker.allocator);
    if (status == THUD_ERR_NOT_FINITE)
        fail_all(&checker.verdict);
    else if (status != THUD_OK)
        return status;
    conclude(&checker.verdict);
    *verdict = checker.verdict;
    return THUD_OK;
}

thud_status thud_verify_step(const thud_inclusion *problem, const thud_state *before,
                             const thud_state *after, const thud_verify_def *def,
                             thud_verdict *verdict)
{
    return thudi_verify_known(problem, before, after, def, NULL, verdict);
}
