// Lattices: every position as the formula says, jitter within its bounds, the same on every
// machine.
#include "fill_rig.h"
#include "thud_test.h"

#include <string.h>

static thud_sphere spheres[1000], others[1000];

static thudi_lattice lattice_of(int dim)
{
    return (thudi_lattice){.dim = dim,
                           .origin = {0.1, -0.2, 0.3},
                           .spacing = {0.7, 0.1, 1.3},
                           .count = {7, 5, dim == 3 ? 3 : 1},
                           .radius = fill_rig_law(1, 0.05),
                           .velocity = {1, 2, 3},
                           .seed = 7};
}

static int count_of(const thudi_lattice *lattice)
{
    return lattice->count[0] * lattice->count[1] * lattice->count[2];
}

// Body i, x fastest, before jitter.
static double place_of(const thudi_lattice *lattice, int i, int k)
{
    int step[3] = {i % lattice->count[0], i / lattice->count[0] % lattice->count[1],
                   i / lattice->count[0] / lattice->count[1]};
    return lattice->origin[k] + step[k] * lattice->spacing[k];
}

static void positions(void)
{
    for (int dim = 2; dim <= 3; dim++)
    {
        thudi_lattice lattice = lattice_of(dim);
        memset(spheres, 0xAB, sizeof spheres);
        memcpy(others, spheres, sizeof spheres);
        CHECK(thudi_lattice_make(&lattice, spheres) == THUD_OK);
        int count = count_of(&lattice);
        for (int i = 0; i < count; i++)
        {
            const thud_sphere *s = &spheres[i];
            for (int k = 0; k < dim; k++)
                CHECK(s->center[k] == place_of(&lattice, i, k) &&
                      s->velocity[k] == lattice.velocity[k]);
            CHECK(dim == 3 || (s->center[2] == 0 && s->velocity[2] == 0));
            CHECK(s->mass == 0 && s->radius >= 0.0125 && s->radius <= 0.05);
        }
        CHECK(memcmp(spheres + count, others + count, sizeof *spheres) == 0); // no more
    }
}

static void jitter(void)
{
    for (int dim = 2; dim <= 3; dim++)
    {
        thudi_lattice lattice = lattice_of(dim);
        double least = 1, most = -1;
        CHECK(thudi_lattice_make(&lattice, others) == THUD_OK);
        lattice.jitter = 0.01;
        CHECK(thudi_lattice_make(&lattice, spheres) == THUD_OK);
        for (int i = 0; i < count_of(&lattice); i++)
        {
            CHECK(spheres[i].radius == others[i].radius); // radii do not depend on it
            for (int k = 0; k < dim; k++)
            {
                double moved = spheres[i].center[k] - others[i].center[k];
                CHECK(moved != 0);
                CHECK_AT_MOST(fabs(moved), 0.01 * (1 + 1e-12));
                least = fmin(least, moved);
                most = fmax(most, moved);
            }
        }
        CHECK(least < -0.009 && most > 0.009);
    }
}

static void seeds(void)
{
    static const uint64_t pinned[2] = {0x333cb2d6219b6434u, 0x5c04293e5b17b232u};
    for (int dim = 2; dim <= 3; dim++)
    {
        thudi_lattice lattice = lattice_of(dim);
        lattice.jitter = 0.01;
        lattice.radius = fill_rig_law(3, 0.05);
        CHECK(thudi_lattice_make(&lattice, spheres) == THUD_OK);
        uint64_t hash = fill_rig_hash(spheres, count_of(&lattice));
        if (hash != pinned[dim - 2])
            test_fail(__FILE__, __LINE__, "dim %d: hash 0x%llx", dim, (unsigned long long)hash);
        lattice.seed = 8;
        CHECK(thudi_lattice_make(&lattice, others) == THUD_OK);
        for (int i = 0; i < count_of(&lattice); i++)
            CHECK(spheres[i].radius != others[i].radius &&
                  spheres[i].center[0] != others[i].center[0]);
    }
}

static void hopeless_radii(void)
{
    thudi_lattice lattice = lattice_of(3);
    lattice.radius =
        (thudi_distribution){.kind = THUDI_DRAW_LOGNORMAL, .a = 1, .b = 0.01, .min = 2, .max = 3};
    CHECK(thudi_lattice_make(&lattice, spheres) == THUD_ERR_LIMIT);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"positions", positions},
        {"jitter", jitter},
        {"seeds", seeds},
        {"hopeless-radii", hopeless_radii},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
