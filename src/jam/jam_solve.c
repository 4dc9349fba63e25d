// Least squares on the network, by conjugate gradients of the normal equations. With the matrix A
// of the network, column c is -n_c at body a and n_c at body b, and a row s = (s ... s) below it:
//
//     forces on bodies, and on the size of all = (A y, -s y),   openings = A^T x - s x_last.
#include "jam/jam.h"

#include <math.h>
#include <string.h>

enum
{
    ROUNDS = 4 // at most so many times as there are unknowns and equations
};

static double square_of(const double *x, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += x[k] * x[k];
    return sum;
}

void thudi_jam_sum_forces(const thud_jam *jam, const double *y, double s, double *force)
{
    double sum = 0;
    memset(force, 0, 3 * (size_t)jam->count * sizeof *force);
    for (int c = 0; c < jam->contact_count; c++)
    {
        const thud_jam_contact *contact = &jam->contacts.items[c];
        for (int k = 0; k < 3; k++)
        {
            force[3 * (size_t)contact->a + (size_t)k] -= contact->normal[k] * y[c];
            force[3 * (size_t)contact->b + (size_t)k] += contact->normal[k] * y[c];
        }
        sum += y[c];
    }
    force[3 * (size_t)jam->count] = -s * sum;
}

static void open_contacts(const thud_jam *jam, const double *x, double s, double *opening)
{
    for (int c = 0; c < jam->contact_count; c++)
    {
        const thud_jam_contact *contact = &jam->contacts.items[c];
        double sum = -s * x[3 * (size_t)jam->count];
        for (int k = 0; k < 3; k++)
            sum += contact->normal[k] *
                   (x[3 * (size_t)contact->b + (size_t)k] - x[3 * (size_t)contact->a + (size_t)k]);
        opening[c] = sum;
    }
}

// min |A c - A y|, then y - c is what nobody feels.
void thudi_jam_project_forces(thud_jam *jam, double s, double small, double *y)
{
    size_t dim = 3 * (size_t)jam->count + 1, count = (size_t)jam->contact_count;
    double *residual = jam->bodies, *image = residual + dim;
    double *solution = jam->by_contact.items, *slope = solution + count, *way = slope + count;
    memset(solution, 0, count * sizeof *solution);
    thudi_jam_sum_forces(jam, y, s, residual);
    open_contacts(jam, residual, s, slope);
    memcpy(way, slope, count * sizeof *way);
    double first = square_of(slope, count), now = first;
    for (size_t i = 0; i < ROUNDS * (dim + count) && now > small * first; i++)
    {
        thudi_jam_sum_forces(jam, way, s, image);
        double size = square_of(image, dim);
        if (!(size > 0))
            break;
        double step = now / size;
        for (size_t k = 0; k < count; k++)
            solution[k] += step * way[k];
        for (size_t k = 0; k < dim; k++)
            residual[k] -= step * image[k];
        open_contacts(jam, residual, s, slope);
        double next = square_of(slope, count);
        for (size_t k = 0; k < count; k++)
            way[k] = slope[k] + next / now * way[k];
        now = next;
    }
    for (size_t k = 0; k < count; k++)
        y[k] -= solution[k];
}

void thudi_jam_solve_gaps(thud_jam *jam, double small, double *displacement, double *change)
{
    size_t dim = 3 * (size_t)jam->count + 1, count = (size_t)jam->contact_count;
    double *solution = jam->bodies, *slope = solution + dim, *way = slope + dim;
    double *residual = jam->by_contact.items, *image = residual + count;
    double s = 1 / sqrt((double)count);
    memset(solution, 0, dim * sizeof *solution);
    for (size_t c = 0; c < count; c++)
        residual[c] = jam->diameter - jam->contacts.items[c].distance;
    thudi_jam_sum_forces(jam, residual, s, slope);
    memcpy(way, slope, dim * sizeof *way);
    double first = square_of(slope, dim), now = first;
    for (size_t i = 0; i < ROUNDS * (dim + count) && now > small * first; i++)
    {
        open_contacts(jam, way, s, image);
        double size = square_of(image, count);
        if (!(size > 0))
            break;
        double step = now / size;
        for (size_t k = 0; k < dim; k++)
            solution[k] += step * way[k];
        for (size_t c = 0; c < count; c++)
            residual[c] -= step * image[c];
        thudi_jam_sum_forces(jam, residual, s, slope);
        double next = square_of(slope, dim);
        for (size_t k = 0; k < dim; k++)
            way[k] = slope[k] + next / now * way[k];
        now = next;
    }
    memcpy(displacement, solution, (dim - 1) * sizeof *displacement);
    *change = solution[dim - 1] * s;
}
