// The rows of pairs of spheres:
//
//     gap(a, b) = |q_b - q_a| - r_a - r_b <= e_a + e_b
//
// are looked at; as lin = gap + h n . (u'_b - u'_a) >= gap - h |u'_a| - h |u'_b|, all others hold.
// In a periodic cell bodies are put where they are seen from it.
#include "verify/spheres/checker_search.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum
{
    MOST_SIGHTS = 250 // 6 per axis, when reaches are just below a period, and some more
};

static double between(const thudi_sight *sight, const thudi_image_pair *c, int k)
{
    return thudi_sight_centre(sight, c->high)[k] - thudi_sight_centre(sight, c->low)[k] -
           c->shift[k];
}

// The order of the two bodies must not matter, not even in the last bit.
static thud_row row_of(const thudi_sight *sight, const thudi_image_pair *c, thud_key key,
                       thud_row_room *room)
{
    int dim = sight->def->dim, low = c->low, high = c->high;
    const double *radius = sight->radius;
    *room = (thud_row_room){.index = {dim * low, dim * high}};
    for (int k = 0; k < dim && k < 3; k++)
    {
        // centres that coincide have no direction: a row that nothing can satisfy
        room->slope[dim + k] = c->distance > 0 ? between(sight, c, k) / c->distance : 0;
        room->slope[k] = -room->slope[dim + k];
    }
    thud_row row = {.key = key,
                    .gap = c->distance - radius[low] - radius[high],
                    .width = dim,
                    .count = 2,
                    .index = room->index,
                    .slope = room->slope};
    thudi_spheres_add_law(sight->def, sight->law, fmin(radius[low], radius[high]),
                          thudi_sight_material(sight, low), thudi_sight_material(sight, high),
                          &row);
    return row;
}

// A row that a list of rows would refuse is refused.
thud_status thudi_search_push_pair(thudi_search *s, const thudi_sight *sight,
                                   const thudi_image_pair *c)
{
    thud_row_room room;
    thud_key key = thud_key_pair(c->low, c->high, c->image);
    thud_row row = row_of(sight, c, key, &room);
    thud_rows_clear(s->trial);
    thud_status status = thud_rows_push(s->trial, &row);
    if (status == THUD_OK)
        status = thudi_list_add_pair(s->list, &s->allocator, key);
    if (status != THUD_OK)
        thud_rows_fail(s->list->whole, status);
    return status;
}

static thudi_image_pair pair_of(const thudi_sight *sight, int a, int b, const int64_t m[3])
{
    thudi_image_pair c = {.low = a < b ? a : b, .high = a < b ? b : a};
    double sum = 0;
    if (sight->cell_at.is_closed)
    {
        thudi_checked_cell_offset(&sight->cell_at, m, c.shift);
        c.image = thudi_checked_cell_image(m);
    }
    for (int k = 0; k < sight->def->dim && k < 3; k++)
        sum += between(sight, &c, k) * between(sight, &c, k);
    c.distance = sqrt(sum);
    return c;
}

thudi_image_pair thudi_sight_pair(const thudi_sight *sight, thud_key key)
{
    thud_key_parts parts = thud_key_read(key, sight->cell_at.keys);
    int a = (int)parts.a, b = (int)parts.b;
    int64_t m[3] = {0, 0, 0};
    if (sight->cell_at.is_closed)
        thudi_checked_cell_turns(&sight->cell_at, sight->def->dim, thudi_sight_centre(sight, a),
                                 thudi_sight_centre(sight, b), parts.image, m);
    return pair_of(sight, a, b, m);
}

thud_row thudi_sight_row(thud_key key, const void *maker, thud_row_room *room)
{
    thudi_image_pair c = thudi_sight_pair(maker, key);
    return row_of(maker, &c, key, room);
}

bool thudi_search_is_near_pair(const thudi_search *s, const thudi_image_pair *c)
{
    return c->distance <= s->apart[c->low] + s->apart[c->high];
}

// The same pair is seen from many places: what counts is the lower body at home.
static thud_status compare(const thudi_place *i, const thudi_place *j, void *user)
{
    thudi_search *s = user;
    const thudi_place *a = i->body < j->body ? i : j, *b = a == i ? j : i;
    int64_t m[3] = {b->turn[0] - a->turn[0], b->turn[1] - a->turn[1], b->turn[2] - a->turn[2]};
    if (!a->is_home || a->body == b->body)
        return THUD_OK;
    thudi_image_pair c = pair_of(&s->at, a->body, b->body, m);
    return thudi_search_is_near_pair(s, &c) ? thudi_search_push_pair(s, &s->at, &c) : THUD_OK;
}

static thud_status push_pairs_among(thudi_search *s, thudi_place *places, int count)
{
    thudi_pairs pairs = {.dim = s->def->dim,
                         .count = (size_t)count,
                         .places = places,
                         .compare = compare,
                         .user = s};
    return thudi_pairs_compare(&pairs);
}

// Every body at its own place.
static int place_bodies(const thudi_search *s, thudi_place *out)
{
    for (int i = 0; i < s->def->count && out; i++)
    {
        out[i] = (thudi_place){.body = i, .extent = s->apart[i], .is_home = true};
        memcpy(out[i].x, thudi_sight_centre(&s->at, i), (size_t)s->def->dim * sizeof(double));
    }
    return s->def->count;
}

// All places where bodies are seen from the cell, near enough to meet one in it; what rounding may
// have moved them by counts as theirs. How many, -1 if that cannot be said.
static int place_images(const thudi_search *s, thudi_place *out)
{
    const thudi_sight *at = &s->at;
    double most = 0, far = 0;
    int count = 0;
    for (int i = 0; i < s->def->count; i++)
    {
        most = fmax(most, s->apart[i]);
        for (int k = 0; k < s->def->dim; k++)
            far = fmax(far, fabs(thudi_sight_centre(at, i)[k]));
    }
    double turns = far / at->cell_at.shortest + 2;
    double rounding = 1e-14 * (far + turns * fabs(at->cell_at.shear));
    for (int i = 0; i < s->def->count; i++)
    {
        thudi_checked_image sights[MOST_SIGHTS];
        double reach = s->apart[i] + most + 2 * rounding;
        int seen = thudi_checked_cell_images(&at->cell_at, s->def->dim, thudi_sight_centre(at, i),
                                             reach, NULL);
        if (seen < 0 || seen > MOST_SIGHTS || count > INT_MAX - seen)
            return -1;
        if (out)
            (void)thudi_checked_cell_images(&at->cell_at, s->def->dim, thudi_sight_centre(at, i),
                                            reach, sights);
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

thud_status thudi_search_push_pairs(thudi_search *s)
{
    int (*place)(const thudi_search *, thudi_place *) =
        s->at.cell_at.is_closed ? place_images : place_bodies;
    int count = place(s, NULL);
    if (count < 0)
        return THUD_ERR_LIMIT;
    size_t size = (size_t)count * sizeof(thudi_place);
    thudi_place *places = thudi_allocate_zeroed(&s->allocator, size);
    if (!places)
        return THUD_ERR_MEMORY;
    thud_status status = push_pairs_among(s, places, place(s, places));
    thudi_free(&s->allocator, places, size);
    return status;
}
