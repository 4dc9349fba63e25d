// Pairs of spheres by sorting places into strips, see checker_spheres.c.
#include "checker_search.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    MOST_SIGHTS = 250 // 6 per axis, when reaches are just below a period, and some more
};

static int compare_places(const void *a, const void *b)
{
    const thudi_place *left = a, *right = b;
    if (left->strip != right->strip)
        return left->strip < right->strip ? -1 : 1;
    if (left->low != right->low)
        return left->low < right->low ? -1 : 1;
    return left->body < right->body ? -1 : left->body > right->body;
}

static double between(const thudi_search *s, const thudi_couple *c, int k)
{
    return thudi_search_centre(s, c->high)[k] - thudi_search_centre(s, c->low)[k] - c->shift[k];
}

// The order of the two bodies must not matter, not even in the last bit.
thud_status thudi_search_push(thudi_search *s, const thudi_couple *c)
{
    int dim = s->def->dim, low = c->low, high = c->high;
    int index[2] = {dim * low, dim * high};
    double slope[6] = {0};
    for (int k = 0; k < dim && k < 3; k++)
    {
        // centres that coincide have no direction: a row that nothing can satisfy
        slope[dim + k] = c->distance > 0 ? between(s, c, k) / c->distance : 0;
        slope[k] = -slope[dim + k];
    }
    thud_row row = {.key = (uint64_t)low << 32 | c->code | (uint64_t)high,
                    .gap = c->distance - s->radius[low] - s->radius[high],
                    .width = dim,
                    .count = 2,
                    .index = index,
                    .slope = slope};
    thudi_search_add_law(s, &row, fmin(s->radius[low], s->radius[high]),
                         thudi_search_material(s, low), thudi_search_material(s, high));
    return thud_rows_push(s->rows, &row);
}

static thudi_couple couple_of(const thudi_search *s, int a, int b, const int64_t m[3])
{
    thudi_couple c = {.low = a < b ? a : b, .high = a < b ? b : a};
    double sum = 0;
    if (s->ring.is_closed)
    {
        thudi_ring_shift(&s->ring, m, c.shift);
        c.code = thudi_ring_code(&s->ring, m);
    }
    for (int k = 0; k < s->def->dim && k < 3; k++)
        sum += between(s, &c, k) * between(s, &c, k);
    c.distance = sqrt(sum);
    return c;
}

// That named by a key.
thudi_couple thudi_search_couple(const thudi_search *s, uint64_t key)
{
    int a = (int)(key >> 32 & 0x7fffffffu), b = (int)(key & s->ring.id_bits);
    int64_t m[3] = {0, 0, 0};
    if (s->ring.is_closed)
        thudi_ring_image(&s->ring, s->def->dim, thudi_search_centre(s, a),
                         thudi_search_centre(s, b), key, m);
    return couple_of(s, a, b, m);
}

bool thudi_search_is_near(const thudi_search *s, const thudi_couple *c)
{
    return c->distance <= s->apart[c->low] + s->apart[c->high];
}

// Most are not near; those are told without a root.
static bool is_surely_far(const thudi_place *a, const thudi_place *b)
{
    double reach = a->extent + b->extent, square = 0;
    for (int k = 0; k < 3; k++)
        square += (b->x[k] - a->x[k]) * (b->x[k] - a->x[k]);
    return square > reach * reach * (1 + 1e-12);
}

// The same pair is seen from many places: what counts is the lower body at home.
static thud_status compare(thudi_search *s, const thudi_place *i, const thudi_place *j)
{
    const thudi_place *a = i->body < j->body ? i : j, *b = a == i ? j : i;
    int64_t m[3] = {b->turn[0] - a->turn[0], b->turn[1] - a->turn[1], b->turn[2] - a->turn[2]};
    if (!a->is_home || a->body == b->body)
        return THUD_OK;
    thudi_couple c = couple_of(s, a->body, b->body, m);
    return thudi_search_is_near(s, &c) ? thudi_search_push(s, &c) : THUD_OK;
}

// The two axes along which the places are spread most: strips along the first.
static void choose_axes(const thudi_search *s, int axes[2], double *strips_from)
{
    double low[3] = {0, 0, 0}, spread[3] = {0, 0, -1};
    for (int k = 0; k < s->def->dim && k < 3; k++)
    {
        double high = low[k] = s->places[0].x[k];
        for (int i = 1; i < s->place_count; i++)
        {
            double x = s->places[i].x[k];
            low[k] = x < low[k] ? x : low[k];
            high = x > high ? x : high;
        }
        spread[k] = high - low[k];
    }
    int worst = 0;
    for (int k = 1; k < 3; k++)
        if (spread[k] < spread[worst])
            worst = k;
    axes[0] = (worst + 1) % 3;
    axes[1] = (worst + 2) % 3;
    *strips_from = low[axes[0]];
}

static void sort_places(thudi_search *s)
{
    int axes[2];
    double from, width = 0;
    choose_axes(s, axes, &from);
    for (int i = 0; i < s->place_count; i++)
        width = s->places[i].extent > width ? s->places[i].extent : width;
    width *= 2.0 * (1 + 1e-9); // so that rounding puts no near pair two strips apart
    for (int i = 0; i < s->place_count; i++)
    {
        thudi_place *p = &s->places[i];
        double strip = (p->x[axes[0]] - from) / width, x = p->x[axes[1]];
        double half = p->extent * (1 + 1e-9) + 1e-15 * fabs(x);
        p->strip = strip < INT_MAX - 2 ? (int)strip : INT_MAX - 2;
        p->low = x - half;
        p->high = x + half;
    }
    qsort(s->places, (size_t)s->place_count, sizeof *s->places, compare_places);
}

// Every body at its own place.
static void place_bodies(thudi_search *s)
{
    s->place_count = s->def->count;
    for (int i = 0; i < s->def->count; i++)
    {
        s->places[i] = (thudi_place){.body = i, .extent = s->apart[i], .is_home = true};
        memcpy(s->places[i].x, thudi_search_centre(s, i), (size_t)s->def->dim * sizeof(double));
    }
}

// Compare place i with those from `first` on, in one strip, whose low is within its own reach.
static thud_status sweep(thudi_search *s, const thudi_place *i, const thudi_place *first,
                         const thudi_place *end)
{
    for (const thudi_place *j = first; j < end && j->low <= i->high; j++)
    {
        if (is_surely_far(i, j))
            continue;
        thud_status status = compare(s, i, j);
        if (status != THUD_OK)
            return status;
    }
    return THUD_OK;
}

static const thudi_place *strip_end(const thudi_place *first, const thudi_place *end)
{
    const thudi_place *next = first;
    while (next < end && next->strip == first->strip)
        next++;
    return next;
}

// Pairs across two neighbouring strips: whichever begins later is within reach of the other.
static thud_status sweep_across(thudi_search *s, const thudi_place *a, const thudi_place *a_end,
                                const thudi_place *b, const thudi_place *b_end)
{
    thud_status status = THUD_OK;
    while (a < a_end && b < b_end && status == THUD_OK)
    {
        if (a->low <= b->low)
        {
            status = sweep(s, a, b, b_end);
            a++;
        }
        else
        {
            status = sweep(s, b, a, a_end);
            b++;
        }
    }
    return status;
}

static thud_status push_pairs(thudi_search *s)
{
    sort_places(s);
    const thudi_place *end = s->places + s->place_count, *first = s->places;
    thud_status status = THUD_OK;
    while (first < end && status == THUD_OK)
    {
        const thudi_place *next = strip_end(first, end);
        for (const thudi_place *i = first; i < next && status == THUD_OK; i++)
            status = sweep(s, i, i + 1, next);
        if (status == THUD_OK && next < end && next->strip == first->strip + 1)
            status = sweep_across(s, first, next, next, strip_end(next, end));
        first = next;
    }
    return status;
}

// All places where bodies are seen from the cell, near enough to meet one in it; what rounding may
// have moved them by counts as theirs. How many, -1 if that cannot be said.
static int see_bodies(const thudi_search *s, thudi_place *out)
{
    double most = 0, far = 0;
    int count = 0;
    for (int i = 0; i < s->def->count; i++)
    {
        most = fmax(most, s->apart[i]);
        for (int k = 0; k < s->def->dim; k++)
            far = fmax(far, fabs(thudi_search_centre(s, i)[k]));
    }
    double turns = far / s->ring.shortest + 2;
    double rounding = 1e-14 * (far + turns * fabs(s->ring.shear));
    for (int i = 0; i < s->def->count; i++)
    {
        thudi_sight sights[MOST_SIGHTS];
        double reach = s->apart[i] + most + 2 * rounding;
        int seen = thudi_ring_sights(&s->ring, s->def->dim, thudi_search_centre(s, i), reach, NULL);
        if (seen < 0 || seen > MOST_SIGHTS || count > INT_MAX - seen)
            return -1;
        if (out)
            (void)thudi_ring_sights(&s->ring, s->def->dim, thudi_search_centre(s, i), reach,
                                    sights);
        for (int n = 0; n < seen && out; n++)
        {
            out[count + n] = (thudi_place){
                .body = i, .extent = s->apart[i] + rounding, .is_home = sights[n].is_home};
            memcpy(out[count + n].x, sights[n].x, sizeof sights[n].x);
            memcpy(out[count + n].turn, sights[n].turn, sizeof sights[n].turn);
        }
        count += seen;
    }
    return count;
}

static thud_status push_pairs_around(thudi_search *s)
{
    thudi_place *own = s->places;
    int count = see_bodies(s, NULL);
    if (count < 0)
        return THUD_ERR_LIMIT;
    size_t size = (size_t)count * sizeof *own;
    s->places = thudi_exam_take(&s->memory, size);
    thud_status status = s->places ? THUD_OK : THUD_ERR_MEMORY;
    if (s->places)
    {
        s->place_count = see_bodies(s, s->places);
        status = push_pairs(s);
    }
    thudi_exam_give(&s->memory, s->places, size);
    s->places = own;
    return status;
}

thud_status thudi_search_pairs(thudi_search *s)
{
    if (s->ring.is_closed)
        return push_pairs_around(s);
    place_bodies(s);
    return push_pairs(s);
}
