/// Free flight and impacts, event by event (library thud_verify): an exact reference for a few
/// disks or spheres and fixed walls, to hold the scheme against. It has no step, and shares
/// nothing with the scheme.
///
/// Between impacts all bodies fall freely under one constant acceleration, so the gap of a pair is
/// that of straight relative motion and the gap of a wall is a parabola: times of impact are roots
/// of quadratics. Contacts that are closed at the same instant meet together,
/// u+ = P_C u- + e (P_C u- - u-), by an exact projection; e is that of docs/models.md.
///
/// What it cannot do it says, and stops there: contact that is held under force, and impacts that
/// accumulate. Bodies may stay in contact where nothing presses them together.
#ifndef THUD_EVENTS_H
#define THUD_EVENTS_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_events thud_events;

/// What to follow. All arrays are copied.
typedef struct thud_events_def
{
    int dim;               ///< 1, 2 or 3
    int count, wall_count; ///< bodies, at least 1; walls
    double start, end;     ///< start < end
    const double *q, *u;   ///< dim * count: centres and velocities at the start
    const double *radius;  ///< count, > 0
    const double *mass;    ///< count, > 0; NULL for 1
    /// dim * wall_count and wall_count: normal . x >= offset is free. Normals need not be unit
    /// vectors; they are made so, offsets with them.
    const double *normal, *offset;
    double acceleration[3]; ///< of gravity
    /// Contacts by material, as in thud_world_def: NULL for inelastic ones.
    int material_count;
    const double *restitution;       ///< material_count squared, symmetric, in [0, 1]
    const int *material;             ///< of bodies; NULL for 0
    const int *wall_material;        ///< of walls; NULL for 0
    double closest;                  ///< impacts of one contact nearer than this part of end -
                                     ///< start accumulate; default 1e-6
    int limit;                       ///< events at most; default 10,000
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_events_def;

typedef enum thud_events_ending
{
    THUD_EVENTS_DONE,       ///< the end was reached
    THUD_EVENTS_SUSTAINED,  ///< a body rests on a wall that gravity presses it to
    THUD_EVENTS_ACCUMULATE, ///< impacts follow each other ever faster
    THUD_EVENTS_LIMIT       ///< there were more than `limit`
} thud_events_ending;

/// One contact of an impact.
typedef struct thud_event_contact
{
    int a, b;         ///< bodies; b = -1 - wall for a wall
    double normal[3]; ///< unit, the direction in which b (for a wall: a) is pushed
    double impulse;   ///< > 0
} thud_event_contact;

/// One impact: the contacts that took part, and the velocities.
typedef struct thud_event
{
    double t;
    int first, count;             ///< contacts of thud_events_result
    const double *before, *after; ///< velocities, length dim * count
} thud_event;

/// What was found. Views, valid as long as the thud_events.
typedef struct thud_events_result
{
    thud_events_ending ending;
    double reached;   ///< the answer holds on [start, reached]
    int why_a, why_b; ///< the contact that ended it early, as in thud_event_contact
    const thud_event *events;
    int event_count;
    const thud_event_contact *contacts;
    int contact_count;
    double min_gap;    ///< the smallest over all pairs, walls and times
    double separation; ///< the smallest time between two events; INFINITY when there are not two
} thud_events_result;

/// Follow the bodies to the end. THUD_OK, or THUD_NEWS when it ended early (see `ending`);
/// THUD_ERR_ARGUMENT, THUD_ERR_MEMORY, THUD_ERR_NOT_FINITE; THUD_ERR_OVERLAP when bodies overlap at
/// the start by more than 1e-12 of the lengths there.
THUD_API thud_status thud_events_create(const thud_events_def *def, thud_events **out);
THUD_API void thud_events_destroy(thud_events *events); ///< NULL is allowed

THUD_API thud_events_result thud_events_view(const thud_events *events);

/// Positions and velocities at t in [start, reached]; at an impact those after it. Either may be
/// NULL.
THUD_API void thud_events_at(const thud_events *events, double t, double *q, double *u);

/// The impulse that contact (a, b), a < b or b = -1 - wall, took in all on [start, t].
THUD_API double thud_events_mass(const thud_events *events, int a, int b, double t);

/// The contacts of one impact, and its impulses: the projection of a velocity u onto
/// { v : rate_i + (G (v - u))_i >= 0 } is u + M^-1 G^T mu, mu >= 0.
typedef struct thud_cone
{
    int count;                            ///< contacts
    double *matrix;                       ///< A = G M^-1 G^T, count by count: to be filled in
    double *rate;                         ///< of u: to be filled in
    double *mu;                           ///< the answer
    double *factor, *z, *slack, *passive; ///< scratch; passive is 1 or 0
} thud_cone;

/// Numbers that a cone of `count` contacts needs, and the cone in them, all zero.
THUD_API size_t thud_cone_room(int count);
THUD_API thud_cone thud_cone_open(int count, double *room);

/// Find mu by the method of Lawson and Hanson, which is exact after finitely many rounds. Dependent
/// contacts get no impulse.
THUD_API void thud_cone_project(thud_cone *cone);

/// "", or one sentence on why it ended early.
THUD_API const char *thud_events_text(thud_events_ending ending);

#ifdef __cplusplus
}
#endif

#endif
