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
    double *q, *trial; // 3 count each; trial: where a step would lead, or where it began
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
    int *degree;      // contacts of each body, count
    bool *is_rattler; // count
    // scratch, lent to one at a time: a step of growth has w here, the balance of forces residuals,
    // and Newton's method three vectors and a number for each body
    double *bodies;                 // 10 count
    THUDI_ARRAY(double) by_contact; // 3 contact_count: two of the balance, and its forces y
    thud_jam_view view;
};

// jam_pairs.c: the vector from a to the nearest image of b; returns its length.
double thudi_jam_between(const double *q, int a, int b, double vector[3]);
// The smallest distance of any two.
double thudi_jam_nearest(const thud_jam *jam, const double *q);
// Rows for all pairs nearer than reach: they keep `diameter` with a shift.
thud_status thudi_jam_rows(thud_jam *jam, double reach, double diameter, double shift);

// A random number in [0, 1).
double thudi_jam_uniform(thud_jam *jam);
// Call the user's progress; THUD_STOPPED if it says so.
thud_status thudi_jam_show_progress(const thud_jam *jam);

// jam_grow.c: one step of growth. *grown tells whether there was room; if not, the packing is
// unchanged.
thud_status thudi_jam_grow(thud_jam *jam, double growth, bool *grown);

// jam_network.c: keep what can be in balance, recursively, and make the forces so: false when
// nothing remains.
bool thudi_jam_balance(thud_jam *jam);
// Who is in no contact of the network; returns how many are.
int thudi_jam_find_rattlers(thud_jam *jam);
// 3 (held - 1) + 1.
int thudi_jam_isostatic(int held);

// jam_interior.c: from where `growth` was refused, grow until there is no room, and leave the
// network in balance; *done is false, and all is as before, if that was not reached.
thud_status thudi_jam_interior(thud_jam *jam, double growth, bool *done);

// jam_forces.c: y <- y less the part that the bodies feel, until the squared gradient of that is
// `small` of the first.
void thudi_jam_project_forces(thud_jam *jam, double small, double *y);
// force[3 i ..) = sum of the forces y on body i.
void thudi_jam_sum_forces(const thud_jam *jam, const double *y, double *force);
// n . (x_b - x_a)
double thudi_jam_opening(const thud_jam_contact *contact, const double *x);

#endif
