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

typedef void map_fn(const thud_jam *jam, const double *x, double s, double *out);

// min |forward x - residual|, `back` being the transpose of forward; residual becomes what is left.
typedef struct least
{
    map_fn *forward, *back;
    size_t unknowns, equations;
    double *solution, *slope, *way; // by unknown
    double *residual, *image;       // by equation
} least;

static void solve(const thud_jam *jam, double s, double small, const least *l)
{
    memset(l->solution, 0, l->unknowns * sizeof *l->solution);
    l->back(jam, l->residual, s, l->slope);
    memcpy(l->way, l->slope, l->unknowns * sizeof *l->way);
    double first = square_of(l->slope, l->unknowns), now = first;
    for (size_t i = 0; i < ROUNDS * (l->unknowns + l->equations) && now > small * first; i++)
    {
        l->forward(jam, l->way, s, l->image);
        double size = square_of(l->image, l->equations);
        if (!(size > 0))
            break;
        double step = now / size;
        for (size_t k = 0; k < l->unknowns; k++)
            l->solution[k] += step * l->way[k];
        for (size_t k = 0; k < l->equations; k++)
            l->residual[k] -= step * l->image[k];
        l->back(jam, l->residual, s, l->slope);
        double next = square_of(l->slope, l->unknowns);
        for (size_t k = 0; k < l->unknowns; k++)
            l->way[k] = l->slope[k] + next / now * l->way[k];
        now = next;
    }
}

// min |A c - A y|, then y - c is what nobody feels.
void thudi_jam_project_forces(thud_jam *jam, double s, double small, double *y)
{
    size_t dim = 3 * (size_t)jam->count + 1, count = (size_t)jam->contact_count;
    double *by_body = jam->bodies, *by_contact = jam->by_contact.items;
    least l = {thudi_jam_sum_forces, open_contacts,          count,   dim,          by_contact,
               by_contact + count,   by_contact + 2 * count, by_body, by_body + dim};
    thudi_jam_sum_forces(jam, y, s, l.residual);
    solve(jam, s, small, &l);
    for (size_t k = 0; k < count; k++)
        y[k] -= l.solution[k];
}

void thudi_jam_solve_gaps(thud_jam *jam, double small, double *displacement, double *change)
{
    size_t dim = 3 * (size_t)jam->count + 1, count = (size_t)jam->contact_count;
    double *by_body = jam->bodies, *by_contact = jam->by_contact.items;
    double s = 1 / sqrt((double)count);
    least l = {
        open_contacts, thudi_jam_sum_forces, dim, count, by_body, by_body + dim, by_body + 2 * dim,
        by_contact,    by_contact + count};
    for (size_t c = 0; c < count; c++)
        l.residual[c] = jam->diameter - jam->contacts.items[c].distance;
    solve(jam, s, small, &l);
    memcpy(displacement, l.solution, (dim - 1) * sizeof *displacement);
    *change = l.solution[dim - 1] * s;
}
