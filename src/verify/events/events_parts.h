// What the files of the event-driven reference share: the bodies in flight, and their impacts.
#ifndef THUDI_EVENTS_PARTS_H
#define THUDI_EVENTS_PARTS_H

#include "core/memory.h"
#include "thud/events.h"

// A contact that is closed at the instant of an impact.
typedef struct thudi_meeting
{
    int a, b;       // b < count: a body; else wall b - count
    double n[3];    // the direction in which b (for a wall: a) is pushed
    double e;       // restitution
    double rate;    // n . (u_b - u_a), or n . u_a, before
    double impulse; // of this round
    int leader;     // the smallest body of its cluster
} thudi_meeting;

typedef THUDI_ARRAY(thudi_meeting) thudi_meetings;

struct thud_events
{
    thud_allocator allocator;
    thud_events_def def; // its arrays are those below
    int dim, count, wall_count;
    double *numbers; // one block for all that follow
    size_t number_count;
    double *q, *u, *radius, *mass, *normal, *offset, *restitution, *last; // last by contact
    int *material; // of bodies, then of walls
    size_t material_length;
    double now, length_scale, speed_scale;
    thudi_meetings meetings;
    THUDI_ARRAY(double) square; // the matrices of the projection
    // the answer
    THUDI_ARRAY(double) pieces; // q and u at the start of every piece, u before it first
    THUDI_ARRAY(thud_event) list;
    THUDI_ARRAY(thud_event_contact) contacts;
    thud_events_result result;
};

// The object of a description, at the start; THUD_ERR_ARGUMENT, THUD_ERR_MEMORY.
thud_status thudi_events_begin(const thud_events_def *def, thud_events **out);

// Point the answer at what was found.
void thudi_events_finish(thud_events *events);

// n . (u_b - u_a) of a meeting.
double thudi_meeting_rate(const thud_events *events, const thudi_meeting *meeting);

// Apply the law of impact to the velocities, given the meetings with their rates; their impulses
// are set. THUD_ERR_MEMORY.
thud_status thudi_events_impact(thud_events *events, int count);

#endif
