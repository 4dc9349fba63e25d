// A certificate for pair rows, four numbers at a time: the components of a unit side by side, and
// then four rows. Every lane does what certificate_coordinates.c does, in its order, with its bits.
//
// A unit has twelve numbers: sum_i mu_i slope_i in doubled precision and the size of its terms, and
// then, for the rows, what they need of it: the velocity and 1 / m, |origin|, reach.
#include "certify/certificate.h"

#include "core/math/four.h"

#include <string.h>

// A constant that the compiler may unroll loops by.
#define INLINE static inline __attribute__((always_inline))

enum
{
    NUMBERS = 12,
    SOME_ROWS = 256
};

// One unit more than there are: idle, all zero, in the place of a block that a row has not.
static size_t sum_count(const thudi_proof *proof)
{
    return NUMBERS * ((size_t)proof->units + 1) + 3;
}

// The unit that starts at this coordinate.
INLINE size_t place_of(int coordinate, int width)
{
    return (size_t)coordinate * (size_t)(NUMBERS / width);
}

static double *units_of(const thudi_proof *proof)
{
    return (double *)(((uintptr_t)proof->sums + 31) / 32 * 32);
}

INLINE void add_push(double *unit, four slope, four mu)
{
    four_dd product = four_two_product(slope, mu);
    four_dd sum = {four_load(unit), four_load(unit + 4)};
    sum = four_dd_add(sum, product);
    four_store(unit, sum.hi);
    four_store(unit + 4, sum.lo);
    four_store(unit + 8, four_load(unit + 8) + four_abs(product.hi));
}

// The rows from `first` on that push, from so many; returns how many do.
INLINE int find_pushes(const double *mu, int first, int count, int pushing[])
{
    int found = 0;
    for (int i = first; i < first + count; i++)
    {
        pushing[found] = i;
        found += mu[i] != 0; // no branch: there is no telling
    }
    return found;
}

// What row i pushes at its blocks first .. behind - 1.
INLINE void add_pushes(const thudi_proof *proof, int i, int first, int behind, int width)
{
    const thud_rows *rows = proof->problem->rows;
    const thudi_row_head *row = &rows->heads.items[i];
    const int *blocks = rows->blocks.items + row->block_first;
    const double *slope = rows->slope.items + row->first;
    double *units = units_of(proof);
    four mu = four_of(proof->mu[i]);
    for (int j = first; j < behind; j++)
        add_push(units + place_of(blocks[j], width),
                 four_load_first(slope + (size_t)(j * width), width), mu);
}

INLINE void add_rows_width(const thudi_proof *proof, int width)
{
    int pushing[SOME_ROWS] = {0};
    for (int first = 0; first < proof->rows; first += SOME_ROWS)
    {
        int rest = proof->rows - first, count = rest < SOME_ROWS ? rest : SOME_ROWS;
        int found = find_pushes(proof->mu, first, count, pushing);
        for (int k = 0; k < found; k++)
            add_pushes(proof, pushing[k], 0, proof->problem->rows->heads.items[pushing[k]].count,
                       width);
    }
}

static void add_rows(const thudi_proof *proof)
{
    if (proof->unit == 3)
        add_rows_width(proof, 3);
    else
        add_rows_width(proof, 2);
}

// With the idle unit behind the last one.
static void clear(const thudi_proof *proof, int low, int high)
{
    int behind = high == proof->units ? high + 1 : high;
    memset(units_of(proof) + NUMBERS * (size_t)low, 0,
           NUMBERS * (size_t)(behind - low) * sizeof(double));
}

static void visit_ends(const thudi_proof *proof, int first, int behind, thudi_ends *ends)
{
    const thud_rows *rows = proof->problem->rows;
    int pushing[SOME_ROWS] = {0};
    for (int some = first; some < behind; some += SOME_ROWS)
    {
        int count = behind - some < SOME_ROWS ? behind - some : SOME_ROWS;
        int found = find_pushes(proof->mu, some, count, pushing);
        for (int k = 0; k < found; k++)
        {
            const thudi_row_head *row = &rows->heads.items[pushing[k]];
            for (int j = 0; j < row->count; j++)
                thudi_visit_end(ends, rows->blocks.items[row->block_first + (size_t)j], pushing[k],
                                j);
        }
    }
}

static void add_ends(const thudi_proof *proof, const thudi_end *ends, size_t count)
{
    for (size_t e = 0; e < count; e++)
        if (proof->unit == 3)
            add_pushes(proof, ends[e].row, ends[e].entry, ends[e].entry + 1, 3);
        else
            add_pushes(proof, ends[e].row, ends[e].entry, ends[e].entry + 1, 2);
}

INLINE void store_velocity(double *to, four u, int width)
{
    for (int k = 0; k < width; k++)
        to[k] = u[k];
}

// Unit `at`, as certify_coordinate of the other file has it; what the rows need takes its place.
INLINE void certify_unit(const thudi_proof *proof, int at, int width, thudi_exact_four *sums,
                         four *kkt)
{
    const thud_projection *problem = proof->problem;
    double *unit = units_of(proof) + NUMBERS * (size_t)at;
    size_t k = (size_t)at * (size_t)width;
    four one = four_of(1), zero = four_of(0), m = one;
    four w = four_load_first(problem->w + k, width), terms = four_load(unit + 8);
    four_dd push = {four_load(unit), four_load(unit + 4)};
    if (problem->mass)
    {
        four masses = four_load_first(problem->mass + k, width);
        m = (four){masses[0], masses[1], width == 3 ? masses[2] : 1, 1};
    }
    four_dd sum = four_dd_add(four_dd_divide(push, m), (four_dd){w, zero});
    four u = sum.hi + sum.lo;
    store_velocity(proof->u + k, u, width);
    four_dd rest = four_dd_add(push, four_dd_scale(four_two_sum(u, -w), -m));
    four all = m * (four_abs(u) + four_abs(w)) + terms;
    four size =
        four_abs(rest.hi + rest.lo) * four_of(THUDI_OUTWARDS) + four_of(proof->sum_rounding) * all;
    thudi_exact_four_add(&sums[THUDI_RESIDUAL], size * (size / m));
    thudi_exact_four_add(&sums[THUDI_CHANGE], m * (u - w) * (u - w));
    thudi_exact_four_add(&sums[THUDI_VELOCITY], m * w * w);
    four ratio = four_only(size > zero, size / all);
    *kkt = four_larger(ratio, *kkt);
    double weight = (one / m)[0];
    four origin = problem->origin ? four_abs(four_load_first(problem->origin + k, width)) : zero;
    four_store(unit, (four){u[0], u[1], u[2], weight});
    four_store(unit + 4, origin);
    four_store(unit + 8, four_abs(w) + terms / m);
}

// The best of four numbers and one more, by thudi_larger or thudi_smaller.
static inline double best_of(four a, double best, double (*better)(double, double))
{
    double at[4];
    four_store(at, a);
    for (int l = 0; l < 4; l++)
        best = better(at[l], best);
    return best;
}

static void certify_units(const thudi_proof *proof, int low, int high, thudi_share *share)
{
    four kkt = four_of(0);
    for (int at = low; at < high; at++)
        if (proof->unit == 3)
            certify_unit(proof, at, 3, share->sums, &kkt);
        else
            certify_unit(proof, at, 2, share->sums, &kkt);
    share->certificate.kkt = best_of(kkt, 0, thudi_larger);
}

// The sums over the entries of four rows.
typedef struct sums_of_four
{
    four lin, rest, errors;  // lin, its rounding so far, and the size of that
    four way, noise, square; // |slope| . reach, |slope| . |origin|, |slope|^2 in the M^-1 metric
} sums_of_four;

// The worst so far, in every lane.
typedef struct worst_of_four
{
    four min_impulse, min_lin, violation, ulps, backward, kkt;
    four sound; // 0, or NAN once something is not finite
} worst_of_four;

// Block j of four rows: their slopes, and the units.
INLINE void add_block(const thudi_proof *proof, const thudi_row_head *const row[4], int j,
                      int width, sums_of_four *s)
{
    static const double nothing[4] = {0};
    const thud_rows *rows = proof->problem->rows;
    const double *units = units_of(proof), *idle = units + NUMBERS * (size_t)proof->units;
    four slope[4], u[4], origin[4], reach[4], h = four_of(proof->problem->h);
    for (int l = 0; l < 4; l++)
    {
        bool here = j < row[l]->count;
        const double *from = rows->slope.items + row[l]->first + (size_t)(j * width);
        const double *unit =
            here ? units + place_of(rows->blocks.items[row[l]->block_first + (size_t)j], width)
                 : idle;
        slope[l] = four_load_first(here ? from : nothing, width);
        u[l] = four_load(unit);
        origin[l] = four_load(unit + 4);
        reach[l] = four_load(unit + 8);
    }
    four_transpose(slope);
    four_transpose(u);
    four_transpose(origin);
    four_transpose(reach);
    for (int k = 0; k < width; k++)
    {
        four_dd step = four_two_product(h, slope[k]), move = four_two_product(step.hi, u[k]);
        four_dd next = four_two_sum(s->lin, move.hi);
        four small = step.lo * u[k], length = four_abs(slope[k]);
        s->lin = next.hi;
        s->rest += (next.lo + move.lo) + small;
        s->errors += four_abs(next.lo) + four_abs(move.lo) + four_abs(small);
        s->way += length * reach[k];
        s->noise += length * origin[k];
        s->square += length * length * u[3];
    }
}

// |slope| in the M^-1 metric; rows of extreme slopes alone.
INLINE four norms_of(const thudi_proof *proof, const thudi_row_head *const row[4], four square)
{
    four_flags plain =
        (square > four_of(THUDI_LEAST_SQUARE)) & (four_of(THUDI_LARGEST_SQUARE) > square);
    four norm = four_sqrt(square);
    if (four_all(plain))
        return norm;
    double at[4];
    four_store(at, norm);
    for (int l = 0; l < 4; l++)
        if (!(four_bits(plain) >> l & 1))
            at[l] =
                thudi_row_norm(proof->problem, (int)(row[l] - proof->problem->rows->heads.items));
    return four_load(at);
}

// A number not above x, and at most two ulps below it.
INLINE four below(four x)
{
    return x - four_abs(x) * four_of(DBL_EPSILON) - four_of(DBL_MIN);
}

// certify_row of the other file. lin.hi + lin.lo is lin to within bound.
INLINE void certify_lanes(four mu, four shift, four_dd lin, four bound, four scale, four around,
                          worst_of_four *worst)
{
    four zero = four_of(0);
    four_flags rounded = bound > zero, pushes = mu > zero;
    four_flags unsure = (rounded & (lin.lo <= bound)) | (~rounded & (zero > lin.lo));
    four least = four_where(unsure, below(lin.hi - bound), lin.hi);
    four residual = lin.hi - shift, most = -below(-(four_abs(lin.hi) + bound));
    four_flags held = pushes & ((lin.hi != zero) | rounded);
    four off = four_where(pushes, four_abs(residual), four_larger(-residual, zero));
    four kkt = four_only(off > zero, off / around);
    kkt = four_where(zero > mu, four_of(INFINITY), kkt);
    worst->min_impulse = four_smaller(mu, worst->min_impulse);
    worst->min_lin = four_smaller(least, worst->min_lin);
    worst->violation = four_larger(-least, worst->violation);
    worst->backward =
        four_larger(four_where(held, most, four_larger(-least, zero)), worst->backward);
    worst->kkt = four_larger(kkt, worst->kkt);
    if (four_bits(zero > lin.hi)) // seldom
    {
        four beyond = four_larger(-lin.hi, zero);
        four ulps = four_only(beyond > zero, beyond / (four_of(DBL_EPSILON) * scale));
        worst->ulps = four_larger(ulps, worst->ulps);
    }
    // larger drops a NAN and a residual over INFINITY is 0: say so instead
    worst->sound += ((lin.hi * zero + lin.lo * zero) + bound * zero) + around * zero;
}

// The bounds where something may have underflowed, seldom.
static __attribute__((noinline)) four
bounds_with_underflow(const thudi_proof *proof, const thudi_row_head *const row[4], four bound)
{
    double at[4];
    four_store(at, bound);
    for (int l = 0; l < 4; l++)
        if (at[l] < THUDI_UNDERFLOW_LIMIT && thudi_may_underflow(proof, row[l]))
            at[l] += DBL_MIN;
    return four_load(at);
}

// Rows first .. first + 4, the last one again where there are no more.
INLINE void certify_four(const thudi_proof *proof, int first, int high, int width,
                         worst_of_four *worst, thudi_exact_four *sums)
{
    const thudi_row_head *row[4];
    const double *mus[4];
    for (int l = 0; l < 4; l++)
    {
        int i = first + l < high ? first + l : high - 1;
        row[l] = &proof->problem->rows->heads.items[i];
        mus[l] = &proof->mu[i];
    }
    four h = four_of(proof->problem->h), zero = four_of(0);
    four gap = {row[0]->gap, row[1]->gap, row[2]->gap, row[3]->gap};
    four shift = (four){row[0]->shift, row[1]->shift, row[2]->shift, row[3]->shift} *
                 four_of(proof->problem->shift_scale);
    four mu = {*mus[0], *mus[1], *mus[2], *mus[3]};
    four size = {row[0]->size, row[1]->size, row[2]->size, row[3]->size};
    sums_of_four s = {.lin = gap};
    add_block(proof, row, 0, width, &s);
    add_block(proof, row, 1, width, &s);
    four_dd lin = four_two_sum(s.lin, s.rest);
    four bound = four_of(THUDI_ULPS_PER_ENTRY * DBL_EPSILON) * (size + four_of(1)) * s.errors;
    if (four_bits(bound < four_of(THUDI_UNDERFLOW_LIMIT)))
        bound = bounds_with_underflow(proof, row, bound);
    four scale = four_abs(gap) + shift + h * s.way;
    four around = scale + s.noise + h * norms_of(proof, row, s.square) * four_of(proof->length);
    certify_lanes(mu, shift, lin, bound, scale, around, worst);
    four give = mu * (four_larger(lin.hi, zero) + four_of(THUDI_SHORT_SUM_ROUNDING) * scale +
                      four_of(DBL_MIN));
    four_flags here = four_of(high - first) > (four){0, 1, 2, 3};
    double lins[4];
    four_store(lins, lin.hi);
    for (int l = 0; l < 4 && first + l < high; l++)
        proof->lin[first + l] = lins[l];
    thudi_exact_four_add(&sums[THUDI_COMPLEMENTARITY], four_only(here, give / h));
}

static void certify_rows(const thudi_proof *proof, int low, int high, thudi_share *share)
{
    four zero = four_of(0), most = four_of(INFINITY);
    worst_of_four worst = {most, most, zero, zero, zero, zero, zero};
    for (int first = low; first < high; first += 4)
        if (proof->unit == 3)
            certify_four(proof, first, high, 3, &worst, share->sums);
        else
            certify_four(proof, first, high, 2, &worst, share->sums);
    thud_certificate *certificate = &share->certificate;
    certificate->min_impulse = best_of(worst.min_impulse, certificate->min_impulse, thudi_smaller);
    certificate->min_lin = best_of(worst.min_lin, certificate->min_lin, thudi_smaller);
    certificate->violation = best_of(worst.violation, 0, thudi_larger);
    certificate->violation_ulps = best_of(worst.ulps, 0, thudi_larger);
    certificate->backward = best_of(worst.backward, 0, thudi_larger);
    certificate->kkt = best_of(worst.kkt, 0, thudi_larger);
    share->is_sound = four_bits(four_is_no_number(worst.sound)) == 0;
}

const thudi_certifier thudi_by_blocks = {sum_count, clear,         add_rows,    visit_ends,
                                         add_ends,  certify_units, certify_rows};
