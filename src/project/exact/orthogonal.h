// A thin orthogonal factorisation  N = Q R  of a set of columns that come and go.
//
// Q has orthonormal columns (dim each), R is upper triangular and stored by packed columns. Cost:
// split and append 4 dim count flops, drop 6 dim (count - j), a triangular solve count^2.
#ifndef THUDI_ORTHOGONAL_H
#define THUDI_ORTHOGONAL_H

#include "core/rooms.h"

typedef struct thudi_orthogonal
{
    thud_rooms *rooms;
    int dim;
    int count;           // columns held
    int room;            // columns there is room for
    double *q;           // column j is q[j * dim .. (j + 1) * dim)
    double *r;           // column j is r[j (j + 1) / 2 ..], length j + 1
    double *coefficient; // of the last split, length count
    double *correction;  // scratch of split, length count
    double *rest;        // of the last split, length dim
} thudi_orthogonal;

// Begin with no columns of length dim. All rooms that are opened, here and by
// thudi_orthogonal_reserve, are for the caller to close.
thud_status thudi_orthogonal_begin(thudi_orthogonal *o, thud_rooms *rooms, int dim);

// Write a sparse column as  Q coefficient + rest,  rest orthogonal to all columns. Returns |rest|.
// Room for `count` more numbers must have been made by thudi_orthogonal_reserve.
double thudi_orthogonal_split(thudi_orthogonal *o, int size, const int *index, const double *value);

// Make room for one more column than held.
thud_status thudi_orthogonal_reserve(thudi_orthogonal *o);

// Add the column of the last split; norm is what split returned, > 0.
void thudi_orthogonal_append(thudi_orthogonal *o, double norm);

// Remove column j; later columns move down by one.
void thudi_orthogonal_drop(thudi_orthogonal *o, int j);

void thudi_orthogonal_solve(const thudi_orthogonal *o, double *x);            // x <- R^-1 x
void thudi_orthogonal_solve_transposed(const thudi_orthogonal *o, double *x); // x <- R^-T x

// y <- Q x, length dim.
void thudi_orthogonal_expand(const thudi_orthogonal *o, const double *x, double *y);

#endif
