// Finds the impacts of a recorded run: joins atoms that are one impact, and reads the velocities
// before and after it. thud/impacts.h defines atoms and impacts.
#include "study/impact_parts.h"

#include "core/fault.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_ROUNDS = 16 // of make_impact, which repeats while atoms make the impact longer
};

// Does the push belong to a row of the impact at work? If so, add its impulse to the row; if it is
// part of an atom, the row gets the atom.
static bool add_to_row(thud_impacts *im, const thudi_push *push)
{
    for (int i = 0; i < im->row_count; i++)
        if (thud_key_same(im->rows.items[i].key, push->key))
        {
            im->rows.items[i].impulse += push->impulse;
            im->rows.items[i].atom = push->atom >= 0 ? push->atom : im->rows.items[i].atom;
            return true;
        }
    return false;
}

// Index of the first push whose step is `step` or later. The pushes are sorted by step.
static size_t first_push(const thud_impacts *im, int64_t step)
{
    size_t low = 0, high = im->push_count;
    while (low < high)
    {
        size_t middle = low + (high - low) / 2;
        if (im->pushes.items[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Add rows to the impact at work, for all constraints that push in its steps and share a coordinate
// with it. Atoms of its rows become part of it, and its steps then include all steps of these
// atoms. *grew: did it get more steps?
static thud_status join_pushes(thud_impacts *im, thud_impact *impact, const double *q, bool *grew)
{
    double t = im->def.scene->start + (double)impact->last_step * im->h;
    bool again = true;
    *grew = false;
    while (again)
    {
        again = false;
        for (size_t i = first_push(im, impact->first_step);
             i < im->push_count && im->pushes.items[i].step <= impact->last_step; i++)
        {
            thudi_push *push = &im->pushes.items[i];
            bool joins = false, seen = false;
            for (int k = 0; k < im->row_count; k++)
                seen = seen || thud_key_same(im->rows.items[k].key, push->key);
            // one row above the limit is enough: the residual is not computed then
            if (seen || im->row_count > THUDI_IMPACT_CONTACTS)
                continue;
            THUD_TRY(thudi_impact_add_row(im, t, q, push, false, &joins));
            again = again || joins;
        }
    }
    for (size_t i = first_push(im, impact->first_step);
         i < im->push_count && im->pushes.items[i].step <= impact->last_step; i++)
    {
        const thudi_push *push = &im->pushes.items[i];
        thudi_atom *atom = push->atom >= 0 ? &im->atoms.items[push->atom] : NULL;
        for (int k = 0; atom && k < im->row_count; k++)
        {
            if (!thud_key_same(im->rows.items[k].key, push->key))
                continue;
            atom->impact = im->result.impact_count;
            *grew = *grew || atom->last > impact->last_step || atom->first < impact->first_step;
            impact->last_step = atom->last > impact->last_step ? atom->last : impact->last_step;
            impact->first_step =
                atom->first < impact->first_step ? atom->first : impact->first_step;
        }
    }
    return THUD_OK;
}

// Read u-, the velocity before the first step of the impact, and u+ and q after its last step. The
// step that ends at node n is in frame n - first_node. first_node is not 0 if the run continues
// another.
static thud_status read_ends(thud_impacts *im, const thud_impact *impact, double *before,
                             double *after, double *q)
{
    thud_frame frame;
    size_t size = (size_t)im->dim * sizeof(double);
    int64_t first = thud_log_view(im->def.log).first_node;
    THUD_TRY(thud_log_frame(im->def.log, impact->first_step - first, &frame, im->fault));
    memcpy(before, frame.u, size);
    THUD_TRY(thud_log_frame(im->def.log, impact->last_step - first, &frame, im->fault));
    memcpy(after, frame.u_next, size);
    thud_frame_end(&frame, q);
    return THUD_OK;
}

// Add the coordinates of the impact to the result, with u- and u+, and compute |u+ - u-|.
static thud_status note_velocities(thud_impacts *im, const double *before, const double *after,
                                   thud_impact *impact)
{
    double jump = 0;
    int count = im->result.coordinate_count;
    impact->first_coordinate = count;
    for (int k = 0; k < im->dim; k++)
    {
        if (!im->marks.items[k])
            continue;
        THUD_TRY(thudi_array_reserve(&im->allocator, &im->coordinates, (size_t)count + 1));
        THUD_TRY(thudi_array_reserve(&im->allocator, &im->before, (size_t)count + 1));
        THUD_TRY(thudi_array_reserve(&im->allocator, &im->after, (size_t)count + 1));
        im->coordinates.items[count] = k;
        im->before.items[count] = before[k];
        im->after.items[count++] = after[k];
        jump += (after[k] - before[k]) * (after[k] - before[k]);
    }
    impact->coordinate_count = count - im->result.coordinate_count;
    im->result.coordinate_count = count;
    impact->jump = sqrt(jump);
    return THUD_OK;
}

// Sum the impulses of each contact over the steps of the impact, and compute the impact's time: the
// mean of the times at which these steps begin, weighted by the impulses of atoms.
static void sum_impulses(thud_impacts *im, thud_impact *impact)
{
    double late = 0; // sum of |impulse| times the number of steps after the first
    double all = 0;  // sum of |impulse|
    for (int i = 0; i < im->row_count; i++)
        im->rows.items[i].impulse = 0;
    for (size_t i = first_push(im, impact->first_step);
         i < im->push_count && im->pushes.items[i].step <= impact->last_step; i++)
    {
        const thudi_push *push = &im->pushes.items[i];
        if (!add_to_row(im, push) || push->atom < 0)
            continue;
        late += fabs(push->impulse) * (double)(push->step - impact->first_step);
        all += fabs(push->impulse);
    }
    double delay = all > 0 ? late / all : 0; // in steps
    impact->t = im->def.scene->start + ((double)(impact->first_step - 1) + delay) * im->h;
}

// Add to the result the impact that an atom belongs to.
static thud_status make_impact(thud_impacts *im, int atom)
{
    size_t dim = (size_t)im->dim;
    double *before = im->numbers.items, *after = before + dim, *q = after + dim;
    thud_impact impact = {.first_step = im->atoms.items[atom].first,
                          .last_step = im->atoms.items[atom].last};
    bool grew = true, joins;
    thudi_push seed = {.key = im->atoms.items[atom].key, .atom = atom};
    for (int round = 0; grew && round < MOST_ROUNDS; round++)
    {
        THUD_TRY(read_ends(im, &impact, before, after, q));
        im->row_count = im->entry_count = 0;
        memset(im->marks.items, 0, dim * sizeof *im->marks.items);
        double t = im->def.scene->start + (double)impact.last_step * im->h;
        THUD_TRY(thudi_impact_add_row(im, t, q, &seed, true, &joins));
        THUD_TRY(join_pushes(im, &impact, q, &grew));
    }
    im->atoms.items[atom].impact = im->result.impact_count;
    sum_impulses(im, &impact);
    THUD_TRY(note_velocities(im, before, after, &impact));
    THUD_TRY(thudi_impact_law(im, before, after, &impact));
    if (impact.residual > im->result.residual)
        im->result.residual = impact.residual;
    THUD_TRY(
        thudi_array_reserve(&im->allocator, &im->impacts, (size_t)im->result.impact_count + 1));
    im->impacts.items[im->result.impact_count++] = impact;
    return THUD_OK;
}

// By the first step; impacts that begin in the same step keep the order in which they were found.
static int by_first(const void *x, const void *y)
{
    const thud_impact *a = x, *b = y;
    if (a->first_step != b->first_step)
        return a->first_step < b->first_step ? -1 : 1;
    return (a->first_contact > b->first_contact) - (a->first_contact < b->first_contact);
}

static thud_status find_impacts(thud_impacts *im)
{
    size_t dim = (size_t)im->dim;
    THUD_TRY(thudi_impact_read(im));
    THUD_TRY(thudi_impact_find_atoms(im));
    THUD_TRY(thudi_array_reserve(&im->allocator, &im->numbers, 3 * dim));
    THUD_TRY(thudi_array_reserve(&im->allocator, &im->marks, dim));
    for (int i = 0; i < im->atom_count; i++)
        if (im->atoms.items[i].impact < 0)
            THUD_TRY(make_impact(im, i));
    if (im->result.impact_count > 0)
        qsort(im->impacts.items, (size_t)im->result.impact_count, sizeof *im->impacts.items,
              by_first);
    im->result.impacts = im->impacts.items;
    im->result.contacts = im->contacts.items;
    im->result.coordinates = im->coordinates.items;
    im->result.before = im->before.items;
    im->result.after = im->after.items;
    return THUD_OK;
}

thud_status thud_impacts_create(const thud_impacts_def *def, thud_impacts **out, thud_fault *fault)
{
    thud_fault own;
    *out = NULL;
    fault = thudi_fault_begin(fault, &own);
    if (thud_float_check() != THUD_OK)
    {
        return thudi_fail(fault, THUD_ERR_FLOAT, THUDI_NOWHERE, "", "%s",
                          thud_status_text(THUD_ERR_FLOAT));
    }
    if (!def->scene || !def->model || !def->log ||
        thud_log_view(def->log).dim != thud_model_problem(def->model)->dim || def->factor < 0)
    {
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                          "impacts need a scene, its model and its log");
    }
    if (def->scene->order == THUD_FIRST_ORDER)
    {
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE, "",
                          "a scene of order 1 has no impacts");
    }
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_impacts *im = thudi_allocate_zeroed(&allocator, sizeof *im);
    if (!im)
        return thudi_fail_memory(fault);
    im->allocator = allocator;
    im->fault = fault;
    im->def = *def;
    im->dim = thud_log_view(def->log).dim;
    thud_status status = find_impacts(im);
    if (status < 0)
    {
        thud_impacts_destroy(im);
        return thudi_fault_end(fault, status);
    }
    *out = im;
    return THUD_OK;
}

void thud_impacts_destroy(thud_impacts *im)
{
    if (!im)
        return;
    thud_allocator allocator = im->allocator;
    thudi_array_free(&allocator, &im->pushes);
    thudi_array_free(&allocator, &im->atoms);
    thudi_array_free(&allocator, &im->rows);
    thudi_array_free(&allocator, &im->index);
    thudi_array_free(&allocator, &im->slope);
    thudi_array_free(&allocator, &im->numbers);
    thudi_array_free(&allocator, &im->square);
    thudi_array_free(&allocator, &im->marks);
    thudi_array_free(&allocator, &im->impacts);
    thudi_array_free(&allocator, &im->contacts);
    thudi_array_free(&allocator, &im->coordinates);
    thudi_array_free(&allocator, &im->before);
    thudi_array_free(&allocator, &im->after);
    thudi_free(&allocator, im, sizeof *im);
}

thud_impacts_result thud_impacts_view(const thud_impacts *im)
{
    return im->result;
}
