// A team: members that solve one problem together. They share no memory: a member may be a process,
// or a thread that shares nothing with the others.
//
// All members call the functions below in the same order. An exchange is between pairs of members;
// all other functions are for all of them at once.
//
// An error of one member becomes that of all at the next reduction. So a member that fails between
// two reductions must not return: it calls thudi_team_hold, and goes on as far as the exchanges
// need it. After the reduction `status` is the error on every member, and `message` is that of the
// member that failed. From then on no function waits for another member.
//
// The team `alone` is in the library. Teams of threads are in tests/support/team_threads.h: only
// tests and benchmarks use them, because OpenMP shares the work of a process with less copying.
#ifndef THUDI_TEAM_H
#define THUDI_TEAM_H

#include "team/packet.h"
#include "thud/team.h"

struct thud_team
{
    int size, rank; // rank: 0 .. size - 1
    const thud_team_calls *calls;
    void *user;
    thud_allocator allocator;        // of a team that was created
    uint64_t cut_seed;               // see thud_team_def
    thud_status held;                // an error of this member that the others do not know yet
    thud_status status;              // the error of the team; THUD_OK: none
    char message[THUD_TEAM_MESSAGE]; // of `held` or `status`; "" if there is neither
    thud_team_counts counts;
};

// A team of one.
thud_team thudi_team_alone(void);

// Do several members share the work? NULL: no.
static inline bool thudi_team_is_shared(const thud_team *team)
{
    return team && team->size > 1;
}

// Keep an error of this member until the next reduction, and return THUD_OK. A member that is alone
// gets its error back. why: the message; NULL: that of the status.
thud_status thudi_team_hold(thud_team *team, thud_status status, const char *why);

void thudi_team_exchange(thud_team *team, const thud_parcel *parcels, int count);

// Returns the error of the team. The packet is joined if there is none.
thud_status thudi_team_reduce(thud_team *team, thudi_packet *packet);

// first[r]: where the bytes of member r begin in `all`; first[size]: how many there are. Does
// nothing if the team has an error.
void thudi_team_gather(thud_team *team, const void *own, void *all, const size_t *first);
void thudi_team_barrier(thud_team *team);

#endif
