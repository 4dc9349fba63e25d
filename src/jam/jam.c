// A jammed packing: points at random, growth while there is room, a network in balance when there
// is none, and what it proves.
#include "jam/jam.h"
#include "core/door.h"
#include "core/math/geometry.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FIRST_GROWTH = 1.0 / 64;
static const double INTERIOR = 1e-5; // growth from which on the interior point method takes over
static const double RETREAT = 1e-3;  // of the diameter, to begin again from where nothing is proved
static const double CLOSED = 1e-9;   // room of a network without room
static const double BALANCED = 1e-12;                  // imbalance of its forces
static const double FORCE_ROUNDING = 64 * DBL_EPSILON; // of the mean force, at each contact

enum
{
    RETREATS = 20,      // then nothing is proved at all
    GAP_ULPS = 16,      // of the diameter: rounding of a gap, beside one for each contact
    SWEEP_LIMIT = 10000 // of a projection; then there is no room, or too little to be found
};

// Counted numbers, well mixed (splitmix64).
double thudi_jam_uniform(thud_jam *jam)
{
    uint64_t z = jam->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static thud_status take_memory(thud_jam *jam)
{
    size_t count = (size_t)jam->count;
    thud_projector_def def = {
        .sweep_limit = SWEEP_LIMIT, .skip_enclosure = true, .allocator = &jam->allocator};
    jam->q = thudi_allocate_zeroed(&jam->allocator, 3 * count * sizeof *jam->q);
    jam->trial = thudi_allocate_zeroed(&jam->allocator, 3 * count * sizeof *jam->trial);
    jam->bodies = thudi_allocate_zeroed(&jam->allocator, 10 * count * sizeof *jam->bodies);
    jam->degree = thudi_allocate_zeroed(&jam->allocator, count * sizeof *jam->degree);
    jam->is_rattler = thudi_allocate_zeroed(&jam->allocator, count * sizeof *jam->is_rattler);
    if (!jam->q || !jam->trial || !jam->bodies || !jam->degree || !jam->is_rattler)
        return THUD_ERR_MEMORY;
    THUD_TRY(thud_rows_create(3 * jam->count, &jam->allocator, &jam->rows));
    return thud_projector_create(&def, &jam->projector);
}

static void scatter(thud_jam *jam)
{
    jam->random = jam->def.seed;
    for (size_t k = 0; k < 3 * (size_t)jam->count; k++)
        jam->q[k] = thudi_jam_uniform(jam);
    jam->diameter = thudi_jam_nearest(jam, jam->q);
}

static double fraction_of(const thud_jam *jam)
{
    return THUDI_PI * jam->count * jam->diameter * jam->diameter * jam->diameter / 6;
}

// Sums of the certificate, rounded upwards: an ulp for every term and some.
static void certify(thud_jam *jam)
{
    thud_jam_view *view = &jam->view;
    double size = 0, mean = 0, largest = 0, *force = jam->bodies;
    double *y = jam->by_contact.items;
    view->room = view->curvature = view->residual = 0;
    for (int c = 0; c < jam->contact_count; c++)
    {
        const thud_jam_contact *contact = &jam->contacts.items[c];
        y[c] = contact->force;
        view->room += y[c] * (contact->distance - jam->diameter);
        view->curvature += y[c] / (2 * contact->distance);
        size += y[c] * contact->distance;
        mean += y[c] / jam->contact_count;
    }
    thudi_jam_sum_forces(jam, y, force);
    for (int i = 0; i < jam->count; i++)
    {
        const double *r = force + 3 * (size_t)i;
        double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        view->residual += length;
        largest = length > largest ? length : largest;
    }
    double ulps = (jam->contact_count + GAP_ULPS) * DBL_EPSILON;
    view->room += ulps * size;
    view->residual += FORCE_ROUNDING * mean * jam->contact_count;
    view->imbalance = largest / mean;
}

thud_status thudi_jam_show_progress(const thud_jam *jam)
{
    const thud_jam_view *view = &jam->view;
    thud_jam_progress progress = {view->steps + view->refusals + view->newton, fraction_of(jam),
                                  view->growth};
    return jam->def.progress && jam->def.progress(&progress, jam->def.user) != 0 ? THUD_STOPPED
                                                                                 : THUD_OK;
}

// Grow by steps of one size until one is refused.
static thud_status grow(thud_jam *jam, double growth)
{
    bool grown = true;
    jam->view.growth = growth;
    while (grown)
    {
        THUD_TRY(thudi_jam_grow(jam, growth, &grown));
        jam->view.steps += grown;
        jam->view.refusals += !grown;
        if (thudi_jam_show_progress(jam) == THUD_STOPPED)
            return THUD_STOPPED;
    }
    return THUD_OK;
}

// Go on by the interior point method, to a network in balance.
static thud_status finish(thud_jam *jam, double growth, bool *jammed)
{
    thud_status status = thudi_jam_interior(jam, growth, jammed);
    if (*jammed)
        certify(jam);
    *jammed = *jammed && jam->view.room < CLOSED && jam->view.imbalance < BALANCED;
    return status;
}

// Growth is halved whenever there is no room for it, until the interior point method can take over.
// Where that proves nothing, the spheres give way a little and grow along another path: their
// centres are shaken by other random numbers.
static thud_status compress(thud_jam *jam)
{
    bool jammed = false;
    double growth = jam->def.growth;
    while (!jammed)
    {
        thud_status status = grow(jam, growth);
        if (status == THUD_OK && growth <= INTERIOR)
            status = finish(jam, growth, &jammed);
        if (status != THUD_OK)
            return status;
        if (!jammed && growth <= INTERIOR)
        {
            if (++jam->view.retreats > RETREATS)
                return THUD_ERR_NOT_CONVERGED;
            jam->diameter *= 1 - RETREAT;
            growth = 2 * RETREAT; // halved below
        }
        growth /= 2;
    }
    return THUD_OK;
}

static int by_bodies(const void *x, const void *y)
{
    const thud_jam_contact *a = x, *b = y;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static void describe(thud_jam *jam)
{
    thud_jam_view *view = &jam->view;
    int held = thudi_jam_find_rattlers(jam);
    qsort(jam->contacts.items, (size_t)jam->contact_count, sizeof *jam->contacts.items, by_bodies);
    view->count = jam->count;
    view->q = jam->q;
    view->diameter = jam->diameter;
    view->fraction = fraction_of(jam);
    view->contacts = jam->contacts.items;
    view->contact_count = jam->contact_count;
    view->is_rattler = jam->is_rattler;
    view->rattler_count = jam->count - held;
    view->isostatic = thudi_jam_isostatic(held);
}

THUDI_DOOR thud_status thud_jam_create(const thud_jam_def *def, thud_jam **out)
{
    *out = NULL;
    THUD_TRY(thud_float_check());
    if (def->count < THUD_JAM_LEAST || def->count > THUD_JAM_MOST || !(def->growth >= 0) ||
        def->growth > 0.5)
        return THUD_ERR_ARGUMENT;
    thud_allocator from = thudi_allocator_or_default(def->allocator);
    thud_jam *jam = thudi_allocate_zeroed(&from, sizeof *jam);
    if (!jam)
        return THUD_ERR_MEMORY;
    jam->allocator = from;
    jam->def = *def;
    jam->count = def->count;
    jam->def.growth = def->growth > 0 ? def->growth : FIRST_GROWTH;
    thud_status status = take_memory(jam);
    if (status >= 0)
    {
        scatter(jam);
        status = compress(jam);
    }
    if (status != THUD_OK)
    {
        thud_jam_destroy(jam);
        return status;
    }
    describe(jam);
    *out = jam;
    return THUD_OK;
}

void thud_jam_destroy(thud_jam *jam)
{
    if (!jam)
        return;
    thud_allocator from = jam->allocator;
    size_t count = (size_t)jam->count;
    thud_projector_destroy(jam->projector);
    thud_rows_destroy(jam->rows);
    thudi_array_free(&from, &jam->pairs);
    thudi_array_free(&from, &jam->contacts);
    thudi_array_free(&from, &jam->last);
    thudi_array_free(&from, &jam->warm);
    thudi_array_free(&from, &jam->by_contact);
    thudi_free(&from, jam->q, 3 * count * sizeof *jam->q);
    thudi_free(&from, jam->trial, 3 * count * sizeof *jam->trial);
    thudi_free(&from, jam->bodies, 10 * count * sizeof *jam->bodies);
    thudi_free(&from, jam->degree, count * sizeof *jam->degree);
    thudi_free(&from, jam->is_rattler, count * sizeof *jam->is_rattler);
    thudi_free(&from, jam, sizeof *jam);
}

thud_jam_view thud_jam_packing(const thud_jam *jam)
{
    return jam->view;
}
