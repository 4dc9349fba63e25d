// A part of a layout: its rows and bodies with numbers of its own, and the lists of what is sent.
#include "project/sweep/part.h"

#include "project/sweep/closure.h"
#include "project/sweep/packs_layout.h"

#include "core/threads.h"

#include <limits.h>
#include <string.h>

// What a part is made from.
typedef struct taking
{
    const thudi_packing *packing;
    thud_team *team;
    int width;
    thudi_part *part;
    thudi_overview overview; // until all that needs no other member is done
    thudi_closure closure;
    int *body;      // by body of the overview: its number in the part, -1 for none
    int first_body; // of the own ones
    thudi_tell tell;
} taking;

static int first_body_of(const thudi_overview *o, int rank)
{
    return o->packs.body_first[o->brick_first[rank]];
}

// Own bodies come first. The overview has its bodies in the order of their owners, so that ghosts
// of one owner follow each other.
static void number_bodies(taking *t, thudi_packs *p)
{
    const thudi_overview *o = &t->overview;
    int rank = t->team->rank, first = first_body_of(o, rank), end = first_body_of(o, rank + 1);
    int own = end - first, ghost = own, owner = 0, wants = 0;
    for (int i = 0; i < o->packs.bodies; i++)
    {
        bool is_own = i >= first && i < end;
        t->body[i] = is_own ? i - first : t->closure.is_needed[i] ? ghost++ : -1;
        if (t->body[i] < 0)
            continue;
        p->coordinate[t->body[i]] = o->packs.coordinate[i];
        if (is_own)
            continue;
        while (i >= first_body_of(o, owner + 1))
            owner++;
        t->tell.ghost[t->body[i] - own] = i - first_body_of(o, owner);
        if (wants == 0 || t->tell.wants[wants - 1].owner != owner)
            t->tell.wants[wants++] = (thudi_want){owner, rank, 0};
        t->tell.wants[wants - 1].bodies++;
    }
    t->first_body = first;
    t->tell.count = wants;
    t->part->own_bodies = own;
    t->part->ghosts = ghost - own;
    p->bodies = ghost;
}

// The number of the own brick that a listed row lies in; -1 if it lies in none.
static int own_brick_of(const taking *t, const int *ends)
{
    const thudi_overview *o = &t->overview;
    const int *brick_of = o->layout.brick_of;
    int first = o->brick_first[t->team->rank], end = o->brick_first[t->team->rank + 1];
    int brick = brick_of[ends[1]];
    bool is_own = brick >= first && brick < end && (ends[0] < 0 || brick_of[ends[0]] == brick);
    return is_own ? brick - first : -1;
}

// The rows inside own bricks, in the order of the lower body in each: a counting sort. Their slot
// is the number of their group for now.
static thud_status place_inside(const taking *t, thudi_packs *p)
{
    const thudi_overview *o = &t->overview;
    size_t own = (size_t)t->part->own_bodies;
    int *first;
    THUD_TRY(thudi_room(o->packs.rooms, &first, own + 1, "part: first rows"));
    memset(first, 0, (own + 1) * sizeof *first);
    for (int i = 0; i < o->packs.rows; i++)
    {
        const int *ends = o->packs.ends + 2 * (size_t)i;
        if (own_brick_of(t, ends) >= 0)
            first[thudi_overview_lower(ends) - t->first_body + 1]++;
    }
    for (size_t i = 0; i < own; i++)
        first[i + 1] += first[i];
    for (int i = 0; i < o->packs.rows; i++)
    {
        const int *ends = o->packs.ends + 2 * (size_t)i;
        int brick = own_brick_of(t, ends);
        if (brick < 0)
            continue;
        p->placed[first[thudi_overview_lower(ends) - t->first_body]++] = (thudi_placed_row){
            .row = thudi_overview_row(o, i),
            .a = ends[0] >= 0 ? ends[0] - t->first_body : -1,
            .b = ends[1] - t->first_body,
            .slot = brick,
        };
    }
    return THUD_OK;
}

// The rows behind those of the last taken group of the closure.
static int end_of_taken(const thudi_closure *c, int g)
{
    return g + 1 < c->group_end ? c->groups[g + 1].first : c->row_end;
}

// The rows between bricks that are taken. Their slot is the number of their group for now.
static void place_between(const taking *t, thudi_packs *p)
{
    const thudi_closure *c = &t->closure;
    int placed = p->rows - (c->row_end - c->row_first), group = p->bricks;
    for (int g = c->group_first; g < c->group_end; g++, group++)
    {
        p->is_own[group] = c->groups[g].is_own;
        for (int i = c->groups[g].first; i < end_of_taken(c, g); i++)
        {
            const thudi_placed_row *row = &c->rows[i];
            p->placed[placed++] = (thudi_placed_row){
                .row = row->row,
                .a = row->a >= 0 ? t->body[row->a] : -1,
                .b = t->body[row->b],
                .slot = group,
            };
        }
    }
}

// All members have the same phases, some of them without groups.
static void find_phases(const taking *t, thudi_packs *p)
{
    const thudi_overview *o = &t->overview;
    const thudi_closure *c = &t->closure;
    int taken = c->group_first;
    p->phases = 1;
    p->phase_first[0] = 0;
    p->phase_first[1] = p->bricks;
    for (int g = 0; g < o->group_count; g++)
    {
        int class = o->groups[g].class;
        if (g > 0 && o->groups[g - 1].class == class)
            continue;
        while (taken < c->group_end && c->groups[taken].class == class)
            taken++;
        p->phase_first[++p->phases] = p->bricks + taken - c->group_first;
    }
    p->groups = p->phase_first[p->phases];
}

// Packs as in the layout of the whole problem, without those from which no row is taken. Lanes are
// filled from the first one on.
static void number_slots(const taking *t, thudi_packs *p)
{
    const thudi_closure *c = &t->closure;
    for (int group = p->bricks; group < p->groups; group++)
    {
        int g = c->group_first + group - p->bricks, packs = 0, lane = 0;
        const thudi_placed_row *from = c->rows + c->groups[g].first;
        thudi_placed_row *to = p->placed + p->row_first[group];
        for (int i = 0; i < p->row_first[group + 1] - p->row_first[group]; i++)
        {
            bool is_new =
                i == 0 || from[i].slot / THUDI_PACK_WIDTH != from[i - 1].slot / THUDI_PACK_WIDTH;
            lane = is_new ? 0 : lane + 1;
            packs += is_new;
            to[i].slot = (packs - 1) * THUDI_PACK_WIDTH + lane;
        }
        p->pack_first[group + 1] = packs;
    }
}

static thud_status pack_rows(const taking *t, thudi_packs *p)
{
    size_t own = (size_t)t->part->own_bodies;
    THUD_TRY(thudi_room(t->overview.packs.rooms, &p->taken, own, "part: taken"));
    memset(p->taken, 0, own * sizeof *p->taken);
#pragma omp parallel for num_threads(thudi_threads()) schedule(dynamic)
    for (int g = 0; g < p->bricks; g++)
        thudi_layout_pack_group(p, g);
    p->taken = NULL;
    number_slots(t, p);
    thudi_layout_number_packs(p);
    return THUD_OK;
}

static thud_status open_bricks(const taking *t, thudi_packs *p)
{
    const thudi_overview *o = &t->overview;
    const int *first = o->packs.body_first + o->brick_first[t->team->rank];
    THUD_TRY(thudi_room(p->rooms, &p->body_first, (size_t)p->bricks + 1, "part: first bodies"));
    THUD_TRY(thudi_room(p->rooms, &p->energy, (size_t)p->bricks, "part: energies of bricks"));
    for (int brick = 0; brick <= p->bricks; brick++)
        p->body_first[brick] = first[brick] - first[0];
    return THUD_OK;
}

// Rows, bodies and groups are counted.
static thud_status open_rooms(taking *t, thudi_packs *p)
{
    const thudi_overview *o = &t->overview;
    size_t rows = (size_t)p->rows, bodies = (size_t)t->closure.bodies;
    size_t groups = (size_t)p->groups;
    THUD_TRY(thudi_room(p->rooms, &p->placed, rows, "part: placed rows"));
    THUD_TRY(thudi_room(p->rooms, &p->scale, rows, "part: scales"));
    THUD_TRY(thudi_room(p->rooms, &p->coordinate, bodies, "part: coordinates"));
    THUD_TRY(thudi_room(p->rooms, &p->is_own, groups, "part: own groups"));
    THUD_TRY(thudi_room(p->rooms, &t->tell.ghost, bodies, "part: ghosts"));
    return thudi_room(o->packs.rooms, &t->body, (size_t)o->packs.bodies, "part: body numbers");
}

// What has the size of the team.
static thud_status open_part(taking *t, thud_rooms *rooms)
{
    thudi_part *part;
    size_t members = (size_t)t->team->size, least = members * THUDI_MOST_RECORD;
    THUD_TRY(thudi_room(rooms, &part, 1, "part"));
    *part = (thudi_part){.packing = *t->packing, .team = t->team, .width = t->width};
    t->part = part;
    THUD_TRY(thudi_room(rooms, &part->rows_of, members, "part: rows of members"));
    THUD_TRY(thudi_room(rooms, &part->bodies_of, members, "part: bodies of members"));
    THUD_TRY(thudi_room(rooms, &part->neighbour, members, "part: neighbours"));
    THUD_TRY(thudi_room(rooms, &part->parcels, members, "part: parcels"));
    THUD_TRY(thudi_room(rooms, &part->round_first, members + 1, "part: places of records"));
    THUD_TRY(thudi_room(rooms, &part->round, least > THUDI_ROUND ? least : THUDI_ROUND,
                        "part: records"));
    THUD_TRY(thudi_room(rooms, &t->tell.wants, members, "part: what is wanted"));
    THUD_TRY(thudi_room(rooms, &t->tell.counts, members, "part: counts of wants"));
    return thudi_room(rooms, &t->tell.sent, members, "part: what others want");
}

// Late rows that there are, and room for more.
static thud_status open_late(taking *t, const thudi_part *before, thud_rooms *rooms)
{
    thudi_late_rows *late = &t->part->late;
    size_t most = (size_t)t->packing->late_rows;
    if (before)
    {
        *late = before->late;
        return THUD_OK;
    }
    THUD_TRY(thudi_room(rooms, &late->row, most, "part: late rows"));
    return thudi_room(rooms, &late->join, most, "part: joins of late rows");
}

// Would the layout of the whole problem have too many places of velocities?
static bool is_too_large(const thudi_overview *o)
{
    int most = o->packs.bricks, first = 0; // groups of a phase
    for (int g = 0; g < o->group_count; g++)
    {
        first = o->groups[g].class != o->groups[first].class ? g : first;
        most = g + 1 - first > most ? g + 1 - first : most;
    }
    return o->packs.bodies > INT_MAX / 4 - most;
}

static void count_owned(const taking *t)
{
    const thudi_overview *o = &t->overview;
    for (int r = 0; r < t->team->size; r++)
    {
        t->part->rows_of[r] = o->rows_of[r];
        t->part->bodies_of[r] = first_body_of(o, r + 1) - first_body_of(o, r);
    }
    t->part->own_rows = o->rows_of[t->team->rank];
}

static void count_rows(const taking *t, thudi_packs *p)
{
    const thudi_overview *o = &t->overview;
    int first = o->brick_first[t->team->rank], end = o->brick_first[t->team->rank + 1];
    p->bricks = end - first;
    p->rows = t->closure.row_end - t->closure.row_first;
    for (int brick = first; brick < end; brick++)
        p->rows += o->brick_rows[brick];
    p->row_room = p->rows; // rows that join are laid out anew
    p->has_late = false;
}

// Lay out what the overview and the closure tell.
static thud_status lay_out(taking *t, thudi_packs *p)
{
    count_owned(t);
    count_rows(t, p);
    find_phases(t, p);
    THUD_TRY(open_rooms(t, p));
    number_bodies(t, p);
    for (int g = 0; g < p->bricks; g++)
        p->is_own[g] = true;
    THUD_TRY(place_inside(t, p));
    place_between(t, p);
    THUD_TRY(thudi_packs_open_groups(p));
    THUD_TRY(open_bricks(t, p));
    THUD_TRY(thudi_packs_open_bodies(p));
    return pack_rows(t, p);
}

// All that needs no other member. scratch: closed when it is done.
static thud_status take(taking *t, thud_rooms *scratch, bool *is_cut, thudi_packs *p)
{
    THUD_TRY(open_part(t, p->rooms));
    THUD_TRY(open_late(t, p->part, p->rooms));
    thud_status found =
        thudi_overview_open(t->packing, &t->part->late, scratch, &t->overview, is_cut);
    if (found != THUD_OK || !*is_cut)
        return found;
    if (is_too_large(&t->overview))
        return THUD_NEWS;
    THUD_TRY(thudi_closure_find(&t->overview, t->team->rank, &t->closure));
    THUD_TRY(lay_out(t, p));
    p->part = t->part;
    return THUD_OK;
}

thud_status thudi_part_take(const thudi_packing *packing, bool *is_cut, thudi_packs *p)
{
    taking t = {.packing = packing, .team = packing->team, .width = p->width};
    thud_rooms scratch = {0};
    p->rooms = packing->rooms;
    p->owner = packing->marks;
    int open = thud_rooms_count(p->rooms);
    *is_cut = false;
    thudi_rooms_begin(&scratch, &p->rooms->allocator);
    thudi_rooms_enter(&scratch);
    thud_status taken = take(&t, &scratch, is_cut, p);
    thudi_rooms_free(&scratch);
    if (taken == THUD_NEWS || (taken == THUD_OK && !*is_cut))
    {
        thud_rooms_close(p->rooms, open);
        return taken;
    }
    THUD_TRY(thud_team_meet(packing->team, taken, NULL));
    return thudi_part_open_lists(t.part, &t.tell, p->rooms);
}
