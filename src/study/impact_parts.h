// What the files of the impact log share.
#ifndef THUDI_IMPACT_PARTS_H
#define THUDI_IMPACT_PARTS_H

#include "core/memory.h"
#include "thud/impacts.h"

// The impulse of one constraint in one step.
typedef struct thudi_push
{
    thud_key key;
    int64_t step; // from 1
    double impulse;
    int atom; // which one it belongs to, -1 for load
} thudi_push;

// Impulses of one constraint that stand out.
typedef struct thudi_atom
{
    thud_key key;
    int64_t first, last;   // steps
    double impulse, early; // in all, and in the first step
    int impact;
} thudi_atom;

// The gradient of a constraint at an impact: blocks of `width` coordinates.
typedef struct thudi_impact_row
{
    thud_key key;
    int atom; // or -1
    double impulse;
    double rate_t; // d_t g; NAN: not known
    double e;
    int first, count; // entries in index and slope
} thudi_impact_row;

struct thud_impacts
{
    thud_allocator allocator;
    thud_fault *fault;
    thud_impacts_def def;
    int dim;
    double h;
    THUDI_ARRAY(thudi_push) pushes; // by key and step, later by step
    THUDI_ARRAY(thudi_atom) atoms;  // by step
    size_t push_count;
    int atom_count;
    // one impact at work
    THUDI_ARRAY(thudi_impact_row) rows;
    THUDI_ARRAY(int) index;
    THUDI_ARRAY(double) slope;
    int row_count, entry_count;
    THUDI_ARRAY(double) numbers; // u-, u+ and q at the end, dim each
    THUDI_ARRAY(double) square;  // scratch of expressions and of thudi_impact_law
    THUDI_ARRAY(bool) marks;     // by coordinate
    // the answer
    THUDI_ARRAY(thud_impact) impacts;
    THUDI_ARRAY(thud_impact_contact) contacts;
    THUDI_ARRAY(int) coordinates;
    THUDI_ARRAY(double) before, after;
    thud_impacts_result result;
};

enum
{
    THUDI_IMPACT_CONTACTS = 400
};

// Read all impulses of the log, and find the threshold.
thud_status thudi_impact_read(thud_impacts *impacts);

// Find the atoms; the pushes are in the order of steps afterwards.
thud_status thudi_impact_find_atoms(thud_impacts *impacts);

// Add a constraint to the impact at work, with its gradient at (t, q); *joins: does it touch a
// coordinate that is marked, or is `force` set. What is not added leaves no trace.
thud_status thudi_impact_add_row(thud_impacts *impacts, double t, const double *q,
                                 const thudi_push *push, bool force, bool *joins);

// The law for the impact at work: e and residual from u-, u+.
thud_status thudi_impact_law(thud_impacts *impacts, const double *before, const double *after,
                             thud_impact *impact);

#endif
