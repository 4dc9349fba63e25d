// What all teams have in common: errors, counts, and the team of one.
#include "team/team.h"

#include "core/memory.h"

#include <stdio.h>
#include <string.h>

static void exchange_nothing(void *user, const thud_parcel *parcels, int count)
{
    (void)user;
    (void)parcels;
    (void)count;
}

static void reduce_nothing(void *user, void *packet, size_t size)
{
    (void)user;
    (void)packet;
    (void)size;
}

static void copy_own(void *user, const void *own, void *all, const size_t *first)
{
    (void)user;
    memcpy((char *)all + first[0], own, first[1] - first[0]);
}

static void share_nothing(void *user, int rank, void *data, size_t size)
{
    (void)user;
    (void)rank;
    (void)data;
    (void)size;
}

static void pass(void *user)
{
    (void)user;
}

thud_team thudi_team_alone(void)
{
    static const thud_team_calls calls = {exchange_nothing, reduce_nothing, copy_own, share_nothing,
                                          pass};
    return (thud_team){.size = 1, .calls = &calls};
}

thud_status thud_team_create(const thud_team_def *def, thud_team **out)
{
    *out = NULL;
    if (def->size < 1 || def->rank < 0 || def->rank >= def->size || !def->calls)
        return THUD_ERR_ARGUMENT;
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thud_team *team = thudi_allocate_zeroed(&allocator, sizeof *team);
    if (!team)
        return THUD_ERR_MEMORY;
    *team = (thud_team){.size = def->size,
                        .rank = def->rank,
                        .calls = def->calls,
                        .user = def->user,
                        .allocator = allocator,
                        .cut_seed = def->cut_seed};
    *out = team;
    return THUD_OK;
}

void thud_team_destroy(thud_team *team)
{
    if (!team)
        return;
    thud_allocator allocator = team->allocator;
    thudi_free(&allocator, team, sizeof *team);
}

int thud_team_size(const thud_team *team)
{
    return team ? team->size : 1;
}

int thud_team_rank(const thud_team *team)
{
    return team ? team->rank : 0;
}

const char *thud_team_message(const thud_team *team)
{
    return team->message;
}

thud_team_counts thud_team_count(const thud_team *team)
{
    return team->counts;
}

void thud_team_begin(thud_team *team)
{
    team->held = team->status = THUD_OK;
    team->message[0] = 0;
}

thud_status thudi_team_hold(thud_team *team, thud_status status, const char *why)
{
    if (status >= 0 || team->size == 1)
        return status;
    if (team->held == THUD_OK && team->status == THUD_OK)
    {
        team->held = status;
        (void)snprintf(team->message, sizeof team->message, "member %d of %d: %s", team->rank + 1,
                       team->size, why ? why : thud_status_text(status));
    }
    return THUD_OK;
}

void thudi_team_exchange(thud_team *team, const thud_parcel *parcels, int count)
{
    if (team->status < 0)
        return;
    team->counts.exchanges++;
    for (int i = 0; i < count; i++)
    {
        team->counts.messages += parcels[i].out_size > 0;
        team->counts.bytes += (int64_t)parcels[i].out_size;
    }
    team->calls->exchange(team->user, parcels, count);
}

thud_status thudi_team_reduce(thud_team *team, thudi_packet *packet)
{
    if (team->status < 0)
        return team->status;
    packet->failed = team->held < 0 ? 1 + team->rank : 0;
    packet->status = team->held;
    team->counts.reductions++;
    team->calls->reduce(team->user, packet, sizeof *packet);
    if (packet->failed > 0)
    {
        team->calls->share(team->user, packet->failed - 1, team->message, sizeof team->message);
        team->status = packet->status;
        team->held = THUD_OK;
    }
    return team->status;
}

void thudi_team_gather(thud_team *team, const void *own, void *all, const size_t *first)
{
    if (team->status == THUD_OK)
        team->calls->gather(team->user, own, all, first);
}

void thud_team_share(thud_team *team, int rank, void *data, size_t size)
{
    if (team->status == THUD_OK && size > 0)
        team->calls->share(team->user, rank, data, size);
}

void thudi_team_barrier(thud_team *team)
{
    if (team->status == THUD_OK)
        team->calls->barrier(team->user);
}

thud_status thud_team_meet(thud_team *team, thud_status status, const char *why)
{
    thudi_packet packet = {0};
    THUD_TRY(thudi_team_hold(team, status, why));
    THUD_TRY(thudi_team_reduce(team, &packet));
    return status;
}
