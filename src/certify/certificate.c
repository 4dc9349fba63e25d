// Certificates, apart from every solver: what can be proved of (u, mu) from the problem alone.
//
//     r = M (u - w) - G^T mu,   lin_i = gap_i + h slope_i . u,   s_i = max(lin_i, 0) / h
//     |u - P_K w|_M <= |r|/2 + sqrt(|r|^2/4 + sum mu_i s_i)                       forward
//     eps = max( |lin_i| where mu_i > 0, (-lin_i)+ elsewhere )                    backward
//
// Residuals are sums in doubled precision; a tiny part of the sum of the absolute terms covers
// their own rounding, so that bounds hold for the numbers as given. Underflow is covered too: if
// any multiplier is not 0, THUDI_UNDERFLOW_LIMIT is added to the squares that bounds are made of.
#include "certify/certificate.h"
#include "certify/certify.h"

#include "core/threads.h"

// What the products of one row may lose below the range of doubles: 16 times the least double.
static const double UNDERFLOWN = 0x1p-1070;

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

static int chunk_end(int chunk, int count)
{
    return count - chunk * CHUNK < CHUNK ? count : (chunk + 1) * CHUNK;
}

bool thudi_may_underflow(const thudi_proof *proof, const thudi_row_head *row)
{
    const thud_rows *rows = proof->problem->rows;
    int entries[6];
    const int *index = thudi_row_index(rows, row, entries);
    bool may_underflow = false;
    for (int k = 0; k < row->size; k++)
    {
        double slope = rows->slope.items[row->first + (size_t)k], u = proof->u[index[k]];
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

// Every thread sums up for units of its own, and goes through all the rows for that.
static void sum_up(const thudi_certifier *certifier, const thudi_proof *proof)
{
    int parts = chunks_of(proof->units) >= SIDE_BY_SIDE ? thudi_threads() : 1;
#pragma omp parallel for num_threads(parts) schedule(static) if (parts > 1)
    for (int part = 0; part < parts; part++)
        certifier->sum_up(proof, (int)((int64_t)part * proof->units / parts),
                          (int)((int64_t)(part + 1) * proof->units / parts));
}

// Stationarity; returns |w| + |u - w| in the M norm.
static double certify_units(const thudi_certifier *certifier, const thudi_proof *proof,
                            thudi_share *shares, thud_certificate *certificate)
{
    double underflow = has_multipliers(proof) ? proof->problem->dim * THUDI_UNDERFLOW_LIMIT : 0;
    thudi_share all = {.sum = underflow};
    int chunks = chunks_of(proof->units);
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (chunks >= SIDE_BY_SIDE)
    for (int c = 0; c < chunks; c++)
    {
        shares[c] = (thudi_share){0};
        certifier->certify_units(proof, c * CHUNK, chunk_end(c, proof->units), &shares[c]);
    }
    for (int c = 0; c < chunks; c++)
    {
        all.sum += shares[c].sum;
        all.change_squared += shares[c].change_squared;
        all.velocity_squared += shares[c].velocity_squared;
        certificate->kkt = thudi_larger(shares[c].certificate.kkt, certificate->kkt);
    }
    certificate->stationarity =
        sqrt(all.sum) * (1 + proof->problem->dim * DBL_EPSILON) * THUDI_OUTWARDS;
    return sqrt(all.velocity_squared) + sqrt(all.change_squared);
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

static void certify_rows(const thudi_certifier *certifier, const thudi_proof *proof,
                         thudi_share *shares, thud_certificate *certificate)
{
    int chunks = chunks_of(proof->rows);
    double complementarity = 0;
    bool is_sound = true;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (chunks >= SIDE_BY_SIDE)
    for (int c = 0; c < chunks; c++)
    {
        shares[c] = (thudi_share){.certificate = NOTHING, .is_sound = true};
        certifier->certify_rows(proof, c * CHUNK, chunk_end(c, proof->rows), &shares[c]);
    }
    for (int c = 0; c < chunks; c++)
    {
        merge(certificate, &shares[c].certificate);
        complementarity += shares[c].sum;
        is_sound = is_sound && shares[c].is_sound;
    }
    if (proof->rows == 0)
        certificate->min_impulse = 0;
    if (has_multipliers(proof))
        complementarity += proof->rows * (THUDI_UNDERFLOW_LIMIT + UNDERFLOWN / proof->problem->h);
    complementarity *= (1 + proof->rows * DBL_EPSILON) * THUDI_OUTWARDS;
    double half = certificate->stationarity / 2;
    certificate->forward = (half + sqrt(half * half + complementarity)) * THUDI_OUTWARDS;
    if (!is_sound)
        certificate->forward = certificate->backward = certificate->kkt = INFINITY;
}

static thud_status certify_in_rooms(const thudi_certifier *certifier, thudi_proof *proof,
                                    thud_rooms *rooms, thud_certificate *certificate)
{
    int most = proof->units > proof->rows ? proof->units : proof->rows;
    thudi_share *shares;
    THUD_TRY(thudi_room(rooms, &shares, (size_t)chunks_of(most), "certificate: chunks"));
    THUD_TRY(thudi_room(rooms, &proof->sums, certifier->sum_count(proof), "certificate: sums"));
    sum_up(certifier, proof);
    proof->length = certify_units(certifier, proof, shares, certificate);
    certify_rows(certifier, proof, shares, certificate);
    return THUD_OK;
}

thud_status thudi_certify_with(const thudi_certifier *certifier, thudi_proof *proof,
                               thud_rooms *rooms, thud_certificate *certificate)
{
    int open = thud_rooms_count(rooms);
    proof->units = proof->problem->dim / proof->unit;
    proof->rows = proof->problem->rows ? proof->problem->rows->count : 0;
    proof->sum_rounding = thudi_sum_rounding(proof->rows);
    *certificate = NOTHING;
    thud_status status = certify_in_rooms(certifier, proof, rooms, certificate);
    thud_rooms_close(rooms, open);
    return status;
}

thud_status thudi_certify(const thud_projection *problem, int unit, const double *mu,
                          thud_rooms *rooms, double *u, double *lin, thud_certificate *certificate)
{
    thudi_proof proof = {.problem = problem, .unit = unit, .mu = mu, .u = u, .lin = lin};
    return thudi_certify_with(unit > 1 ? &thudi_by_blocks : &thudi_by_coordinates, &proof, rooms,
                              certificate);
}
