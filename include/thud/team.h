/// Teams: processes that solve a problem together. A step of a team has the bits of a step alone.
///
/// A team is made from functions that move bytes between its members. Those of MPI are in
/// thud/mpi.h. Every member makes the same calls of the library with equal arguments, each with a
/// work space, a state and a problem of its own (thud_work_set_team).
///
/// An error of one member becomes that of all. The call that fails returns the same status on every
/// member, and thud_team_message tells whose error it was.
#ifndef THUD_TEAM_H
#define THUD_TEAM_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    THUD_TEAM_MESSAGE = 256 ///< bytes of a message, with the 0 at the end
};

/// What one member gives to another one, and what it gets from it. A size of 0: no message.
typedef struct thud_parcel
{
    int rank; ///< of the other member
    size_t out_size, in_size;
    const void *out;
    void *in;
} thud_parcel;

/// How bytes are moved. `user` is that of the def. All members call the functions in the same
/// order. They have no way to fail: a transport that breaks down ends the process.
typedef struct thud_team_calls
{
    /// Sends all parcels, and returns when all are received. A parcel's in_size is the out_size
    /// that the other member has for this one. Only members that share a parcel call it together.
    void (*exchange)(void *user, const thud_parcel *parcels, int count);
    /// Joins the packets of all members by thud_team_join, in any order; all get the result. size:
    /// the bytes of one packet, less than 4 KiB.
    void (*reduce)(void *user, void *packet, size_t size);
    /// The bytes of member r go to all[first[r] .. first[r + 1]) of every member. `own` is no part
    /// of `all`.
    void (*gather)(void *user, const void *own, void *all, const size_t *first);
    /// All members get the data that member `rank` has.
    void (*share)(void *user, int rank, void *data, size_t size);
    /// Returns when all members have called it.
    void (*barrier)(void *user);
} thud_team_calls;

/// What this member has done since the team was made.
typedef struct thud_team_counts
{
    int64_t exchanges, reductions;
    int64_t messages, bytes; ///< that it sent in exchanges
} thud_team_counts;

typedef struct thud_team thud_team;

typedef struct thud_team_def
{
    int size, rank;               ///< rank: 0 .. size - 1
    const thud_team_calls *calls; ///< borrowed for the life of the team
    void *user;
    /// For tests: deal bricks to members at random, anew for every layout, some of them none. 0 for
    /// about as many rows each. Results do not depend on it.
    uint64_t cut_seed;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_team_def;

THUD_API thud_status thud_team_create(const thud_team_def *def, thud_team **out);
THUD_API void thud_team_destroy(thud_team *team); ///< NULL is allowed

THUD_API int thud_team_size(const thud_team *team); ///< of NULL: 1
THUD_API int thud_team_rank(const thud_team *team); ///< of NULL: 0

/// Join what another member has into a packet. Both are packets of a reduction, as `reduce` gets
/// them. The result does not depend on the order in which packets are joined.
THUD_API void thud_team_join(void *packet, const void *other);

/// The members meet: each says how it fares. Returns the error of the member with the lowest rank
/// that has one, on every member, else `status`. why: the message; NULL: that of the status.
THUD_API thud_status thud_team_meet(thud_team *team, thud_status status, const char *why);

/// All members get the data that member `rank` has.
THUD_API void thud_team_share(thud_team *team, int rank, void *data, size_t size);

/// "member 2 of 4: out of memory", or "" if there was no error.
THUD_API const char *thud_team_message(const thud_team *team);

/// Forget the error of the team. All members do so before they begin anew.
THUD_API void thud_team_begin(thud_team *team);

THUD_API thud_team_counts thud_team_count(const thud_team *team);

#ifdef __cplusplus
}
#endif

#endif
