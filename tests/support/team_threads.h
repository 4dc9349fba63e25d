/// A team of threads in one process. Members share nothing but mailboxes: a message is copied, and
/// packets are joined in the order in which the members come.
#ifndef TEAM_THREADS_H
#define TEAM_THREADS_H

#include "team/team.h"

/// What every member does. user: shared by all members.
typedef void team_member_fn(thud_team *team, void *user);

/// Run so many members, each in another thread with `threads` OpenMP threads, and wait for
/// them. True if every message was taken. The process is aborted if threads or memory are missing.
bool team_threads_run(int size, int threads, team_member_fn *member, void *user);

#endif
