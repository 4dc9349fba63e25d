// Radii, planes, gravity, gaps and balances of a rig, written from the definitions.
#ifndef SPHERE_RIG_LAWS_H
#define SPHERE_RIG_LAWS_H

#include "sphere_rig.h"

void rig_radii(const sphere_rig *rig, double t, double *radius);
void rig_gravity(const sphere_rig *rig, double t, double gravity[3]);

/// |q_b - q_a| - r_a - r_b and, unless NULL, the unit vector from a to b.
double rig_pair_gap(const sphere_rig *rig, const double *q, const double *radius, int a, int b,
                    double *normal);
double rig_wall_gap(const sphere_rig *rig, double t, const double *q, const double *radius, int w,
                    int i, double *normal);

void rig_push_pair(const sphere_rig *rig, const double *q, const double *radius, int a, int b,
                   thud_rows *rows);
void rig_push_wall(const sphere_rig *rig, const thud_moment *at, const double *radius, int w, int i,
                   thud_rows *rows);

/// The contacts of the last step against the definitions, and the force balance of all walls.
void rig_check_contacts(sphere_rig *rig);

#endif
