// A certificate for pair rows, four numbers at a time: the components of a unit side by side, and
// then four rows. Every lane does what certificate_coordinates.c does, in its order, with its bits.
#include "certify/certificate_blocks.h"

#include <string.h>

enum
{
    SOME_ROWS = 256
};

// One unit more than there are: idle, all zero, in the place of a block that a row has not.
static size_t sum_count(const thudi_proof *proof)
{
    return THUDI_UNIT_NUMBERS * ((size_t)proof->units + 1) + 3;
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

// What row i pushes at its block j, if it has one.
INLINE void add_block_push(const thudi_proof *proof, int i, int j, int width)
{
    const thud_rows *rows = proof->problem->rows;
    const thudi_row_head *row = &rows->heads.items[i];
    if (j >= thudi_row_count(row))
        return;
    thudi_row_block block = thudi_row_block_at(rows, row, j);
    add_push(thudi_units(proof) + thudi_unit_place(block.start, width),
             four_load_first(block.slope, width), four_of(block.sign * proof->mu[i]));
}

// What row i pushes at all its blocks.
INLINE void add_row(const thudi_proof *proof, int i, int width)
{
    const thudi_row_head *row = &proof->problem->rows->heads.items[i];
    if (row->form != (unsigned)width)
    {
        add_block_push(proof, i, 0, width);
        add_block_push(proof, i, 1, width);
        return;
    }
    double *units = thudi_units(proof);
    four normal = four_load_first(row->normal, width), mu = four_of(proof->mu[i]);
    if (row->a != row->b)
        add_push(units + thudi_unit_place((int)row->a, width), -normal, mu);
    add_push(units + thudi_unit_place((int)row->b, width), normal, mu);
}

INLINE void add_rows_width(const thudi_proof *proof, int width)
{
    int pushing[SOME_ROWS] = {0};
    for (int first = 0; first < proof->rows; first += SOME_ROWS)
    {
        int rest = proof->rows - first, count = rest < SOME_ROWS ? rest : SOME_ROWS;
        int found = find_pushes(proof->mu, first, count, pushing);
        for (int k = 0; k < found; k++)
            add_row(proof, pushing[k], width);
    }
}

// What the rows push at the units of this member.
INLINE void add_rows_to_own(const thudi_proof *proof, int width)
{
    const thud_rows *rows = proof->problem->rows;
    unsigned first = (unsigned)(proof->own_units.first * width);
    unsigned count = (unsigned)(proof->own_units.behind * width) - first;
    for (int i = 0; i < proof->rows; i++)
    {
        const thudi_row_head *row = &rows->heads.items[i];
        for (int j = 0; proof->mu[i] != 0 && j < thudi_row_count(row); j++)
            if ((unsigned)thudi_row_start(rows, row, j) - first < count)
                add_block_push(proof, i, j, width);
    }
}

static void add_rows(const thudi_proof *proof)
{
    if (proof->unit == 3 && proof->is_shared)
        add_rows_to_own(proof, 3);
    else if (proof->unit == 3)
        add_rows_width(proof, 3);
    else if (proof->is_shared)
        add_rows_to_own(proof, 2);
    else
        add_rows_width(proof, 2);
}

// With the idle unit behind the last one.
static void clear(const thudi_proof *proof, int low, int high)
{
    size_t size = THUDI_UNIT_NUMBERS * sizeof(double);
    double *units = thudi_units(proof);
    memset(units + THUDI_UNIT_NUMBERS * (size_t)low, 0, (size_t)(high - low) * size);
    if (high == proof->own_units.behind)
        memset(units + THUDI_UNIT_NUMBERS * (size_t)proof->units, 0, size);
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
            for (int j = 0; j < thudi_row_count(row); j++)
                thudi_visit_end(ends, thudi_row_start(rows, row, j), pushing[k], j);
        }
    }
}

static void add_ends(const thudi_proof *proof, const thudi_end *ends, size_t count)
{
    for (size_t e = 0; e < count; e++)
        if (proof->unit == 3)
            add_block_push(proof, ends[e].row, ends[e].entry, 3);
        else
            add_block_push(proof, ends[e].row, ends[e].entry, 2);
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
    double *unit = thudi_units(proof) + THUDI_UNIT_NUMBERS * (size_t)at;
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

static void certify_units(const thudi_proof *proof, int low, int high, thudi_share *share)
{
    four kkt = four_of(0);
    for (int at = low; at < high; at++)
        if (proof->unit == 3)
            certify_unit(proof, at, 3, share->sums, &kkt);
        else
            certify_unit(proof, at, 2, share->sums, &kkt);
    share->certificate.kkt = thudi_best_of(kkt, 0, thudi_larger);
}

static void give_reach(const thudi_proof *proof, int low, int high, double *reach)
{
    for (int at = low; at < high; at++)
        for (int k = 0; k < proof->unit; k++)
            *reach++ = thudi_units(proof)[THUDI_UNIT_NUMBERS * (size_t)at + 8 + (size_t)k];
}

// The numbers of a unit as certify_unit leaves them.
INLINE void take_unit(const thudi_proof *proof, int at, int width, const double *reach)
{
    const thud_projection *problem = proof->problem;
    double *unit = thudi_units(proof) + THUDI_UNIT_NUMBERS * (size_t)at;
    size_t k = (size_t)at * (size_t)width;
    four u = four_load_first(proof->u + k, width), zero = four_of(0);
    double weight = 1 / (problem->mass ? problem->mass[k] : 1);
    four origin = problem->origin ? four_abs(four_load_first(problem->origin + k, width)) : zero;
    four_store(unit, (four){u[0], u[1], u[2], weight});
    four_store(unit + 4, origin);
    four_store(unit + 8, four_load_first(reach, width));
}

static void take_reach(const thudi_proof *proof, int low, int high, const double *reach)
{
    for (int at = low; at < high; at++)
        if (proof->unit == 3)
            take_unit(proof, at, 3, reach + 3 * (size_t)(at - low));
        else
            take_unit(proof, at, 2, reach + 2 * (size_t)(at - low));
}

const thudi_certifier thudi_by_blocks = {sum_count,  clear,      add_rows,
                                         visit_ends, add_ends,   certify_units,
                                         give_reach, take_reach, thudi_certify_pair_rows};
