// What rows push at each unit, sum_i mu_i slope_i, each sum in the order of the rows.
//
// Threads share the work, and the bits do not depend on how many there are. Rows and units are cut
// into as many parts. Each thread first lists the ends of its own rows by parts of the units; a
// part of the units then gets the ends of all rows in their order, and adds them. No thread reads
// rows of others, but for their ends at its own units.
#include "certify/certificate.h"

#include "core/threads.h"

#include <string.h>

// The cut, and where the ends of each part begin.
typedef struct cut
{
    const thudi_certifier *certifier;
    const thudi_proof *proof;
    int parts, share; // share: the units of a part; the last part may have fewer
    thudi_end *ends;  // by part of the units, then by row
    // by part of the rows, then of the units: how many ends, then where the next one is written
    size_t at[THUDI_MOST_THREADS][THUDI_MOST_THREADS];
} cut;

// Look at the ends of the rows of one part: count them if there is no list yet, else list them.
static void visit_ends(cut *c, int part)
{
    const thudi_proof *proof = c->proof;
    int first = (int)((int64_t)part * proof->rows / c->parts);
    int behind = (int)((int64_t)(part + 1) * proof->rows / c->parts);
    for (int i = first; i < behind; i++)
    {
        int room[6];
        const int *coordinate;
        int count = proof->mu[i] != 0 ? c->certifier->find_ends(proof, i, room, &coordinate) : 0;
        for (int entry = 0; entry < count; entry++)
        {
            size_t *at = &c->at[part][coordinate[entry] / proof->unit / c->share];
            if (c->ends)
                c->ends[*at] = (thudi_end){i, entry};
            ++*at;
        }
    }
}

// Counts become the places where lists begin. Returns how many ends there are.
static size_t place_lists(cut *c)
{
    size_t all = 0;
    for (int to = 0; to < c->parts; to++)
        for (int from = 0; from < c->parts; from++)
        {
            size_t count = c->at[from][to];
            c->at[from][to] = all;
            all += count;
        }
    return all;
}

// The sums of one part of the units. Its ends are behind those of the part before.
static void add_part(const cut *c, int part)
{
    int low = part * c->share, high = low + c->share;
    size_t first = part > 0 ? c->at[c->parts - 1][part - 1] : 0;
    size_t behind = c->at[c->parts - 1][part];
    if (low >= c->proof->units)
        return;
    c->certifier->clear(c->proof, low, high < c->proof->units ? high : c->proof->units);
    c->certifier->add_ends(c->proof, c->ends + first, behind - first);
}

thud_status thudi_sum_up_rows(const thudi_certifier *certifier, const thudi_proof *proof, int parts,
                              thud_rooms *rooms)
{
    if (parts == 1 || proof->units == 0)
    {
        certifier->clear(proof, 0, proof->units);
        certifier->add_rows(proof);
        return THUD_OK;
    }
    cut c = {certifier, proof, .parts = parts, .share = (proof->units + parts - 1) / parts};
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int part = 0; part < parts; part++)
        visit_ends(&c, part);
    THUD_TRY(thudi_room(rooms, &c.ends, place_lists(&c), "certificate: ends of rows"));
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int part = 0; part < parts; part++)
        visit_ends(&c, part);
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int part = 0; part < parts; part++)
        add_part(&c, part);
    return THUD_OK;
}
