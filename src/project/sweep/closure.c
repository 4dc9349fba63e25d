// The closure of a part. Cost: a pass over the rows between bricks, and the packs of the groups
// from which it takes rows.
#include "project/sweep/closure.h"

#include <string.h>

// One group while rows are taken from it.
typedef struct pick
{
    const thudi_overview *overview;
    thudi_closure *closure;
    thudi_packs packs; // with the rows of the group, and `taken`
    int *row_at;       // by slot
    bool is_own;
} pick;

static thud_status open_rooms(const thudi_overview *o, pick *k)
{
    thudi_closure *c = k->closure;
    thud_rooms *rooms = o->packs.rooms;
    size_t bodies = (size_t)o->packs.bodies, most = 0;
    size_t rows = (size_t)o->crossing_count + (size_t)o->late->count;
    for (int g = 0; g < o->group_count; g++)
    {
        size_t count = (size_t)(o->groups[g].end - o->groups[g].first);
        most = count > most ? count : most;
    }
    *c = (thudi_closure){.group_first = o->group_count,
                         .group_end = o->group_count,
                         .row_first = (int)rows,
                         .row_end = (int)rows};
    THUD_TRY(thudi_room(rooms, &c->is_needed, bodies, "closure: needed bodies"));
    THUD_TRY(thudi_room(rooms, &c->groups, (size_t)o->group_count, "closure: groups"));
    THUD_TRY(thudi_room(rooms, &c->rows, rows, "closure: rows"));
    THUD_TRY(thudi_room(rooms, &k->packs.taken, bodies, "closure: taken"));
    THUD_TRY(thudi_room(rooms, &k->packs.placed, most, "closure: rows of a group"));
    // each pack holds a row at least
    THUD_TRY(thudi_room(rooms, &k->row_at, THUDI_PACK_WIDTH * most, "closure: rows of slots"));
    memset(k->packs.taken, 0, bodies * sizeof *k->packs.taken);
    return THUD_OK;
}

static const int *ends_of(const thudi_overview *o, const thudi_between *group, int i)
{
    return group->class == THUDI_LATE ? o->late_ends[i]
                                      : o->packs.ends + 2 * (size_t)o->crossings[i].row;
}

static bool is_needed(const thudi_closure *c, const int ends[2])
{
    return (ends[0] >= 0 && c->is_needed[ends[0]]) || c->is_needed[ends[1]];
}

// May rows of this group be taken?
static bool touches(const pick *k, const thudi_between *group)
{
    for (int i = group->first; i < group->end; i++)
        if (k->is_own || is_needed(k->closure, ends_of(k->overview, group, i)))
            return true;
    return false;
}

// The rows of a patch in the order of the lower body in each. Returns the number of its packs.
static int pack_patch(pick *k, const thudi_between *group)
{
    const thudi_overview *o = k->overview;
    int count = group->end - group->first;
    thudi_crossing *list = o->crossings + group->first, *scratch = o->scratch + group->first;
    for (int i = 0; i < count; i++)
    {
        list[i].patch = (uint64_t)thudi_overview_lower(ends_of(o, group, group->first + i));
        list[i].class = 0;
    }
    const thudi_crossing *sorted = thudi_layout_sort_crossings(list, scratch, count);
    for (int i = 0; i < count; i++)
    {
        const int *ends = o->packs.ends + 2 * (size_t)sorted[i].row;
        k->packs.placed[i] = (thudi_placed_row){
            .row = thudi_overview_row(o, sorted[i].row), .a = ends[0], .b = ends[1]};
    }
    return thudi_layout_pack_rows(&k->packs, 0, count, 0);
}

// Late rows stay in their order. Those that came together have packs of their own.
static int pack_late(pick *k)
{
    const thudi_overview *o = k->overview;
    const thudi_late_rows *late = o->late;
    int packs = 0;
    for (int i = 0; i < late->count; i++)
        k->packs.placed[i] = (thudi_placed_row){
            .row = late->row[i], .a = o->late_ends[i][0], .b = o->late_ends[i][1]};
    for (int from = 0; from < late->count; from = late->join[from])
        packs += thudi_layout_pack_rows(&k->packs, from, late->join[from], packs);
    return packs;
}

// Does the part take this row?
static bool takes(const pick *k, const thudi_placed_row *row)
{
    const bool *needed = k->closure->is_needed;
    return k->is_own || (row->a >= 0 && needed[row->a]) || needed[row->b];
}

// Take the rows of a group, from the last to the first.
static void take_rows(pick *k, int count, int packs)
{
    thudi_closure *c = k->closure;
    int slots = THUDI_PACK_WIDTH * packs;
    for (int slot = 0; slot < slots; slot++)
        k->row_at[slot] = -1;
    for (int i = 0; i < count; i++)
        k->row_at[k->packs.placed[i].slot] = i;
    for (int slot = slots - 1; slot >= 0; slot--)
    {
        if (k->row_at[slot] < 0)
            continue;
        const thudi_placed_row *row = &k->packs.placed[k->row_at[slot]];
        if (!takes(k, row))
            continue;
        c->rows[--c->row_first] = *row;
        c->is_needed[row->b] = true;
        if (row->a >= 0)
            c->is_needed[row->a] = true;
    }
}

static void take_group(pick *k, const thudi_between *group)
{
    thudi_closure *c = k->closure;
    if (!touches(k, group))
        return;
    int packs = group->class == THUDI_LATE ? pack_late(k) : pack_patch(k, group);
    take_rows(k, group->end - group->first, packs);
    c->groups[--c->group_first] = (thudi_taken){c->row_first, group->class, k->is_own};
}

thud_status thudi_closure_find(const thudi_overview *o, int rank, thudi_closure *c)
{
    pick k = {.overview = o, .closure = c};
    int first = o->brick_first[rank], end = o->brick_first[rank + 1];
    THUD_TRY(open_rooms(o, &k));
    for (int i = 0; i < o->packs.bodies; i++)
        c->is_needed[i] = i >= o->packs.body_first[first] && i < o->packs.body_first[end];
    for (int g = o->group_count - 1; g >= 0; g--)
    {
        k.is_own = o->groups[g].brick >= first && o->groups[g].brick < end;
        take_group(&k, &o->groups[g]);
    }
    for (int i = 0; i < o->packs.bodies; i++)
        c->bodies += c->is_needed[i];
    return THUD_OK;
}
