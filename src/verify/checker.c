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

void *thudi_exam_take(const thudi_exam *exam, size_t size)
{
    const thud_allocator *from = &exam->allocator;
    void *block = from->resize ? from->resize(NULL, 0, size, from->user) : malloc(size);
    return block ? memset(block, 0, size) : NULL;
}

void thudi_exam_give(const thudi_exam *exam, void *block, size_t size)
{
    const thud_allocator *to = &exam->allocator;
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

static thud_status take_arguments(thudi_exam *exam, const thud_inclusion *problem,
                                  const thud_state *before, const thud_state *after,
                                  const thud_check_def *def)
{
    if (!is_problem_complete(problem) || !is_state_complete(before, problem->dim) ||
        !is_state_complete(after, problem->dim) || !is_mass_positive(problem))
        return THUD_ERR_ARGUMENT;
    exam->problem = problem;
    exam->law = thudi_checked_law_of(problem->law);
    exam->per_row = exam->law->kept > 1 ? exam->law->kept : 1;
    exam->before = before;
    exam->after = after;
    exam->dim = problem->dim;
    if (def)
        exam->def = *def;
    if (!is_amount(exam->def.tolerance) || !is_amount(exam->def.backward) ||
        !is_amount(exam->def.feasibility) || !(exam->def.accuracy >= 0) ||
        exam->def.exact_limit < 0)
        return THUD_ERR_ARGUMENT;
    if (exam->def.tolerance == 0)
        exam->def.tolerance = 8 * DBL_EPSILON;
    if (exam->def.allocator)
        exam->allocator = *exam->def.allocator;
    return THUD_OK;
}

// The times as the state defines them, rounded once each.
static void take_times(thudi_exam *exam)
{
    const thud_state *before = exam->before, *after = exam->after;
    exam->h = before->h;
    exam->t = fma((double)before->n, before->h, before->t0);
    exam->t_next = fma((double)(before->n + 1), before->h, before->t0);
    exam->starts_segment = after->n == 0 && after->t0 == exam->t_next;
}

static thud_status take_coordinates(thudi_exam *exam)
{
    size_t dim = (size_t)exam->dim;
    exam->coordinate_size = dim * (sizeof(thudi_sum) + 9 * sizeof(double));
    exam->coordinate_block = thudi_exam_take(exam, exam->coordinate_size);
    if (!exam->coordinate_block)
        return THUD_ERR_MEMORY;
    exam->total = exam->coordinate_block;
    exam->force = (double *)(exam->total + dim);
    exam->force_size = exam->force + dim;
    exam->force_error = exam->force_size + dim;
    exam->prediction = exam->force_error + dim;
    exam->reach = exam->prediction + dim;
    exam->total_size = exam->reach + dim;
    exam->x = exam->total_size + dim;
    exam->size = exam->x + dim;
    exam->room = exam->size + dim;
    return THUD_OK;
}

static thud_status take_rows(thudi_exam *exam)
{
    size_t count = (size_t)thud_rows_count(exam->rows);
    exam->row_count = (int)count;
    exam->verdict.rows = (int)count;
    if (count == 0)
        return THUD_OK;
    size_t kept = count * (size_t)exam->per_row;
    exam->row_size =
        count * (2 * sizeof(thudi_sum) + 4 * sizeof(double)) + 2 * kept * sizeof(double);
    exam->row_block = thudi_exam_take(exam, exam->row_size);
    if (!exam->row_block)
        return THUD_ERR_MEMORY;
    exam->lin = exam->row_block;
    exam->slack = exam->lin + count;
    exam->mu = (double *)(exam->slack + count);
    exam->allowed = exam->mu + count;
    exam->load = exam->allowed + count;
    exam->stop = exam->load + count;
    exam->kept_before = exam->stop + count;
    exam->kept_after = exam->kept_before + kept;
    return THUD_OK;
}

static thud_status predict(thudi_exam *exam)
{
    thud_status status = thudi_exam_force(exam);
    if (status == THUD_OK)
        status = thudi_exam_weigh_force(exam);
    if (status != THUD_OK)
        return status;
    thudi_exam_noise(exam);
    bool first = exam->problem->order == THUD_FIRST_ORDER;
    for (int k = 0; k < exam->dim; k++)
    {
        double push = exam->h * exam->force[k] / thudi_exam_mass(exam, k);
        exam->prediction[k] = first ? exam->force[k] : exam->before->u[k] + push;
    }
    return all_finite(exam->prediction, exam->dim) ? THUD_OK : THUD_ERR_NOT_FINITE;
}

// The list checks what is pushed, but a checker tests every index itself.
static thud_status validate(const thud_rows *rows, int dim)
{
    for (int i = 0; i < thud_rows_count(rows); i++)
    {
        thud_row row = thud_rows_get(rows, i);
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

// Ask the problem for its constraints at (t, q).
static thud_status ask(thudi_exam *exam, thud_phase phase, double t, const double *q,
                       thud_rows *rows)
{
    thud_moment at = {.phase = phase,
                      .known = phase == THUD_LOOK_BACK ? exam->rows : NULL,
                      .t = t,
                      .h = exam->h,
                      .q = q,
                      .u = exam->before->u,
                      .w = exam->prediction,
                      .multipliers = exam->before->multipliers,
                      .multiplier_count = exam->before->multiplier_count};
    thud_rows_clear(rows);
    if (!exam->problem->gaps)
        return THUD_OK;
    int failed = exam->problem->gaps(&at, rows, exam->problem->user);
    // a push that found no memory comes first: the callback may have failed because of it
    thud_status status = thud_rows_status(rows);
    if (status != THUD_OK)
        return status;
    if (failed)
        return THUD_ERR_CALLBACK;
    status = validate(rows, exam->dim);
    if (status == THUD_OK)
        thud_rows_sort(rows);
    return status;
}

static thud_status look_at_nodes(thudi_exam *exam)
{
    thud_verdict *verdict = &exam->verdict;
    thud_status status = ask(exam, THUD_LINEARISE, exam->t_next, exam->after->q, exam->node);
    if (status != THUD_OK)
        return status;
    verdict->min_gap = thudi_exam_node(exam, exam->after->q, THUD_CERT_NO_OVERLAP);
    verdict->between = INFINITY;
    if (!exam->problem->smooth)
        return THUD_OK; // g >= -INFINITY is all that can be said, and it holds
    verdict->between = thudi_exam_between(exam);
    thudi_exam_node(exam, exam->after->q, THUD_CERT_BETWEEN);
    status = ask(exam, THUD_LINEARISE, exam->t, exam->before->q, exam->node);
    if (status != THUD_OK)
        return status;
    thudi_exam_recall(exam);
    thudi_exam_node(exam, exam->before->q, THUD_CERT_BETWEEN);
    if (!is_amount(verdict->between))
        verdict->checks[THUD_CERT_BETWEEN].value = INFINITY;
    return THUD_OK;
}

static thud_status examine(thudi_exam *exam)
{
    const thud_allocator *allocator = exam->def.allocator;
    if (!is_state_sound(exam->before) || !is_state_sound(exam->after))
        return THUD_ERR_NOT_FINITE; // callbacks are not written for such numbers
    take_times(exam);
    thud_status status = take_coordinates(exam);
    if (status == THUD_OK)
        status = predict(exam);
    if (status == THUD_OK)
        status = thud_rows_create(exam->dim, allocator, &exam->rows);
    if (status == THUD_OK)
        status = thud_rows_create(exam->dim, allocator, &exam->node);
    if (status == THUD_OK)
        status = ask(exam, THUD_LINEARISE, exam->t_next, exam->before->q, exam->rows);
    if (status == THUD_OK)
        status = take_rows(exam);
    if (status != THUD_OK)
        return status;
    thudi_exam_sign(exam);
    thudi_exam_weigh(exam);
    status = thudi_exam_measure(exam);
    if (status != THUD_OK)
        return status;
    thudi_exam_stationarity(exam);
    thudi_exam_feasible(exam);
    thudi_exam_complementarity(exam);
    thudi_exam_motion(exam);
    thudi_exam_energy(exam);
    thudi_exam_momentum(exam);
    if (exam->law->looks_back)
        status = ask(exam, THUD_LOOK_BACK, exam->t, exam->before->q, exam->node);
    if (status == THUD_OK && exam->law->verify_step)
        status = exam->law->verify_step(exam);
    return status == THUD_OK ? look_at_nodes(exam) : status;
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

thud_status thudi_check(const thud_inclusion *problem, const thud_state *before,
                        const thud_state *after, const thud_check_def *def,
                        const thudi_known *known, thud_verdict *verdict)
{
    thudi_exam exam = {.known = known};
    if (!verdict)
        return THUD_ERR_ARGUMENT;
    thud_status status = thud_float_check();
    if (status == THUD_OK)
        status = take_arguments(&exam, problem, before, after, def);
    if (status != THUD_OK)
        return status;
    for (int i = 0; i < THUD_CERT_COUNT; i++)
        exam.verdict.checks[i].where = -1;
    status = examine(&exam);
    thudi_exam_give(&exam, exam.row_block, exam.row_size);
    thudi_exam_give(&exam, exam.coordinate_block, exam.coordinate_size);
    thud_rows_destroy(exam.node);
    thud_rows_destroy(exam.rows);
    if (status == THUD_ERR_NOT_FINITE)
        fail_all(&exam.verdict);
    else if (status != THUD_OK)
        return status;
    conclude(&exam.verdict);
    *verdict = exam.verdict;
    return THUD_OK;
}

thud_status thud_check_step(const thud_inclusion *problem, const thud_state *before,
                            const thud_state *after, const thud_check_def *def,
                            thud_verdict *verdict)
{
    return thudi_check(problem, before, after, def, NULL, verdict);
}
