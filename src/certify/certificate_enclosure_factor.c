// The matrix of a set of rows, and a proof that it is well above singular.
//
//     B = D^-1 G_S M^-1/2,  A = B B^T        rows of B have unit length apart from rounding
//
// The rows are put in an order in which neighbours are close (Cuthill and McKee), so that connected
// sets follow one another and a row of the factor is short. If the Cholesky factorisation of
// fl(A) - theta I runs to its end, then lambda_min(A) >= theta - c (Rump 2006): c covers
// the rounding of A, at most (entries + 10) u for each of the entries of a row, and that of the
// factorisation, (m + 4) u each for rows of m numbers; there are at most 2 m entries in a row.
#include "certify/certificate.h"
#include "certify/enclosure.h"

#include "core/math/four.h"

#include <string.h>

// Products of factors 1 + u are bounded by their sum times this, for the sizes that are factorised.
static const double HIGHER_ORDERS = 1.125;

enum
{
    WORTH_AN_END = 24, // connected sets from here on are started at an end
    SMALL_SET = 90     // the factor of a problem that is no larger has room for all of it
};

// Nothing in the factor needs to stay when it gets a larger room.
static thud_status reserve_factor(const thudi_enclose_task *task, size_t wanted)
{
    thudi_enclosing *e = task->memory;
    if (wanted <= e->factor_room)
        return THUD_OK;
    size_t room = wanted > 2 * e->factor_room ? wanted : 2 * e->factor_room;
    THUD_TRY(thudi_room(task->rooms, &e->factor, room, "enclosure: factor"));
    e->factor_room = room;
    return THUD_OK;
}

thud_status thudi_enclose_open_rooms(const thudi_enclose_task *task)
{
    thudi_enclosing *e = task->memory;
    thud_rooms *rooms = task->rooms;
    size_t dim = (size_t)task->problem->dim, rows = (size_t)task->problem->rows->count;
    size_t most = rows < dim ? rows : dim; // members that are independent
    THUD_TRY(thudi_room(rooms, &e->rank, rows, "enclosure: ranks"));
    THUD_TRY(thudi_room(rooms, &e->places, rows, "enclosure: places"));
    THUD_TRY(thudi_room(rooms, &e->is_seen, dim, "enclosure: seen"));
    THUD_TRY(thudi_room(rooms, &e->touch_first, dim + 2, "enclosure: first touches"));
    THUD_TRY(thudi_room(rooms, &e->touches, task->problem->rows->entries, "enclosure: touches"));
    return most <= SMALL_SET ? reserve_factor(task, most * (most + 1) / 2) : THUD_OK;
}

// Which members touch a listed coordinate, and by how much.
static void list_touches(const thudi_enclose_task *task)
{
    thudi_enclosing *e = task->memory;
    const thud_projection *problem = task->problem;
    int *first = e->touch_first;
    memset(first, 0, ((size_t)e->slots + 2) * sizeof *first);
    thudi_entries row;
    for (int s = 0; s < e->count; s++)
    {
        thudi_row_open(problem->rows, e->members[s], &row);
        for (int k = 0; k < row.size; k++)
            first[e->slot[row.index[k]] + 2]++;
    }
    for (int k = 0; k < e->slots; k++)
        first[k + 2] += first[k + 1];
    for (int s = 0; s < e->count; s++)
    {
        thudi_row_open(problem->rows, e->members[s], &row);
        double norm = e->claims[e->members[s]].norm;
        for (int k = 0; k < row.size; k++)
        {
            double root = problem->mass ? sqrt(problem->mass[row.index[k]]) : 1;
            e->touches[first[e->slot[row.index[k]] + 1]++] =
                (thudi_touch){s, row.slope[k] / norm / root};
        }
    }
}

// Members that are connected with `member`, nearest first, into the places from `low` on.
static int spread(const thudi_enclose_task *task, int member, int low)
{
    thudi_enclosing *e = task->memory;
    int high = low;
    e->rank[member] = high;
    e->places[high++].row = member;
    for (int at = low; at < high; at++)
    {
        thudi_entries row;
        thudi_row_open(task->problem->rows, e->members[e->places[at].row], &row);
        for (int k = 0; k < row.size; k++)
        {
            int c = e->slot[row.index[k]];
            if (e->is_seen[c])
                continue;
            e->is_seen[c] = true;
            for (int t = e->touch_first[c]; t < e->touch_first[c + 1]; t++)
            {
                int next = e->touches[t].member;
                if (e->rank[next] >= 0)
                    continue;
                e->rank[next] = high;
                e->places[high++].row = next;
            }
        }
    }
    return high;
}

static void forget(const thudi_enclose_task *task, int low, int high)
{
    thudi_enclosing *e = task->memory;
    for (int at = low; at < high; at++)
    {
        int member = e->places[at].row;
        thudi_entries row;
        thudi_row_open(task->problem->rows, e->members[member], &row);
        for (int k = 0; k < row.size; k++)
            e->is_seen[e->slot[row.index[k]]] = false;
        e->rank[member] = -1;
    }
}

static void put_in_order(const thudi_enclose_task *task)
{
    thudi_enclosing *e = task->memory;
    for (int c = 0; c < e->slots; c++)
        e->is_seen[c] = false;
    for (int s = 0; s < e->count; s++)
        e->rank[s] = -1;
    for (int s = 0, low = 0; s < e->count; s++)
    {
        if (e->rank[s] >= 0)
            continue;
        int high = spread(task, s, low);
        if (high - low >= WORTH_AN_END)
        {
            int end = e->places[high - 1].row;
            forget(task, low, high);
            high = spread(task, end, low);
        }
        low = high;
    }
}

// The rows of the factor as far as they are not zero. THUD_NEWS: they are too many numbers.
static thud_status lay_out(const thudi_enclose_task *task)
{
    thudi_enclosing *e = task->memory;
    size_t used = 0;
    e->widest = 0;
    for (int at = 0; at < e->count; at++)
        e->places[at].begin = at;
    for (int c = 0; c < e->slots; c++)
    {
        int low = e->touch_first[c], high = e->touch_first[c + 1], least = e->count;
        for (int t = low; t < high; t++)
            if (e->rank[e->touches[t].member] < least)
                least = e->rank[e->touches[t].member];
        for (int t = low; t < high; t++)
        {
            thudi_place *place = &e->places[e->rank[e->touches[t].member]];
            place->begin = least < place->begin ? least : place->begin;
        }
    }
    for (int at = 0; at < e->count; at++)
    {
        thudi_place *place = &e->places[at];
        int width = at + 1 - place->begin;
        place->row = e->members[place->row];
        place->start = used; // of its `begin`, for now
        used += (size_t)width;
        e->widest = width > e->widest ? width : e->widest;
    }
    if (used > task->room)
        return THUD_NEWS;
    THUD_TRY(reserve_factor(task, used));
    if (used > 0)
        memset(e->factor, 0, used * sizeof *e->factor);
    return THUD_OK;
}

// Column j of the row of the factor at a place.
static double *entry(const thudi_enclosing *e, const thudi_place *place, int j)
{
    return e->factor + place->start + (j - place->begin);
}

static void fill(thudi_enclosing *e)
{
    for (int c = 0; c < e->slots; c++)
        for (int t = e->touch_first[c]; t < e->touch_first[c + 1]; t++)
        {
            const thudi_touch *one = &e->touches[t];
            int at = e->rank[one->member];
            for (int o = e->touch_first[c]; o < e->touch_first[c + 1]; o++)
            {
                const thudi_touch *other = &e->touches[o];
                int j = e->rank[other->member];
                if (j <= at)
                    *entry(e, &e->places[at], j) += one->value * other->value;
            }
        }
}

static double dot(const double *a, const double *b, int count)
{
    four sum = four_of(0);
    int k = 0;
    for (; k < count - 3; k += 4)
        sum += four_load(a + k) * four_load(b + k);
    double rest = 0;
    for (; k < count; k++)
        rest += a[k] * b[k];
    return four_sum(sum) + rest;
}

// One row of the factor; false if it depends on those before it. least: of a pivot.
static bool eliminate(thudi_enclosing *e, int at, double theta, double least)
{
    const thudi_place *mine = &e->places[at];
    for (int j = mine->begin; j < at; j++)
    {
        const thudi_place *other = &e->places[j];
        int low = mine->begin > other->begin ? mine->begin : other->begin;
        double sum = *entry(e, mine, j) - dot(entry(e, mine, low), entry(e, other, low), j - low);
        *entry(e, mine, j) = sum / *entry(e, other, j);
    }
    double *row = entry(e, mine, mine->begin), *last = entry(e, mine, at);
    double pivot = (*last - theta) - dot(row, row, at - mine->begin);
    *last = sqrt(pivot);
    return pivot > least; // not so for a NAN
}

static int longest_row(const thudi_enclose_task *task)
{
    int longest = 0;
    for (int s = 0; s < task->memory->count; s++)
    {
        int size = thudi_row_size(&task->problem->rows->heads.items[task->memory->members[s]]);
        longest = size > longest ? size : longest;
    }
    return longest;
}

// What rounding may take from the smallest eigenvalue.
static double rounding_of(const thudi_enclose_task *task)
{
    const thudi_enclosing *e = task->memory;
    double m = e->widest, most = 2 * m < e->count ? 2 * m : e->count;
    return DBL_EPSILON / 2 * HIGHER_ORDERS * most * ((m + 4) + (longest_row(task) + 10)) +
           DBL_EPSILON;
}

// The member at a place leaves the set; the others go on as if it were not there.
static void leave(thudi_enclosing *e, int at)
{
    const thudi_place *mine = &e->places[at];
    thudi_claim *claim = &e->claims[mine->row];
    claim->base = claim->more = 0;
    claim->is_member = false;
    for (int j = mine->begin; j < at; j++)
        *entry(e, mine, j) = 0;
    *entry(e, mine, at) = 1;
}

thud_status thudi_enclose_factor(const thudi_enclose_task *task, int *left)
{
    thudi_enclosing *e = task->memory;
    e->has_factor = false;
    *left = 0;
    list_touches(task);
    put_in_order(task);
    thud_status status = lay_out(task);
    if (status != THUD_OK)
        return status;
    fill(e);
    double rounding = rounding_of(task), theta = 8 * rounding;
    for (int at = 0; at < e->count; at++)
        if (!eliminate(e, at, theta, rounding))
        {
            leave(e, at);
            ++*left;
        }
    e->theta = theta - 2 * rounding;
    e->has_factor = *left == 0;
    return THUD_OK;
}

void thudi_enclose_solve(thudi_enclosing *e)
{
    thudi_place *places = e->places;
    for (int at = 0; at < e->count; at++)
    {
        double sum = places[at].rho;
        const double *row = entry(e, &places[at], places[at].begin);
        for (int j = places[at].begin; j < at; j++)
            sum -= *row++ * places[j].x;
        places[at].x = sum / *row;
    }
    for (int at = e->count - 1; at >= 0; at--)
    {
        const double *row = entry(e, &places[at], places[at].begin);
        places[at].x /= row[at - places[at].begin];
        for (int j = places[at].begin; j < at; j++)
            places[j].x -= *row++ * places[at].x;
    }
}
