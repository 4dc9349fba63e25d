// The last contacts: close the network, find the pair that is nearer than it allows, take it in and
// the contact out whose force vanishes first. These are the steps of the dual simplex method for
//
//     max s   over   d_c + n_c . (x_b - x_a) >= D (1 + s),
//
// with the distances renewed after each. Bodies that the network does not hold are moved aside.
#include "jam/jam.h"

#include <math.h>
#include <string.h>

enum
{
    PIVOTS = 1000
};

static const double NEARER = 1e-14; // below the diameter: no nearer, but for rounding
static const double TINY = 1e-9;    // of a direction of unit length: none
static const double ROUGH = 1e-18;  // squared gradient to stop at
static const double ASIDE = 1e-7;   // of the diameter, that loose bodies keep from the others

// A pair of which one body at least is loose: only that one moves.
static thud_status push_loose(thud_jam *jam, int a, int b, double reach)
{
    double vector[3], distance = thudi_jam_between(jam->q, a, b, vector);
    bool both = jam->is_rattler[a] && jam->is_rattler[b];
    double sign = both || jam->is_rattler[b] ? 1 : -1;
    if (!(distance < reach))
        return THUD_OK;
    thud_pair_row row = {.key = (uint64_t)a << 32 | (uint64_t)b,
                         .gap = distance - jam->diameter,
                         .shift = ASIDE * jam->diameter,
                         .a = both ? 3 * a : -1,
                         .b = jam->is_rattler[b] ? 3 * b : 3 * a};
    for (int k = 0; k < 3; k++)
        row.normal[k] = sign * vector[k] / distance;
    return thud_rows_push_pairs(jam->rows, 3, &row, 1);
}

// The nearest positions of all loose bodies that leave room for the others; as they are if there
// are none.
static thud_status move_aside(thud_jam *jam)
{
    size_t dim = 3 * (size_t)jam->count;
    thud_answer answer;
    thud_rows_clear(jam->rows);
    for (int a = 0; a < jam->count; a++)
        for (int b = a + 1; b < jam->count; b++)
            if (jam->is_rattler[a] || jam->is_rattler[b])
                THUD_TRY(push_loose(jam, a, b, 1.5 * jam->diameter));
    memset(jam->bodies, 0, dim * sizeof *jam->bodies);
    thud_projection problem = {
        .dim = (int)dim, .h = 1, .w = jam->bodies, .rows = jam->rows, .shift_scale = 1};
    thud_status status = thud_project(&problem, jam->projector, &answer);
    if (status == THUD_ERR_INFEASIBLE || status == THUD_ERR_NOT_CONVERGED)
        return THUD_OK;
    for (size_t k = 0; k < dim && status >= 0; k++)
        jam->q[k] = jam->q[k] + answer.u[k] - floor(jam->q[k] + answer.u[k]);
    return status;
}

// y <- y + t z until a contact has no force, which leaves. False if there is none.
static bool leave(thud_jam *jam, const double *z)
{
    int count = jam->contact_count, leaves = -1;
    double t = INFINITY;
    for (int c = 0; c < count; c++)
        if (z[c] < -TINY && -jam->contacts.items[c].force / z[c] < t)
        {
            t = -jam->contacts.items[c].force / z[c];
            leaves = c;
        }
    if (leaves < 0)
        return false;
    for (int c = 0; c < count; c++)
        jam->contacts.items[c].force += t * z[c];
    memmove(jam->contacts.items + leaves, jam->contacts.items + leaves + 1,
            (size_t)(count - 1 - leaves) * sizeof *jam->contacts.items);
    jam->contact_count--;
    return true;
}

// Make z forces that nobody feels, of sum 0, and of unit length; false if none are left.
static bool free_forces(thud_jam *jam, double *z)
{
    double square = 0;
    thudi_jam_project_forces(jam, 1 / sqrt((double)jam->contact_count), ROUGH, z);
    for (int c = 0; c < jam->contact_count; c++)
        square += z[c] * z[c];
    for (int c = 0; c < jam->contact_count && square > 0; c++)
        z[c] /= sqrt(square);
    return square > 0;
}

// Take in the last contact of the list, which has no force yet.
static bool exchange(thud_jam *jam)
{
    int count = jam->contact_count;
    double *z = jam->by_contact.items + 3 * (size_t)count;
    memset(z, 0, (size_t)count * sizeof *z);
    z[count - 1] = 1;
    return free_forces(jam, z) && z[count - 1] > 1e-6 && leave(jam, z);
}

// While there are more contacts than it takes, forces can be exchanged without anybody feeling it:
// do so in favour of near contacts.
static void reduce(thud_jam *jam)
{
    bool more = true;
    while (more && jam->contact_count > thudi_jam_isostatic(thudi_jam_find_rattlers(jam)))
    {
        size_t count = (size_t)jam->contact_count;
        double *z = jam->by_contact.items + 3 * count;
        for (size_t c = 0; c < count; c++)
            z[c] = jam->diameter - jam->contacts.items[c].distance;
        more = free_forces(jam, z) && leave(jam, z);
    }
}

thud_status thudi_jam_pivot(thud_jam *jam, bool *done)
{
    int pair[2];
    reduce(jam);
    for (int i = 0; i < PIVOTS; i++)
    {
        *done = thudi_jam_close(jam);
        if (!*done)
            return THUD_OK;
        (void)thudi_jam_find_rattlers(jam);
        THUD_TRY(move_aside(jam));
        if (thudi_jam_nearest(jam, jam->q, pair) >= jam->diameter - NEARER)
            return THUD_OK;
        *done = false;
        if (jam->is_rattler[pair[0]] || jam->is_rattler[pair[1]])
            return THUD_OK;
        size_t count = (size_t)jam->contact_count + 1;
        THUD_TRY(thudi_array_reserve(&jam->allocator, &jam->contacts, count));
        THUD_TRY(thudi_array_reserve(&jam->allocator, &jam->by_contact, 4 * count));
        jam->contacts.items[jam->contact_count++] = (thud_jam_contact){.a = pair[0], .b = pair[1]};
        thudi_jam_measure(jam, jam->q);
        if (!exchange(jam))
            return THUD_OK;
    }
    return THUD_OK;
}
