// A team: members that solve one problem together. They share no memory: a member may be a process,
// or a thread that shares nothing with the others.
//
// A team is a value: its size, the rank of this member, and a table of functions that move bytes.
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

enum
{
    THUDI_TEAM_MESSAGE = 256 // bytes, with the 0 at the end
};

// What one member gives to another one, and what it gets from it. A size of 0: no message.
typedef struct thudi_parcel
{
    int rank; // of the other member
    size_t out_size, in_size;
    const void *out;
    void *in;
} thudi_parcel;

// How bytes are moved. user: thudi_team.user, the data of the code that made the team.
typedef struct thudi_team_calls
{
    // Sends all parcels, and returns when all are received. A parcel's in_size is the out_size that
    // the other member has for this one.
    void (*exchange)(void *user, const thudi_parcel *parcels, int count);
    // Joins the packets of all members; all get the result.
    void (*reduce)(void *user, thudi_packet *packet);
    // The bytes of member r go to all[first[r] .. first[r + 1]) of every member. `own` is no part
    // of `all`.
    void (*gather)(void *user, const void *own, void *all, const size_t *first);
    // All members get the data that member `rank` has.
    void (*share)(void *user, int rank, void *data, size_t size);
    // Returns when all members have called it.
    void (*barrier)(void *user);
} thudi_team_calls;

// What this member has done since the team was made.
typedef struct thudi_team_counts
{
    int64_t exchanges, reductions;
    int64_t messages, bytes; // that it sent in exchanges
} thudi_team_counts;

typedef struct thudi_team
{
    int size, rank; // rank: 0 .. size - 1
    const thudi_team_calls *calls;
    void *user;
    thud_status held;                 // an error of this member that the others do not know yet
    thud_status status;               // the error of the team; THUD_OK: none
    char message[THUDI_TEAM_MESSAGE]; // of `held` or `status`; "" if there is neither
    thudi_team_counts counts;
} thudi_team;

// A team of one.
thudi_team thudi_team_alone(void);

// Forget the error of the team, at the beginning of another common task.
void thudi_team_begin(thudi_team *team);

// Keep an error of this member until the next reduction, and return THUD_OK. A member that is alone
// gets its error back. why: the message; NULL: that of the status.
thud_status thudi_team_hold(thudi_team *team, thud_status status, const char *why);

void thudi_team_exchange(thudi_team *team, const thudi_parcel *parcels, int count);

// Returns the error of the team. The packet is joined if there is none.
thud_status thudi_team_reduce(thudi_team *team, thudi_packet *packet);

// first[r]: where the bytes of member r begin in `all`; first[size]: how many there are. Does
// nothing if the team has an error.
void thudi_team_gather(thudi_team *team, const void *own, void *all, const size_t *first);
void thudi_team_barrier(thudi_team *team);

// Hold an error, if status is one, and reduce. Returns the error of the team, else `status`.
thud_status thudi_team_agree(thudi_team *team, thud_status status, const char *why);

#endif
