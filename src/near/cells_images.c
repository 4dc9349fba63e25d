// The search for near pairs in a periodic cell.
//
// Bodies are moved into the cell, x = q - c L with c = floor(q / L). For every pair near, i < j,
// the body i itself meets j or a ghost x_j + s L; so ghosts are made wherever one could be within
// reach of a body of the cell, and of the pairs found those of i with ghosts of smaller j are left
// out. The image is m = c_j - c_i - s, modulo 4.
#include "near/cells_images.h"

#include "core/threads.h"

#include <limits.h>
#include <string.h>

// What all ghosts have in common.
typedef struct cell_border
{
    const thudi_periods *periods;
    double shear;    // S - turns L_x, half a period at most
    int64_t turns;   // whole periods of S
    double reach;    // the largest, and what rounding may take
    double rounding; // of positions
} cell_border;

// One body in the cell.
typedef struct inmate
{
    double x[3];
    int64_t cell[3];
    int body;
    double reach; // within which it can be of use to a body of the cell
} inmate;

// false when a number is not finite, cells could not be counted, or what rounding may take is not
// small against a period: that would be ghosts without end
static bool measure(const thudi_periods *periods, int dim, int count, const double *q,
                    const double *reach, cell_border *out)
{
    double most = 0, far = 0, largest = 0, shortest = INFINITY, cells = 2, bad = 0;
    for (size_t i = 0; i < (size_t)dim * (size_t)count; i++)
    {
        far = fabs(q[i]) > far ? fabs(q[i]) : far;
        bad += q[i] * 0; // NaN for all that is not finite
    }
    for (int i = 0; i < count; i++)
    {
        most = reach[i] > most ? reach[i] : most;
        bad += reach[i] * 0;
    }
    for (int k = 0; k < 3; k++)
    {
        largest = periods->length[k] > largest ? periods->length[k] : largest;
        if (!(periods->length[k] > 0))
            continue;
        cells = far / periods->length[k] + 2 > cells ? far / periods->length[k] + 2 : cells;
        shortest = periods->length[k] < shortest ? periods->length[k] : shortest;
    }
    double turns = periods->length[0] > 0 ? floor(periods->shear / periods->length[0] + 0.5) : 0;
    double all = far + largest + cells * fabs(periods->shear);
    *out = (cell_border){.periods = periods, .rounding = 0x1p-48 * all};
    if (bad != 0 || !(cells < 0x1p48) || !(fabs(turns) < 0x1p48) || !(all < 0x1p1000) ||
        !(most < 0x1p1000) || !(out->rounding < shortest / 512))
        return false;
    out->shear = periods->shear - turns * periods->length[0];
    out->turns = (int64_t)turns;
    out->reach = most + 2 * out->rounding;
    return true;
}

static inmate enter(const cell_border *border, int dim, const double *q, int body, double reach)
{
    const double *length = border->periods->length;
    inmate in = {.body = body, .reach = reach + border->reach};
    for (int k = 0; k < dim && k < 3; k++)
        in.x[k] = q[(size_t)dim * (size_t)body + (size_t)k];
    for (int k = 2; k >= 0; k--) // y before x, because of the shear
    {
        if (!(length[k] > 0))
            continue;
        double cell = floor(in.x[k] / length[k]);
        in.x[k] -= cell * length[k];
        in.cell[k] = (int64_t)cell;
        if (k == 1)
            in.x[0] -= cell * border->periods->shear;
    }
    return in;
}

// The bodies in the cell, then their ghosts, in rooms; as partners in a list, see cells_images.h.
typedef struct inmates
{
    int dim;
    int64_t count;
    bool only_counts; // nothing is written
    double *q, *reach;
    int *body, *image;
} inmates;

static void add(inmates *all, const cell_border *border, const inmate *in, double reach,
                const int s[3])
{
    size_t at = (size_t)all->count++, first = (size_t)all->dim * at;
    if (all->only_counts)
        return;
    const double *length = border->periods->length;
    double x[3] = {in->x[0] + s[1] * border->shear + s[0] * length[0], in->x[1] + s[1] * length[1],
                   in->x[2] + s[2] * length[2]};
    int64_t m[3] = {in->cell[0] - s[0] + s[1] * border->turns, in->cell[1] - s[1],
                    in->cell[2] - s[2]};
    memcpy(all->q + first, x, (size_t)all->dim * sizeof *x);
    all->reach[at] = reach + border->rounding;
    all->body[at] = in->body;
    all->image[at] = (int)((m[0] & 3) | (m[1] & 3) << 2 | (m[2] & 3) << 4);
}

// For which s could x + s L be within reach of the cell?
static void range_of(double length, double x, double reach, int range[2])
{
    range[0] = range[1] = 0;
    if (!(length > 0))
        return;
    range[0] = (int)ceil((-reach - x) / length);
    range[1] = (int)floor((length + reach - x) / length);
}

static void add_ghosts(inmates *all, const cell_border *border, const inmate *in, double reach)
{
    const double *length = border->periods->length;
    int x[2], y[2], z[2], s[3];
    range_of(length[1], in->x[1], in->reach, y);
    range_of(length[2], in->x[2], in->reach, z);
    for (s[2] = z[0]; s[2] <= z[1]; s[2]++)
        for (s[1] = y[0]; s[1] <= y[1]; s[1]++)
        {
            range_of(length[0], in->x[0] + s[1] * border->shear, in->reach, x);
            for (s[0] = x[0]; s[0] <= x[1]; s[0]++)
                if (s[0] != 0 || s[1] != 0 || s[2] != 0)
                    add(all, border, in, reach, s);
        }
}

// The bodies come first. No body meets ghosts of the first one.
static void add_all(inmates *all, const cell_border *border, int count, const double *q,
                    const double *reach)
{
    static const int none[3] = {0, 0, 0};
    all->count = 0;
    for (int i = 0; i < count; i++)
    {
        inmate in = enter(border, all->dim, q, i, reach[i]);
        add(all, border, &in, reach[i], none);
    }
    for (int i = 1; i < count; i++)
    {
        inmate in = enter(border, all->dim, q, i, reach[i]);
        add_ghosts(all, border, &in, reach[i]);
    }
}

// Count them, open rooms for so many, write them.
static thud_status place_all(inmates *all, thud_rooms *rooms, const cell_border *border, int count,
                             const double *q, const double *reach)
{
    all->only_counts = true;
    add_all(all, border, count, q, reach);
    if (all->count > INT_MAX / all->dim - 1)
        return THUD_ERR_LIMIT;
    size_t room = (size_t)all->count;
    THUD_TRY(thudi_room(rooms, &all->q, (size_t)all->dim * room, "positions in the cell"));
    THUD_TRY(thudi_room(rooms, &all->reach, room, "reaches in the cell"));
    THUD_TRY(thudi_room(rooms, &all->body, room, "bodies of ghosts"));
    THUD_TRY(thudi_room(rooms, &all->image, room, "images of ghosts"));
    all->only_counts = false;
    add_all(all, border, count, q, reach);
    return THUD_OK;
}

// As a partner of body a: -1 for none.
static inline int partner_of(const inmates *all, int a, int other)
{
    int body = all->body[other], m = all->image[other], own = all->image[a];
    int x = (m - own) & 3, y = ((m >> 2) - (own >> 2)) & 3, z = ((m >> 4) - (own >> 4)) & 3;
    return body > a ? (x | y << 2 | z << 4) << THUDI_IMAGE_AT | body : -1;
}

// Count (or else write) the partners of body a that stay.
static int keep(const thudi_cells *cells, const inmates *all, int a, int *out)
{
    int count = 0;
    for (int p = cells->first.items[a]; p < cells->first.items[a + 1]; p++)
    {
        int partner = partner_of(all, a, cells->partner.items[p]);
        if (out && partner >= 0)
            out[count] = partner;
        count += partner >= 0;
    }
    return count;
}

// The list of pairs of the bodies in place of that with ghosts.
static thud_status rewrite(thudi_cells *cells, thud_rooms *rooms, const inmates *all, int count)
{
    bool many = count >= THUDI_CELLS_THREADS_FROM;
    int *first, *partner;
    THUD_TRY(thudi_room(rooms, &first, (size_t)count + 1, "first partners without ghosts"));
    THUD_TRY(thudi_room(rooms, &partner, (size_t)cells->pair_count, "partners without ghosts"));
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (many)
    for (int a = 0; a < count; a++)
        first[a + 1] = keep(cells, all, a, NULL);
    first[0] = 0;
    for (int a = 0; a < count; a++)
        first[a + 1] += first[a];
#pragma omp parallel for num_threads(thudi_threads()) schedule(static) if (many)
    for (int a = 0; a < count; a++)
    {
        int kept = keep(cells, all, a, partner + first[a]);
        if (kept > 1)
            thudi_cells_sort(partner + first[a], kept);
    }
    cells->count = count;
    cells->pair_count = first[count];
    memcpy(cells->first.items, first, ((size_t)count + 1) * sizeof *first);
    if (cells->pair_count > 0)
        memcpy(cells->partner.items, partner, (size_t)cells->pair_count * sizeof *partner);
    return THUD_OK;
}

static thud_status find(thudi_cells *cells, thud_rooms *rooms, const cell_border *border, int dim,
                        int count, const double *q, const double *reach)
{
    inmates all = {.dim = dim};
    THUD_TRY(place_all(&all, rooms, border, count, q, reach));
    THUD_TRY(thudi_cells_find(cells, rooms, dim, (int)all.count, all.q, all.reach));
    return rewrite(cells, rooms, &all, count);
}

thud_status thudi_images_find(thudi_cells *cells, thud_rooms *rooms, const thudi_periods *periods,
                              int dim, int count, const double *q, const double *reach)
{
    cell_border border;
    if (count > THUDI_IMAGE_BODY || !measure(periods, dim, count, q, reach, &border))
        return THUD_ERR_LIMIT;
    int open = thud_rooms_count(rooms);
    thud_status status = find(cells, rooms, &border, dim, count, q, reach);
    thud_rooms_close(rooms, open);
    return status;
}
