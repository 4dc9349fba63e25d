// Certificates, apart from every solver: what can be proved of (u, mu) from the problem alone.
//
//     r = M (u - w) - G^T mu,   lin_i = gap_i + h slope_i . u,   s_i = max(lin_i, 0) / h
//     |u - P_K w|_M <= |r|/2 + sqrt(|r|^2/4 + sum mu_i s_i)                       forward
//     eps = max( |lin_i| where mu_i > 0, (-lin_i)+ elsewhere )                    backward
//
// Residuals are sums in doubled precision; a tiny part of the sum of the absolute terms covers
// their own rounding, so that bounds hold for the numbers as given. Sums over coordinates and rows
// are exact, and rounded once. Underflow is covered too: if
// any multiplier is not 0, THUDI_UNDERFLOW_LIMIT is added to the squares that bounds are made of.
#include "certify/certificate.h"
#include "certify/certify.h"

#include "core/threads.h"

enum
{
    CHUNK = 1024,
    SIDE_BY_SIDE = 4 // chunks that are worth a second thread
};

static const thud_certificate NOTHING = {.min_impulse = INFINITY,
                                         .min_lin = INFINITY,
                                         .enclosure.bound = INFINITY,
                                         .shifted.bound = INFINITY};

static int chunks_of(int count)
{
    return (count + CHUNK - 1) / CHUNK;
}

// How many threads share so many units or rows. All that they find is the same for any number.
static int parts_of(int count)
{
    int chunks = chunks_of(count);
    int threads = thudi_threads() < THUDI_MOST_PARTS ? thudi_threads() : THUDI_MOST_PARTS;
    return chunks < SIDE_BY_SIDE ? 1 : chunks < threads ? chunks : threads;
}

// The first unit or row of a part. Parts are whole chunks.
static int part_start(int part, int parts, int count)
{
    int64_t start = (int64_t)part * chunks_of(count) / parts * CHUNK;
    return start < count ? (int)start : count;
}

bool thudi_may_underflow(const thudi_proof *proof, const thudi_row_head *row)
{
    const thud_rows *rows = proof->problem->rows;
    bool may_underflow = false;
    for (int k = 0; k < thudi_row_size(row); k++)
    {
        double slope = thudi_row_slope(rows, row, k);
        double u = proof->u[thudi_row_coordinate(rows, row, k)];
        double step = proof->problem->h * slope;
        may_underflow =
            may_underflow ||
            (slope != 0 && u != 0 &&
             (fabs(step) < THUDI_UNDERFLOW_LIMIT || fabs(step * u) < THUDI_UNDERFLOW_LIMIT));
    }
    return may_underflow;
}

static bool has_multipliers(const thudi_proof *proof)
{
    int count = 0;
    for (int i = 0; i < proof->rows; i++)
        count += proof->mu[i] != 0;
    return count > 0;
}

static void begin_share(thudi_share *share)
{
    share->certificate = NOTHING;
    share->is_sound = true;
    for (int k = 0; k < THUDI_SUMS; k++)
        thudi_exact_four_clear(&share->sums[k]);
}

// What a part of the units or rows shows, by certify_units or certify_rows.
typedef void certify_fn(const thudi_proof *proof, int low, int high, thudi_share *share);

static void certify_part(certify_fn *certify, const thudi_proof *proof, int part, int parts,
                         int first, int count, thudi_share *shares)
{
    begin_share(&shares[part]);
    certify(proof, first + part_start(part, parts, count),
            first + part_start(part + 1, parts, count), &shares[part]);
}

// All parts of `count` units or rows from `first` on, by as many threads. One part alone needs no
// others.
static void certify_parts(certify_fn *certify, const thudi_proof *proof, int parts, int first,
                          int count, thudi_share *shares)
{
    if (parts == 1)
    {
        certify_part(certify, proof, 0, 1, first, count, shares);
        return;
    }
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int part = 0; part < parts; part++)
        certify_part(certify, proof, part, parts, first, count, shares);
}

static int length_of(thudi_stretch stretch)
{
    return stretch.behind - stretch.first;
}

// Stationarity, and |w| + |u - w| in the M norm as the length of the proof.
static thud_status certify_units(const thudi_certifier *certifier, thudi_proof *proof,
                                 thud_rooms *rooms, thudi_share *shares,
                                 thud_certificate *certificate)
{
    double underflow = has_multipliers(proof) ? proof->problem->dim * THUDI_UNDERFLOW_LIMIT : 0;
    int count = length_of(proof->own_units), parts = parts_of(count);
    double sums[THUDI_SUMS];
    certify_parts(certifier->certify_units, proof, parts, proof->own_units.first, count, shares);
    certificate->kkt = shares[0].certificate.kkt;
    for (int p = 1; p < parts; p++)
    {
        for (int k = 0; k < THUDI_SUMS; k++)
            thudi_exact_four_join(&shares[0].sums[k], &shares[p].sums[k]);
        certificate->kkt = thudi_larger(shares[p].certificate.kkt, certificate->kkt);
    }
    THUD_TRY(thudi_join_units(certifier, proof, &shares[0], &certificate->kkt, sums, rooms));
    certificate->stationarity = sqrt(sums[THUDI_RESIDUAL] + underflow) * THUDI_OUTWARDS;
    proof->length = sqrt(sums[THUDI_VELOCITY]) + sqrt(sums[THUDI_CHANGE]);
    return THUD_OK;
}

static void merge(thud_certificate *into, const thud_certificate *share)
{
    into->min_impulse = thudi_smaller(share->min_impulse, into->min_impulse);
    into->min_lin = thudi_smaller(share->min_lin, into->min_lin);
    into->violation = thudi_larger(share->violation, into->violation);
    into->violation_ulps = thudi_larger(share->violation_ulps, into->violation_ulps);
    into->backward = thudi_larger(share->backward, into->backward);
    into->kkt = thudi_larger(share->kkt, into->kkt);
}

static thud_status certify_rows(const thudi_certifier *certifier, const thudi_proof *proof,
                                thud_rooms *rooms, thudi_share *shares,
                                thud_certificate *certificate)
{
    double complementarity;
    int count = length_of(proof->own_rows), parts = parts_of(count);
    certify_parts(certifier->certify_rows, proof, parts, proof->own_rows.first, count, shares);
    for (int p = 0; p < parts; p++)
    {
        merge(certificate, &shares[p].certificate);
        if (p > 0)
            thudi_exact_four_join(&shares[0].sums[THUDI_COMPLEMENTARITY],
                                  &shares[p].sums[THUDI_COMPLEMENTARITY]);
        shares[0].is_sound = shares[0].is_sound && shares[p].is_sound;
    }
    THUD_TRY(thudi_join_rows(proof, &shares[0], certificate, &complementarity, rooms));
    certificate->min_lin += 0.0; // no -0: the sign of a zero would depend on the order of rows
    certificate->min_impulse += 0.0;
    if (proof->rows == 0)
        certificate->min_impulse = 0;
    if (has_multipliers(proof))
        complementarity +=
            proof->rows * (THUDI_UNDERFLOW_LIMIT + THUDI_UNDERFLOWN / proof->problem->h);
    complementarity *= THUDI_OUTWARDS;
    double half = certificate->stationarity / 2;
    certificate->forward = (half + sqrt(half * half + complementarity)) * THUDI_OUTWARDS;
    if (!shares[0].is_sound)
        certificate->forward = certificate->backward = certificate->kkt = INFINITY;
    return THUD_OK;
}

static thud_status certify_in_rooms(const thudi_certifier *certifier, thudi_proof *proof,
                                    thud_rooms *rooms, thud_certificate *certificate)
{
    int most = proof->units > proof->rows ? proof->units : proof->rows;
    thudi_share only, *shares = &only;
    if (parts_of(most) > 1)
        THUD_TRY(thudi_room(rooms, &shares, (size_t)parts_of(most), "certificate: parts"));
    THUD_TRY(thudi_room(rooms, &proof->sums, certifier->sum_count(proof), "certificate: sums"));
    THUD_TRY(thudi_sum_up_rows(certifier, proof, parts_of(length_of(proof->own_units)), rooms));
    THUD_TRY(certify_units(certifier, proof, rooms, shares, certificate));
    return certify_rows(certifier, proof, rooms, shares, certificate);
}

thud_status thudi_certify_with(const thudi_certifier *certifier, thudi_proof *proof,
                               thud_rooms *rooms, thud_certificate *certificate)
{
    int open = thud_rooms_count(rooms);
    proof->units = proof->problem->dim / proof->unit;
    proof->rows = proof->problem->rows ? proof->problem->rows->count : 0;
    proof->sum_rounding = thudi_sum_rounding(proof->rows);
    thudi_deal_proof(proof);
    *certificate = NOTHING;
    thud_status status = certify_in_rooms(certifier, proof, rooms, certificate);
    thud_rooms_close(rooms, open);
    return status;
}

thud_status thudi_certify(const thud_projection *problem, int unit, const double *mu,
                          thud_team *team, thud_rooms *rooms, double *u, double *lin,
                          thud_certificate *certificate)
{
    thudi_proof proof = {
        .problem = problem, .unit = unit, .mu = mu, .u = u, .lin = lin, .team = team};
    return thudi_certify_with(unit > 1 ? &thudi_by_blocks : &thudi_by_coordinates, &proof, rooms,
                              certificate);
}
