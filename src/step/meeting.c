// One reduction: the errors of all members, and a checksum of what they are about to commit.
#include "step/meeting.h"

#include "team/team.h"

#include <string.h>

// Two checksums of 32 bits of the next velocities and multipliers: doubles hold them exactly.
static void check_sum(const thud_state *state, const thud_work *work, double sum[2])
{
    const thud_report *report = &work->report;
    uint64_t hash = (uint64_t)state->n, bits;
    for (int k = 0; k < state->dim; k++)
    {
        memcpy(&bits, &report->velocity[k], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    for (int i = 0; i < work->rows->count; i++)
    {
        memcpy(&bits, &report->impulse[i], sizeof bits);
        hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    sum[0] = (double)(hash >> 32);
    sum[1] = (double)(uint32_t)hash;
}

thud_status thudi_step_meet(const thud_state *state, thud_work *work, thud_status status)
{
    thud_team *team = work->team;
    thudi_packet packet = {0};
    if (!thudi_team_is_shared(team))
        return status;
    if (team->status < 0) // all know since the projection
    {
        thudi_step_fail(state, work, team->message);
        return team->status;
    }
    double sum[2] = {0, 0};
    if (status >= 0)
        check_sum(state, work, sum);
    for (size_t k = 0; k < 2; k++)
    {
        packet.largest[2 * k] = sum[k]; // the largest is the smallest if all are the same
        packet.largest[2 * k + 1] = 0x1p32 - sum[k];
    }
    (void)thudi_team_hold(team, status, work->fault.text);
    if (thudi_team_reduce(team, &packet) < 0)
    {
        if (status >= 0) // another member's, which names the step
            thudi_work_fail(work, "%s", team->message);
        return status < 0 ? status : team->status;
    }
    for (size_t k = 0; k < 2; k++)
        if (packet.largest[2 * k] + packet.largest[2 * k + 1] != 0x1p32)
        {
            thudi_step_fail(state, work,
                            "the members of the team have come to different numbers: "
                            "are their programs and processors alike?");
            return team->status = THUD_ERR_FLOAT;
        }
    return status;
}
