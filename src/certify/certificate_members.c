// The rows of a certificate shared by the members of a team.
//
// Every member has all units: to share them, it would have to be told their velocities and what
// reaches them, which takes as long as to compute both. Rows are dealt out in equal stretches. Sums
// over them are exact and bounds are maxima, so the bits are those of one member alone.
#include "certify/certificate.h"

#include <string.h>

enum
{
    FEW_ROWS = 4096 // are certified sooner than members meet
};

static bool is_shared(const thudi_proof *proof)
{
    return thudi_team_is_shared(proof->team) && proof->rows >= FEW_ROWS;
}

static int first_row(const thudi_proof *proof, int rank)
{
    return (int)((int64_t)rank * proof->rows / proof->team->size);
}

void thudi_own_rows(const thudi_proof *proof, int *first, int *behind)
{
    bool shares = is_shared(proof);
    *first = shares ? first_row(proof, proof->team->rank) : 0;
    *behind = shares ? first_row(proof, proof->team->rank + 1) : proof->rows;
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

// lin of the own rows, and where in lin the rows of each member are.
static thud_status open_own(const thudi_proof *proof, thud_rooms *rooms, double **own,
                            size_t **places)
{
    int first, behind, size = proof->team->size;
    thudi_own_rows(proof, &first, &behind);
    THUD_TRY(thudi_room(rooms, own, (size_t)(behind - first), "certificate: lin of own rows"));
    THUD_TRY(thudi_room(rooms, places, (size_t)size + 1, "certificate: rows of members"));
    memcpy(*own, proof->lin + first, (size_t)(behind - first) * sizeof **own);
    for (int r = 0; r <= size; r++)
        (*places)[r] = (size_t)first_row(proof, r) * sizeof **own;
    return THUD_OK;
}

thud_status thudi_join_rows(const thudi_proof *proof, thudi_share *share,
                            thud_certificate *certificate, double *complementarity,
                            thud_rooms *rooms)
{
    double *own;
    size_t *places;
    thudi_packet packet = {.count = !share->is_sound};
    if (!is_shared(proof))
    {
        *complementarity = thudi_exact_four_total(&share->sums[THUDI_COMPLEMENTARITY]);
        return THUD_OK;
    }
    THUD_TRY(open_own(proof, rooms, &own, &places)); // the others learn it when they meet
    put(certificate, &packet);
    thudi_exact_four_add_to(&share->sums[THUDI_COMPLEMENTARITY], &packet.sum[0]);
    THUD_TRY(thudi_team_reduce(proof->team, &packet));
    take(&packet, certificate);
    share->is_sound = packet.count == 0;
    *complementarity = thudi_exact_value(&packet.sum[0]);
    thudi_team_gather(proof->team, own, proof->lin, places);
    return THUD_OK;
}
