// The rows of a certificate for pair rows, four at a time. Every lane does what
// certificate_coordinates.c does, in its order, with its bits.
#include "certify/certificate_blocks.h"

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

// The blocks of four rows. A block that a row has not has the slope 0 and the idle unit.
typedef struct blocks_of_four
{
    four slope[2][4]; // by block and component
    const double *unit[2][4];
    four size; // entries
} blocks_of_four;

// Rows that are all in their heads.
INLINE void read_whole_rows(const thudi_proof *proof, const thudi_row_head *const row[4], int width,
                            blocks_of_four *found)
{
    const double *units = thudi_units(proof),
                 *idle = units + THUDI_UNIT_NUMBERS * (size_t)proof->units;
    four normal[4];
    int blocks[4];
    for (int l = 0; l < 4; l++)
    {
        bool is_two = row[l]->a != row[l]->b;
        blocks[l] = 1 + is_two;
        normal[l] = four_load_first(row[l]->normal, width);
        found->unit[0][l] = units + thudi_unit_place((int)row[l]->a, width);
        found->unit[1][l] = is_two ? units + thudi_unit_place((int)row[l]->b, width) : idle;
    }
    four_transpose(normal);
    four count = {blocks[0], blocks[1], blocks[2], blocks[3]};
    four_flags are_two = count > four_of(1);
    for (int k = 0; k < width; k++)
    {
        found->slope[0][k] = four_where(are_two, -normal[k], normal[k]);
        found->slope[1][k] = four_only(are_two, normal[k]);
    }
    found->size = count * four_of(width);
}

static __attribute__((noinline)) void read_any_rows(const thudi_proof *proof,
                                                    const thudi_row_head *const row[4], int width,
                                                    blocks_of_four *found)
{
    const double *units = thudi_units(proof),
                 *idle = units + THUDI_UNIT_NUMBERS * (size_t)proof->units;
    double size[4];
    for (int l = 0; l < 4; l++)
    {
        size[l] = thudi_row_size(row[l]);
        for (int j = 0; j < 2; j++)
        {
            thudi_row_block block = {0};
            bool here = j < thudi_row_count(row[l]);
            if (here)
                block = thudi_row_block_at(proof->problem->rows, row[l], j);
            found->unit[j][l] = here ? units + thudi_unit_place(block.start, width) : idle;
            found->slope[j][l] =
                here ? four_of(block.sign) * four_load_first(block.slope, width) : four_of(0);
        }
    }
    four_transpose(found->slope[0]);
    four_transpose(found->slope[1]);
    found->size = four_load(size);
}

INLINE void read_rows(const thudi_proof *proof, const thudi_row_head *const row[4], int width,
                      blocks_of_four *found)
{
    bool are_whole = true;
    for (int l = 0; l < 4; l++)
        are_whole = are_whole && row[l]->form == (unsigned)width;
    if (are_whole)
        read_whole_rows(proof, row, width, found);
    else
        read_any_rows(proof, row, width, found);
}

// Block j of four rows.
INLINE void add_block(const thudi_proof *proof, const blocks_of_four *blocks, int j, int width,
                      sums_of_four *s)
{
    four u[4], origin[4], reach[4], h = four_of(proof->problem->h);
    for (int l = 0; l < 4; l++)
    {
        const double *unit = blocks->unit[j][l];
        u[l] = four_load(unit);
        origin[l] = four_load(unit + 4);
        reach[l] = four_load(unit + 8);
    }
    four_transpose(u);
    four_transpose(origin);
    four_transpose(reach);
    for (int k = 0; k < width; k++)
    {
        four slope = blocks->slope[j][k];
        four_dd step = four_two_product(h, slope), move = four_two_product(step.hi, u[k]);
        four_dd next = four_two_sum(s->lin, move.hi);
        four small = step.lo * u[k], length = four_abs(slope);
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
    sums_of_four s = {.lin = gap};
    blocks_of_four blocks;
    read_rows(proof, row, width, &blocks);
    add_block(proof, &blocks, 0, width, &s);
    add_block(proof, &blocks, 1, width, &s);
    four_dd lin = four_two_sum(s.lin, s.rest);
    four bound =
        four_of(THUDI_ULPS_PER_ENTRY * DBL_EPSILON) * (blocks.size + four_of(1)) * s.errors;
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

void thudi_certify_pair_rows(const thudi_proof *proof, int low, int high, thudi_share *share)
{
    four zero = four_of(0), most = four_of(INFINITY);
    worst_of_four worst = {most, most, zero, zero, zero, zero, zero};
    for (int first = low; first < high; first += 4)
        if (proof->unit == 3)
            certify_four(proof, first, high, 3, &worst, share->sums);
        else
            certify_four(proof, first, high, 2, &worst, share->sums);
    thud_certificate *certificate = &share->certificate;
    certificate->min_impulse =
        thudi_best_of(worst.min_impulse, certificate->min_impulse, thudi_smaller);
    certificate->min_lin = thudi_best_of(worst.min_lin, certificate->min_lin, thudi_smaller);
    certificate->violation = thudi_best_of(worst.violation, 0, thudi_larger);
    certificate->violation_ulps = thudi_best_of(worst.ulps, 0, thudi_larger);
    certificate->backward = thudi_best_of(worst.backward, 0, thudi_larger);
    certificate->kkt = thudi_best_of(worst.kkt, 0, thudi_larger);
    share->is_sound = four_bits(four_is_no_number(worst.sound)) == 0;
}
