// The projection: validate, choose a method, solve, and certify apart from it.
#include "project/projector.h"

#include "core/clock.h"

#include <float.h>
#include <string.h>

thud_status thud_projector_create(const thud_projector_def *def, thud_projector **out)
{
    thud_projector_def standard = {0};
    if (!def)
        def = &standard;
    *out = NULL;
    if (!thudi_method_find(def->method) || !(def->tolerance >= 0) || def->change_limit < 0 ||
        def->sweep_limit < 0 || def->exact_limit < 0)
        return THUD_ERR_ARGUMENT;
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_projector *projector = thudi_allocate_zeroed(&allocator, sizeof *projector);
    if (!projector)
        return THUD_ERR_MEMORY;
    projector->allocator = allocator;
    projector->method = def->method;
    projector->tolerance = def->tolerance > 0 ? def->tolerance : 1e-12;
    projector->change_limit = def->change_limit;
    projector->sweep_limit = def->sweep_limit > 0 ? def->sweep_limit : 1000000;
    projector->exact_limit = def->exact_limit > 0 ? def->exact_limit : 90;
    *out = projector;
    return THUD_OK;
}

void thud_projector_destroy(thud_projector *projector)
{
    if (!projector)
        return;
    thud_allocator allocator = projector->allocator;
    thudi_array_free(&allocator, &projector->u);
    thudi_array_free(&allocator, &projector->mu);
    thudi_array_free(&allocator, &projector->lin);
    thudi_array_free(&allocator, &projector->y);
    thudi_array_free(&allocator, &projector->is_tight);
    thudi_array_free(&allocator, &projector->sums);
    thudi_array_free(&allocator, &projector->shares);
    thudi_array_free(&allocator, &projector->cone_index);
    thudi_array_free(&allocator, &projector->cone_slope);
    thudi_array_free(&allocator, &projector->by_row);
    thudi_array_free(&allocator, &projector->mark);
    thudi_packs_free(&projector->packs, &allocator);
    thudi_array_free(&allocator, &projector->by_coordinate);
    thudi_array_free(&allocator, &projector->apgd_next);
    thudi_active_set_free(&projector->active_set, &allocator);
    thudi_clusters_free(&projector->clusters, &allocator);
    thud_rows_destroy(projector->cone);
    thudi_free(&allocator, projector, sizeof *projector);
}

static bool is_finite_vector(const double *x, int count)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

// A block of a pair row has one mass: the packed kernels rely on it.
static bool pairs_have_one_mass(const thud_projection *problem)
{
    const thud_rows *rows = problem->rows;
    for (int i = 0; i < rows->count && problem->mass; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        if (row->width <= 1)
            continue;
        int room[6];
        const int *index = thudi_row_index(rows, row, room);
        for (int k = 0; k < row->size; k++)
            if (problem->mass[index[k]] != problem->mass[index[k - k % row->width]])
                return false;
    }
    return true;
}

static thud_status check_problem(const thud_projection *problem)
{
    if (problem->dim < 1 || !problem->w || !(problem->h > 0) || !(problem->shift_scale >= 0) ||
        !(problem->accuracy >= 0))
        return THUD_ERR_ARGUMENT;
    if (problem->rows)
        THUD_TRY(problem->rows->status);
    if (problem->rows && problem->rows->dim != problem->dim)
        return THUD_ERR_ARGUMENT;
    if (!isfinite(problem->h) || !isfinite(problem->shift_scale) ||
        !is_finite_vector(problem->w, problem->dim) ||
        (problem->origin && !is_finite_vector(problem->origin, problem->dim)))
        return THUD_ERR_NOT_FINITE;
    for (int k = 0; k < problem->dim && problem->mass; k++)
    {
        if (!(problem->mass[k] > 0))
            return THUD_ERR_ARGUMENT;
        if (!isfinite(problem->mass[k]))
            return THUD_ERR_NOT_FINITE;
    }
    return problem->rows && !pairs_have_one_mass(problem) ? THUD_ERR_ARGUMENT : THUD_OK;
}

static thud_status make_room(thud_projector *projector, int dim, int rows)
{
    const thud_allocator *allocator = &projector->allocator;
    THUD_TRY(thudi_array_reserve(allocator, &projector->u, (size_t)dim));
    THUD_TRY(thudi_array_reserve(allocator, &projector->sums, 3 * (size_t)dim));
    THUD_TRY(thudi_array_reserve(allocator, &projector->mu, (size_t)rows));
    THUD_TRY(thudi_array_reserve(allocator, &projector->lin, (size_t)rows));
    THUD_TRY(thudi_array_reserve(allocator, &projector->is_tight, (size_t)rows));
    return thudi_array_reserve(allocator, &projector->y, (size_t)rows);
}

// u is always w + M^-1 G^T mu with the mu that is reported, rounded once.
static thud_status write_answer(const thud_projection *problem, thud_projector *projector,
                                thud_answer *answer)
{
    double start = thudi_seconds();
    THUD_TRY(thudi_certify(problem, projector->unit, projector->mu.items, projector,
                           projector->u.items, projector->lin.items, &answer->certificate));
    answer->certify_seconds += thudi_seconds() - start;
    answer->u = projector->u.items;
    answer->mu = projector->mu.items;
    answer->lin = projector->lin.items;
    answer->is_tight = projector->is_tight.items;
    return THUD_OK;
}

static thud_status solve(const thud_projection *problem, thud_projector *projector,
                         thud_answer *answer, bool *exact)
{
    size_t rows = (size_t)problem->rows->count;
    memset(projector->mu.items, 0, rows * sizeof(double));
    memset(projector->y.items, 0, rows * sizeof(double));
    memset(projector->is_tight.items, 0, rows * sizeof(bool));
    thudi_task task = {
        .problem = problem,
        .projector = projector,
        .mu = projector->mu.items,
        .y = projector->y.items,
        .effort = &answer->effort,
        .is_tight = projector->is_tight.items,
        .tight = &answer->tight,
        .relieved = &answer->relieved,
        .unique = &answer->unique,
        .exact = exact,
    };
    return thudi_method_find(projector->method)(&task);
}

thud_status thud_project(const thud_projection *problem, thud_projector *projector,
                         thud_answer *answer)
{
    int rows = problem->rows ? thud_rows_count(problem->rows) : 0;
    *answer = (thud_answer){.unique = true};
    THUD_TRY(check_problem(problem));
    THUD_TRY(make_room(projector, problem->dim, rows));
    projector->unit = thudi_common_unit(problem);
    bool exact = true;
    thud_status status = rows > 0 ? solve(problem, projector, answer, &exact) : THUD_OK;
    if (status == THUD_ERR_INFEASIBLE)
        thudi_certify_farkas(problem, projector->y.items, 0, projector, &answer->farkas);
    if (status < 0 && status != THUD_ERR_NOT_CONVERGED)
        return status;
    THUD_TRY(write_answer(problem, projector, answer));
    if (!isfinite(answer->certificate.forward) || !isfinite(answer->certificate.backward))
        return THUD_ERR_NOT_FINITE;
    if (exact && !(answer->certificate.kkt <= projector->tolerance))
        return THUD_ERR_NOT_CONVERGED;
    return status;
}
