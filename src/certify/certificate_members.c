// A certificate shared by the members of a team, who all have the whole problem. Units and rows are
// dealt out in equal stretches.
//
// A member adds up what all rows push at its units, and certifies these. Then all get u and the
// reach of all units, which rows need, and each certifies its rows. Sums are exact and bounds are
// maxima, so the bits are those of one member alone.
//
// A member that fails returns at once: the others learn it at the next reduction.
#include "certify/certificate.h"

#include <string.h>

enum
{
    FEW_ROWS = 4096 // are certified sooner than members meet
};

static thudi_stretch stretch_of(const thud_team *team, int rank, int count)
{
    return (thudi_stretch){(int)((int64_t)rank * count / team->size),
                           (int)((int64_t)(rank + 1) * count / team->size)};
}

void thudi_deal_proof(thudi_proof *proof)
{
    proof->is_shared = thudi_team_is_shared(proof->team) && proof->rows >= FEW_ROWS &&
                       proof->units >= proof->team->size;
    proof->own_units = (thudi_stretch){0, proof->units};
    proof->own_rows = (thudi_stretch){0, proof->rows};
    if (!proof->is_shared)
        return;
    proof->own_units = stretch_of(proof->team, proof->team->rank, proof->units);
    proof->own_rows = stretch_of(proof->team, proof->team->rank, proof->rows);
}

// Numbers of all members, by unit or row, and room for those of this one.
typedef struct gathering
{
    size_t *places; // in bytes, by member
    double *own;
} gathering;

// count: units or rows; each has so many numbers.
static thud_status open_gathering(const thudi_proof *proof, int count, int numbers,
                                  thud_rooms *rooms, gathering *g)
{
    int size = proof->team->size;
    thudi_stretch own = stretch_of(proof->team, proof->team->rank, count);
    size_t most = (size_t)(own.behind - own.first) * (size_t)numbers;
    THUD_TRY(thudi_room(rooms, &g->places, (size_t)size + 1, "certificate: places of members"));
    THUD_TRY(thudi_room(rooms, &g->own, most, "certificate: numbers of one member"));
    for (int r = 0; r <= size; r++)
        g->places[r] =
            (size_t)stretch_of(proof->team, r, count).first * (size_t)numbers * sizeof *g->own;
    return THUD_OK;
}

// All get the numbers that each has in its own part of `all`.
static void gather(const thudi_proof *proof, const gathering *g, double *all)
{
    int rank = proof->team->rank;
    memcpy(g->own, (char *)all + g->places[rank], g->places[rank + 1] - g->places[rank]);
    thudi_team_gather(proof->team, g->own, all, g->places);
}

thud_status thudi_join_units(const thudi_certifier *certifier, const thudi_proof *proof,
                             const thudi_share *share, double *kkt, double sums[THUDI_SUMS],
                             thud_rooms *rooms)
{
    gathering g;
    double *reach;
    int first = proof->own_units.first, behind = proof->own_units.behind;
    thudi_packet packet = {.largest = {*kkt}};
    for (int k = 0; k < THUDI_SUMS && !proof->is_shared; k++)
        sums[k] = thudi_exact_four_total(&share->sums[k]);
    if (!proof->is_shared)
        return THUD_OK;
    THUD_TRY(open_gathering(proof, proof->units, proof->unit, rooms, &g));
    THUD_TRY(thudi_room(rooms, &reach, (size_t)proof->problem->dim, "certificate: reach"));
    for (int k = 0; k < THUDI_SUMS; k++)
        thudi_exact_four_add_to(&share->sums[k], &packet.sum[k]);
    THUD_TRY(thudi_team_reduce(proof->team, &packet));
    *kkt = packet.largest[0];
    for (int k = 0; k < THUDI_SUMS; k++)
        sums[k] = thudi_exact_value(&packet.sum[k]);
    certifier->give_reach(proof, first, behind, reach + (size_t)first * (size_t)proof->unit);
    gather(proof, &g, proof->u);
    gather(proof, &g, reach);
    certifier->take_reach(proof, 0, first, reach);
    certifier->take_reach(proof, behind, proof->units,
                          reach + (size_t)behind * (size_t)proof->unit);
    return THUD_OK;
}

// Smallest numbers are minus the largest.
static void put(const thud_certificate *certificate, thudi_packet *packet)
{
    packet->largest[0] = -certificate->min_impulse;
    packet->largest[1] = -certificate->min_lin;
    packet->largest[2] = certificate->violation;
    packet->largest[3] = certificate->violation_ulps;
    packet->largest[4] = certificate->backward;
    packet->largest[5] = certificate->kkt;
}

static void take(const thudi_packet *packet, thud_certificate *certificate)
{
    certificate->min_impulse = -packet->largest[0];
    certificate->min_lin = -packet->largest[1];
    certificate->violation = packet->largest[2];
    certificate->violation_ulps = packet->largest[3];
    certificate->backward = packet->largest[4];
    certificate->kkt = packet->largest[5];
}

thud_status thudi_join_rows(const thudi_proof *proof, thudi_share *share,
                            thud_certificate *certificate, double *complementarity,
                            thud_rooms *rooms)
{
    gathering g;
    thudi_packet packet = {.count = !share->is_sound};
    if (!proof->is_shared)
    {
        *complementarity = thudi_exact_four_total(&share->sums[THUDI_COMPLEMENTARITY]);
        return THUD_OK;
    }
    THUD_TRY(open_gathering(proof, proof->rows, 1, rooms, &g));
    put(certificate, &packet);
    thudi_exact_four_add_to(&share->sums[THUDI_COMPLEMENTARITY], &packet.sum[0]);
    THUD_TRY(thudi_team_reduce(proof->team, &packet));
    take(&packet, certificate);
    share->is_sound = packet.count == 0;
    *complementarity = thudi_exact_value(&packet.sum[0]);
    gather(proof, &g, proof->lin);
    return THUD_OK;
}
