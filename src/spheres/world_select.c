// The pairs of the list that are near at the moment looked at, four at a time.
#include "spheres/world.h"

// All pairs of the list from the bodies of a chunk.
static int write_list(const thud_world *world, int chunk, thudi_pair *out)
{
    const int *first = world->cells.first.items, *partner = world->cells.partner.items;
    int start = thudi_near_chunk_start(world, chunk);
    int end = thudi_near_chunk_start(world, chunk + 1);
    for (int a = start; a < end; a++)
        for (int p = first[a]; p < first[a + 1]; p++)
            *out++ = (thudi_pair){a, partner[p]};
    return first[end] - first[start];
}

int thudi_near_select(thud_world *world, int chunk)
{
    const thudi_near_body *bodies = world->near.bodies;
    const four minus = {1, 1, 1, -1};
    thudi_pair *pairs = thudi_near_pairs(world, chunk);
    double *square = thudi_near_gaps(world, chunk);
    if (world->is_periodic)
        return thudi_near_select_images(world, chunk);
    int count = write_list(world, chunk, pairs), kept = 0, p = 0;
    for (; p < count - 3; p += 4)
    {
        four d[4];
        for (int k = 0; k < 4; k++)
            d[k] =
                four_load(bodies[pairs[p + k].b].q) - four_load(bodies[pairs[p + k].a].q) * minus;
        four_transpose(d); // the fourth is the sum of the reaches
        four sum = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        unsigned near = four_bits(sum < d[3] * d[3]);
        (void)four_pack(square + kept, &sum, near);
        kept += four_pack(pairs + kept, pairs + p, near);
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
