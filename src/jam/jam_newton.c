// Steps of the interior point method; see jam_newton.h.
#include "jam/jam_newton.h"

#include <math.h>
#include <string.h>

static const double REACH = 0.1;    // of t: pairs that are looked at
static const double SHORTEN = 0.99; // of the way to the first z or y that would vanish

static size_t dim_of(const jam_newton *newton)
{
    return 3 * (size_t)newton->jam->count;
}

thud_status thudi_jam_newton_start(jam_newton *newton)
{
    thud_jam *jam = newton->jam;
    size_t dim = dim_of(newton);
    newton->dx = jam->bodies;
    newton->size = newton->dx + dim;
    newton->x = newton->size + dim;
    newton->stiff = newton->x + dim;
    return thudi_jam_factor_start(&newton->factor, jam->count, &jam->allocator);
}

void thudi_jam_newton_end(jam_newton *newton)
{
    const thud_allocator *allocator = &newton->jam->allocator;
    thudi_jam_factor_end(&newton->factor, allocator);
    thudi_array_free(allocator, &newton->numbers);
    thudi_array_free(allocator, &newton->before);
}

static thud_status make_room(jam_newton *newton, int count)
{
    thud_jam *jam = newton->jam;
    THUD_TRY(thudi_array_reserve(&jam->allocator, &jam->contacts, (size_t)count + 1));
    THUD_TRY(thudi_array_reserve(&jam->allocator, &jam->by_contact, 3 * (size_t)count + 1));
    THUD_TRY(thudi_array_reserve(&jam->allocator, &newton->numbers, 5 * (size_t)count + 1));
    newton->count = jam->contact_count = count;
    newton->z = newton->numbers.items;
    newton->w = newton->z + count;
    newton->dz = newton->w + count;
    newton->dy = newton->dz + count;
    newton->k = newton->dy + count;
    return THUD_OK;
}

thud_status thudi_jam_newton_measure(jam_newton *newton)
{
    thud_jam *jam = newton->jam;
    int old = jam->contact_count, at = 0;
    THUD_TRY(thudi_array_reserve(&jam->allocator, &newton->before, (size_t)old + 1));
    if (old > 0)
        memcpy(newton->before.items, jam->contacts.items,
               (size_t)old * sizeof *newton->before.items);
    THUD_TRY(thudi_jam_rows(jam, newton->t * (1 + REACH), newton->t, 0));
    THUD_TRY(make_room(newton, thud_rows_count(jam->rows)));
    memset(newton->x, 0, dim_of(newton) * sizeof *newton->x);
    for (int c = 0; c < newton->count; c++)
    {
        const thud_pair_row *row = &jam->pairs.items[c];
        thud_jam_contact *contact = &jam->contacts.items[c];
        int a = row->a / 3, b = row->b / 3;
        const thud_jam_contact *last = newton->before.items;
        while (at < old && (last[at].a < a || (last[at].a == a && last[at].b < b)))
            at++;
        bool known = at < old && last[at].a == a && last[at].b == b;
        *contact = (thud_jam_contact){a, b, {row->normal[0], row->normal[1], row->normal[2]}, 0, 0};
        newton->z[c] = row->gap;
        contact->distance = row->gap + newton->t;
        contact->force = known ? last[at].force : newton->mu / newton->z[c];
    }
    return THUD_OK;
}

thud_status thudi_jam_newton_restart(jam_newton *newton)
{
    double sum = 0;
    newton->jam->contact_count = 0;
    newton->mu = 1;
    THUD_TRY(thudi_jam_newton_measure(newton));
    for (int c = 0; c < newton->count; c++)
        sum += 1 / newton->z[c];
    for (int c = 0; c < newton->count; c++)
        newton->jam->contacts.items[c].force /= sum;
    return THUD_OK;
}

// What is held back there pulls: r -= s x.
static void pull_back(const jam_newton *newton, double *r)
{
    for (size_t i = 0; i < dim_of(newton); i++)
        r[i] -= newton->stiff[i / 3] * newton->x[i];
}

void thudi_jam_newton_residual(jam_newton *newton)
{
    double sum = 0;
    newton->mu = 0;
    for (int c = 0; c < newton->count; c++)
    {
        double y = newton->jam->contacts.items[c].force;
        newton->w[c] = y / newton->z[c];
        newton->dy[c] = y;
        newton->mu += y * newton->z[c] / newton->count;
    }
    thudi_jam_sum_forces(newton->jam, newton->dy, newton->dx);
    pull_back(newton, newton->dx);
    for (size_t i = 0; i < dim_of(newton); i++)
        sum += newton->dx[i] * newton->dx[i];
    newton->residual = sqrt(sum);
}

// The step that makes y z = k to first order. With dz = A^T dx - dt and dy = k / z - y - w dz the
// forces are in balance again when
//
//     (A diag(w) A^T + diag(s)) dx = A (k / z) - s x + dt A w,
//
// which is solved for dt = 0 and for the part of dt alone, `size`; sum y + sum dy = 1 then gives
// dt.
static void find_step(jam_newton *newton)
{
    const thud_jam_contact *contacts = newton->jam->contacts.items;
    double right = 1, left = 0;
    for (int c = 0; c < newton->count; c++)
        newton->dy[c] = newton->k[c] / newton->z[c];
    thudi_jam_sum_forces(newton->jam, newton->dy, newton->dx);
    pull_back(newton, newton->dx);
    thudi_jam_factor_solve(&newton->factor, newton->dx);
    for (int c = 0; c < newton->count; c++)
    {
        right -= newton->dy[c] - newton->w[c] * thudi_jam_opening(&contacts[c], newton->dx);
        left += newton->w[c] * (1 - thudi_jam_opening(&contacts[c], newton->size));
    }
    newton->dt = right / left;
    // until here dx is that of dt = 0, and dy is k / z
    for (size_t i = 0; i < dim_of(newton); i++)
        newton->dx[i] += newton->dt * newton->size[i];
    for (int c = 0; c < newton->count; c++)
    {
        newton->dz[c] = thudi_jam_opening(&contacts[c], newton->dx) - newton->dt;
        newton->dy[c] += -contacts[c].force - newton->w[c] * newton->dz[c];
    }
}

static jam_reach limit(const jam_newton *newton, bool together)
{
    double primal = 1 / SHORTEN, dual = primal;
    for (int c = 0; c < newton->count; c++)
    {
        double y = newton->jam->contacts.items[c].force;
        if (newton->z[c] + primal * newton->dz[c] < 0)
            primal = -newton->z[c] / newton->dz[c];
        if (y + dual * newton->dy[c] < 0)
            dual = -y / newton->dy[c];
    }
    if (together)
        primal = dual = primal < dual ? primal : dual;
    return (jam_reach){SHORTEN * primal, SHORTEN * dual};
}

// The predictor, with k = 0, tells how much smaller mu may become, and what is of second order.
static void set_goal(jam_newton *newton, bool hold, bool together)
{
    double after = 0;
    memset(newton->k, 0, (size_t)newton->count * sizeof *newton->k);
    find_step(newton);
    jam_reach reach = limit(newton, together);
    for (int c = 0; c < newton->count; c++)
        after += (newton->z[c] + reach.primal * newton->dz[c]) *
                 (newton->jam->contacts.items[c].force + reach.dual * newton->dy[c]) /
                 newton->count;
    double part = hold ? 1 : after / newton->mu;
    for (int c = 0; c < newton->count; c++)
        newton->k[c] = part * part * part * newton->mu - newton->dz[c] * newton->dy[c];
}

thud_status thudi_jam_newton_step(jam_newton *newton, bool hold, bool together, jam_reach *reach)
{
    thud_jam *jam = newton->jam;
    THUD_TRY(thudi_jam_factorise(&newton->factor, jam->q, jam->contacts.items, newton->w,
                                 newton->count, newton->stiff, &jam->allocator));
    thudi_jam_sum_forces(newton->jam, newton->w, newton->size);
    thudi_jam_factor_solve(&newton->factor, newton->size);
    set_goal(newton, hold, together);
    find_step(newton);
    *reach = limit(newton, together);
    return THUD_OK;
}

double thudi_jam_newton_safe_move(const jam_newton *newton)
{
    return REACH * newton->t / 4;
}
