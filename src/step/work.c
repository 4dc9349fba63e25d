// The work space of a step: creation, sizes, messages.
#include "step/law.h"

#include "core/door.h"
#include "core/fault.h"
#include "project/projector.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

// What a def that says nothing gets.
static const double DEFAULT_QUADRATURE = 1e-12, DEFAULT_ACCURACY = 1e-3;
enum
{
    DEFAULT_EVALUATIONS = 100000, // of the force in a step
    DEFAULT_ROUNDS = 100          // of projection and check
};

static thud_status fill_defaults(thud_work_def *def)
{
    if (!(def->quadrature_tolerance >= 0) || def->quadrature_limit < 0 || def->round_limit < 0)
        return THUD_ERR_ARGUMENT;
    if (def->quadrature_tolerance == 0)
        def->quadrature_tolerance = DEFAULT_QUADRATURE;
    if (!(def->accuracy >= 0) || !(def->tolerance_share >= 0 && def->tolerance_share < 1))
        return THUD_ERR_ARGUMENT;
    if (def->accuracy == 0)
        def->accuracy = DEFAULT_ACCURACY;
    if (def->quadrature_limit == 0)
        def->quadrature_limit = DEFAULT_EVALUATIONS;
    if (def->round_limit == 0)
        def->round_limit = DEFAULT_ROUNDS;
    if (!def->projector.allocator)
        def->projector.allocator = def->allocator;
    return THUD_OK;
}

// A projector of the step stops when the step does, and takes its scratch from the step's rooms.
static void lend(thud_work *work, thud_projector *projector)
{
    projector->stop = &work->stop;
    projector->rooms = &work->rooms;
}

THUDI_DOOR thud_status thud_work_create(const thud_work_def *def, thud_work **out)
{
    thud_work_def filled = def ? *def : (thud_work_def){0};
    *out = NULL;
    THUD_TRY(thud_float_check());
    THUD_TRY(fill_defaults(&filled));
    thud_allocator allocator = thudi_allocator_or_default(filled.allocator);
    thud_work *work = thudi_allocate_zeroed(&allocator, sizeof *work);
    if (!work)
        return THUD_ERR_MEMORY;
    work->allocator = allocator;
    work->def = filled;
    work->fault = thudi_fault_none();
    thudi_rooms_begin(&work->rooms, &allocator);
    work->projector_allocator = thudi_allocator_or_default(filled.projector.allocator);
    thud_projector_def gamma = filled.projector;
    gamma.skip_enclosure = true;
    thud_status status = thud_projector_create(&filled.projector, &work->projector);
    if (status >= 0)
        status = thud_projector_create(&gamma, &work->gamma_projector);
    if (status < 0)
    {
        thud_work_destroy(work);
        return status;
    }
    lend(work, work->projector);
    lend(work, work->gamma_projector);
    thud_work_set_stop(work, filled.projector.stop, filled.projector.deadline);
    // the allocator was copied where it is needed; the caller's pointers may die now
    work->def.allocator = work->def.projector.allocator = NULL;
    *out = work;
    return THUD_OK;
}

void thud_work_set_stop(thud_work *work, volatile const int *stop, double deadline)
{
    work->stop = (thudi_stop){stop, deadline > 0 ? deadline : 0, false};
}

// Every member computes gamma itself.
void thud_work_set_team(thud_work *work, thud_team *team)
{
    work->projector->team = work->team = team;
}

thud_status thudi_work_add_projector(thud_work *work, thud_method method, thud_projector **out)
{
    thud_projector_def def = work->def.projector;
    def.method = method;
    def.allocator = &work->projector_allocator;
    THUD_TRY(thud_projector_create(&def, out));
    lend(work, *out);
    (*out)->team = work->team;
    return THUD_OK;
}

static void drop_law(thud_work *work)
{
    if (work->law && work->law_memory)
        work->law->destroy(work, work->law_memory);
    work->law_memory = NULL;
    work->law = NULL;
}

thud_status thudi_work_use_law(thud_work *work, thud_law law)
{
    if (work->law && work->law->info.law == law)
        return THUD_OK;
    drop_law(work);
    work->law = thudi_law_of(law);
    thud_status status = work->law->create ? work->law->create(work, &work->law_memory) : THUD_OK;
    if (status < 0)
        drop_law(work);
    return status;
}

static void free_law(thud_work *work)
{
    thud_allocator allocator = work->allocator;
    drop_law(work);
    thudi_array_free(&allocator, &work->velocity);
    thudi_array_free(&allocator, &work->move);
    thudi_array_free(&allocator, &work->impulse);
    thudi_array_free(&allocator, &work->lin);
    thudi_array_free(&allocator, &work->pull);
    thudi_array_free(&allocator, &work->exact);
}

void thud_work_destroy(thud_work *work)
{
    if (!work)
        return;
    thud_allocator allocator = work->allocator;
    thudi_array_free(&allocator, &work->mean_force);
    thudi_array_free(&allocator, &work->w);
    thudi_array_free(&allocator, &work->scratch);
    thudi_array_free(&allocator, &work->warm);
    thudi_array_free(&allocator, &work->recall);
    free_law(work);
    thud_rows_destroy(work->rows);
    thud_rows_destroy(work->missing);
    thud_rows_destroy(work->probe);
    thud_projector_destroy(work->projector);
    thud_projector_destroy(work->gamma_projector);
    thudi_rooms_free(&work->rooms);
    thudi_free(&allocator, work, sizeof *work);
}

static thud_status fit_rows(thud_rows **rows, int dim, const thud_allocator *allocator)
{
    if (*rows && thud_rows_dim(*rows) == dim)
        return THUD_OK;
    thud_rows_destroy(*rows);
    *rows = NULL;
    return thud_rows_create(dim, allocator, rows);
}

thud_status thudi_work_fit_rows(const thud_work *work, thud_rows **rows)
{
    return fit_rows(rows, work->dim, &work->allocator);
}

thud_status thudi_work_fit(thud_work *work, int dim)
{
    const thud_allocator *allocator = &work->allocator;
    size_t size = (size_t)dim;
    THUD_TRY(thudi_array_reserve(allocator, &work->mean_force, size));
    THUD_TRY(thudi_array_reserve(allocator, &work->w, size));
    THUD_TRY(fit_rows(&work->rows, dim, allocator));
    THUD_TRY(fit_rows(&work->missing, dim, allocator));
    THUD_TRY(fit_rows(&work->probe, dim, allocator));
    work->dim = dim;
    return THUD_OK;
}

void thudi_work_fail(thud_work *work, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    thud_fault known = work->fault; // the row and the wall stay
    (void)thudi_fail_list(&work->fault, known.status, THUDI_NOWHERE, "", format, arguments);
    work->fault.row = known.row;
    work->fault.wall = known.wall;
    va_end(arguments);
}

const char *thudi_work_name(const thud_work *work, thud_key key, char text[THUDI_NAME_SIZE])
{
    text[0] = '\0';
    if (work->name)
        work->name(key, text, THUDI_NAME_SIZE, work->name_user);
    if (text[0] == '\0')
        (void)snprintf(text, THUDI_NAME_SIZE, "constraint %llu",
                       (unsigned long long)thud_key_read(key, THUD_KEYS_NUMBERED).a);
    return text;
}

const thud_report *thud_work_report(const thud_work *work)
{
    return &work->report;
}

const char *thud_work_message(const thud_work *work)
{
    return work->fault.text;
}

const thud_fault *thud_work_fault(const thud_work *work)
{
    return &work->fault;
}

int thud_work_wall(const thud_work *work)
{
    return work->fault.text[0] != '\0' ? work->fault.wall : -1;
}
