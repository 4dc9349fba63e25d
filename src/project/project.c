// The projection: validate, choose a method, solve, and certify apart from it.
#include "project/projector.h"

#include "certify/certify.h"
#include "core/clock.h"
#include "core/math/float_unit.h"
#include "core/math/four.h"
#include "core/threads.h"

#include <float.h>
#include <string.h>

// What a def that says nothing gets: the KKT residual of an exact method, and how long one may try.
static const double DEFAULT_TOLERANCE = 1e-12;
enum
{
    DEFAULT_SWEEPS = 1000000,
    DEFAULT_EXACT_ROWS = 90,     // rows up to which the exact method is as fast as sweeps
    DEFAULT_BRICK_BODIES = 4096, // bodies up to which a cluster is swept as a whole
    CHUNK = 16384                // numbers that one thread tests at a time
};

// Of its terms, a row of an iterative answer may be violated by so many ulps; an overflow makes far
// more, or NAN.
static const double MOST_ULPS = 0x1p20;

thud_status thud_projector_create(const thud_projector_def *def, thud_projector **out)
{
    thud_projector_def standard = {0};
    if (!def)
        def = &standard;
    *out = NULL;
    if (!thudi_method_find(def->method) || !(def->tolerance >= 0) || def->change_limit < 0 ||
        def->sweep_limit < 0 || def->exact_limit < 0 || def->brick_limit < 0 ||
        !(def->deadline >= 0))
        return THUD_ERR_ARGUMENT;
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_projector *projector = thudi_allocate_zeroed(&allocator, sizeof *projector);
    if (!projector)
        return THUD_ERR_MEMORY;
    projector->allocator = allocator;
    projector->method = def->method;
    projector->tolerance = def->tolerance > 0 ? def->tolerance : DEFAULT_TOLERANCE;
    projector->change_limit = def->change_limit;
    projector->sweep_limit = def->sweep_limit > 0 ? def->sweep_limit : DEFAULT_SWEEPS;
    projector->exact_limit = def->exact_limit > 0 ? def->exact_limit : DEFAULT_EXACT_ROWS;
    projector->brick_limit = def->brick_limit > 0 ? def->brick_limit : DEFAULT_BRICK_BODIES;
    projector->own_stop = (thudi_stop){def->stop, def->deadline, false};
    projector->stop = &projector->own_stop;
    thudi_rooms_begin(&projector->own_rooms, &allocator);
    projector->rooms = &projector->own_rooms;
    projector->skips_enclosure = def->skip_enclosure;
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
    thudi_array_free(&allocator, &projector->is_tight);
    thud_rows_destroy(projector->part);
    thud_rows_destroy(projector->cone);
    thudi_rooms_free(&projector->own_rooms);
    thudi_free(&allocator, projector, sizeof *projector);
}

static bool is_finite_vector(const double *x, int count)
{
    bool fine = true;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) reduction(&&               \
                                                                                 : fine)          \
    if (count > CHUNK)
    for (int first = 0; first < count; first += CHUNK)
    {
        four sum = four_of(0); // NAN for all that is not finite
        for (int k = first; k < count && k < first + CHUNK; k += 4)
            sum += four_load_first(x + k, count - k) * four_of(0);
        fine = fine && four_bits(four_is_no_number(sum)) == 0;
    }
    return fine;
}

static bool is_positive_vector(const double *x, int count)
{
    four_flags fine = four_of(1) > four_of(0);
    int k = 0;
    for (; k < count - 3; k += 4)
        fine &= four_load(x + k) > four_of(0);
    for (; k < count; k++)
        fine &= four_of(x[k]) > four_of(0);
    return four_all(fine);
}

// Does every unit have one mass?
static bool units_have_one_mass(const thud_projection *problem, int unit)
{
    const double *mass = problem->mass;
    bool one = true;
    for (int k = 0; k < problem->dim; k += unit)
        one = one && mass[k] == mass[k + 1] && mass[k] == mass[k + unit - 1];
    return one;
}

// A block of a pair row has one mass: the packed kernels rely on it. Bodies without rows may have
// several.
static bool pairs_have_one_mass(const thud_projection *problem, int unit)
{
    const thud_rows *rows = problem->rows;
    if (!rows || !problem->mass || (unit > 1 && units_have_one_mass(problem, unit)))
        return true;
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        int room[6], width = thudi_row_width(row);
        if (width <= 1)
            continue;
        const int *index = thudi_row_index(rows, row, room);
        for (int k = 0; k < thudi_row_size(row); k++)
            if (problem->mass[index[k]] != problem->mass[index[k - k % width]])
                return false;
    }
    return true;
}

static thud_status check_mass(const thud_projection *problem)
{
    if (!problem->mass || (is_positive_vector(problem->mass, problem->dim) &&
                           is_finite_vector(problem->mass, problem->dim)))
        return THUD_OK;
    int k = 0; // the first bad one
    while (problem->mass[k] > 0 && isfinite(problem->mass[k]))
        k++;
    return problem->mass[k] > 0 ? THUD_ERR_NOT_FINITE : THUD_ERR_ARGUMENT;
}

static thud_status check_bricks(const thud_bricks *bricks)
{
    if (!bricks)
        return THUD_OK;
    bool is_fine = bricks->side > 0;
    for (int k = 0; k < 3; k++)
        is_fine = is_fine && bricks->period[k] >= 0;
    if (!is_fine)
        return THUD_ERR_ARGUMENT;
    return isfinite(bricks->side) && isfinite(bricks->shear) && is_finite_vector(bricks->period, 3)
               ? THUD_OK
               : THUD_ERR_NOT_FINITE;
}

static thud_status check_problem(const thud_projection *problem, thudi_row_survey *survey)
{
    if (problem->dim < 1 || !problem->w || !(problem->h > 0) || !(problem->shift_scale >= 0) ||
        !(problem->accuracy >= 0) ||
        !(problem->tolerance_share >= 0 && problem->tolerance_share < 1))
        return THUD_ERR_ARGUMENT;
    if (problem->rows)
        THUD_TRY(problem->rows->status);
    if (problem->rows && problem->rows->dim != problem->dim)
        return THUD_ERR_ARGUMENT;
    if (!isfinite(problem->h) || !isfinite(problem->shift_scale) ||
        !is_finite_vector(problem->w, problem->dim) ||
        (problem->origin && !is_finite_vector(problem->origin, problem->dim)))
        return THUD_ERR_NOT_FINITE;
    THUD_TRY(check_mass(problem));
    THUD_TRY(check_bricks(problem->bricks));
    *survey = thudi_survey_rows(problem);
    return pairs_have_one_mass(problem, survey->unit) ? THUD_OK : THUD_ERR_ARGUMENT;
}

// How many rows there may be when the problem is solved.
static size_t rows_room(const thud_projection *problem, const thud_projector *projector)
{
    size_t rows = problem->rows ? (size_t)problem->rows->count : 0;
    return rows + (projector->look ? THUDI_LATE_ROWS(rows) : 0);
}

static thud_status make_room(thud_projector *projector, int dim, size_t rows)
{
    const thud_allocator *allocator = &projector->allocator;
    THUD_TRY(thudi_array_reserve(allocator, &projector->u, (size_t)dim));
    THUD_TRY(thudi_array_reserve(allocator, &projector->mu, rows));
    THUD_TRY(thudi_array_reserve(allocator, &projector->lin, rows));
    return thudi_array_reserve(allocator, &projector->is_tight, rows);
}

// u is always w + M^-1 G^T mu with the mu that is reported, rounded once.
static thud_status write_answer(const thud_projection *problem, thud_projector *projector,
                                bool exact, thud_answer *answer)
{
    double start = thudi_seconds();
    THUD_TRY(thudi_certify(problem, projector->survey.unit, projector->mu.items, projector->team,
                           projector->rooms, projector->u.items, projector->lin.items,
                           &answer->certificate));
    if (exact && !projector->skips_enclosure)
        THUD_TRY(thudi_certify_enclosures(problem, projector->u.items, projector->mu.items,
                                          projector->lin.items, projector->rooms,
                                          &answer->certificate));
    answer->certify_seconds += thudi_seconds() - start;
    answer->u = projector->u.items;
    answer->mu = projector->mu.items;
    answer->lin = projector->lin.items;
    answer->is_tight = projector->is_tight.items;
    return THUD_OK;
}

// The marks of a task, one by coordinate.
static thud_status open_marks(thud_projector *projector, int dim, int **marks)
{
    THUD_TRY(thudi_room(projector->rooms, marks, (size_t)dim, "projection: marks"));
    for (int k = 0; k < dim; k++)
        (*marks)[k] = -1;
    return THUD_OK;
}

// mu, or y, by the projector's method, whose rooms are closed again.
static thud_status solve(const thud_projection *problem, thud_projector *projector,
                         thud_answer *answer, bool *exact)
{
    size_t rows = rows_room(problem, projector);
    memset(projector->mu.items, 0, rows * sizeof(double));
    memset(projector->lin.items, 0, rows * sizeof(double));
    memset(projector->is_tight.items, 0, rows * sizeof(bool));
    thud_team alone = thudi_team_alone();
    thudi_task task = {
        .problem = problem,
        .projector = projector,
        .mu = projector->mu.items,
        .y = projector->lin.items,
        .effort = &answer->effort,
        .is_tight = projector->is_tight.items,
        .tight = &answer->tight,
        .relieved = &answer->relieved,
        .unique = &answer->unique,
        .exact = exact,
        .team = projector->team ? projector->team : &alone,
    };
    int open = thud_rooms_count(projector->rooms);
    thud_status status = open_marks(projector, problem->dim, &task.marks);
    if (status >= 0)
        status = thudi_method_find(projector->method)(&task);
    thud_rooms_close(projector->rooms, open);
    return status;
}

static void sort_numbers(const int *from, int count, double *scratch, double *numbers)
{
    memcpy(scratch, numbers, (size_t)count * sizeof *scratch);
    for (int k = 0; k < count; k++)
        numbers[k] = scratch[from[k]];
}

// Rows that joined while the problem was solved go to their places, and what there is by row with
// them.
static thud_status sort_late_rows(const thud_projection *problem, thud_projector *projector)
{
    thud_rooms *rooms = projector->rooms;
    int open = thud_rooms_count(rooms), count = problem->rows->count, *from;
    double *scratch;
    bool *is_tight = projector->is_tight.items, *was_tight;
    THUD_TRY(thudi_room(rooms, &from, (size_t)count, "numbers of rows before"));
    THUD_TRY(thudi_room(rooms, &scratch, (size_t)count, "numbers by row"));
    THUD_TRY(thudi_room(rooms, &was_tight, (size_t)count, "tight rows"));
    THUD_TRY(projector->look->sort(projector->look->user, from));
    sort_numbers(from, count, scratch, projector->mu.items);
    sort_numbers(from, count, scratch, projector->lin.items);
    memcpy(was_tight, is_tight, (size_t)count * sizeof *is_tight);
    for (int k = 0; k < count; k++)
        is_tight[k] = was_tight[from[k]];
    thud_rooms_close(rooms, open);
    projector->survey = thudi_survey_rows(problem);
    return THUD_OK;
}

// What an iterative method has solved holds apart from rounding. Numbers that overflow on the way
// can make it believe so: it compares, and NAN is never larger.
static bool is_off(const thud_certificate *certificate)
{
    return !(certificate->violation_ulps <= MOST_ULPS);
}

// Rows that conflict by little beyond rounding are set aside at first, which the certificate may
// still accept. Where it does not, the same again, with any Farkas vector that rules out w.
static thud_status seek_proof(const thud_projection *problem, thud_projector *projector,
                              thud_answer *answer)
{
    projector->seeks_proof = true;
    thud_status status = thud_project(problem, projector, answer);
    projector->seeks_proof = false;
    return status;
}

static thud_status project(const thud_projection *problem, thud_projector *projector,
                           thud_answer *answer)
{
    int rows = problem->rows ? thud_rows_count(problem->rows) : 0;
    *answer = (thud_answer){.unique = true};
    THUD_TRY(thudi_float_check_team(problem->dim));
    THUD_TRY(check_problem(problem, &projector->survey));
    THUD_TRY(make_room(projector, problem->dim, rows_room(problem, projector)));
    bool exact = true;
    projector->own_stop.was_seen = false;
    THUD_TRY(thudi_stop_status(projector->stop));
    thud_status status = rows > 0 ? solve(problem, projector, answer, &exact) : THUD_OK;
    if (rows > 0 && problem->rows->count > rows)
        THUD_TRY(sort_late_rows(problem, projector));
    if (status == THUD_ERR_INFEASIBLE)
        THUD_TRY(thudi_certify_farkas(problem, projector->lin.items, 0, projector->rooms,
                                      &answer->farkas));
    if (status < 0 && status != THUD_ERR_NOT_CONVERGED)
        return status;
    THUD_TRY(write_answer(problem, projector, exact, answer));
    if (!isfinite(answer->certificate.forward) || !isfinite(answer->certificate.backward))
        return THUD_ERR_NOT_FINITE;
    if (exact ? answer->certificate.kkt <= projector->tolerance : !is_off(&answer->certificate))
        return status;
    return exact && !projector->seeks_proof ? seek_proof(problem, projector, answer)
                                            : THUD_ERR_NOT_CONVERGED;
}

thud_status thud_project(const thud_projection *problem, thud_projector *projector,
                         thud_answer *answer)
{
    thudi_rooms_enter(projector->rooms);
    int open = thud_rooms_count(projector->rooms);
    thud_status status = project(problem, projector, answer);
    thudi_rooms_expect(projector->rooms, open);
    return status;
}
