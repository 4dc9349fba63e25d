// The matrix A diag(w) A^T + diag(s) of a network (see jam_forces.c), in Cholesky's form.
#ifndef THUDI_JAM_FACTOR_H
#define THUDI_JAM_FACTOR_H

#include "core/memory.h"
#include "thud/jamming.h"

typedef struct jam_factor
{
    int count;                // bodies
    int *place;               // of each body in the order of elimination
    int *first;               // of each place: the first place in its rows
    size_t *start;            // of each place: its three rows in `rows`
    THUDI_ARRAY(double) rows; // up to the diagonal
    double *x;                // 3 count, while solving
} jam_factor;

// Starts from zeros; to be ended whatever it returns.
thud_status thudi_jam_factor_start(jam_factor *factor, int count, const thud_allocator *from);
void thudi_jam_factor_end(jam_factor *factor, const thud_allocator *from);

// w > 0, one for each contact, and s = stiff > 0, one for each body.
thud_status thudi_jam_factorise(jam_factor *factor, const double *q,
                                const thud_jam_contact *contacts, const double *w,
                                int contact_count, const double *stiff, const thud_allocator *from);
// x <- the solution for x on the right, 3 numbers for each body.
void thudi_jam_factor_solve(jam_factor *factor, double *x);

#endif
