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

void thudi_part_gather(const thudi_part *part, double *x)
{
    thud_team *team = part->team;
    thudi_team_gather(team, part->own, part->gathered, part->gathered_first);
    size_t count =
        team->status == THUD_OK ? part->gathered_first[team->size] / sizeof *part->gathered : 0;
    for (size_t i = 0; i < count; i++)
        x[part->gathered[i].row] = part->gathered[i].x;
}
