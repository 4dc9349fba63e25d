// How long a list of near pairs lasts while the cell is sheared.
#include "near/near.h"

#include <math.h>

// The rounding of a drift, as a part of the lengths that are added up.
static const double DRIFT_ROUNDING = 0x1p-45;

// A list is made again when shear has shrunk its reaches to this part.
static const double LEAST_LEFT = 0.5;

// Where a body of the list would be now, had it moved with the shear alone.
static void carry(const thudi_near *near, const thudi_near_view *view, int i, double turned,
                  double x[3], double *along)
{
    const double *old = near->q.items + (size_t)view->dim * (size_t)i;
    *along = old[1] / view->periods->length[1] * turned;
    for (int k = 0; k < 3; k++)
        x[k] = k < view->dim ? old[k] : 0;
    x[0] += *along;
}

// With D and d the vectors between the centres of a pair then and now, and w_i how far the bodies
// are from where the shear carried them (and all by the same drift),
//     D = d - (w_b - w_a) - (D_y / L_y) (S - S_then) e_x,
// so |D| (1 - |S - S_then| / L_y) <= |d| + |w_a| + |w_b|.
double thudi_near_shortfall_sheared(const thudi_near *near, const thudi_near_view *view)
{
    double turned = view->periods->shear - near->shear, drift[3] = {0, 0, 0}, x[3], along, most = 0;
    double left = 1 - fabs(turned) / view->periods->length[1], size = 0;
    if (!(left > LEAST_LEFT))
        return 1;
    for (int i = 0; i < view->count; i++)
    {
        carry(near, view, i, turned, x, &along);
        for (int k = 0; k < 3; k++)
            drift[k] += (near->bodies[i].q[k] - x[k]) / view->count;
    }
    for (int k = 0; k < 3; k++)
        size += fabs(drift[k]);
    for (int i = 0; i < view->count; i++)
    {
        const thudi_near_body *body = &near->bodies[i];
        double sum = 0;
        carry(near, view, i, turned, x, &along);
        for (int k = 0; k < 3; k++)
            sum += (body->q[k] - x[k] - drift[k]) * (body->q[k] - x[k] - drift[k]);
        double rounding = DRIFT_ROUNDING * (size + fabs(along));
        double lack =
            (body->reach + sqrt(sum) + rounding) / left - near->reach.items[i] * THUDI_NEAR_INWARDS;
        if (!(lack <= most * body->radius))
            most = lack / body->radius;
    }
    return most;
}
