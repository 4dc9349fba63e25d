// The pairs of the list that are near at the time of the view, four at a time.
#include "near/near.h"

// All pairs of the list from the bodies of a chunk.
static int write_list(const thudi_near *near, int start, int end, thudi_pair *out)
{
    const int *first = near->cells.first.items, *partner = near->cells.partner.items;
    for (int a = start; a < end; a++)
        for (int p = first[a]; p < first[a + 1]; p++)
            *out++ = (thudi_pair){a, partner[p]};
    return first[end] - first[start];
}

// All pairs of the list, through their images; those that are near stay.
static int select_images(const thudi_near *near, const thudi_periods *periods, int start, int end,
                         thudi_pair *out, double *squares)
{
    const int *first = near->cells.first.items, *partner = near->cells.partner.items;
    const thudi_near_body *bodies = near->bodies;
    int count = 0;
    for (int a = start; a < end; a++)
        for (int p = first[a]; p < first[a + 1]; p++)
        {
            const thudi_near_body *own = &bodies[a];
            const thudi_near_body *other = &bodies[partner[p] & THUDI_IMAGE_BODY];
            double offset[3], square = 0, reach = own->reach + other->reach;
            thudi_image_offset(periods, own->q, other->q, partner[p], offset);
            for (int k = 0; k < 3; k++)
            {
                double d = thudi_image_between(own->q[k], other->q[k], offset[k]);
                square += d * d;
            }
            out[count] = (thudi_pair){a, partner[p]};
            squares[count] = square;
            count += square < reach * reach;
        }
    return count;
}

thud_status thudi_near_open_pairs(thudi_near *near, thud_rooms *rooms)
{
    size_t count = (size_t)near->cells.pair_count;
    THUD_TRY(thudi_room(rooms, &near->pairs, count, "near pairs"));
    return thudi_room(rooms, &near->gaps, count, "gaps of near pairs");
}

int thudi_near_select(thudi_near *near, const thudi_near_view *view, int chunk)
{
    const thudi_near_body *bodies = near->bodies;
    const four minus = {1, 1, 1, -1};
    int start = thudi_near_chunk_start(view->count, chunk);
    int end = thudi_near_chunk_start(view->count, chunk + 1);
    thudi_pair *pairs = thudi_near_pairs(near, start);
    double *square = thudi_near_gaps(near, start);
    if (view->periods)
        return select_images(near, view->periods, start, end, pairs, square);
    int count = write_list(near, start, end, pairs), kept = 0, p = 0;
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
