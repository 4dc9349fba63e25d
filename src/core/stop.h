// A request to stop a computation. It is read between sweeps, changes of the active set,
// evaluations of the force and rounds of a step. It never changes a result, it only prevents one.
#ifndef THUDI_STOP_H
#define THUDI_STOP_H

#include "core/clock.h"
#include "thud/base.h"

typedef struct thudi_stop
{
    volatile const int *flag; // non-zero: stop; NULL for none
    double deadline;          // seconds of the monotonic clock; 0 for none
    bool was_seen;            // a computation has read the request
} thudi_stop;

static inline bool thudi_is_stopped(thudi_stop *stop)
{
    if ((stop->flag && *stop->flag != 0) ||
        (stop->deadline > 0 && thudi_seconds() >= stop->deadline))
        stop->was_seen = true;
    return stop->was_seen;
}

static inline thud_status thudi_stop_status(thudi_stop *stop)
{
    return thudi_is_stopped(stop) ? THUD_ERR_STOPPED : THUD_OK;
}

#endif
