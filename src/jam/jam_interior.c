// The last part of the growth for many spheres: a primal-dual interior point method (with the
// predictor and corrector of Mehrotra) for
//
//     max t   over   z_c = |q_b - q_a| - t >= 0   for near pairs,   forces y >= 0, A y = 0,
//     sum y = 1, y z = mu -> 0.
//
// Distances are renewed after every step; as they are convex, z stays positive in steps in which it
// does so to first order. They also make the problem one that is not convex: where pairs turn,
// their forces are no longer in balance. So moves are held back by what turning costs, y / d of
// each pair, and mu stays as it is until the balance has followed. What pushes in the end is the
// network.
#include "jam/jam.h"
#include "jam/jam_factor.h"

#include <math.h>
#include <string.h>

enum
{
    STEPS = 3000,
    BALANCES = 8 // of the forces of the network, in the end
};

static const double REACH = 0.1;    // of t: pairs that are looked at
static const double START = 10;     // growths, that spheres give way at first
static const double STIFF = 0.25;   // of y / d, that holds the bodies of a pair back
static const double UNREST = 1;     // |A y| t / sum y z up to which mu may become smaller
static const double SHORTEN = 0.99; // of the way to the first z or y that would vanish
static const double GAP = 1e-11;    // sum y z / t to stop at
static const double FORCE = 1e-12;  // |A y| to stop at, of sum y

typedef struct interior
{
    thud_jam *jam;
    jam_factor factor;
    int count;                   // of the pairs looked at
    double t, mu;                // mu: the mean of y z
    double *z, *w, *dz, *dy, *k; // of each pair; k: what y z is to become
    double *dx, *size;           // of each coordinate
    double *stiff;               // of each body
    double dt;
    double residual; // |A y|
    THUDI_ARRAY(double) numbers;
    THUDI_ARRAY(thud_jam_contact) before;
} interior;

// All pairs nearer than the reach, with the forces of those that were looked at before.
static thud_status list(interior *in)
{
    thud_jam *jam = in->jam;
    int old = jam->contact_count, at = 0, count = 0;
    double reach = in->t * (1 + REACH);
    THUD_TRY(thudi_array_reserve(&jam->allocator, &in->before, (size_t)old + 1));
    if (old > 0)
        memcpy(in->before.items, jam->contacts.items, (size_t)old * sizeof *in->before.items);
    THUD_TRY(thudi_jam_rows(jam, reach, in->t, 0));
    count = thud_rows_count(jam->rows);
    THUD_TRY(thudi_array_reserve(&jam->allocator, &jam->contacts, (size_t)count + 1));
    THUD_TRY(thudi_array_reserve(&jam->allocator, &jam->by_contact, 4 * (size_t)count + 4));
    THUD_TRY(thudi_array_reserve(&jam->allocator, &in->numbers, 5 * (size_t)count + 1));
    in->count = jam->contact_count = count;
    in->z = in->numbers.items;
    in->w = in->z + count;
    in->dz = in->w + count;
    in->dy = in->dz + count;
    in->k = in->dy + count;
    for (int c = 0; c < count; c++)
    {
        const thud_pair_row *row = &jam->pairs.items[c];
        thud_jam_contact *contact = &jam->contacts.items[c];
        int a = row->a / 3, b = row->b / 3;
        const thud_jam_contact *last = in->before.items;
        while (at < old && (last[at].a < a || (last[at].a == a && last[at].b < b)))
            at++;
        bool known = at < old && last[at].a == a && last[at].b == b;
        *contact = (thud_jam_contact){a, b, {row->normal[0], row->normal[1], row->normal[2]}, 0, 0};
        in->z[c] = row->gap;
        contact->distance = row->gap + in->t;
        contact->force = known ? last[at].force : in->mu / in->z[c];
    }
    return THUD_OK;
}

// y z is the same for all at first, and sum y = 1.
static thud_status start(interior *in, double growth)
{
    double sum = 0;
    in->jam->contact_count = 0;
    in->mu = 1;
    in->t = in->jam->diameter * (1 - START * growth);
    THUD_TRY(list(in));
    for (int c = 0; c < in->count; c++)
        sum += 1 / in->z[c];
    for (int c = 0; c < in->count; c++)
        in->jam->contacts.items[c].force /= sum;
    return THUD_OK;
}

// A y for y by contact, into x.
static void add_up(const interior *in, const double *y, double *x)
{
    thudi_jam_sum_forces(in->jam, y, 0, x);
}

static void weigh(interior *in)
{
    const thud_jam *jam = in->jam;
    double sum = 0;
    in->mu = 0;
    memset(in->stiff, 0, (size_t)jam->count * sizeof *in->stiff);
    for (int c = 0; c < in->count; c++)
    {
        double y = jam->contacts.items[c].force;
        in->w[c] = y / in->z[c];
        in->dy[c] = y;
        in->mu += y * in->z[c] / in->count;
        in->stiff[jam->contacts.items[c].a] += STIFF * y / jam->contacts.items[c].distance;
        in->stiff[jam->contacts.items[c].b] += STIFF * y / jam->contacts.items[c].distance;
    }
    add_up(in, in->dy, in->dx);
    for (size_t i = 0; i < 3 * (size_t)jam->count; i++)
        sum += in->dx[i] * in->dx[i];
    in->residual = sqrt(sum);
}

static double opening(const thud_jam_contact *contact, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < 3; i++)
        sum += contact->normal[i] * (x[3 * (size_t)contact->b + i] - x[3 * (size_t)contact->a + i]);
    return sum;
}

// The step that makes y z = k to first order. `size` is what a change of t does to the positions.
static void direct(interior *in)
{
    const thud_jam_contact *contacts = in->jam->contacts.items;
    double right = 1, left = 0;
    for (int c = 0; c < in->count; c++)
        in->dy[c] = in->k[c] / in->z[c];
    add_up(in, in->dy, in->dx);
    thudi_jam_factor_solve(&in->factor, in->dx);
    for (int c = 0; c < in->count; c++)
    {
        right -= in->dy[c] - in->w[c] * opening(&contacts[c], in->dx);
        left += in->w[c] * (1 - opening(&contacts[c], in->size));
    }
    in->dt = right / left;
    for (size_t i = 0; i < 3 * (size_t)in->jam->count; i++)
        in->dx[i] += in->dt * in->size[i];
    for (int c = 0; c < in->count; c++)
    {
        in->dz[c] = opening(&contacts[c], in->dx) - in->dt;
        in->dy[c] += -contacts[c].force - in->w[c] * in->dz[c];
    }
}

// How far z and y may go.
static void limit(const interior *in, double *primal, double *dual)
{
    *primal = *dual = 1 / SHORTEN;
    for (int c = 0; c < in->count; c++)
    {
        double y = in->jam->contacts.items[c].force;
        if (in->z[c] + *primal * in->dz[c] < 0)
            *primal = -in->z[c] / in->dz[c];
        if (y + *dual * in->dy[c] < 0)
            *dual = -y / in->dy[c];
    }
    *primal *= SHORTEN;
    *dual *= SHORTEN;
}

// The predictor, with k = 0, tells how much smaller mu may become, and what is of second order.
static void aim(interior *in)
{
    double primal, dual, after = 0;
    for (int c = 0; c < in->count; c++)
        in->k[c] = 0;
    direct(in);
    limit(in, &primal, &dual);
    for (int c = 0; c < in->count; c++)
        after += (in->z[c] + primal * in->dz[c]) *
                 (in->jam->contacts.items[c].force + dual * in->dy[c]) / in->count;
    double part = in->residual * in->t > UNREST * in->mu * in->count ? 1 : after / in->mu;
    for (int c = 0; c < in->count; c++)
        in->k[c] = part * part * part * in->mu - in->dz[c] * in->dy[c];
}

static void move(interior *in)
{
    thud_jam *jam = in->jam;
    double primal, dual, longest = 0;
    limit(in, &primal, &dual);
    for (size_t i = 0; i < 3 * (size_t)jam->count; i++)
        longest = fabs(in->dx[i]) > longest ? fabs(in->dx[i]) : longest;
    // pairs that were not looked at stay apart
    double way = 4 * longest + fabs(in->dt);
    if (primal * way > REACH * in->t)
        primal = REACH * in->t / way;
    for (size_t i = 0; i < 3 * (size_t)jam->count; i++)
    {
        double x = jam->q[i] + primal * in->dx[i];
        jam->q[i] = x - floor(x);
    }
    in->t += primal * in->dt;
    for (int c = 0; c < in->count; c++)
        jam->contacts.items[c].force += dual * in->dy[c];
}

// sum y z / t is small, and so is what the bodies feel; *done tells.
static thud_status iterate(interior *in, double growth, bool *done)
{
    thud_jam *jam = in->jam;
    THUD_TRY(start(in, growth));
    for (int i = 0; i < STEPS; i++)
    {
        weigh(in);
        *done = in->mu * in->count < GAP * in->t && in->residual < FORCE;
        if (*done || !(in->t > 0 && in->mu < 1)) // or numbers are no numbers any more
            return THUD_OK;
        THUD_TRY(thudi_jam_factorise(&in->factor, jam->q, jam->contacts.items, in->w, in->count,
                                     in->stiff, &jam->allocator));
        add_up(in, in->w, in->size);
        thudi_jam_factor_solve(&in->factor, in->size);
        aim(in);
        direct(in);
        move(in);
        THUD_TRY(list(in));
        jam->view.newton++;
        jam->diameter = in->t;
        if (thudi_jam_tell(jam) == THUD_STOPPED)
            return THUD_STOPPED;
    }
    return THUD_OK;
}

// Keep the pairs whose force is more than their distance, and make their forces balance again,
// changing weak ones less.
static thud_status settle(interior *in, bool *done)
{
    thud_jam *jam = in->jam;
    int kept = 0;
    for (int c = 0; c < in->count; c++)
        if (jam->contacts.items[c].force * in->t > in->z[c])
            jam->contacts.items[kept++] = jam->contacts.items[c];
    jam->contact_count = kept;
    for (int i = 0; i < BALANCES; i++)
    {
        (void)thudi_jam_prune(jam);
        thud_jam_contact *contacts = jam->contacts.items;
        in->count = jam->contact_count;
        for (int c = 0; c < in->count; c++)
        {
            in->dy[c] = contacts[c].force;
            in->w[c] = contacts[c].force * contacts[c].force;
        }
        THUD_TRY(thudi_jam_factorise(&in->factor, jam->q, contacts, in->w, in->count, NULL,
                                     &jam->allocator));
        for (int pass = 0; pass < 3; pass++)
        {
            add_up(in, in->dy, in->dx);
            thudi_jam_factor_solve(&in->factor, in->dx);
            for (int c = 0; c < in->count; c++)
                in->dy[c] -= in->w[c] * opening(&contacts[c], in->dx);
        }
        if (!thudi_jam_normalise(jam, in->dy))
            return THUD_OK;
        *done = !thudi_jam_prune(jam);
        if (*done)
            return THUD_OK;
    }
    return THUD_OK;
}

thud_status thudi_jam_interior(thud_jam *jam, double growth, bool *done)
{
    size_t dim = 3 * (size_t)jam->count;
    double before = jam->diameter;
    interior in = {.jam = jam,
                   .dx = jam->bodies,
                   .size = jam->bodies + dim + 1,
                   .stiff = jam->bodies + 2 * (dim + 1)};
    bool near = false;
    *done = false;
    memcpy(jam->trial, jam->q, dim * sizeof *jam->q);
    thud_status status = thudi_jam_factor_start(&in.factor, jam->count, &jam->allocator);
    if (status == THUD_OK)
        status = iterate(&in, growth, &near);
    jam->diameter = near ? thudi_jam_nearest(jam, jam->q, NULL) : before;
    if (near)
        status = settle(&in, done);
    if (!*done)
    {
        memcpy(jam->q, jam->trial, dim * sizeof *jam->q);
        jam->diameter = before;
    }
    thudi_jam_factor_end(&in.factor, &jam->allocator);
    thudi_array_free(&jam->allocator, &in.numbers);
    thudi_array_free(&jam->allocator, &in.before);
    return status;
}
