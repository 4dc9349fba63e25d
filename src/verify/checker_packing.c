// A jammed packing judged from positions and forces alone, in doubled precision:
//
//     no two centres, images included, are nearer than D;
//     s <= sum y (d - D) / sum y D + ...,   r_i = sum of y n over the contacts of body i
//
// as in thud/jamming.h. The cube has side 1 and is periodic, so the nearest image is the nearest
// along each axis.
#include "thud/jamming.h"
#include "verify/checker.h"

#include <float.h>
#include <string.h>

static const double NEAR = 8 * DBL_EPSILON; // of numbers that the file has rounded

typedef struct link
{
    thudi_sum v[3], d;
} link;

static thudi_sum times(thudi_sum a, thudi_sum b)
{
    thudi_sum product = thudi_sum_times(a, b.high);
    return thudi_sum_plus(product, a.high * b.low);
}

// y / d
static thudi_sum over(double y, thudi_sum d)
{
    double first = y / d.high;
    thudi_sum rest = thudi_sum_times(d, -first);
    rest = thudi_sum_plus(rest, y);
    return thudi_sum_plus((thudi_sum){first, 0}, thudi_sum_value(rest) / d.high);
}

// From a to the nearest image of b.
static link measure(const double *q, int a, int b)
{
    link one;
    thudi_sum square = {0, 0};
    for (size_t k = 0; k < 3; k++)
    {
        double from = q[3 * (size_t)a + k], to = q[3 * (size_t)b + k], way = to - from;
        one.v[k] = thudi_sum_plus(thudi_sum_plus((thudi_sum){to, 0}, -from), -rint(way));
        square = thudi_sum_plus_sum(square, times(one.v[k], one.v[k]));
    }
    double root = sqrt(square.high);
    thudi_sum rest = thudi_sum_plus_product(square, -root, root);
    one.d = thudi_sum_plus((thudi_sum){root, 0}, thudi_sum_value(rest) / (2 * root));
    return one;
}

static bool is_link_right(const thud_jam_contact *contact, const link *own)
{
    double d = thudi_sum_value(own->d);
    bool right = fabs(contact->distance - d) <= NEAR * d;
    for (int k = 0; k < 3; k++)
        right = right && fabs(contact->normal[k] - thudi_sum_value(own->v[k]) / d) <= NEAR;
    return right;
}

// The first contact that is none, -1 if all are.
static int find_wrong(const thud_packing *packing)
{
    const thud_jam_contact *c = packing->contacts;
    for (int i = 0; i < packing->contact_count; i++)
    {
        bool ordered =
            i == 0 || c[i].a > c[i - 1].a || (c[i].a == c[i - 1].a && c[i].b > c[i - 1].b);
        if (!(c[i].a >= 0 && c[i].a < c[i].b && c[i].b < packing->count && ordered &&
              c[i].force > 0 && c[i].force < INFINITY))
            return i;
        link own = measure(packing->q, c[i].a, c[i].b);
        if (!is_link_right(&c[i], &own))
            return i;
    }
    return -1;
}

static double find_nearest(const thud_packing *packing)
{
    double nearest = 1; // a body's own images are 1 away
    const double *q = packing->q;
    for (size_t a = 0; a < (size_t)packing->count; a++)
        for (size_t b = a + 1; b < (size_t)packing->count; b++)
        {
            double square = 0;
            for (size_t k = 0; k < 3; k++)
            {
                double way = q[3 * b + k] - q[3 * a + k];
                way -= rint(way);
                square += way * way;
            }
            nearest = square < nearest ? square : nearest;
        }
    return sqrt(nearest);
}

// Sums over the contacts; net: of the forces on every body, by component.
static void add_up(const thud_packing *packing, thudi_sum *net, thud_packing_verdict *verdict)
{
    thudi_sum room = {0, 0}, size = {0, 0};
    double bend = 0;
    for (int c = 0; c < packing->contact_count; c++)
    {
        const thud_jam_contact *contact = &packing->contacts[c];
        link own = measure(packing->q, contact->a, contact->b);
        thudi_sum part = over(contact->force, own.d);
        thudi_sum gap = thudi_sum_plus(own.d, -packing->diameter);
        room = thudi_sum_plus_sum(room, thudi_sum_times(gap, contact->force));
        size = thudi_sum_plus_product(size, contact->force, packing->diameter);
        bend += thudi_sum_value(part) / 2;
        for (size_t k = 0; k < 3; k++)
        {
            thudi_sum push = times(part, own.v[k]);
            thudi_sum *on_a = &net[3 * (size_t)contact->a + k];
            thudi_sum *on_b = &net[3 * (size_t)contact->b + k];
            *on_a = thudi_sum_plus_sum(*on_a, thudi_sum_times(push, -1));
            *on_b = thudi_sum_plus_sum(*on_b, push);
        }
    }
    double whole = thudi_sum_value(size);
    verdict->scale = whole;
    verdict->room = thudi_sum_value(room) / whole;
    verdict->curvature = bend / whole;
}

static void sum_forces(const thud_packing *packing, const thudi_sum *net,
                       thud_packing_verdict *verdict)
{
    double mean = 0, sum = 0, largest = 0;
    for (int c = 0; c < packing->contact_count; c++)
        mean += packing->contacts[c].force / packing->contact_count;
    for (size_t i = 0; i < (size_t)packing->count; i++)
    {
        double x = thudi_sum_value(net[3 * i]), y = thudi_sum_value(net[3 * i + 1]),
               z = thudi_sum_value(net[3 * i + 2]), length = sqrt(x * x + y * y + z * z);
        sum += length;
        largest = length > largest ? length : largest;
    }
    verdict->residual = sum / verdict->scale;
    verdict->imbalance = largest / mean;
}

static void count_held(const thud_packing *packing, bool *held, thud_packing_verdict *verdict)
{
    for (int c = 0; c < packing->contact_count; c++)
        held[packing->contacts[c].a] = held[packing->contacts[c].b] = true;
    for (int i = 0; i < packing->count; i++)
        verdict->held += held[i];
}

thud_status thud_verify_packing(const thud_packing *packing, bool *held,
                                thud_packing_verdict *verdict)
{
    *verdict = (thud_packing_verdict){.wrong_contact = -1};
    if (packing->count < 2 || packing->contact_count < 1 || !(packing->diameter > 0))
        return THUD_ERR_ARGUMENT;
    for (size_t k = 0; k < 3 * (size_t)packing->count; k++)
        if (!(packing->q[k] >= 0 && packing->q[k] < 1))
            return THUD_ERR_ARGUMENT;
    thudi_checker memory = {0}; // for its allocator alone
    size_t size = 3 * (size_t)packing->count * sizeof(thudi_sum);
    if (packing->allocator)
        memory.allocator = *packing->allocator;
    thudi_sum *net = thudi_checker_allocate(&memory, size);
    if (!net)
        return THUD_ERR_MEMORY;
    memset(held, 0, (size_t)packing->count * sizeof *held);
    verdict->nearest = find_nearest(packing);
    verdict->has_overlap = verdict->nearest < packing->diameter * (1 - NEAR);
    verdict->wrong_contact = find_wrong(packing);
    if (verdict->wrong_contact < 0)
    {
        add_up(packing, net, verdict);
        sum_forces(packing, net, verdict);
        count_held(packing, held, verdict);
        // to rounding, upwards: sums of doubled precision are right to many more digits
        verdict->room += 4 * DBL_EPSILON * fabs(verdict->room) + DBL_MIN;
        verdict->residual *= 1 + (packing->count + 8) * DBL_EPSILON;
    }
    thudi_checker_release(&memory, net, size);
    return THUD_OK;
}
