// The impulses of a recorded run, and which of them are atoms.
#include "study/impact_parts.h"

#include "core/fault.h"
#include "core/mass.h"

#include <math.h>
#include <stdlib.h>

static const double STANDS_OUT = 4; // an atom's largest impulse over those around it
static const double FAINT = 1e-9;   // of the largest momentum
enum
{
    SHORTEST = 2, // steps of an atom: those that the scheme takes for an impact
    LONGEST = 3,
    MOST_PUSHES = 1 << 26
};

// --- reading --------------------------------------------------------------------------------

// The run is sound, but not one for this: the caller's mistake, not damage.
static thud_status missing(thud_impacts *im)
{
    thud_log_summary log = thud_log_view(im->def.log);
    return thudi_fail(im->fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE,
                      "run the scene again with 'record: all', or with --set record=all",
                      "only %lld of %lld steps are recorded; impacts need all of them",
                      (long long)log.frame_count - 1,
                      (long long)(log.step_count - 1 - log.first_node));
}

static thud_status note_pushes(thud_impacts *im, const thud_frame *frame)
{
    for (int i = 0; i < frame->after_count; i++)
    {
        if (frame->after[i].impulse == 0)
            continue;
        if (im->push_count >= MOST_PUSHES)
            return THUD_ERR_LIMIT;
        THUD_TRY(thudi_array_reserve(&im->allocator, &im->pushes, im->push_count + 1));
        im->pushes.items[im->push_count++] = (thudi_push){
            .key = frame->after[i].key, .step = frame->n + 1, .impulse = frame->after[i].impulse};
        im->pushes.items[im->push_count - 1].atom = -1;
    }
    return THUD_OK;
}

thud_status thudi_impact_read(thud_impacts *im)
{
    const double *mass = thud_model_problem(im->def.model)->mass;
    thud_log_summary log = thud_log_view(im->def.log);
    double force = 0, momentum = 0;
    for (int64_t i = 0; i < log.frame_count; i++)
    {
        thud_frame frame;
        THUD_TRY(thud_log_frame(im->def.log, i, &frame, im->fault));
        double sum = 0, moving = 0;
        if (frame.h > 0 && frame.n + 1 != i + log.first_node)
            return missing(im);
        for (int k = 0; k < im->dim; k++)
        {
            sum += frame.force ? fabs(frame.force[k]) : 0;
            moving += thudi_mass(mass, k) * fabs(frame.u[k]);
        }
        force = sum > force ? sum : force;
        momentum = moving > momentum ? moving : momentum;
        im->h = frame.h > 0 ? frame.h : im->h;
        THUD_TRY(note_pushes(im, &frame));
    }
    double factor = im->def.factor > 0 ? im->def.factor : 4;
    im->result.threshold = factor * im->h * force + FAINT * momentum;
    im->result.h = im->h;
    return THUD_OK;
}

// --- atoms ----------------------------------------------------------------------------------

static int by_key(const void *x, const void *y)
{
    const thudi_push *a = x, *b = y;
    if (!thud_key_same(a->key, b->key))
        return thud_key_before(a->key, b->key) ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

static int by_step(const void *x, const void *y)
{
    const thudi_push *a = x, *b = y;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return thud_key_compare(a->key, b->key);
}

// |impulse| of the same constraint, `later` steps after push i; 0 if there is none.
static double size_at(const thud_impacts *im, size_t i, int64_t later)
{
    const thudi_push *here = &im->pushes.items[i];
    for (int64_t k = -LONGEST; k <= LONGEST; k++)
    {
        if ((k < 0 && (size_t)-k > i) || (k > 0 && i + (size_t)k >= im->push_count))
            continue;
        const thudi_push *push = here + k;
        if (thud_key_same(push->key, here->key) && push->step == here->step + later)
            return fabs(push->impulse);
    }
    return 0;
}

// How many steps an atom that begins at push i has; 0 if none begins there.
static int atom_length(const thud_impacts *im, size_t i)
{
    double peak = fabs(im->pushes.items[i].impulse);
    if (!(peak > im->result.threshold) || !(peak > STANDS_OUT * size_at(im, i, -1)))
        return 0;
    for (int length = SHORTEST; length <= LONGEST; length++)
    {
        double last = size_at(im, i, length - 1);
        peak = last > peak ? last : peak;
        if (STANDS_OUT * size_at(im, i, length) < peak)
            return length;
    }
    return 0;
}

static thud_status take_atom(thud_impacts *im, size_t i, int length)
{
    thudi_push *push = &im->pushes.items[i];
    thud_log_summary log = thud_log_view(im->def.log);
    int64_t last = log.first_node + log.frame_count - 1;
    thudi_atom atom = {.key = push->key,
                       .first = push->step,
                       .last = push->step + length - 1 < last ? push->step + length - 1 : last,
                       .early = fabs(push->impulse),
                       .impact = -1};
    THUD_TRY(thudi_array_reserve(&im->allocator, &im->atoms, (size_t)im->atom_count + 1));
    for (size_t k = i; k < im->push_count && thud_key_same(im->pushes.items[k].key, push->key) &&
                       im->pushes.items[k].step <= atom.last;
         k++)
    {
        atom.impulse += fabs(im->pushes.items[k].impulse);
        im->pushes.items[k].atom = im->atom_count;
    }
    im->atoms.items[im->atom_count++] = atom;
    return THUD_OK;
}

thud_status thudi_impact_find_atoms(thud_impacts *im)
{
    if (im->push_count > 0)
        qsort(im->pushes.items, im->push_count, sizeof *im->pushes.items, by_key);
    for (size_t i = 0; i < im->push_count; i++)
    {
        int length = im->pushes.items[i].atom < 0 ? atom_length(im, i) : 0;
        if (length > 0)
            THUD_TRY(take_atom(im, i, length));
    }
    for (size_t i = 0; i < im->push_count; i++)
    {
        double size = fabs(im->pushes.items[i].impulse);
        *(im->pushes.items[i].atom >= 0 ? &im->result.atoms : &im->result.density) += size;
    }
    if (im->push_count > 0)
        qsort(im->pushes.items, im->push_count, sizeof *im->pushes.items, by_step);
    return THUD_OK;
}
