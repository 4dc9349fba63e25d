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

static double between(const thudi_search *s, const thudi_image_pair *c, int k)
{
    return thudi_search_centre(s, c->high)[k] - thudi_search_centre(s, c->low)[k] - c->shift[k];
}

// The order of the two bodies must not matter, not even in the last bit.
thud_status thudi_search_push_pair(thudi_search *s, const thudi_image_pair *c)
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
    thud_row row = {.key = thud_key_pair(low, high, c->image),
                    .gap = c->distance - s->radius[low] - s->radius[high],
                    .width = dim,
                    .count = 2,
                    .index = index,
                    .slope = slope};
    thudi_search_add_law(s, &row, fmin(s->radius[low], s->radius[high]),
                         thudi_search_material(s, low), thudi_search_material(s, high));
    return thud_rows_push(s->rows, &row);
}

static thudi_image_pair pair_of(const thudi_search *s, int a, int b, const int64_t m[3])
{
    thudi_image_pair c = {.low = a < b ? a : b, .high = a < b ? b : a};
    double sum = 0;
    if (s->cell_at.is_closed)
    {
        thudi_checked_cell_offset(&s->cell_at, m, c.shift);
        c.image = thudi_checked_cell_image(m);
    }
    for (int k = 0; k < s->def->dim && k < 3; k++)
        sum += between(s, &c, k) * between(s, &c, k);
    c.distance = sqrt(sum);
    return c;
}

thudi_image_pair thudi_search_pair(const thudi_search *s, thud_key key)
{
    thud_key_parts parts = thud_key_read(key, s->cell_at.keys);
    int a = (int)parts.a, b = (int)parts.b;
    int64_t m[3] = {0, 0, 0};
    if (s->cell_at.is_closed)
        thudi_checked_cell_turns(&s->cell_at, s->def->dim, thudi_search_centre(s, a),
                                 thudi_search_centre(s, b), parts.image, m);
    return pair_of(s, a, b, m);
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
    thudi_image_pair c = pair_of(s, a->body, b->body, m);
    return thudi_search_is_near_pair(s, &c) ? thudi_search_push_pair(s, &c) : THUD_OK;
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
static void place_bodies(thudi_search *s)
{
    for (int i = 0; i < s->def->count; i++)
    {
        s->places[i] = (thudi_place){.body = i, .extent = s->apart[i], .is_home = true};
        memcpy(s->places[i].x, thudi_search_centre(s, i), (size_t)s->def->dim * sizeof(double));
    }
}

// All places where bodies are seen from the cell, near enough to meet one in it; what rounding may
// have moved them by counts as theirs. How many, -1 if that cannot be said.
static int find_images(const thudi_search *s, thudi_place *out)
{
    double most = 0, far = 0;
    int count = 0;
    for (int i = 0; i < s->def->count; i++)
    {
        most = fmax(most, s->apart[i]);
        for (int k = 0; k < s->def->dim; k++)
            far = fmax(far, fabs(thudi_search_centre(s, i)[k]));
    }
    double turns = far / s->cell_at.shortest + 2;
    double rounding = 1e-14 * (far + turns * fabs(s->cell_at.shear));
    for (int i = 0; i < s->def->count; i++)
    {
        thudi_checked_image sights[MOST_SIGHTS];
        double reach = s->apart[i] + most + 2 * rounding;
        int seen = thudi_checked_cell_images(&s->cell_at, s->def->dim, thudi_search_centre(s, i),
                                             reach, NULL);
        if (seen < 0 || seen > MOST_SIGHTS || count > INT_MAX - seen)
            return -1;
        if (out)
            (void)thudi_checked_cell_images(&s->cell_at, s->def->dim, thudi_search_centre(s, i),
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

static thud_status push_pairs_around(thudi_search *s)
{
    int count = find_images(s, NULL);
    if (count < 0)
        return THUD_ERR_LIMIT;
    size_t size = (size_t)count * sizeof(thudi_place);
    thudi_place *places = thudi_checker_allocate(&s->memory, size);
    if (!places)
        return THUD_ERR_MEMORY;
    thud_status status = push_pairs_among(s, places, find_images(s, places));
    thudi_checker_release(&s->memory, places, size);
    return status;
}

thud_status thudi_search_push_pairs(thudi_search *s)
{
    if (s->cell_at.is_closed)
        return push_pairs_around(s);
    place_bodies(s);
    return push_pairs_among(s, s->places, s->def->count);
}
