/// Solids as the checker measures them, from their descriptions alone and by formulas of its own.
#ifndef THUD_CHECKER_SOLIDS_H
#define THUD_CHECKER_SOLIDS_H

#include "thud/verify.h"

/// What a point sees of a facet.
typedef struct thudi_facet_view
{
    double distance;  ///< signed, INFINITY for no surface
    double normal[3]; ///< its gradient
} thudi_facet_view;

/// A frame at one time, by a unit quaternion.
typedef struct thudi_frame
{
    double origin[3], turn[4];
} thudi_frame;

thudi_frame thudi_frame_of(const thud_pose *pose);
void thudi_frame_in(const thudi_frame *frame, const double x[3], double y[3]); ///< a point
void thudi_frame_turn_in(const thudi_frame *frame, const double v[3], double y[3]);
void thudi_frame_turn_out(const thudi_frame *frame, const double y[3], double v[3]);

int thudi_facet_count(const thud_solid_def *solid);
bool thudi_facet_is_concave(const thud_solid_def *solid, int facet);
int thudi_facet_keys(const thud_solid_def *solid); ///< surfaces per facet, see thud/spheres.h

thudi_facet_view thudi_facet_view_from(const thud_solid_def *solid, int facet, const double y[3]);

/// Is `normal` the gradient of a tangent that bounds concave facet 0 from above everywhere? Then
/// *distance is the value of that tangent at y.
bool thudi_facet_tangent(const thud_solid_def *solid, const double normal[3], const double y[3],
                         double *distance);

#endif
