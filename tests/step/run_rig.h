/// One body that flies or drops, and an observer that writes down what it sees.
#ifndef RUN_RIG_H
#define RUN_RIG_H

#include "unit_rig.h"

enum
{
    RUN_LOG = 400
};

/// What an observer saw, and when it wants to stop (at its stop_at-th call; 0: never).
typedef struct run_log
{
    int count, stop_at;
    double t[RUN_LOG], q[RUN_LOG], u[RUN_LOG];
    bool had_report[RUN_LOG];
} run_log;

int run_observe(const thud_view *view, void *user);

/// One body in free flight, u = 2.
extern const thud_inclusion run_free_flight;
rig run_flight(double t0, double h);

/// One body that falls to the ground.
extern const thud_inclusion run_drop;
int run_ground(const thud_moment *at, thud_rows *rows, void *user);

#endif
