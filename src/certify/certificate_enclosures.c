// Enclosures where they are asked for: after a projection, of both problems, and on demand.
#include "certify/certificate.h"
#include "certify/certify.h"
#include "certify/enclosure.h"

enum
{
    ROUNDS = 8
};

static const size_t ROOM = (size_t)1 << 22;

static bool any_shift(const thud_projection *problem)
{
    for (int i = 0; i < problem->rows->count; i++)
        if (thudi_shift(problem, i) > 0)
            return true;
    return false;
}

// Of the problem with its shifts, then of the problem without them.
static thud_status enclose_both(thudi_enclose_task *task, thud_certificate *certificate)
{
    THUD_TRY(thudi_enclose_begin(task));
    THUD_TRY(thudi_enclose(task, &certificate->shifted));
    certificate->enclosure = certificate->shifted;
    task->scale = 0;
    return any_shift(task->problem) ? thudi_enclose(task, &certificate->enclosure) : THUD_OK;
}

thud_status thudi_certify_enclosures(const thud_projection *problem, const double *u,
                                     const double *mu, const double *lin, thud_rooms *rooms,
                                     thud_certificate *certificate)
{
    thudi_enclosing memory;
    int open = thud_rooms_count(rooms);
    thudi_enclose_task task = {.problem = problem,
                               .u = u,
                               .mu = mu,
                               .lin = lin,
                               .scale = problem->shift_scale,
                               .round_limit = ROUNDS,
                               .room = ROOM,
                               .memory = &memory,
                               .rooms = rooms};
    if (!problem->rows || problem->rows->count == 0)
    {
        certificate->enclosure = certificate->shifted = (thud_enclosure){.holds = true}; // u is w
        return THUD_OK;
    }
    thud_status status = enclose_both(&task, certificate);
    thud_rooms_close(rooms, open);
    return status;
}

static bool is_sound(const thud_projection *problem, const double *u, const double *mu)
{
    double sum = problem->h * problem->shift_scale;
    for (int k = 0; k < problem->dim; k++)
        sum += 0 * (u[k] + problem->w[k] + thudi_mass(problem->mass, k));
    for (int i = 0; problem->rows && i < problem->rows->count; i++)
        sum += 0 * mu[i];
    return isfinite(sum) && problem->h > 0 && problem->shift_scale >= 0;
}

static thud_status enclose_rows(const thudi_enclose_task *task, thud_enclosure *enclosure,
                                double *enlarged)
{
    THUD_TRY(thudi_enclose_begin(task));
    THUD_TRY(thudi_enclose(task, enclosure));
    for (int i = 0; enlarged && i < task->problem->rows->count; i++)
        enlarged[i] = enclosure->holds ? task->memory->claims[i].enlarged : 0;
    return THUD_OK;
}

thud_status thud_enclose(const thud_projection *problem, const double *u, const double *mu,
                         const thud_enclose_def *def, thud_enclosure *enclosure, double *enlarged)
{
    const thud_enclose_def standard = {0};
    def = def ? def : &standard;
    *enclosure = (thud_enclosure){.bound = INFINITY};
    if (problem->dim < 1 || !problem->w || !u || def->round_limit < 0 || !problem->rows ||
        problem->rows->dim != problem->dim || (!mu && problem->rows->count > 0))
        return THUD_ERR_ARGUMENT;
    THUD_TRY(problem->rows->status);
    if (!is_sound(problem, u, mu))
        return THUD_ERR_NOT_FINITE;
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_rooms rooms = {0};
    thudi_enclosing memory;
    thudi_rooms_begin(&rooms, &allocator);
    thudi_rooms_enter(&rooms);
    thudi_enclose_task task = {.problem = problem,
                               .u = u,
                               .mu = mu,
                               .scale = problem->shift_scale,
                               .round_limit = def->round_limit > 0 ? def->round_limit : ROUNDS,
                               .room = def->factor_limit > 0 ? def->factor_limit : ROOM,
                               .memory = &memory,
                               .rooms = &rooms};
    thud_status status = enclose_rows(&task, enclosure, enlarged);
    thudi_rooms_free(&rooms);
    return status;
}
