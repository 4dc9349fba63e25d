// The forces of the network that no body feels, by conjugate gradients of the normal equations.
// Column c of the matrix A of the network is -n_c at body a and n_c at body b.
#include "jam/jam.h"

#include <string.h>

enum
{
    ROUNDS = 4 // at most so many times as there are contacts and coordinates
};

static double square_of(const double *x, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += x[k] * x[k];
    return sum;
}

void thudi_jam_sum_forces(const thud_jam *jam, const double *y, double *force)
{
    memset(force, 0, 3 * (size_t)jam->count * sizeof *force);
    for (int c = 0; c < jam->contact_count; c++)
    {
        const thud_jam_contact *contact = &jam->contacts.items[c];
        for (size_t k = 0; k < 3; k++)
        {
            force[3 * (size_t)contact->a + k] -= contact->normal[k] * y[c];
            force[3 * (size_t)contact->b + k] += contact->normal[k] * y[c];
        }
    }
}

double thudi_jam_opening(const thud_jam_contact *contact, const double *x)
{
    const double *a = x + 3 * (size_t)contact->a, *b = x + 3 * (size_t)contact->b;
    double sum = 0;
    for (size_t k = 0; k < 3; k++)
        sum += contact->normal[k] * (b[k] - a[k]);
    return sum;
}

static void open_contacts(const thud_jam *jam, const double *x, double *opening)
{
    for (int c = 0; c < jam->contact_count; c++)
        opening[c] = thudi_jam_opening(&jam->contacts.items[c], x);
}

// min |A c - A y|, then y - c is what no body feels.
void thudi_jam_project_forces(thud_jam *jam, double small, double *y)
{
    size_t dim = 3 * (size_t)jam->count, count = (size_t)jam->contact_count;
    double *residual = jam->bodies, *image = residual + dim;
    double *slope = jam->by_contact.items, *way = slope + count;
    thudi_jam_sum_forces(jam, y, residual);
    open_contacts(jam, residual, slope);
    memcpy(way, slope, count * sizeof *way);
    double first = square_of(slope, count), now = first;
    for (size_t i = 0; i < ROUNDS * (dim + count) && now > small * first; i++)
    {
        thudi_jam_sum_forces(jam, way, image);
        double size = square_of(image, dim);
        if (!(size > 0))
            break;
        double step = now / size;
        for (size_t k = 0; k < count; k++)
            y[k] -= step * way[k];
        for (size_t k = 0; k < dim; k++)
            residual[k] -= step * image[k];
        open_contacts(jam, residual, slope);
        double next = square_of(slope, count);
        for (size_t k = 0; k < count; k++)
            way[k] = slope[k] + next / now * way[k];
        now = next;
    }
}
