// Rows of the near pairs of a world of spheres, written where they belong by all threads.
#include "spheres/cell.h"
#include "spheres/materials.h"
#include "spheres/pairs.h"

#include "core/threads.h"
#include "rows/rows_pairs.h"

// Where to write, and whether all is finite so far.
typedef struct writer
{
    const thud_world *world;
    thudi_rows_run run;
    four sum; // 0, or not a number
} writer;

static inline void write_one(writer *to, int width, thudi_pair pair, size_t row, const double n[3],
                             double gap, double shift)
{
    const thud_world *world = to->world;
    thud_pair_row out = {
        .key = thudi_world_key(world, pair.a, pair.b),
        .gap = gap,
        .shift = shift,
        .a = width * pair.a,
        .b = width * thudi_world_partner(world, pair.b),
        .normal = {n[0], n[1], n[2]},
    };
    thudi_rows_write(&to->run, width, 2, row, &out);
}

// The row of one pair in any world.
static void write_any(writer *to, thudi_pair pair, size_t row)
{
    const thud_world *world = to->world;
    const thudi_near_body *own = &world->near.bodies[pair.a];
    const thudi_near_body *other = &world->near.bodies[thudi_world_partner(world, pair.b)];
    double away[3];
    thudi_world_offset(world, own->q, other->q, pair.b, away);
    double dx = thudi_image_between(own->q[0], other->q[0], away[0]);
    double dy = thudi_image_between(own->q[1], other->q[1], away[1]);
    double dz = thudi_image_between(own->q[2], other->q[2], away[2]);
    double distance = sqrt(dx * dx + dy * dy + dz * dz);
    double normal[3] = {dx / distance, dy / distance, dz / distance};
    double gap = distance - own->radius - other->radius;
    double shift = thudi_world_shift(world->shift_factor, own->radius, other->radius);
    to->sum[0] += (normal[0] + normal[1] + normal[2] + gap) * 0 + shift * 0;
    write_one(to, world->dim, pair, row, normal, gap, shift);
}

// Four pairs in three dimensions without images.
static inline void write_four(writer *to, const thudi_pair pair[4], size_t row)
{
    const thud_world *world = to->world;
    const thudi_near_body *bodies = world->near.bodies;
    const thudi_near_body *a[4], *b[4];
    four d[4];
    for (int k = 0; k < 4; k++)
    {
        a[k] = &bodies[pair[k].a];
        b[k] = &bodies[pair[k].b];
        d[k] = four_load(b[k]->q) - four_load(a[k]->q);
    }
    four_transpose(d);
    four own = {a[0]->radius, a[1]->radius, a[2]->radius, a[3]->radius};
    four other = {b[0]->radius, b[1]->radius, b[2]->radius, b[3]->radius};
    four distance = four_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    four shift = world->shift_factor * four_smaller(own, other);
    for (int k = 0; k < 3; k++)
        d[k] /= distance;
    d[3] = distance - own - other;
    to->sum += (d[0] + d[1] + d[2] + d[3]) * 0 + shift * 0;
    four_transpose(d);
    for (int k = 0; k < 4; k++)
    {
        double n[4];
        four_store(n, d[k]);
        write_one(to, 3, pair[k], row + (size_t)k, n, n[3], shift[k]);
    }
}

// The rows of a chunk; false if a number is not finite.
static bool write_rows(thud_world *world, int chunk, const thudi_rows_run *run)
{
    const thudi_pair *pairs = thudi_world_pairs(world, chunk);
    int count = world->chunks.items[chunk].pair_count, p = 0;
    size_t row = (size_t)world->chunks.items[chunk].first_row;
    writer to = {.world = world, .run = *run};
    for (; p < count - 3 && world->dim == 3 && !world->is_periodic; p += 4)
        write_four(&to, pairs + p, row + (size_t)p);
    for (; p < count; p++)
        write_any(&to, pairs[p], row + (size_t)p);
    return to.sum[0] + to.sum[1] + to.sum[2] + to.sum[3] == 0;
}

// What the materials that meet ask of the law.
static thud_status write_laws(thud_world *world, thud_rows *rows, const thudi_rows_run *run)
{
    const int *material = world->material.items;
    thudi_row_head *head = run->heads;
    for (int c = 0; c < thudi_world_chunk_count(world); c++)
    {
        const thudi_pair *pairs = thudi_world_pairs(world, c);
        for (int p = 0; p < world->chunks.items[c].pair_count; p++, head++)
        {
            int a = material[pairs[p].a];
            int b = material[thudi_world_partner(world, pairs[p].b)];
            THUD_TRY(thudi_rows_find_law(rows, world->law->law, thudi_world_numbers(world, a, b),
                                         &head->law));
        }
    }
    return THUD_OK;
}

thud_status thudi_world_push_pairs(thud_world *world, thud_rows *rows)
{
    int chunks = thudi_world_chunk_count(world), count = 0; // no more than are in the list
    thudi_world_chunk *chunk = world->chunks.items;
    bool finite = true;
    for (int c = 0; c < chunks; c++)
    {
        chunk[c].first_row = count;
        count += chunk[c].pair_count;
    }
    thudi_rows_run run;
    THUD_TRY(thudi_rows_open(rows, world->dim, 2, count, &run));
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)                             \
    reduction(&&                                                                                   \
              : finite) if (count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < chunks; c++)
        finite = write_rows(world, c, &run) && finite;
    if (!finite)
        return THUD_ERR_NOT_FINITE;
    if (world->law->number_count > 0)
        THUD_TRY(write_laws(world, rows, &run));
    return thudi_rows_take(rows, &run, count, false);
}
