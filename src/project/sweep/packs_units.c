// The units of packs, and whether the numbers of a problem fit into them.
#include "project/sweep/packs_units.h"

#include "core/threads.h"
#include "project/projector.h"
#include "project/sweep/part.h"

// Stops, speeds and masses between these can be scaled to the units of the packs, and back, within
// the range of doubles.
static const double LEAST_STOP = 0x1p-900, LARGEST_STOP = 0x1p900, FASTEST = 0x1p900;
static const double LIGHTEST = 0x1p-400, HEAVIEST = 0x1p400;

// The largest |f| / m of any body, squared.
static double largest_pull(const thud_projection *problem, const thudi_packs *p)
{
    double largest = 0;
    if (!problem->force)
        return 0;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)                             \
    reduction(max                                                                                  \
              : largest) if (p->groups > 1)
    for (int i = 0; i < p->bodies; i++)
    {
        double sum = 0;
        for (int k = 0; k < p->width; k++)
        {
            int at = p->coordinate[i] + k;
            double pull = problem->force[at] / thudi_mass(problem->mass, at);
            sum += pull * pull;
        }
        largest = sum > largest ? sum : largest;
    }
    return largest;
}

// The largest |w| of any coordinate.
static double largest_speed(const thud_projection *problem, const thudi_packs *p)
{
    double speed = 0;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)                             \
    reduction(max                                                                                  \
              : speed) if (p->groups > 1)
    for (int i = 0; i < p->bodies; i++)
        for (int k = 0; k < p->width; k++)
        {
            double size = fabs(problem->w[p->coordinate[i] + k]);
            speed = size > speed ? size : speed;
        }
    return speed;
}

// x scaled into [1/2, 1) is x times this.
static double unit_of(double x)
{
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1, -exponent);
}

// The row of the problem that is number i among those laid out.
static inline int row_at(const thudi_packing *packing, const thudi_packs *p, int i)
{
    return p->part ? p->placed[i].row : packing->which ? packing->which[i] : i;
}

// Masses, and the stops of rows.
typedef struct ranges
{
    double heaviest, lightest, longest, least;
} ranges;

static ranges find_ranges(const thudi_packing *packing, const thudi_packs *p)
{
    const thud_projection *problem = packing->problem;
    double heaviest = 0, lightest = INFINITY, longest = 0, least = INFINITY;
#pragma omp parallel num_threads(thudi_threads()) reduction(max                                    \
                                                            : heaviest, longest)                   \
    reduction(min                                                                                  \
              : lightest, least) if (p->groups > 1)
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < p->bodies; i++)
        {
            double mass = thudi_mass(problem->mass, p->coordinate[i]);
            heaviest = mass > heaviest ? mass : heaviest;
            lightest = mass < lightest ? mass : lightest;
        }
#pragma omp for schedule(static)
        for (int i = 0; i < p->rows; i++)
        {
            double tolerance = thudi_row_tolerance(problem, row_at(packing, p, i), p->pull);
            longest = tolerance > longest ? tolerance : longest;
            least = tolerance < least ? tolerance : least;
        }
    }
    return (ranges){heaviest, lightest, longest, least};
}

// `pull` and the speed, which tolerances and floats depend on; the speed in the caller's units.
static thud_status measure_motion(const thud_projection *problem, thud_status status,
                                  thudi_packs *p, double *speed)
{
    double largest[] = {largest_pull(problem, p), largest_speed(problem, p)};
    THUD_TRY(thudi_part_agree(p->part, status, largest, 2));
    p->pull = problem->accuracy * problem->h * problem->h * sqrt(largest[0]);
    *speed = largest[1];
    return THUD_OK;
}

thud_status thudi_packs_choose_units(const thudi_packing *packing, thud_status status,
                                     thudi_packs *p, double *speed, double *shortest)
{
    THUD_TRY(measure_motion(packing->problem, status, p, speed));
    ranges r = find_ranges(packing, p);
    double all[] = {r.heaviest, -r.lightest, r.longest, -r.least};
    THUD_TRY(thudi_part_agree(p->part, THUD_OK, all, 4));
    r = (ranges){all[0], -all[1], all[2], -all[3]};
    p->per_velocity = unit_of(r.longest);
    p->per_impulse = p->per_velocity * unit_of(r.lightest);
    *shortest = r.least * p->per_velocity;
    *speed *= p->per_velocity;
    bool fits = r.heaviest / r.lightest < THUDI_MOST_APART &&
                r.longest / r.least < THUDI_MOST_APART && r.least > LEAST_STOP &&
                r.longest < LARGEST_STOP && r.lightest > LIGHTEST && r.heaviest < HEAVIEST;
    bool may_overflow = !(*speed < FASTEST);
    return fits && !may_overflow ? THUD_OK : THUD_NEWS;
}
