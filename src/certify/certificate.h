// The parts of a certificate: what is proved of the units of coordinates, and then of the rows.
//
// Both are gone through in chunks, by any number of threads; what the chunks found is added up in
// their order, so that the bits do not depend on which thread did them.
#ifndef THUDI_CERTIFICATE_H
#define THUDI_CERTIFICATE_H

#include "certify/row_measures.h"
#include "core/rooms.h"

#include <float.h>

// Rounds a bound outwards: more than the roundings of the few operations that made it.
static const double THUDI_OUTWARDS = 1 + 16 * DBL_EPSILON;
static const double THUDI_TINY = 0x1p-96;   // of its terms: the rounding of lin of a pair row
static const double THUDI_FAINT = 0x1p-960; // products below this may have lost what makes exact

// A sum of squares between these neither overflowed nor lost a term that counts; others are summed
// again with a scale.
static const double THUDI_LEAST_SQUARE = 0x1p-800, THUDI_LARGEST_SQUARE = 0x1p800;

enum
{
    THUDI_ULPS_PER_ENTRY = 4, // of the errors that a sum of doubles and their rests collects
    THUDI_SHORT_SUM = 256     // terms up to which THUDI_TINY bounds the rounding of a sum
};
static const double THUDI_ADDITION = 0x1p-104; // of the sum so far: more than 3 2^-106

// sum_i mu_i slope_i in one coordinate.
typedef struct thudi_coordinate_sum
{
    thudi_dd push;
    double terms; // the size of its terms
} thudi_coordinate_sum;

// What a chunk of rows or coordinates adds to a certificate.
typedef struct thudi_share
{
    thud_certificate certificate;
    double sum, change, length;
    bool is_sound; // all of it is finite
} thudi_share;

typedef struct thudi_proof
{
    const thud_projection *problem;
    const double *mu;
    double *u, *lin; // to write
    int unit;        // coordinates in a unit
    int units, rows;
    double tiny;   // of its terms: the rounding of a sum over rows
    double *sums;  // room of a certifier
    double length; // |w| + |u - w|, for the rows
} thudi_proof;

// One way of making a certificate; all give the same bits. To be called in this order.
typedef struct thudi_certifier
{
    size_t (*room)(const thudi_proof *proof); // how many sums it needs
    // sum_i mu_i slope_i for the units low .. high, each in the order of the rows
    void (*sum_up)(const thudi_proof *proof, int low, int high);
    // u and stationarity of the units low .. high
    void (*certify_units)(const thudi_proof *proof, int low, int high, thudi_share *share);
    // lin and what is proved of the rows low .. high
    void (*certify_rows)(const thudi_proof *proof, int low, int high, thudi_share *share);
} thudi_certifier;

extern const thudi_certifier thudi_by_coordinates; // rows of any shape
extern const thudi_certifier thudi_by_blocks;      // pair rows, whose blocks are the units

// The certificate by one of the ways.
thud_status thudi_certify_with(const thudi_certifier *certifier, thudi_proof *proof,
                               thud_rooms *rooms, thud_certificate *certificate);

// Of the terms of a sum in doubled precision: its rounding. Every addition may lose 3 2^-106 of the
// sum so far.
static inline double thudi_tiny(double terms)
{
    return terms > THUDI_SHORT_SUM ? terms * THUDI_ADDITION : THUDI_TINY;
}

// certificate.c: did a product of h slope . u underflow? Then lin may be off by DBL_MIN, though no
// rounding was seen.
bool thudi_is_faint(const thudi_proof *proof, const thudi_row_head *row);

// b where a is no number, as with smaller below.
static inline double thudi_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double thudi_smaller(double a, double b)
{
    return a < b ? a : b;
}

#endif
