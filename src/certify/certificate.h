// The parts of a certificate: bounds from the coordinates first, then bounds from the rows.
//
// A unit is a block of 2 or 3 coordinates if all rows are pair rows, else one coordinate. Units and
// rows are cut into chunks. The results of chunks are added up in their order, so the bits do not
// depend on the threads.
#ifndef THUDI_CERTIFICATE_H
#define THUDI_CERTIFICATE_H

#include "certify/row_measures.h"
#include "core/rooms.h"

#include <float.h>

// A bound is multiplied by this. It is more than the roundings of the few operations that made it.
static const double THUDI_OUTWARDS = 1 + 16 * DBL_EPSILON;

// The low half of a product below this may have underflowed. Then high and low half are not exact.
static const double THUDI_UNDERFLOW_LIMIT = 0x1p-960;

// A sum of squares between these limits has not overflowed, and has lost no term that counts. Other
// sums are computed again with a scale.
static const double THUDI_LEAST_SQUARE = 0x1p-800, THUDI_LARGEST_SQUARE = 0x1p800;

enum
{
    // lin is summed in plain doubles, and the errors of its operations apart. So many ulps of the
    // errors bound the rounding per entry of the row.
    THUDI_ULPS_PER_ENTRY = 4
};

// The rounding of a sum in doubled precision, as a part of the sum of the absolute terms. An
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

// What a chunk of units or rows adds to a certificate.
typedef struct thudi_share
{
    thud_certificate certificate;
    double sum;            // units: |r|^2 in the M^-1 norm; rows: sum mu_i s_i (see certificate.c)
    double change_squared; // units: |u - w|^2 in the M norm
    double velocity_squared; // units: |w|^2 in the M norm
    bool is_sound;           // rows: all numbers are finite
} thudi_share;

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
} thudi_proof;

// A way to make a certificate. All ways give the same bits. The functions are called in this order.
typedef struct thudi_certifier
{
    size_t (*sum_count)(const thudi_proof *proof); // how many doubles `sums` must have
    // sum_i mu_i slope_i for the units low .. high - 1, each in the order of the rows
    void (*sum_up)(const thudi_proof *proof, int low, int high);
    // u, and stationarity of the units low .. high - 1
    void (*certify_units)(const thudi_proof *proof, int low, int high, thudi_share *share);
    // lin, and bounds from the rows low .. high - 1
    void (*certify_rows)(const thudi_proof *proof, int low, int high, thudi_share *share);
} thudi_certifier;

extern const thudi_certifier thudi_by_coordinates; // rows of any shape
extern const thudi_certifier thudi_by_blocks;      // pair rows, whose blocks are the units

// Make the certificate by one of the ways.
thud_status thudi_certify_with(const thudi_certifier *certifier, thudi_proof *proof,
                               thud_rooms *rooms, thud_certificate *certificate);

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
