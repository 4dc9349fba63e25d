// An independent look at a jammed packing: see jam_judge.h.
#include "jam_judge.h"

#include <stdlib.h>

// The distance of b in one of 27 cells from a; true if it is the shortest vector so far.
static double distance_in(const double *a, const double *b, int cell, double v[3])
{
    const int image[3] = {cell % 3 - 1, cell / 3 % 3 - 1, cell / 9 - 1};
    double sum = 0;
    for (int k = 0; k < 3; k++)
    {
        v[k] = b[k] + image[k] - a[k];
        sum += v[k] * v[k];
    }
    return sqrt(sum);
}

static double nearest_of_all(const thud_jam_view *jam)
{
    double nearest = 1, v[3]; // a body's own images are 1 away
    for (int a = 0; a < jam->count; a++)
        for (int b = a + 1; b < jam->count; b++)
            for (int cell = 0; cell < 27; cell++)
            {
                double d = distance_in(jam->q + 3 * (size_t)a, jam->q + 3 * (size_t)b, cell, v);
                nearest = d < nearest ? d : nearest;
            }
    return nearest;
}

static void judge_contact(const thud_jam_view *jam, const thud_jam_contact *c)
{
    double shortest = 9, v[3], best[3] = {0, 0, 0};
    for (int cell = 0; cell < 27; cell++)
    {
        double d = distance_in(jam->q + 3 * (size_t)c->a, jam->q + 3 * (size_t)c->b, cell, v);
        for (int k = 0; k < 3 && d < shortest; k++)
            best[k] = v[k] / d;
        shortest = d < shortest ? d : shortest;
    }
    CHECK_NEAR(c->distance, shortest, 1e-15);
    CHECK(c->force > 0 && c->a >= 0 && c->a < c->b && c->b < jam->count);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(c->normal[k], best[k], 1e-14);
}

static void judge_forces(const thud_jam_view *jam, const double *net, double mean)
{
    double sum = 0, largest = 0;
    for (int i = 0; i < jam->count; i++)
    {
        double size = sqrt(net[3 * i] * net[3 * i] + net[3 * i + 1] * net[3 * i + 1] +
                           net[3 * i + 2] * net[3 * i + 2]);
        sum += size;
        largest = size > largest ? size : largest;
    }
    CHECK_AT_MOST(largest, 1e-13 * mean);
    CHECK_AT_MOST(sum, jam->residual);
    CHECK_NEAR(jam->imbalance, largest / mean, 1e-14);
}

void judge_packing(const thud_jam_view *jam)
{
    double *net = calloc(3 * (size_t)jam->count, sizeof *net), total = 0, room = 0, bend = 0;
    int *held = calloc((size_t)jam->count, sizeof *held), bodies = 0;
    if (!net || !held)
    {
        free(net);
        free(held);
        test_fail(__FILE__, __LINE__, "no memory");
        return;
    }
    CHECK_NEAR(nearest_of_all(jam), jam->diameter, 1e-15);
    CHECK_NEAR(jam->fraction, jam->count * pow(jam->diameter, 3) * acos(-1) / 6, 1e-14);
    for (int c = 0; c < jam->contact_count; c++)
    {
        const thud_jam_contact *contact = &jam->contacts[c];
        judge_contact(jam, contact);
        total += contact->force;
        room += contact->force * (contact->distance - jam->diameter);
        bend += contact->force / (2 * contact->distance);
        held[contact->a]++;
        held[contact->b]++;
        for (int k = 0; k < 3; k++)
        {
            net[3 * contact->a + k] -= contact->force * contact->normal[k];
            net[3 * contact->b + k] += contact->force * contact->normal[k];
        }
    }
    CHECK_NEAR(total * jam->diameter, 1, 1e-12);
    CHECK(room <= jam->room && jam->room < 1e-9);
    CHECK_NEAR(bend, jam->curvature, 1e-10);
    judge_forces(jam, net, total / jam->contact_count);
    for (int i = 0; i < jam->count; i++)
    {
        CHECK(jam->is_rattler[i] == (held[i] == 0) && (held[i] == 0 || held[i] >= 4));
        bodies += held[i] > 0;
    }
    CHECK(jam->count - bodies == jam->rattler_count && jam->isostatic == 3 * (bodies - 1) + 1);
    CHECK(jam->contact_count >= jam->isostatic); // more where spheres are in order
    free(net);
    free(held);
}

// How much larger spheres could be after the move, and what was proved of that.
static void judge_move(const thud_jam_view *jam, const double *x)
{
    double most = 9, proved = jam->room, longest = 0;
    for (int c = 0; c < jam->contact_count; c++)
    {
        const thud_jam_contact *contact = &jam->contacts[c];
        double sum = 0, square = 0;
        for (int k = 0; k < 3; k++)
        {
            double way = x[3 * contact->b + k] - x[3 * contact->a + k];
            double v = contact->distance * contact->normal[k] + way;
            sum += v * v;
            square += way * way;
        }
        most = sqrt(sum) < most ? sqrt(sum) : most;
        proved += contact->force * square / (2 * contact->distance);
    }
    for (int k = 0; k < 3 * jam->count; k++)
        longest = fabs(x[k]) > longest ? fabs(x[k]) : longest;
    CHECK_AT_MOST(most / jam->diameter - 1, proved + 2 * jam->residual * longest);
}

void judge_moves(const thud_jam_view *jam, uint64_t seed)
{
    double *x = calloc(3 * (size_t)jam->count, sizeof *x);
    test_random random = test_random_start(seed);
    REQUIRE(x);
    for (int i = 0; i < 200; i++)
    {
        double size = jam->diameter * pow(10, -i % 12);
        for (int k = 0; k < 3 * jam->count; k++)
            x[k] = test_random_uniform(&random, -size, size);
        judge_move(jam, x);
    }
    free(x);
}

void judge_rigidity(const thud_jam_view *jam)
{
    size_t dim = 3 * (size_t)jam->count;
    double *basis = calloc(dim * (size_t)jam->contact_count, sizeof *basis);
    int rank = 0;
    REQUIRE(basis);
    for (int c = 0; c < jam->contact_count; c++)
    {
        const thud_jam_contact *contact = &jam->contacts[c];
        double *v = basis + dim * (size_t)rank, square = 0;
        for (size_t k = 0; k < dim; k++)
            v[k] = 0;
        for (int k = 0; k < 3; k++)
        {
            v[3 * contact->a + k] = -contact->normal[k];
            v[3 * contact->b + k] = contact->normal[k];
        }
        for (int pass = 0; pass < 2; pass++) // twice is enough
            for (int i = 0; i < rank; i++)
            {
                const double *e = basis + dim * (size_t)i;
                double along = 0;
                for (size_t k = 0; k < dim; k++)
                    along += e[k] * v[k];
                for (size_t k = 0; k < dim; k++)
                    v[k] -= along * e[k];
            }
        for (size_t k = 0; k < dim; k++)
            square += v[k] * v[k];
        if (square < 1e-16)
            continue;
        for (size_t k = 0; k < dim; k++)
            v[k] /= sqrt(square);
        rank++;
    }
    CHECK(rank == jam->isostatic - 1);
    free(basis);
}
