// Rows of the near pairs of a world of spheres, written where they belong by all threads.
#include "spheres/cell.h"
#include "spheres/materials.h"
#include "spheres/pairs.h"

#include "core/threads.h"

enum
{
    SOME = 32 // rows that are written at once
};

// The rows of one chunk: those that are made wait here until they are SOME.
typedef struct writer
{
    const thud_world *world;
    thud_pair_run *run;
    int next, count; // the number of the first that waits, and how many do
    thud_pair_row row[SOME];
} writer;

static void write_waiting(writer *to)
{
    (void)thud_pair_run_write(to->run, to->next, to->row,
                              to->count); // the end of the run returns it
    to->next += to->count;
    to->count = 0;
}

// The row of one pair in any world.
static void write_any(writer *to, thudi_pair pair)
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
    double shift = thudi_world_shift(world, own->radius, other->radius);
    to->row[to->count++] = (thud_pair_row){
        .key = thudi_world_key(world, pair.a, pair.b),
        .gap = gap,
        .shift = shift,
        .a = world->dim * pair.a,
        .b = world->dim * thudi_world_partner(world, pair.b),
        .normal = {normal[0], normal[1], normal[2]},
    };
}

// Four pairs in three dimensions without images.
static inline void write_four(writer *to, const thudi_pair pair[4])
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
    four shift = thudi_shift_of_four(&world->shift, four_smaller(own, other));
    for (int k = 0; k < 3; k++)
        d[k] /= distance;
    d[3] = distance - own - other;
    four_transpose(d);
    const int *id = world->id.items;
    for (int k = 0; k < 4; k++)
    {
        thud_pair_row *row = &to->row[to->count + k];
        row->key = thudi_key_pair(id[pair[k].a], id[pair[k].b], 0);
        row->gap = d[k][3];
        row->shift = shift[k];
        row->a = 3 * pair[k].a;
        row->b = 3 * pair[k].b;
        for (int n = 0; n < 3; n++)
            row->normal[n] = d[k][n];
    }
    to->count += 4;
}

static void write_rows(const thud_world *world, int chunk, thud_pair_run *run)
{
    const thudi_pair *pairs = thudi_world_pairs(world, chunk);
    int count = world->chunks.items[chunk].pair_count, p = 0;
    writer to;
    to.world = world;
    to.run = run;
    to.next = world->chunks.items[chunk].first_row;
    to.count = 0;
    for (int k = 0; k < SOME; k++) // what no row of a pair changes
        to.row[k] = (thud_pair_row){.numbers = NULL};
    for (; p < count - 3 && world->dim == 3 && !world->is_periodic; p += 4)
    {
        write_four(&to, pairs + p);
        if (to.count == SOME)
            write_waiting(&to);
    }
    for (; p < count; p++)
    {
        write_any(&to, pairs[p]);
        if (to.count == SOME)
            write_waiting(&to);
    }
    write_waiting(&to);
}

// What the materials that meet ask of the law.
static thud_status write_laws(const thud_world *world, thud_pair_run *run)
{
    const int *material = world->material.items;
    int row = 0;
    for (int c = 0; c < thudi_world_chunk_count(world); c++)
    {
        const thudi_pair *pairs = thudi_world_pairs(world, c);
        for (int p = 0; p < world->chunks.items[c].pair_count; p++)
        {
            int a = material[pairs[p].a];
            int b = material[thudi_world_partner(world, pairs[p].b)];
            THUD_TRY(
                thud_pair_run_law(run, row++, world->law->law, thudi_world_numbers(world, a, b)));
        }
    }
    return THUD_OK;
}

thud_status thudi_world_push_pairs(thud_world *world, thud_rows *rows)
{
    int chunks = thudi_world_chunk_count(world), count = 0; // no more than are in the list
    thudi_world_chunk *chunk = world->chunks.items;
    for (int c = 0; c < chunks; c++)
    {
        chunk[c].first_row = count;
        count += chunk[c].pair_count;
    }
    thud_pair_run run;
    THUD_TRY(thud_rows_begin_pairs(rows, world->dim, 2, count, &run));
#pragma omp parallel for num_threads(thudi_threads())                                              \
    schedule(static) if (count >= THUDI_CELLS_THREADS_FROM)
    for (int c = 0; c < chunks; c++)
        write_rows(world, c, &run);
    if (world->law->number_count > 0)
        THUD_TRY(write_laws(world, &run));
    return thud_rows_end_pairs(&run, count);
}
