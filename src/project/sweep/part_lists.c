// The lists of a part: whom it sends to and receives from, and which bodies these are.
#include "project/sweep/part.h"

#include <string.h>

// What the members want from one of them.
typedef struct wanted
{
    int rank;  // of this one
    int *sent; // by rank: how many of its bodies a member wants
} wanted;

static void read_want(void *user, const void *record)
{
    const thudi_want *want = record;
    wanted *w = user;
    if (want->owner == w->rank)
        w->sent[want->member] = want->bodies;
}

// All members tell how many bodies they want from whom.
static void gather_wants(const thudi_part *part, const thudi_want *wants, int count, int *counts,
                         wanted *w)
{
    thud_team *team = part->team;
    size_t *first = part->round_first;
    for (int r = 0; r <= team->size; r++)
        first[r] = (size_t)r * sizeof *counts;
    thudi_team_gather(team, &count, counts, first);
    thudi_part_gather(part, counts, sizeof *wants, wants, read_want, w);
}

// The members that this one sends to or receives from. Returns how many bodies it sends.
static int find_neighbours(thudi_part *part, const thudi_want *wants, int count, const int *out_of)
{
    int sent = 0, ghosts = 0, next = 0;
    for (int r = 0; r < part->team->size; r++)
    {
        bool wants_some = next < count && wants[next].owner == r;
        int out = out_of[r], in = wants_some ? wants[next++].bodies : 0;
        if (out + in == 0)
            continue;
        part->neighbour[part->neighbours++] =
            (thudi_neighbour){r, {sent, sent + out}, {ghosts, ghosts + in}};
        sent += out;
        ghosts += in;
    }
    return sent;
}

// The lists of bodies, room for their velocities, and room for multipliers.
static thud_status open_rooms(thudi_part *part, thud_rooms *rooms, int sent)
{
    size_t all = (size_t)sent, of_body = (size_t)part->width * sizeof(double);
    THUD_TRY(thudi_room(rooms, &part->sent, all, "part: bodies that are sent"));
    THUD_TRY(thudi_room(rooms, &part->out, all * of_body, "part: velocities sent"));
    THUD_TRY(thudi_room(rooms, &part->in, (size_t)part->ghosts * of_body, "part: of ghosts"));
    return thudi_room(rooms, &part->own, (size_t)part->own_rows, "part: own multipliers");
}

// Tell the owners of ghosts which bodies these are.
static void exchange_lists(const thudi_part *part, const int *ghost)
{
    for (int n = 0; n < part->neighbours; n++)
    {
        const thudi_neighbour *to = &part->neighbour[n];
        part->parcels[n] =
            thudi_part_parcel(to->rank, sizeof *ghost, ghost, to->ghosts, part->sent, to->sent);
    }
    thudi_team_exchange(part->team, part->parcels, part->neighbours);
}

thud_status thudi_part_open_lists(thudi_part *part, const thudi_tell *tell, thud_rooms *rooms)
{
    wanted w = {part->team->rank, tell->sent};
    memset(w.sent, 0, (size_t)part->team->size * sizeof *w.sent);
    gather_wants(part, tell->wants, tell->count, tell->counts, &w);
    int sent = find_neighbours(part, tell->wants, tell->count, w.sent);
    THUD_TRY(thud_team_meet(part->team, open_rooms(part, rooms, sent), NULL));
    exchange_lists(part, tell->ghost);
    return THUD_OK;
}
