// Contacts with glue (Lefebvre 2009). Every row remembers gamma <= 0, what has pressed it together:
//
//     u_n+1   = P_K(w + M^-1 G^T gamma_n), multipliers nu >= 0, the solver started at nu = -gamma_n
//     lambda  = (nu + gamma_n) / h                                    of any sign
//     gamma'  = max(gamma_min, -nu)                                   nu = 0 is release
//
// In words: multipliers bounded below by gamma_n in place of 0.
#include "laws/laws.h"

#include <math.h>
#include <string.h>

typedef struct glue
{
    thud_projector *spreader;   // where multipliers are not unique
    THUDI_ARRAY(double) memory; // by row: gamma_n
    THUDI_ARRAY(double) target; // w + M^-1 G^T gamma, what is projected
    THUDI_ARRAY(double) pull;   // the force that says how accurate to be
} glue;

static glue *glue_of(const thud_work *work)
{
    return work->law_memory;
}

// How much finer than the accuracy of forces the memory is to be known.
static const double FINER = 1e-3;

static thud_status make_room(thud_work *work)
{
    const thud_allocator *allocator = &work->allocator;
    THUD_TRY(thudi_law_reserve(work));
    THUD_TRY(thudi_array_reserve(allocator, &glue_of(work)->memory, (size_t)work->rows->count));
    THUD_TRY(thudi_array_reserve(allocator, &glue_of(work)->target, (size_t)work->dim));
    return thudi_array_reserve(allocator, &glue_of(work)->pull, (size_t)work->dim);
}

// gamma of every row, by key. A row that is held must be there.
static thud_status read_memory(const thud_state *state, thud_work *work)
{
    const thudi_row_head *heads = work->rows->heads.items;
    int i = 0;
    for (int k = 0; k < work->rows->count; k++)
        glue_of(work)->memory.items[k] = 0;
    for (int m = 0; m < state->multiplier_count; m++)
    {
        const thud_multiplier *kept = &state->multipliers[m];
        while (i < work->rows->count && thud_key_before(heads[i].key, kept->key))
            i++;
        bool known = i < work->rows->count && thud_key_same(heads[i].key, kept->key);
        const char *fault = !(kept->memory <= 0) ? "the memory of its glue must be at most 0"
                            : kept->memory < 0 && !known
                                ? "it is held by glue, but the problem did not push a row for it"
                                : NULL;
        if (fault)
        {
            thudi_work_fail_row(work, state, kept->key, fault);
            return THUD_ERR_ARGUMENT;
        }
        if (known)
            glue_of(work)->memory.items[i] = kept->memory;
    }
    return THUD_OK;
}

static double mass_of(const thud_inclusion *problem, int k)
{
    return problem->mass ? problem->mass[k] : 1;
}

// |v_t|^2 / d of two bodies that turn about each other, 0 for all other rows.
static double centrifugal(const thud_rows *rows, const thudi_row_head *row, const thud_state *state)
{
    int width = thudi_row_width(row);
    double distance = 0, along = 0, speed = 0;
    if (width < 2 || thudi_row_count(row) != 2)
        return 0;
    const double *normal = thudi_row_normal(rows, row);
    int a = thudi_row_start(rows, row, 0), b = thudi_row_start(rows, row, 1);
    for (int k = 0; k < width; k++)
    {
        double way = state->q[b + k] - state->q[a + k];
        double v = state->u[b + k] - state->u[a + k];
        distance += way * way;
        along += normal[k] * v;
        speed += v * v;
    }
    double across = speed - along * along;
    return across > 0 && distance > 0 ? across / sqrt(distance) : 0;
}

// What the memory of a row changes by if it is to be kept to a small part of itself.
static double memory_pull(const thud_inclusion *problem, const thud_state *state,
                          const thud_work *work, int i)
{
    thudi_entries row;
    double square = 0, speed = 0;
    thudi_row_open(work->rows, i, &row);
    for (int e = 0; e < row.size; e++)
    {
        double slope = row.slope[e];
        square += slope * slope / mass_of(problem, row.index[e]);
        speed += slope * work->w.items[row.index[e]];
    }
    double held = -glue_of(work)->memory.items[i] * square, met = fabs(speed);
    return FINER * (held > met ? held : met) / state->h;
}

// The solver stops at a part of h^2 |f| / m: make that no less than what glue needs.
static void choose_pull(const thud_inclusion *problem, const thud_state *state, thud_work *work)
{
    const thud_rows *rows = work->rows;
    double *pull = glue_of(work)->pull.items;
    memcpy(pull, work->mean_force.items, (size_t)work->dim * sizeof *pull);
    for (int i = 0; i < rows->count; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        if (thudi_row_count(row) == 0 || !thudi_row_numbers(rows, row))
            continue;
        double turn = centrifugal(rows, row, state);
        double fine = memory_pull(problem, state, work, i);
        int first = thudi_row_start(rows, row, 0);
        double wanted = mass_of(problem, first) * (turn > fine ? turn : fine);
        if (fabs(pull[first]) < wanted)
            pull[first] = wanted;
    }
}

// What to project, and where to start from.
static thud_status begin(const thudi_stage *stage, thud_projection *projection)
{
    thud_work *work = stage->work;
    const glue *own = glue_of(work);
    THUD_TRY(make_room(work));
    THUD_TRY(read_memory(stage->state, work));
    thudi_law_velocity(stage->problem, work, own->memory.items, own->target.items);
    choose_pull(stage->problem, stage->state, work);
    projection->w = own->target.items;
    projection->force = own->pull.items;
    return THUD_OK;
}

// Where multipliers are not unique, exact ones leave some contacts without any: take those that are
// found from -gamma by small changes instead, if they can be found.
static void spread(const thudi_stage *stage, const thud_projection *projection)
{
    thud_work *work = stage->work;
    thud_projection finer = *projection;
    thud_answer answer, *exact = &work->report.answer;
    for (int i = 0; i < work->rows->count; i++)
        if (!(work->rows->heads.items[i].shift * projection->shift_scale > 0))
            return; // no room for a method that only comes near
    finer.accuracy *= FINER;
    if (thud_project(&finer, glue_of(work)->spreader, &answer) < 0)
        return;
    answer.unique = false;
    answer.is_tight = exact->is_tight;
    answer.tight = exact->tight;
    answer.relieved = exact->relieved;
    *exact = answer;
}

static void end(const thudi_stage *stage)
{
    thud_work *work = stage->work;
    thud_report *report = &work->report;
    double *impulse = work->impulse.items;
    for (int i = 0; i < work->rows->count; i++)
        impulse[i] = report->answer.mu[i] + glue_of(work)->memory.items[i];
    thudi_law_velocity(stage->problem, work, impulse, work->velocity.items);
    for (int i = 0; i < work->rows->count; i++)
        work->lin.items[i] = thudi_law_lin(work, stage->state->h, i, work->velocity.items);
    report->velocity = report->move = work->velocity.items;
    report->impulse = impulse;
    report->lin = work->lin.items;
}

// gamma' = max(gamma_min, -nu). Where nu = 0 the contact is released.
static void keep(const thudi_stage *stage, int i, double *kept)
{
    const thud_rows *rows = stage->work->rows;
    const double *numbers = thudi_row_numbers(rows, &rows->heads.items[i]);
    double mu = stage->work->report.answer.mu[i], least = numbers ? numbers[0] : 0;
    kept[0] = mu == 0 ? 0 : -mu < least ? least : -mu;
}

static double guess(const thud_multiplier *kept)
{
    return -kept->memory;
}

static void destroy(thud_work *work, void *memory)
{
    glue *own = memory;
    thudi_array_free(&work->allocator, &own->memory);
    thudi_array_free(&work->allocator, &own->target);
    thudi_array_free(&work->allocator, &own->pull);
    thud_projector_destroy(own->spreader);
    thudi_free(&work->allocator, own, sizeof *own);
}

static thud_status create(thud_work *work, void **memory)
{
    glue *own = *memory = thudi_allocate_zeroed(&work->allocator, sizeof *own);
    return own ? thudi_work_add_projector(work, THUD_METHOD_AGS, &own->spreader) : THUD_ERR_MEMORY;
}

static const thud_law_number numbers[] = {
    {.key = "glue",
     .unit = "mass·length/time",
     .low = -INFINITY,
     .high = 0,
     .help = "largest impulse that a contact remembers",
     .hint = ""},
};

const thudi_law thudi_law_glue = {
    .info =
        {
            .law = THUD_LAW_GLUE,
            .name = "glue",
            .help = "bodies stick until they are pulled apart",
            .contacts = "contacts stick",
            .reading = "sign means mu_i >= gamma_i, the memory of the glue",
            .numbers = numbers,
            .number_count = 1,
            .kept = 1,
            .traits = THUD_TRAIT_ORDER_2 | THUD_TRAIT_UNIQUE_KEYS | THUD_TRAIT_HELD_ROWS |
                      THUD_TRAIT_PULLS,
            .row_bytes = 20, // with a memory
            .unable = "curved containers and meshes",
        },
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .spread = spread,
    .end = end,
    .keep = keep,
    .guess = guess,
};
