/// A frame of a run made ready to show: bodies in space and contacts with their forces at the end
/// of a step. (library thud_run)
#ifndef THUD_SNAPSHOT_H
#define THUD_SNAPSHOT_H

#include "thud/model.h"
#include "thud/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The end of a step: positions q_n+1, velocities u_n+1 and the contact forces mu / h of the step,
/// at time t_n+1. The start is shown as it is, without contacts.
typedef struct thud_snapshot
{
    int64_t frame; ///< its number in the log
    double t;
    double h; ///< 0 for the start
    /// The coordinates as the log has them, and the multipliers of the step.
    const double *q, *u;
    const thud_multiplier *multipliers;
    int multiplier_count;
    /// Spheres, always in three dimensions. An inclusion has no bodies and no contacts.
    int count;
    const int64_t *id;
    const int64_t *material;           ///< index, -1 for none
    const double *position, *velocity; ///< 3 numbers each
    const double *seen;                ///< 3 each: positions in the cell, where axes are periodic
    const double *radius, *mass, *energy, *speed;
    /// Sum of the contact forces on a body, divided by its surface, in two dimensions by its
    /// circumference.
    const double *pressure;
    /// Contacts that carry load.
    int touch_count;
    const int64_t *a, *b;  ///< bodies; b = -1 - wall for a wall: planes first, then obstacles
    const double *ends;    ///< 6 numbers each: from, to
    const double *normal;  ///< 3 each
    const double *impulse; ///< mu
    const double *force;   ///< mu / h, in first order mu
} thud_snapshot;

typedef struct thud_snapshot_reader thud_snapshot_reader; ///< holds the memory of a snapshot

typedef struct thud_snapshot_def
{
    const thud_scene *scene;         ///< borrowed, as are model and log
    const thud_model *model;         ///< made of that scene
    thud_log *log;                   ///< of a run of that scene
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_snapshot_def;

/// Make a reader. THUD_ERR_MEMORY, or THUD_ERR_ARGUMENT when one of the three is missing or log and
/// model differ in their numbers of coordinates.
THUD_API thud_status thud_snapshot_open(const thud_snapshot_def *def, thud_snapshot_reader **out,
                                        thud_fault *fault);
THUD_API void thud_snapshot_close(thud_snapshot_reader *reader); ///< NULL is allowed

/// Read frame i of the log, 0 <= i < frame_count, into *snapshot: views, valid until the next call
/// with this reader or with its log. Errors of thud_log_frame, THUD_ERR_MEMORY.
THUD_API thud_status thud_snapshot_read(thud_snapshot_reader *reader, int64_t i,
                                        thud_snapshot *snapshot, thud_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
