// What a part sends and receives.
#include "project/sweep/part.h"

#include <string.h>

thud_parcel thudi_part_parcel(int rank, size_t size, const void *out, thudi_stretch sent, void *in,
                              thudi_stretch received)
{
    return (thud_parcel){
        .rank = rank,
        .out_size = (size_t)(sent.end - sent.first) * size,
        .in_size = (size_t)(received.end - received.first) * size,
        .out = (const char *)out + (size_t)sent.first * size,
        .in = (char *)in + (size_t)received.first * size,
    };
}

void thudi_part_exchange(const thudi_part *part, void *velocity, size_t size)
{
    size_t body = 4 * size, sent = (size_t)part->width * size;
    char *own = velocity, *ghosts = own + body * (size_t)part->own_bodies;
    for (int n = 0; n < part->neighbours; n++)
    {
        const thudi_neighbour *to = &part->neighbour[n];
        for (int i = to->sent.first; i < to->sent.end; i++)
            memcpy(part->out + (size_t)i * sent, own + (size_t)part->sent[i] * body, sent);
        part->parcels[n] =
            thudi_part_parcel(to->rank, sent, part->out, to->sent, part->in, to->ghosts);
    }
    thudi_team_exchange(part->team, part->parcels, part->neighbours);
    for (int i = 0; i < part->ghosts; i++)
        memcpy(ghosts + (size_t)i * body, part->in + (size_t)i * sent, sent);
}

void thudi_part_forget(const thudi_part *part, void *velocity, size_t size)
{
    char *ghosts = (char *)velocity + 4 * size * (size_t)part->own_bodies;
    for (int i = 0; i < part->ghosts; i++)
        memset(ghosts + 4 * size * (size_t)i, 0xff, (size_t)part->width * size); // NAN
}

thud_status thudi_part_agree(const thudi_part *part, thud_status status, double *largest, int count)
{
    if (!part)
        return status;
    thudi_packet all = {0};
    for (int i = 0; i < count; i++)
        all.largest[i] = largest[i];
    THUD_TRY(thudi_team_hold(part->team, status, NULL));
    THUD_TRY(thudi_team_reduce(part->team, &all));
    for (int i = 0; i < count; i++)
        largest[i] = all.largest[i];
    return THUD_OK;
}

thud_status thudi_part_hold(const thudi_part *part, thud_status status)
{
    return part ? thudi_team_hold(part->team, status, NULL) : status;
}

// How many records of member r are in the round that begins with its record `from`.
static int records_of_round(const int *counts, int r, int from, int share)
{
    int left = counts[r] - from;
    return left <= 0 ? 0 : left < share ? left : share;
}

void thudi_part_gather(const thudi_part *part, const int *counts, size_t size, const void *own,
                       thudi_record_fn *take, void *user)
{
    thud_team *team = part->team;
    size_t *first = part->round_first, fit = THUDI_ROUND / size / (size_t)team->size;
    int share = fit > 1 ? (int)fit : 1, most = 0;
    for (int r = 0; r < team->size; r++)
        most = counts[r] > most ? counts[r] : most;
    for (int from = 0; from < most && team->status == THUD_OK; from += share)
    {
        first[0] = 0;
        for (int r = 0; r < team->size; r++)
            first[r + 1] = first[r] + size * (size_t)records_of_round(counts, r, from, share);
        bool has_some = from < counts[team->rank];
        thudi_team_gather(team, (const char *)own + (has_some ? size * (size_t)from : 0),
                          part->round, first);
        for (size_t at = 0; at < first[team->size]; at += size)
            take(user, part->round + at);
    }
}
