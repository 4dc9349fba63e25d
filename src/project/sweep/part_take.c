// A part of a layout: its rows and bodies with new numbers, and the lists of what is sent.
#include "project/sweep/part.h"

#include "project/sweep/closure.h"
#include "project/sweep/packs_layout.h"

#include <string.h>

// What a part is made from. Arrays are rooms.
typedef struct taking
{
    const thudi_packs *whole;
    thudi_closure closure;
    thud_team *team;
    thudi_part *part;
    int *body; // by body of the whole layout: its number in the part, -1 for none
    int *from; // by row of the part: its slot in the whole layout
    // What this member wants: bodies of each member, and behind them the number of its own rows.
    int *own_wanted;
    int *wanted; // of member r, from wanted[r * (size + 1)] on
    int *ghost;  // by ghost: its number among the bodies of its owner
} taking;

// Own bodies come first. The layout has its bodies in the order of their owners, so that ghosts of
// one owner follow each other.
static void number_bodies(taking *t, thudi_packs *p)
{
    const thudi_closure *c = &t->closure;
    int rank = t->team->rank, first = c->body_first[rank], end = c->body_first[rank + 1];
    int own = end - first, ghost = own, owner = 0;
    memset(t->own_wanted, 0, ((size_t)t->team->size + 1) * sizeof *t->own_wanted);
    for (int i = 0; i < t->whole->bodies; i++)
    {
        bool is_own = i >= first && i < end;
        t->body[i] = is_own ? i - first : c->is_needed[i] ? ghost++ : -1;
        if (t->body[i] < 0)
            continue;
        p->coordinate[t->body[i]] = t->whole->coordinate[i];
        while (i >= c->body_first[owner + 1])
            owner++;
        if (!is_own)
        {
            t->ghost[t->body[i] - own] = i - c->body_first[owner];
            t->own_wanted[owner]++;
        }
    }
    t->own_wanted[t->team->size] = c->own_rows;
    t->part->own_bodies = own;
    t->part->ghosts = ghost - own;
    t->part->own_rows = c->own_rows;
    p->bodies = ghost;
}

// The rows that are taken from a group, in the order of their slots. Their slot is the number of
// their group for now. Returns how many rows there are then.
static int copy_group(const taking *t, int g, int group, int count, thudi_packs *p)
{
    const thudi_packs *whole = t->whole;
    int first = THUDI_PACK_WIDTH * whole->pack_first[g];
    int end = THUDI_PACK_WIDTH * whole->pack_first[g + 1];
    for (int slot = first; slot < end; slot++)
    {
        if (t->closure.row_at[slot] < 0)
            continue;
        const thudi_placed_row *row = &whole->placed[t->closure.row_at[slot]];
        p->placed[count] = (thudi_placed_row){
            .row = row->row,
            .a = row->a >= 0 ? t->body[row->a] : -1,
            .b = t->body[row->b],
            .slot = group,
        };
        t->from[count++] = slot;
    }
    return count;
}

// The own bricks, and all other groups from which rows are taken.
static void copy_groups(const taking *t, thudi_packs *p)
{
    const thudi_packs *whole = t->whole;
    const thudi_closure *c = &t->closure;
    int rank = t->team->rank, group = 0, count = 0;
    p->phase_first[0] = 0;
    for (int phase = 0; phase < whole->phases; phase++)
    {
        for (int g = whole->phase_first[phase]; g < whole->phase_first[phase + 1]; g++)
        {
            int end = copy_group(t, g, group, count, p);
            if (end > count || (phase == 0 && c->is_own[g]))
                p->is_own[group++] = c->is_own[g];
            count = end;
        }
        p->phase_first[phase + 1] = group;
    }
    p->rows = p->row_room = count; // rows join the whole layout
    p->groups = group;
    p->bricks = c->brick_first[rank + 1] - c->brick_first[rank];
}

// Packs as in the whole layout, without those from which no row is taken. Lanes are filled from the
// first one on.
static void number_slots(const taking *t, thudi_packs *p)
{
    int packs = 0, lane = 0;
    memset(p->pack_first, 0, ((size_t)p->groups + 1) * sizeof *p->pack_first);
    for (int i = 0; i < p->rows; i++)
    {
        bool is_new = i == 0 || t->from[i] / THUDI_PACK_WIDTH != t->from[i - 1] / THUDI_PACK_WIDTH;
        lane = is_new ? 0 : lane + 1;
        packs += is_new;
        p->pack_first[p->placed[i].slot + 1] += is_new;
        p->placed[i].slot = (packs - 1) * THUDI_PACK_WIDTH + lane;
    }
    for (int g = 0; g < p->groups; g++)
        p->pack_first[g + 1] += p->pack_first[g];
}

static thud_status open_bricks(const taking *t, thudi_packs *p)
{
    const int *first = t->whole->body_first + t->closure.brick_first[t->team->rank];
    THUD_TRY(thudi_room(p->rooms, &p->body_first, (size_t)p->bricks + 1, "part: first bodies"));
    THUD_TRY(thudi_room(p->rooms, &p->energy, (size_t)p->bricks, "part: energies of bricks"));
    for (int brick = 0; brick <= p->bricks; brick++)
        p->body_first[brick] = first[brick] - first[0];
    return THUD_OK;
}

static thud_status open_rooms(taking *t, thudi_packs *p)
{
    thud_rooms *rooms = p->rooms;
    const thudi_closure *c = &t->closure;
    size_t rows = (size_t)c->rows, bodies = (size_t)c->bodies, members = (size_t)t->team->size;
    THUD_TRY(thudi_room(rooms, &t->part, 1, "part"));
    THUD_TRY(thudi_room(rooms, &p->placed, rows, "part: placed rows"));
    THUD_TRY(thudi_room(rooms, &p->scale, rows, "part: scales"));
    THUD_TRY(thudi_room(rooms, &p->coordinate, bodies, "part: coordinates"));
    THUD_TRY(thudi_room(rooms, &p->is_own, (size_t)t->whole->groups, "part: own groups"));
    THUD_TRY(thudi_room(rooms, &t->body, (size_t)t->whole->bodies, "part: numbers of bodies"));
    THUD_TRY(thudi_room(rooms, &t->from, rows, "part: slots of the layout"));
    THUD_TRY(thudi_room(rooms, &t->own_wanted, members + 1, "part: own wanted bodies"));
    THUD_TRY(thudi_room(rooms, &t->wanted, members * (members + 1), "part: wanted bodies"));
    return thudi_room(rooms, &t->ghost, bodies, "part: ghosts");
}

static thud_status open_neighbours(const taking *t, thud_rooms *rooms)
{
    thudi_part *part = t->part;
    size_t members = (size_t)t->team->size;
    THUD_TRY(thudi_room(rooms, &part->gathered_first, members + 1, "part: first multipliers"));
    THUD_TRY(thudi_room(rooms, &part->neighbour, members, "part: neighbours"));
    return thudi_room(rooms, &part->parcels, members, "part: parcels");
}

// All that needs no other member.
static thud_status take(taking *t, const int *cut, thudi_packs *p)
{
    THUD_TRY(thudi_closure_find(t->whole, t->team, cut, &t->closure));
    THUD_TRY(open_rooms(t, p));
    *t->part = (thudi_part){.team = t->team,
                            .cut = cut,
                            .whole = *t->whole,
                            .body_first = t->closure.body_first,
                            .width = p->width};
    p->phases = t->whole->phases;
    number_bodies(t, p);
    copy_groups(t, p);
    THUD_TRY(thudi_packs_open_groups(p));
    THUD_TRY(open_bricks(t, p));
    THUD_TRY(thudi_packs_open_bodies(p));
    number_slots(t, p);
    p->part = t->part;
    return open_neighbours(t, p->rooms);
}

// All members tell how many bodies they want from each other, and how many rows they own.
static thud_status gather_wanted(const taking *t)
{
    int size = t->team->size;
    size_t row = ((size_t)size + 1) * sizeof *t->wanted, *first = t->part->gathered_first;
    for (int r = 0; r <= size; r++)
        first[r] = (size_t)r * row;
    thudi_team_gather(t->team, t->own_wanted, t->wanted, first);
    return t->team->status;
}

// The members that this one sends to or receives from. Returns how many bodies it sends.
static int find_neighbours(const taking *t)
{
    thudi_part *part = t->part;
    int size = t->team->size, rank = t->team->rank, sent = 0, ghosts = 0;
    for (int r = 0; r < size; r++)
    {
        int out = t->wanted[(size_t)r * ((size_t)size + 1) + (size_t)rank];
        int in = t->wanted[(size_t)rank * ((size_t)size + 1) + (size_t)r];
        if (r == rank || out + in == 0)
            continue;
        part->neighbour[part->neighbours++] =
            (thudi_neighbour){r, {sent, sent + out}, {ghosts, ghosts + in}};
        sent += out;
        ghosts += in;
    }
    return sent;
}

// The lists of bodies, room for their velocities, and room for multipliers.
static thud_status open_lists(const taking *t, thud_rooms *rooms)
{
    thudi_part *part = t->part;
    size_t *first = part->gathered_first, size = (size_t)t->team->size;
    size_t sent = (size_t)find_neighbours(t), of_body = (size_t)part->width * sizeof(double);
    for (size_t r = 0; r <= size; r++)
        first[r] = r == 0 ? 0
                          : first[r - 1] +
                                sizeof *part->own * (size_t)t->wanted[(r - 1) * (size + 1) + size];
    size_t rows = first[size] / sizeof *part->own;
    THUD_TRY(thudi_room(rooms, &part->sent, sent, "part: bodies that are sent"));
    THUD_TRY(thudi_room(rooms, &part->out, sent * of_body, "part: velocities sent"));
    THUD_TRY(thudi_room(rooms, &part->in, (size_t)part->ghosts * of_body, "part: of ghosts"));
    THUD_TRY(thudi_room(rooms, &part->own, (size_t)part->own_rows, "part: own multipliers"));
    return thudi_room(rooms, &part->gathered, rows, "part: all multipliers");
}

// Tell the owners of ghosts which bodies these are.
static void exchange_lists(const taking *t)
{
    const thudi_part *part = t->part;
    for (int n = 0; n < part->neighbours; n++)
    {
        const thudi_neighbour *to = &part->neighbour[n];
        part->parcels[n] = thudi_part_parcel(to->rank, sizeof *t->ghost, t->ghost, to->ghosts,
                                             part->sent, to->sent);
    }
    thudi_team_exchange(t->team, part->parcels, part->neighbours);
}

thud_status thudi_part_take(thud_team *team, const int *cut, thudi_packs *p)
{
    thudi_packs whole = p->part ? p->part->whole : *p;
    taking t = {.whole = &whole, .team = team};
    THUD_TRY(thud_team_meet(team, take(&t, cut, p), NULL));
    THUD_TRY(gather_wanted(&t));
    THUD_TRY(thud_team_meet(team, open_lists(&t, p->rooms), NULL));
    exchange_lists(&t);
    return THUD_OK;
}
