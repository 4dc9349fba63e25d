// What the files of the jamming share.
#ifndef THUDI_JAM_H
#define THUDI_JAM_H

#include "core/memory.h"
#include "thud/inclusion.h"
#include "thud/jamming.h"
#include "thud/project.h"

struct thud_jam
{
    thud_allocator allocator;
    thud_jam_def def;
    int count;
    double *q, *trial; // 3 count each
    double diameter;
    uint64_t random; // the generator's counter
    thud_rows *rows;
    thud_projector *projector;
    THUDI_ARRAY(thud_pair_row) pairs;
    // multipliers of the last step that grew, by key, and its growth: a first guess of the next
    THUDI_ARRAY(thud_multiplier) last;
    int last_count;
    double last_growth;
    THUDI_ARRAY(double) warm;
    // the network that is looked at: forces are y, not yet of any unit
    THUDI_ARRAY(thud_jam_contact) contacts;
    int contact_count;
    int *degree;                    // contacts of each body, count
    bool *is_rattler;               // count
    double *bodies;                 // 6 vectors of 3 count + 1 numbers
    THUDI_ARRAY(double) by_contact; // 4 vectors
    thud_jam_view view;
};

// jam_pairs.c: the vector from a to the nearest image of b; returns its length.
double thudi_jam_between(const double *q, int a, int b, double vector[3]);
// The smallest distance of any two, and who they are (pair: NULL if not wanted).
double thudi_jam_nearest(const thud_jam *jam, const double *q, int pair[2]);
// Rows for all pairs nearer than reach: they keep `diameter` with a shift.
thud_status thudi_jam_rows(thud_jam *jam, double reach, double diameter, double shift);

// A random number in [0, 1).
double thudi_jam_uniform(thud_jam *jam);
// Call the user's progress; THUD_STOPPED if it says so.
thud_status thudi_jam_tell(const thud_jam *jam);

// jam_grow.c: one step; *grown tells whether there was room.
thud_status thudi_jam_grow(thud_jam *jam, double growth, bool *grown);
// The forces with which a growth for which there is no room is refused, as contacts.
thud_status thudi_jam_stress(thud_jam *jam, double growth);

// jam_network.c: keep what can be in balance, recursively, and make the forces so: false when
// nothing remains.
bool thudi_jam_balance(thud_jam *jam);
// Leave out what does not push and what holds nobody, recursively; true if there was any.
bool thudi_jam_prune(thud_jam *jam);
// Forces from y, with sum force times diameter = 1; false if none of y is positive.
bool thudi_jam_normalise(thud_jam *jam, const double *y);
// Distances and normals of the network at q.
void thudi_jam_measure(thud_jam *jam, const double *q);
// Close all contacts of the network, to rounding; false if that needs large moves.
bool thudi_jam_close(thud_jam *jam);
// Who is in no contact of the network; returns how many are.
int thudi_jam_find_rattlers(thud_jam *jam);
// 3 (held - 1) + 1.
int thudi_jam_isostatic(int held);

// jam_pivot.c: close the network, and exchange contacts until no other pair is nearer; false if
// that leads nowhere.
thud_status thudi_jam_pivot(thud_jam *jam, bool *done);

// jam_interior.c: from where `growth` was refused, grow until there is no room, and leave the
// network in balance; *done is false, and all is as before, if that was not reached.
thud_status thudi_jam_interior(thud_jam *jam, double growth, bool *done);

// jam_solve.c: least squares by conjugate gradients, until the squared gradient is `small` of the
// first.
// y <- y less the part that the bodies feel, and with s > 0 less that of sum y.
void thudi_jam_project_forces(thud_jam *jam, double s, double small, double *y);
// The displacement, and the change of the diameter, that close the gaps d - D best.
void thudi_jam_solve_gaps(thud_jam *jam, double small, double *displacement, double *change);
// force[3 i ..) = sum of the forces on body i, and in the end -s sum y.
void thudi_jam_sum_forces(const thud_jam *jam, const double *y, double s, double *force);

#endif
