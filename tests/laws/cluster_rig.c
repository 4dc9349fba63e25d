// Clusters that touch: the shapes.
#include "cluster_rig.h"

#include <string.h>

const char *cluster_name(cluster_kind kind)
{
    static const char *const names[] = {"row", "bent row", "rack", "square lattice",
                                        "dense lattice"};
    return names[kind];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// A unit vector at random.
static void direction(test_random *random, int dim, double n[3])
{
    double length;
    do
    {
        for (int k = 0; k < 3; k++)
            n[k] = k < dim ? test_random_normal(random) : 0;
        length = sqrt(dot(n, n));
    } while (length < 0.1);
    for (int k = 0; k < 3; k++)
        n[k] /= length;
}

static double gap_between(const cluster *c, int i, int j)
{
    double d[3];
    for (int k = 0; k < 3; k++)
        d[k] = c->at[j][k] - c->at[i][k];
    return sqrt(dot(d, d)) - c->radius[i] - c->radius[j];
}

static void add(cluster *c, double x, double y, double z)
{
    int i = c->count++;
    c->at[i][0] = x;
    c->at[i][1] = y;
    c->at[i][2] = z;
    c->radius[i] = c->mass[i] = 1;
}

// Bodies of several sizes, each touching the one before; `bend` is how far the row may turn.
static void make_row(cluster *c, test_random *random, int count, double bend)
{
    double n[3], turn[3];
    direction(random, c->dim, n);
    add(c, 0, 0, 0);
    for (int i = 1; i < count; i++)
    {
        double length;
        direction(random, c->dim, turn);
        for (int k = 0; k < 3; k++)
            turn[k] = n[k] + bend * turn[k];
        length = sqrt(dot(turn, turn));
        add(c, 0, 0, 0);
        c->radius[i] = bend > 0 || i % 2 == 0 ? 1 : 1.5;
        c->mass[i] = test_random_uniform(random, 0.5, 2);
        for (int k = 0; k < 3; k++)
        {
            n[k] = bend > 0 ? turn[k] / length : n[k];
            c->at[i][k] = c->at[i - 1][k] + (c->radius[i] + c->radius[i - 1]) * n[k];
        }
        for (int j = 0; j < i - 1; j++)
            if (gap_between(c, i, j) < 0.3) // it has come back to itself
            {
                c->count = i;
                return;
            }
    }
}

static void make_rack(cluster *c, int most)
{
    double high = sqrt(3), up = sqrt(8.0 / 3);
    for (int layer = 0; layer < (c->dim == 3 ? 20 : 1); layer++)
        for (int row = 0; row < (c->dim == 3 ? layer + 1 : 20); row++)
            for (int i = 0; i <= row; i++)
            {
                if (c->count == most)
                    return;
                add(c, 2 * i - row, high * row - 2 * layer / high, up * layer);
            }
}

static void make_lattice(cluster *c, test_random *random, int most)
{
    int wide = test_random_int(random, 1, 6),
        deep = c->dim == 3 ? test_random_int(random, 1, 4) : 1;
    double high = sqrt(3), up = sqrt(8.0 / 3);
    bool dense = c->kind == CLUSTER_DENSE;
    for (int n = 0; n < most; n++)
    {
        int i = n % wide, k = n / wide % deep, j = n / wide / deep;
        if (!dense)
            add(c, 2 * i, 2 * j, 2 * k);
        else // layers of a hexagonal lattice, each in the hollows of the one below
            add(c, 2 * i + j % 2 + k % 2, high * j + k % 2 / high, up * k);
    }
}

// Contacts among the first `count` bodies; false if any is neither closed nor clearly open.
static bool find_contacts(cluster *c)
{
    c->contacts = 0;
    for (int i = 0; i < c->count; i++)
        for (int j = i + 1; j < c->count; j++)
        {
            double gap = gap_between(c, i, j);
            if (gap < -1e-12 || (gap > 1e-12 && gap < 0.1) || c->contacts == CLUSTER_CONTACTS_MOST)
                return false;
            if (gap > 1e-12)
                continue;
            c->pair[c->contacts][0] = i;
            c->pair[c->contacts++][1] = j;
        }
    return true;
}

// Turn all by an orthogonal matrix at random, in two dimensions within the plane.
static void turn_all(cluster *c, test_random *random)
{
    for (int times = 0; times < 2; times++)
    {
        double n[3];
        direction(random, c->dim, n);
        for (int i = 0; i < c->count; i++) // a reflection
        {
            double along = dot(c->at[i], n);
            for (int k = 0; k < 3; k++)
                c->at[i][k] -= 2 * along * n[k];
        }
    }
}

// Is the last body's path of length `way` to where it is free of all others but the target?
static bool path_is_free(const cluster *c, int target, double way, double margin)
{
    int last = c->count - 1;
    double speed = sqrt(dot(c->coming, c->coming));
    for (int i = 0; i < last; i++)
    {
        double d[3], along;
        for (int k = 0; k < 3; k++)
            d[k] = c->at[last][k] - c->at[i][k];
        along = dot(d, c->coming) / speed; // > 0: the nearest point is before the impact
        along = along < 0 ? 0 : along < way ? along : way;
        for (int k = 0; k < 3; k++)
            d[k] -= along * c->coming[k] / speed;
        if (i != target && sqrt(dot(d, d)) < c->radius[i] + c->radius[last] + margin)
            return false;
    }
    return true;
}

// A body that meets one of them. Central: along the line of centres.
static bool send_one(cluster *c, test_random *random, double speed, double way, double margin)
{
    for (int tries = 0; tries < 2000; tries++)
    {
        double n[3], side[3], length, radius = test_random_uniform(random, 0.7, 1.4);
        int target = test_random_int(random, 0, c->count - 1), last = c->count;
        direction(random, c->dim, n);
        direction(random, c->dim, side);
        add(c, 0, 0, 0);
        c->radius[last] = radius;
        c->mass[last] = test_random_uniform(random, 0.5, 2);
        for (int k = 0; k < 3; k++)
        {
            c->at[last][k] = c->at[target][k] + (c->radius[target] + radius) * n[k];
            c->coming[k] = -n[k] + (c->is_central ? 0 : 0.6 * side[k]);
        }
        length = sqrt(dot(c->coming, c->coming));
        for (int k = 0; k < 3; k++)
            c->coming[k] *= speed / length;
        if (path_is_free(c, target, way, margin))
        {
            c->pair[c->contacts][0] = target;
            c->pair[c->contacts++][1] = last;
            return true;
        }
        c->count--;
    }
    return false;
}

bool cluster_make(cluster *c, test_random *random, int dim, int most, double speed, double way,
                  double margin)
{
    int count = (int)exp(test_random_uniform(random, log(2), log(most + 0.99)));
    memset(c, 0, sizeof *c);
    c->dim = dim;
    c->kind = (cluster_kind)test_random_int(random, 0, CLUSTER_KINDS - 1);
    c->is_central = test_random_int(random, 0, 1) == 0;
    if (c->kind == CLUSTER_ROW || c->kind == CLUSTER_BENT)
        make_row(c, random, count, c->kind == CLUSTER_ROW ? 0 : 0.5);
    else if (c->kind == CLUSTER_RACK)
        make_rack(c, count);
    else
        make_lattice(c, random, count);
    if (test_random_int(random, 0, 1))
        turn_all(c, random);
    return c->count > 1 && find_contacts(c) && c->contacts < CLUSTER_CONTACTS_MOST &&
           send_one(c, random, speed, way, margin);
}
