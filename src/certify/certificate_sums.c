// What rows push at each of the own units, sum_i mu_i slope_i, each sum in the order of the rows.
//
// Threads share the work, and the bits do not depend on how many there are. Rows and units are cut
// into as many parts. Each thread first lists the ends of its own rows by parts of the units; a
// part of the units then gets the ends of all rows in their order, and adds them. No thread reads
// rows of others, but for their ends at its own units.
#include "certify/certificate.h"

#include <string.h>

// The cut, and where the ends of each part begin.
typedef struct cut
{
    const thudi_certifier *certifier;
    const thudi_proof *proof;
    int parts;
    uint64_t scale;                                // see thudi_ends
    thudi_end *ends;                               // by part of the units, then by row
    size_t at[THUDI_MOST_PARTS][THUDI_MOST_PARTS]; // by part of the rows, then of the units
} cut;

// Count the ends of the rows of one part; if there is a list, write them.
static void visit_part(cut *c, int part)
{
    const thudi_proof *proof = c->proof;
    thudi_stretch own = proof->own_units;
    thudi_ends ends = {.first = (unsigned)(own.first * proof->unit),
                       .count = (unsigned)((own.behind - own.first) * proof->unit),
                       .scale = c->scale,
                       .list = c->ends};
    memcpy(ends.at, c->at[part], sizeof ends.at);
    c->certifier->visit_ends(proof, (int)((int64_t)part * proof->rows / c->parts),
                             (int)((int64_t)(part + 1) * proof->rows / c->parts), &ends);
    memcpy(c->at[part], ends.at, sizeof ends.at);
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

// The first unit of a part: the least with unit number * width * scale >= part * 2^32.
static int first_unit(const cut *c, int part)
{
    thudi_stretch own = c->proof->own_units;
    uint64_t step = c->scale * (uint64_t)c->proof->unit;
    uint64_t first = (((uint64_t)part << 32) + step - 1) / step + (uint64_t)own.first;
    return first < (uint64_t)own.behind ? (int)first : own.behind;
}

// The sums of one part of the units. Its ends are behind those of the part before.
static void add_part(const cut *c, int part)
{
    int low = first_unit(c, part);
    int high = part + 1 < c->parts ? first_unit(c, part + 1) : c->proof->own_units.behind;
    size_t first = part > 0 ? c->at[c->parts - 1][part - 1] : 0;
    size_t behind = c->at[c->parts - 1][part];
    c->certifier->clear(c->proof, low, high);
    c->certifier->add_ends(c->proof, c->ends + first, behind - first);
}

thud_status thudi_sum_up_rows(const thudi_certifier *certifier, const thudi_proof *proof, int parts,
                              thud_rooms *rooms)
{
    if (parts == 1)
    {
        certifier->clear(proof, proof->own_units.first, proof->own_units.behind);
        certifier->add_rows(proof);
        return THUD_OK;
    }
    cut c = {certifier, proof, parts, .ends = NULL};
    c.scale = ((uint64_t)parts << 32) /
              (uint64_t)((proof->own_units.behind - proof->own_units.first) * proof->unit);
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int part = 0; part < parts; part++)
        visit_part(&c, part);
    THUD_TRY(thudi_room(rooms, &c.ends, place_lists(&c), "certificate: ends of rows"));
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int part = 0; part < parts; part++)
        visit_part(&c, part);
#pragma omp parallel for num_threads(parts) schedule(static)
    for (int part = 0; part < parts; part++)
        add_part(&c, part);
    return THUD_OK;
}
