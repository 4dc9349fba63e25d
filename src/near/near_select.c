// The pairs of the list that are near at the time of the view, four at a time.
#include "near/near.h"

thudi_near_place thudi_near_begin(const thudi_near *near, const thudi_near_view *view, int chunk)
{
    const int *first = near->cells.first.items;
    int start = thudi_near_chunk_start(view->count, chunk);
    int end = thudi_near_chunk_start(view->count, chunk + 1);
    return (thudi_near_place){start, first[start], first[end]};
}

// The pairs of the list from `place` on, at most `most`; returns how many. A body whose pairs end
// there stays the place: the next call goes on from it.
static int read_list(const thudi_near *near, thudi_near_place *place, int most, thudi_pair *pairs)
{
    const int *first = near->cells.first.items, *partner = near->cells.partner.items;
    int count = place->end - place->pair < most ? place->end - place->pair : most;
    int body = place->body, end = place->pair + count, p = place->pair;
    for (;; body++)
    {
        int last = first[body + 1] < end ? first[body + 1] : end;
        for (; p < last; p++)
            *pairs++ = (thudi_pair){body, partner[p]};
        if (p == end)
            break;
    }
    *place = (thudi_near_place){body, end, place->end};
    return count;
}

// Of pairs with images those that are near stay; returns how many.
static int keep_images(const thudi_near *near, const thudi_periods *periods, thudi_pair *pairs,
                       int count, double *squares)
{
    const thudi_near_body *bodies = near->bodies;
    int kept = 0;
    for (int p = 0; p < count; p++)
    {
        const thudi_near_body *own = &bodies[pairs[p].a];
        const thudi_near_body *other = &bodies[pairs[p].b & THUDI_IMAGE_BODY];
        double offset[3], square = 0, reach = own->reach + other->reach;
        thudi_image_offset(periods, own->q, other->q, pairs[p].b, offset);
        for (int k = 0; k < 3; k++)
        {
            double d = thudi_image_between(own->q[k], other->q[k], offset[k]);
            square += d * d;
        }
        pairs[kept] = pairs[p];
        squares[kept] = square;
        kept += square < reach * reach;
    }
    return kept;
}

// The same of pairs without images, four at a time.
static int keep_near(const thudi_near *near, thudi_pair *pairs, int count, double *square)
{
    const thudi_near_body *bodies = near->bodies;
    const four minus = {1, 1, 1, -1};
    int kept = 0, p = 0;
    for (; p < count - 3; p += 4)
    {
        four d[4];
        for (int k = 0; k < 4; k++)
            d[k] =
                four_load(bodies[pairs[p + k].b].q) - four_load(bodies[pairs[p + k].a].q) * minus;
        four_transpose(d); // the fourth is the sum of the reaches
        four sum = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        unsigned within = four_bits(sum < d[3] * d[3]);
        (void)four_pack(square + kept, &sum, within);
        kept += four_pack(pairs + kept, pairs + p, within);
    }
    for (; p < count; p++)
    {
        const thudi_near_body *own = &bodies[pairs[p].a], *other = &bodies[pairs[p].b];
        double dx = other->q[0] - own->q[0], dy = other->q[1] - own->q[1];
        double dz = other->q[2] - own->q[2], reach = own->reach + other->reach;
        double sum = dx * dx + dy * dy + dz * dz;
        pairs[kept] = pairs[p];
        square[kept] = sum;
        kept += sum < reach * reach;
    }
    return kept;
}

thud_status thudi_near_open_pairs(thudi_near *near, thud_rooms *rooms)
{
    size_t count = (size_t)near->cells.pair_count;
    THUD_TRY(thudi_room(rooms, &near->pairs, count, "near pairs"));
    return thudi_room(rooms, &near->gaps, count, "gaps of near pairs");
}

int thudi_near_select(const thudi_near *near, const thudi_near_view *view, int most,
                      thudi_near_place *place, thudi_pair *pairs, double *squares)
{
    int count = read_list(near, place, most, pairs);
    return view->periods ? keep_images(near, view->periods, pairs, count, squares)
                         : keep_near(near, pairs, count, squares);
}
