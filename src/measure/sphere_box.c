// The volume that a ball and a box have in common, in closed form.
//
// With G(a, b, c) the part of the unit ball where x >= a, y >= b and z >= c, a box is a sum of G
// over its corners with signs. Mirror images leave a, b, c >= 0, where the part is bounded by three
// planes and a triangle of circles on the sphere. By the theorem of Gauss, with the areas A of the
// plane sides and S of the triangle,
//
//     3 G = S - a A_a - b A_b - c A_c,
//
// and by that of Gauss and Bonnet, with the angles beta of the triangle and the lengths a phi_a of
// its sides weighted by their curvature,
//
//     S = beta_ab + beta_bc + beta_ca - pi - a phi_a - b phi_b - c phi_c.
#include "measure/sphere_box.h"

#include "core/math/elementary.h"
#include "core/math/geometry.h"

#include <math.h>
#include <stdbool.h>

static double root(double square)
{
    return square > 0 ? sqrt(square) : 0;
}

// sqrt(1 - a^2 - b^2) to full relative precision: near 0 the angles below depend on all its digits.
static double depth(double a, double b)
{
    double p = a * a, q = b * b, first = 1 - p, second = first - q;
    double lost = ((1 - first) - p) + ((first - second) - q);
    return root(second + (lost - fma(a, a, -p) - fma(b, b, -q)));
}

// The angle under which an arc from (y, c) to (b, z) is seen from the centre of its circle.
static double arc(double b, double z, double c, double y)
{
    double angle = thudi_atan2(z, b) - thudi_atan2(c, y);
    return angle > 0 ? angle : 0;
}

// The area of a disk where y >= b and z >= c; b, c >= 0. The border of the disk is met at (b, z)
// and at (y, c).
static double corner_area(double square, double b, double z, double c, double y)
{
    if (!(b * b + c * c < square))
        return 0;
    return (square * arc(b, z, c, y) - b * (z - c) - c * (y - b)) / 2;
}

// a phi_a + a A_a: what the plane side at a takes from 3 G.
static double side_part(double a, double b, double ab, double c, double ca)
{
    return a * (arc(b, ab, c, ca) + corner_area(1 - a * a, b, ab, c, ca));
}

// G for a, b, c >= 0.
static double corner_volume(double a, double b, double c)
{
    if (!(a * a + b * b + c * c < 1))
        return 0;
    double ab = depth(a, b), bc = depth(b, c), ca = depth(c, a);
    double angles = thudi_atan2(ab, a * b) + thudi_atan2(bc, b * c) + thudi_atan2(ca, c * a);
    double sides =
        side_part(a, b, ab, c, ca) + side_part(b, c, bc, a, ab) + side_part(c, a, ca, b, bc);
    double volume = (angles - THUDI_PI - sides) / 3;
    return volume > 0 ? volume : 0;
}

// G for any numbers. The part beyond a plane and the part beyond its mirror image in the centre sum
// to the part without this plane. That is twice the part beyond the parallel plane through the
// centre.
static double part(int dim, const double x[3])
{
    double other[3] = {x[0], x[1], x[2]};
    int k = 0;
    while (k < dim && k < 2 && x[k] >= 0)
        k++;
    if (x[k] >= 0)
        return dim == 3 ? corner_volume(x[0], x[1], x[2])
                        : corner_area(1, x[0], depth(x[0], 0), x[1], depth(x[1], 0));
    other[k] = 0;
    double half = part(dim, other);
    other[k] = -x[k];
    return 2 * half - part(dim, other);
}

double thudi_sphere_box(int dim, const double *center, double radius, const double *low,
                        const double *high)
{
    double side[2][3] = {{0, 0, 0}, {0, 0, 0}}, sum = 0;
    double unit = dim == 3 ? radius * radius * radius : radius * radius;
    bool is_inside = true;
    for (int k = 0; k < dim; k++)
    {
        side[0][k] = (low[k] - center[k]) / radius;
        side[1][k] = (high[k] - center[k]) / radius;
        if (side[0][k] >= 1 || side[1][k] <= -1)
            return 0;
        is_inside = is_inside && side[0][k] <= -1 && side[1][k] >= 1;
        side[0][k] = side[0][k] < -1 ? -1 : side[0][k];
        side[1][k] = side[1][k] > 1 ? 1 : side[1][k];
    }
    if (is_inside)
        return (dim == 3 ? 4 * THUDI_PI / 3 : THUDI_PI) * unit;
    for (int corner = 0; corner < 1 << dim; corner++)
    {
        double x[3] = {0, 0, 0}, sign = 1;
        for (int k = 0; k < dim; k++)
        {
            x[k] = side[corner >> k & 1][k];
            sign = corner >> k & 1 ? -sign : sign;
        }
        sum += sign * part(dim, x);
    }
    return sum > 0 ? sum * unit : 0;
}
