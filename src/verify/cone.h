// The projection of a velocity onto { v : rate_i + (G (v - u))_i >= 0 }, by its multipliers mu >=
// 0: v = u + M^-1 G^T mu, given A = G M^-1 G^T and the rates of u.
#ifndef THUDI_CONE_H
#define THUDI_CONE_H

#include <stddef.h>

typedef struct thudi_cone
{
    int count;
    double *matrix;                       // A, count by count: to be filled in
    double *rate;                         // of u: to be filled in
    double *mu;                           // the answer
    double *factor, *z, *slack, *passive; // passive is 1 or 0
} thudi_cone;

// Numbers that a cone of `count` rows needs, and the cone in them, all zero.
size_t thudi_cone_room(int count);
thudi_cone thudi_cone_open(int count, double *room);

void thudi_cone_project(thudi_cone *s);

#endif
