// The bodies of a layout: found in the rows, and numbered along a space-filling curve.
#include "project/sweep/packs_layout.h"

#include "core/math/four.h"
#include "core/threads.h"
#include "rows/rows.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum
{
    RADIX_BITS = 10,
    NOBODY = -1, // owns a coordinate
    INSIDE = -2  // owner of a coordinate that is not the first one of its body
};

// A constant that the compiler may unroll loops by.
#define INLINE static inline __attribute__((always_inline))

// Has a row opposite slopes for its two bodies, as all but general ones do? 0 is opposite to 0.
static bool is_opposite(const thud_rows *rows, const thudi_row_head *row, int width)
{
    double room[6];
    if (thudi_row_width(row) != width)
        return false;
    const double *slope = thudi_row_slopes(rows, row, room);
    four a = four_load_first(slope, width);
    four b = four_load_first(slope + thudi_row_size(row) - width, width);
    return thudi_row_count(row) == 1 || four_bits(a != -b) == 0;
}

// A row with a shift, and a slope that is not 0 and opposite for its two bodies.
INLINE bool is_packable(const thud_rows *rows, const thudi_row_head *row, int width)
{
    bool is_whole = row->form == (unsigned)width;
    if (!(row->shift > 0) || (!is_whole && !is_opposite(rows, row, width)))
        return false;
    const double *normal = is_whole ? row->normal : thudi_row_normal(rows, row);
    return four_bits(four_load_first(normal, width) != four_of(0)) != 0;
}

bool thudi_layout_can_hold(const thud_rows *rows, int row, int width)
{
    return is_packable(rows, &rows->heads.items[row], width);
}

// Arrays as in thudi_packs.
typedef struct meeting
{
    int *owner, *coordinate;
    int bodies;
} meeting;

// The number of the body that starts at this coordinate, new or known; negative when it would share
// coordinates with another one.
INLINE int number_body(meeting *m, int at, int width)
{
    int *owner = m->owner + at;
    if (owner[0] != NOBODY)
        return owner[0];
    for (int k = 1; k < width; k++)
        if (owner[k] != NOBODY)
            return INSIDE;
    owner[0] = m->bodies;
    for (int k = 1; k < width; k++)
        owner[k] = INSIDE;
    m->coordinate[m->bodies] = at;
    return m->bodies++;
}

// Where the two bodies of every row start, -1 for none; false when a row is not for packs.
INLINE bool read_ends(const thudi_layout *l, int width)
{
    const thud_rows *rows = l->problem->rows;
    const thudi_row_head *heads = rows->heads.items;
    const int *which = l->which;
    int *ends = l->packs->ends, count = l->packs->rows, failed = 0;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)                             \
    reduction(+ : failed) if (count > THUDI_ROWS_THREADS_FROM)
    for (int i = 0; i < count; i++)
    {
        const thudi_row_head *row = &heads[which ? which[i] : i];
        bool fits = is_packable(rows, row, width);
        int last = fits ? thudi_row_count(row) - 1 : 0;
        failed += !fits;
        ends[2 * (size_t)i] = last > 0 ? thudi_row_start(rows, row, 0) : NOBODY;
        ends[2 * (size_t)i + 1] = fits ? thudi_row_start(rows, row, last) : NOBODY;
    }
    return failed == 0;
}

// Number the bodies as they are met; false when two share coordinates.
INLINE bool number_bodies(const thudi_layout *l, int width, meeting *m)
{
    int *ends = l->packs->ends;
    for (int i = 0; i < l->packs->rows; i++, ends += 2)
    {
        bool two = ends[0] != NOBODY;
        int a = two ? number_body(m, ends[0], width) : NOBODY, b = number_body(m, ends[1], width);
        if (b < 0 || (two && a < 0))
            return false;
        ends[0] = a;
        ends[1] = b;
    }
    return true;
}

// Take the marks of all bodies away.
static void forget_bodies(thudi_packs *p, int width)
{
    for (int i = 0; i < p->bodies; i++)
        for (int k = 0; k < width; k++)
            p->owner[p->coordinate[i] + k] = NOBODY;
}

bool thudi_layout_find_bodies(const thudi_layout *l)
{
    thudi_packs *p = l->packs;
    meeting m = {p->owner, p->coordinate, 0};
    bool found = l->width == 3 ? read_ends(l, 3) && number_bodies(l, 3, &m)
                               : read_ends(l, 2) && number_bodies(l, 2, &m);
    p->bodies = m.bodies;
    forget_bodies(p, l->width);
    return found;
}

// The bits of a number spread so that there is room for those of width - 1 others between them.
static uint32_t spread(uint32_t x, int width)
{
    static const uint32_t masks[2][4] = {{0x00ff00ff, 0x0f0f0f0f, 0x33333333, 0x55555555},
                                         {0x030000ff, 0x0300f00f, 0x030c30c3, 0x09249249}};
    const uint32_t *mask = masks[width - 2];
    for (int k = 0, by = width == 3 ? 16 : 8; k < 4; k++, by /= 2)
        x = (x | x << by) & mask[k];
    return x;
}

// The box around all bodies: its low corner; returns its longest side.
static double bounding_box(const thudi_layout *l, four *low)
{
    const thudi_packs *p = l->packs;
    four least = four_of(INFINITY), most = four_of(-INFINITY);
    double sides[4], longest = 0;
    for (int i = 0; i < p->bodies; i++)
    {
        four x = four_load_first(l->problem->origin + p->coordinate[i], l->width);
        least = four_smaller(x, least);
        most = four_larger(x, most);
    }
    *low = least;
    four_store(sides, most - least);
    for (int k = 0; k < l->width; k++)
        longest = sides[k] > longest ? sides[k] : longest;
    return longest;
}

// Code and number of each body: its place on the curve where positions are known, else 0.
static void encode_bodies(const thudi_layout *l, uint64_t *codes)
{
    const thudi_packs *p = l->packs;
    const double *q = l->problem->origin;
    int bits = 30 / l->width;
    four low = four_of(0), last = four_of((double)((1u << bits) - 1));
    double longest = q ? bounding_box(l, &low) : 0;
    double scale = longest > 0 ? (double)(1 << bits) / longest : 0;
    bool placed = scale > 0 && scale < INFINITY;
    for (int i = 0; i < p->bodies; i++)
    {
        uint32_t code = 0;
        if (placed)
        {
            four at = four_load_first(q + p->coordinate[i], l->width) - low;
            four cell = four_smaller(at * four_of(scale), last);
            for (int k = 0; k < l->width; k++)
                code |= spread((uint32_t)cell[k], l->width) << k;
        }
        codes[i] = (uint64_t)code << 32 | (uint32_t)i;
    }
}

// Sort the codes, bodies of one place as they were met; `next` is scratch. Returns the one of the
// two arrays that holds them then.
static const uint64_t *sort_codes(int count, uint64_t *codes, uint64_t *next)
{
    for (int shift = 32; shift < 62; shift += RADIX_BITS)
    {
        int first[(1 << RADIX_BITS) + 1] = {0};
        for (int i = 0; i < count; i++)
            first[(codes[i] >> shift & ((1 << RADIX_BITS) - 1)) + 1]++;
        for (int d = 0; d < 1 << RADIX_BITS; d++)
            first[d + 1] += first[d];
        for (int i = 0; i < count; i++)
            next[first[codes[i] >> shift & ((1 << RADIX_BITS) - 1)]++] = codes[i];
        uint64_t *swap = codes;
        codes = next;
        next = swap;
    }
    return codes;
}

static thud_status order_bodies(const thudi_layout *l, int *rank)
{
    thudi_packs *p = l->packs;
    size_t bodies = (size_t)p->bodies;
    uint64_t *codes, *scratch;
    int *coordinate;
    THUD_TRY(thudi_room(p->rooms, &codes, bodies, "layout: codes"));
    THUD_TRY(thudi_room(p->rooms, &scratch, bodies, "layout: scratch of the sort"));
    THUD_TRY(thudi_room(p->rooms, &coordinate, bodies, "layout: coordinates by rank"));
    encode_bodies(l, codes);
    const uint64_t *sorted = sort_codes(p->bodies, codes, scratch);
    for (int i = 0; i < p->bodies; i++)
    {
        int met = (int)(uint32_t)sorted[i];
        rank[met] = i;
        coordinate[i] = p->coordinate[met];
    }
    memcpy(p->coordinate, coordinate, bodies * sizeof *coordinate);
    return THUD_OK;
}

thud_status thudi_layout_order_bodies(const thudi_layout *l, int *rank)
{
    int open = thud_rooms_count(l->packs->rooms);
    thud_status status = order_bodies(l, rank);
    thud_rooms_close(l->packs->rooms, open);
    return status;
}

// What bodies are sorted by.
typedef struct body_code
{
    uint64_t brick;
    uint32_t place; // in the brick
    int met;        // the number of the body as met
} body_code;

// The bits of x, of which there are 21 at most, with two zeros (width 3) or one (2) after each.
static uint64_t spread_far(uint64_t x, int width)
{
    static const uint64_t masks[2][5] = {
        {0x0000ffff0000ffff, 0x00ff00ff00ff00ff, 0x0f0f0f0f0f0f0f0f, 0x3333333333333333,
         0x5555555555555555},
        {0x001f00000000ffff, 0x001f0000ff0000ff, 0x100f00f00f00f00f, 0x10c30c30c30c30c3,
         0x1249249249249249},
    };
    for (int k = 0, by = width == 3 ? 32 : 16; k < 5; k++, by /= 2)
        x = (x | x << by) & masks[width == 3][k];
    return x;
}

static uint64_t code_of(const int number[3], const int least[3], int width)
{
    uint64_t code = 0;
    for (int k = 0; k < width; k++)
        code |= spread_far((uint64_t)(number[k] - least[k]), width) << k;
    return code;
}

// The lowest brick on each axis.
static void lowest_brick(const thudi_layout *l, int least[3])
{
    const thudi_packs *p = l->packs;
    int x = INT_MAX, y = INT_MAX, z = INT_MAX;
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) reduction(min : x, y, z)
    for (int i = 0; i < p->bodies; i++)
    {
        double inside[3];
        thudi_brick_place at =
            thudi_brick_place_of(&l->grid, l->problem->origin + p->coordinate[i], inside);
        x = at.brick[0] < x ? at.brick[0] : x;
        y = at.brick[1] < y ? at.brick[1] : y;
        z = at.brick[2] < z ? at.brick[2] : z;
    }
    least[0] = x;
    least[1] = y;
    least[2] = z;
}

static void encode_by_bricks(const thudi_layout *l, body_code *codes)
{
    const thudi_packs *p = l->packs;
    int least[3], last = (1 << 30 / l->width) - 1;
    lowest_brick(l, least);
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)
    for (int i = 0; i < p->bodies; i++)
    {
        static const int zero[3] = {0, 0, 0};
        double inside[3];
        int place[3];
        thudi_brick_place at =
            thudi_brick_place_of(&l->grid, l->problem->origin + p->coordinate[i], inside);
        for (int k = 0; k < l->width; k++)
        {
            double x = inside[k] * (last + 1.0);
            place[k] = x < last ? (int)x : last;
        }
        codes[i] = (body_code){code_of(at.brick, least, l->width),
                               (uint32_t)code_of(place, zero, l->width), i};
    }
}

static int digit_of(const body_code *code, int pass)
{
    int shift = RADIX_BITS * (pass < 3 ? pass : pass - 3);
    uint64_t from = pass < 3 ? code->place : code->brick;
    return (int)(from >> shift & ((1 << RADIX_BITS) - 1));
}

// Sort the codes by brick, then by place; `next` is scratch. Returns the one of the two arrays that
// holds them then.
static body_code *sort_by_bricks(int count, body_code *codes, body_code *next)
{
    uint64_t all = 0; // bits of any brick
    for (int i = 0; i < count; i++)
        all |= codes[i].brick;
    for (int pass = 0; pass < 3 || (pass < 10 && all >> RADIX_BITS * (pass - 3) != 0); pass++)
    {
        int first[(1 << RADIX_BITS) + 1] = {0};
        for (int i = 0; i < count; i++)
            first[digit_of(&codes[i], pass) + 1]++;
        for (int d = 0; d < 1 << RADIX_BITS; d++)
            first[d + 1] += first[d];
        for (int i = 0; i < count; i++)
            next[first[digit_of(&codes[i], pass)]++] = codes[i];
        body_code *swap = codes;
        codes = next;
        next = swap;
    }
    return codes;
}

// Bodies of one place in the order of their coordinates. Hardly ever are there two.
static void sort_ties(const thudi_packs *p, body_code *codes)
{
    for (int i = 1; i < p->bodies; i++)
    {
        body_code moved = codes[i];
        int k = i;
        for (; k > 0 && codes[k - 1].brick == moved.brick && codes[k - 1].place == moved.place &&
               p->coordinate[codes[k - 1].met] > p->coordinate[moved.met];
             k--)
            codes[k] = codes[k - 1];
        codes[k] = moved;
    }
}

// The first body of all needs no mark.
static bool is_first_of_brick(const body_code *sorted, int i)
{
    return i > 0 && sorted[i].brick != sorted[i - 1].brick;
}

// Ranks, places, bricks and marked coordinates, from the sorted codes.
static thud_status number_by_bricks(thudi_layout *l, const body_code *sorted, int *rank,
                                    thudi_brick_place *places)
{
    thudi_packs *p = l->packs;
    int *coordinate;
    size_t bodies = (size_t)p->bodies;
    THUD_TRY(thudi_room(p->rooms, &coordinate, bodies, "layout: coordinates by rank"));
    p->bricks = 1;
    for (int i = 0; i < p->bodies; i++)
    {
        p->bricks += is_first_of_brick(sorted, i);
        l->brick_of[i] = p->bricks - 1;
    }
#pragma omp parallel for num_threads(thudi_threads()) schedule(static)
    for (int i = 0; i < p->bodies; i++)
    {
        double inside[3];
        int met = sorted[i].met, at = p->coordinate[met];
        rank[met] = i;
        places[i] = thudi_brick_place_of(&l->grid, l->problem->origin + at, inside);
        coordinate[i] = is_first_of_brick(sorted, i) ? THUDI_FIRST_OF_BRICK(at) : at;
    }
    memcpy(p->coordinate, coordinate, bodies * sizeof *coordinate);
    return THUD_OK;
}

static thud_status order_by_bricks(thudi_layout *l, int *rank, thudi_brick_place *places)
{
    thudi_packs *p = l->packs;
    body_code *codes, *scratch;
    l->grid = thudi_grid_of(l->problem->bricks, l->width);
    THUD_TRY(thudi_room(p->rooms, &codes, (size_t)p->bodies, "layout: codes"));
    THUD_TRY(thudi_room(p->rooms, &scratch, (size_t)p->bodies, "layout: scratch of the sort"));
    encode_by_bricks(l, codes);
    body_code *sorted = sort_by_bricks(p->bodies, codes, scratch);
    sort_ties(p, sorted);
    return number_by_bricks(l, sorted, rank, places);
}

thud_status thudi_layout_order_by_bricks(thudi_layout *l, int *rank, thudi_brick_place *places)
{
    int open = thud_rooms_count(l->packs->rooms);
    thud_status status = order_by_bricks(l, rank, places);
    thud_rooms_close(l->packs->rooms, open);
    return status;
}
