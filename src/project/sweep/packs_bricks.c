// The rows of a layout in groups: those inside each brick, and those of each patch between bricks.
#include "project/sweep/packs_layout.h"

#include "core/threads.h"

// Write the classes of all rows; returns how many rows are not inside a brick.
static int classify(const thudi_layout *l, const thudi_brick_place *places,
                    const thudi_placed_row *sorted, uint8_t *classes, uint64_t *patches)
{
    const thudi_packs *p = l->packs;
    int crossings = 0;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) reduction(+ : crossings)
    for (int i = 0; i < p->rows; i++)
    {
        int a = sorted[i].a, b = sorted[i].b;
        classes[i] = THUDI_INSIDE;
        if (a >= 0 && l->brick_of[a] != l->brick_of[b])
            classes[i] = (uint8_t)thudi_brick_class(&l->grid, &places[a], &places[b], &patches[i]);
        crossings += classes[i] != THUDI_INSIDE;
    }
    return crossings;
}

// By class, then by patch. Rows of one patch keep their order: a merge sort.
static bool is_after(const thudi_crossing *x, const thudi_crossing *y)
{
    return x->class != y->class ? x->class > y->class : x->patch > y->patch;
}

thudi_crossing *thudi_layout_sort_crossings(thudi_crossing *from, thudi_crossing *to, int count)
{
    for (int length = 1; length < count; length *= 2)
    {
        for (int low = 0; low < count; low += 2 * length)
        {
            int middle = count - low > length ? low + length : count;
            int end = count - low > 2 * length ? low + 2 * length : count;
            for (int i = low, j = middle, out = low; out < end; out++)
                to[out] = i < middle && (j >= end || !is_after(&from[i], &from[j])) ? from[i++]
                                                                                    : from[j++];
        }
        thudi_crossing *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

// Place the rows inside bricks. Bodies are sorted by brick, and rows by body: they keep their
// order.
static int place_inside(thudi_packs *p, const int *brick_of, const thudi_placed_row *sorted,
                        const uint8_t *classes)
{
    int placed = 0;
    for (int i = 0; i < p->rows; i++)
        if (classes[i] == THUDI_INSIDE)
        {
            p->placed[placed] = sorted[i];
            p->placed[placed++].slot = brick_of[sorted[i].b];
        }
    p->phases = 1;
    p->phase_first[0] = 0;
    p->phase_first[1] = p->bricks;
    return placed;
}

// Place the rows between bricks: a phase for each class, and a group for each patch.
static void place_crossings(thudi_packs *p, const thudi_crossing *sorted_crossings, int count,
                            const thudi_placed_row *sorted, int placed)
{
    int group = p->bricks - 1;
    for (int i = 0; i < count; i++)
    {
        const thudi_crossing *own = &sorted_crossings[i], *before = i > 0 ? own - 1 : NULL;
        bool is_new_class = !before || before->class != own->class;
        group += is_new_class || before->patch != own->patch;
        if (is_new_class)
            p->phases++;
        p->phase_first[p->phases] = group + 1;
        p->placed[placed] = sorted[own->row];
        p->placed[placed++].slot = group;
    }
}

static thud_status group_crossings(thudi_packs *p, const thudi_placed_row *sorted,
                                   const uint8_t *classes, const uint64_t *patches, int count,
                                   int placed)
{
    thudi_crossing *list, *scratch;
    THUD_TRY(thudi_room(p->rooms, &list, (size_t)count, "layout: rows between bricks"));
    THUD_TRY(thudi_room(p->rooms, &scratch, (size_t)count, "layout: scratch of their sort"));
    for (int i = 0, k = 0; i < p->rows; i++)
        if (classes[i] != THUDI_INSIDE)
            list[k++] = (thudi_crossing){patches[i], i, classes[i]};
    place_crossings(p, thudi_layout_sort_crossings(list, scratch, count), count, sorted, placed);
    return THUD_OK;
}

thud_status thudi_layout_group_by_bricks(thudi_layout *l)
{
    thudi_packs *p = l->packs;
    int *rank;
    thudi_brick_place *places; // by body
    thudi_placed_row *sorted;
    uint8_t *classes;
    uint64_t *patches;
    size_t rows = (size_t)p->rows, bodies = (size_t)p->bodies;
    THUD_TRY(thudi_room(p->rooms, &rank, bodies, "layout: ranks"));
    THUD_TRY(thudi_room(p->rooms, &places, bodies, "layout: places"));
    THUD_TRY(thudi_room(p->rooms, &l->brick_of, bodies, "layout: bricks of bodies"));
    THUD_TRY(thudi_layout_order_by_bricks(l, rank, places));
    THUD_TRY(thudi_room(p->rooms, &sorted, rows, "layout: sorted rows"));
    THUD_TRY(thudi_layout_sort_rows(l, rank, sorted));
    THUD_TRY(thudi_room(p->rooms, &classes, rows, "layout: classes"));
    THUD_TRY(thudi_room(p->rooms, &patches, rows, "layout: patches"));
    int crossings = classify(l, places, sorted, classes, patches);
    int placed = place_inside(p, l->brick_of, sorted, classes);
    return group_crossings(p, sorted, classes, patches, crossings, placed);
}
