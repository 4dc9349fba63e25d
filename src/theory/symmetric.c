// Eigenvalues of small symmetric matrices by Jacobi's rotations.
#include "theory/theory.h"

// Of the largest entry: what is left beside the diagonal, and no longer changes an eigenvalue.
static const double DIAGONAL = 1e-15;

enum
{
    MOST_PASSES = 60 // far more than are ever needed
};

// Turn coordinates p < q so that a[p][q] becomes 0.
static void rotate(double *a, int n, int p, int q)
{
    double off = a[p * n + q];
    double theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
    double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++)
    {
        double x = a[k * n + p], y = a[k * n + q];
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++)
    {
        double x = a[p * n + k], y = a[q * n + k];
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
    }
}

// One pass over all pairs; false when there was nothing left to turn.
static bool sweep(double *a, int n, double small)
{
    bool turned = false;
    for (int p = 0; p < n; p++)
        for (int q = p + 1; q < n; q++)
            if (fabs(a[p * n + q]) > small)
            {
                rotate(a, n, p, q);
                turned = true;
            }
    return turned;
}

void thudi_symmetric_range(double *a, int n, double *least, double *largest)
{
    double size = 0;
    for (int k = 0; k < n * n; k++)
        size = fabs(a[k]) > size || isnan(a[k]) ? fabs(a[k]) : size;
    for (int pass = 0; pass < MOST_PASSES && isfinite(size) && sweep(a, n, DIAGONAL * size); pass++)
        ;
    *least = *largest = a[0];
    for (int k = 1; k < n; k++)
    {
        double value = a[k * n + k];
        *least = value < *least ? value : *least;
        *largest = value > *largest ? value : *largest;
    }
    if (!isfinite(size))
        *least = *largest = NAN;
}

double thudi_matrix_norm(const double *a, int n, double *room)
{
    double least, largest;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
        {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[k * n + i] * a[k * n + j];
            room[i * n + j] = sum;
        }
    thudi_symmetric_range(room, n, &least, &largest);
    return largest > 0 ? sqrt(largest) : largest;
}
