// The parts of a certificate: bounds from the coordinates first, then bounds from the rows.
//
// A unit is a block of 2 or 3 coordinates if all rows are pair rows, else one coordinate. Units and
// rows are cut into parts, one for each thread. Sums over them are exact, so the bits depend
// neither on the threads nor on the order of units and rows. Only what a row pushes at a unit is
// added in the order of rows.
#ifndef THUDI_CERTIFICATE_H
#define THUDI_CERTIFICATE_H

#include "certify/row_measures.h"
#include "core/math/exact_four.h"
#include "core/rooms.h"
#include "core/threads.h"
#include "team/team.h"

#include <float.h>

// A bound is multiplied by this. It is more than the roundings of the few operations that made it.
static const double THUDI_OUTWARDS = 1 + 16 * DBL_EPSILON;

// The low half of a product below this may have underflowed. Then high and low half are not exact.
static const double THUDI_UNDERFLOW_LIMIT = 0x1p-960;

// What the products of one row may lose below the range of doubles: 16 times the least double.
static const double THUDI_UNDERFLOWN = 0x1p-1070;

// A sum of squares between these limits has not overflowed, and has lost no term that counts. Other
// sums are computed again with a scale.
static const double THUDI_LEAST_SQUARE = 0x1p-800, THUDI_LARGEST_SQUARE = 0x1p800;

enum
{
    // lin is summed in plain doubles, and the errors of its operations apart. So many ulps of the
    // errors bound the rounding per entry of the row.
    THUDI_ULPS_PER_ENTRY = 4
};

// The rounding of a sum over the rows of one unit, as a part of the sum of the absolute terms. It
// is made in doubled precision. An
// addition loses at most 3 2^-106 of the sum so far; a short sum has at most THUDI_SHORT_SUM_TERMS
// terms.
static const double THUDI_ADDITION_ROUNDING = 0x1p-104, THUDI_SHORT_SUM_ROUNDING = 0x1p-96;
enum
{
    THUDI_SHORT_SUM_TERMS = 256
};

// The impulse sum_i mu_i slope_i on one coordinate.
typedef struct thudi_coordinate_sum
{
    thudi_dd impulse;
    double terms; // sum_i |mu_i slope_i|; from certify_units on |w| + this / m, the reach of u
} thudi_coordinate_sum;

// The sums over units, and the one over rows: each is the total of its four lanes.
enum
{
    THUDI_RESIDUAL,       // |r|^2 in the M^-1 norm
    THUDI_CHANGE,         // |u - w|^2 in the M norm
    THUDI_VELOCITY,       // |w|^2 in the M norm
    THUDI_SUMS,           // how many there are
    THUDI_COMPLEMENTARITY // rows: sum mu_i s_i (see certificate.c), in the place of the first
    = 0
};

// What a part of the units or rows adds to a certificate.
typedef struct thudi_share
{
    thud_certificate certificate;
    thudi_exact_four sums[THUDI_SUMS];
    bool is_sound; // rows: all numbers are finite
} thudi_share;

// Units or rows first .. behind - 1.
typedef struct thudi_stretch
{
    int first, behind;
} thudi_stretch;

// What the functions of a certifier work on.
typedef struct thudi_proof
{
    const thud_projection *problem;
    const double *mu;
    double *u, *lin;     // results
    int unit;            // coordinates in a unit
    int units, rows;     // how many there are
    double sum_rounding; // of a sum over all rows, see thudi_sum_rounding
    double *sums;        // a room, for the certifier
    double length;       // |w| + |u - w| in the M norm; from the units, for the rows
    // The members that share the work, and the units and rows that are this member's: all of them
    // if it is alone, or if rows are few.
    thud_team *team;
    bool is_shared;
    thudi_stretch own_units, own_rows;
} thudi_proof;

// What row `row` pushes at one unit.
typedef struct thudi_end
{
    int row, entry; // entry: the number of the block; where a unit is a coordinate, of the slope
} thudi_end;

enum
{
    THUDI_MOST_PARTS = 64 // of units, or of rows: more threads have no work on certificates
};

// Lists of ends, one for each part of the own units, that a thread counts first and then writes.
typedef struct thudi_ends
{
    unsigned first, count;       // the coordinates of the own units
    uint64_t scale;              // the part of a unit: its first coordinate, less `first`, times
                                 // scale / 2^32
    size_t at[THUDI_MOST_PARTS]; // by part: how many ends, then where the next one is written
    thudi_end *list;             // NULL while they are counted
} thudi_ends;

static inline void thudi_visit_end(thudi_ends *ends, int unit, int row, int entry)
{
    unsigned place = (unsigned)unit - ends->first; // unit: its first coordinate
    if (place >= ends->count)
        return;
    size_t *at = &ends->at[place * ends->scale >> 32];
    if (ends->list)
        ends->list[*at] = (thudi_end){row, entry};
    ++*at;
}

// A way to make a certificate. All ways give the same bits. The functions are called in this order.
typedef struct thudi_certifier
{
    size_t (*sum_count)(const thudi_proof *proof); // how many doubles `sums` must have
    // no sum yet, for the units low .. high - 1
    void (*clear)(const thudi_proof *proof, int low, int high);
    // add mu_i slope_i at the own units for all rows, in their order
    void (*add_rows)(const thudi_proof *proof);
    // in place of add_rows: visit the ends of the rows first .. behind - 1 that push
    void (*visit_ends)(const thudi_proof *proof, int first, int behind, thudi_ends *ends);
    // add mu_i slope_i for these ends, in their order
    void (*add_ends)(const thudi_proof *proof, const thudi_end *ends, size_t count);
    // u, and stationarity of the units low .. high - 1
    void (*certify_units)(const thudi_proof *proof, int low, int high, thudi_share *share);
    // between members: the reach of the units low .. high - 1 by coordinate; and what rows need of
    // units that another member has certified, from u and that
    void (*give_reach)(const thudi_proof *proof, int low, int high, double *reach);
    void (*take_reach)(const thudi_proof *proof, int low, int high, const double *reach);
    // lin, and bounds from the rows low .. high - 1
    void (*certify_rows)(const thudi_proof *proof, int low, int high, thudi_share *share);
} thudi_certifier;

extern const thudi_certifier thudi_by_coordinates; // rows of any shape
extern const thudi_certifier thudi_by_blocks;      // pair rows, whose blocks are the units

// Make the certificate by one of the ways.
thud_status thudi_certify_with(const thudi_certifier *certifier, thudi_proof *proof,
                               thud_rooms *rooms, thud_certificate *certificate);

// Write the sums of the own units. Threads share the rows, and then the units.
thud_status thudi_sum_up_rows(const thudi_certifier *certifier, const thudi_proof *proof, int parts,
                              thud_rooms *rooms);

// Which units and rows are this member's.
void thudi_deal_proof(thudi_proof *proof);

// Join what the own units have shown with what those of the other members have: kkt, and the sums
// of the share, whose values are given. All members get u, and what rows need of all units. Returns
// the error of the team.
thud_status thudi_join_units(const thudi_certifier *certifier, const thudi_proof *proof,
                             const thudi_share *share, double *kkt, double sums[THUDI_SUMS],
                             thud_rooms *rooms);

// The same for the own rows: bounds, soundness, and sum mu_i s_i, which is in the share. All
// members get lin.
thud_status thudi_join_rows(const thudi_proof *proof, thudi_share *share,
                            thud_certificate *certificate, double *complementarity,
                            thud_rooms *rooms);

// The rounding of a sum of so many terms in doubled precision, as a part of the absolute terms'
// sum.
static inline double thudi_sum_rounding(double terms)
{
    return terms > THUDI_SHORT_SUM_TERMS ? terms * THUDI_ADDITION_ROUNDING
                                         : THUDI_SHORT_SUM_ROUNDING;
}

// Is a product in h slope . u of a row so small that it may have underflowed? Then lin may be off
// by up to DBL_MIN, even if no rounding error was found. Defined in certificate.c.
bool thudi_may_underflow(const thudi_proof *proof, const thudi_row_head *row);

// Both return b if a is NaN.
static inline double thudi_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double thudi_smaller(double a, double b)
{
    return a < b ? a : b;
}

#endif
