// The rows of a world against those of a search over all pairs, by the criteria as documented; and
// that they depend on the moment alone: not on the list that the world happens to hold, nor on the
// number of threads.
#include "thud_test.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <thud/spheres.h>

static const double tol = 1e-4, margin_of_check = 1e-2;

typedef struct near_rig
{
    int dim, count, walls;
    thud_plane planes[4];
    thud_sphere *spheres;
    double *q, *u, *w, *trial;
    thud_multiplier *multipliers;
    int multiplier_count;
    double h;
} near_rig;

static void *room(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        abort();
    return block;
}

// Bodies on a grid of unit spacing, far enough apart for any start; sizes over 1 : `span`.
static void rig_make(near_rig *rig, test_random *random, int dim, int count, double span)
{
    int side = 1;
    while ((dim == 3 ? side * side * side : side * side) < count)
        side++;
    *rig = (near_rig){.dim = dim, .count = count, .h = 0.1};
    size_t bodies = (size_t)count, size = (size_t)dim * bodies;
    rig->spheres = room(bodies, sizeof *rig->spheres);
    rig->q = room(4 * size, sizeof *rig->q);
    rig->u = rig->q + size;
    rig->w = rig->u + size;
    rig->trial = rig->w + size;
    rig->multipliers = room(bodies, sizeof *rig->multipliers);
    for (int i = 0; i < count; i++)
    {
        thud_sphere *s = &rig->spheres[i];
        int at[3] = {i % side, i / side % side, i / side / side};
        s->radius = 0.49 / pow(span, test_random_uniform(random, 0, 1));
        s->mass = 1;
        for (int k = 0; k < dim; k++)
            s->center[k] = at[k];
    }
    rig->walls = 3;
    rig->planes[0] = (thud_plane){{1, 0, 0}, -3};
    rig->planes[1] = (thud_plane){{-1, 0, 0}, -side - 3};
    rig->planes[2] = (thud_plane){{3, 4, 0}, -20};
}

static void rig_drop(near_rig *rig)
{
    free(rig->spheres);
    free(rig->q);
    free(rig->multipliers);
}

static thud_world *world_of(const near_rig *rig, const thud_allocator *allocator)
{
    thud_world_def def = {.dim = rig->dim, .h = rig->h, .tol = tol, .allocator = allocator};
    thud_world *world = NULL;
    CHECK(thud_world_create(&def, &world) == THUD_OK);
    CHECK(thud_world_add(world, rig->spheres, rig->count, NULL) == THUD_OK);
    for (int w = 0; w < rig->walls; w++)
        CHECK(thud_world_add_wall(world, &(thud_wall_def){.plane = rig->planes[w]}, NULL) ==
              THUD_OK);
    CHECK(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    return world;
}

static int by_key(const void *x, const void *y)
{
    const thud_multiplier *a = x, *b = y;
    return (a->key > b->key) - (a->key < b->key);
}

// A moment: positions off the grid by `off`, all carried along by `along`, speeds up to `speed`.
static void draw(near_rig *rig, test_random *random, double off, double along, double speed)
{
    for (int i = 0; i < rig->dim * rig->count; i++)
    {
        int k = i % rig->dim;
        rig->q[i] =
            rig->spheres[i / rig->dim].center[k] + along + test_random_uniform(random, -off, off);
        rig->u[i] = along + test_random_uniform(random, -speed, speed);
        rig->w[i] = rig->u[i] + (k == 0 ? -0.3 : 0);
        rig->trial[i] = rig->q[i] + rig->h * (along + test_random_uniform(random, -speed, speed));
    }
    rig->multiplier_count = rig->count / 3;
    for (int m = 0; m < rig->multiplier_count; m++)
    {
        uint64_t a = (uint64_t)test_random_int(random, 0, rig->count + 1);
        uint64_t b = (uint64_t)test_random_int(random, 0, 40) + a;
        bool wall = test_random_int(random, 0, 3) == 0;
        rig->multipliers[m].key =
            wall ? UINT64_C(1) << 63 | (uint64_t)(m % (rig->walls + 1)) << 32 | a : a << 32 | b;
    }
    qsort(rig->multipliers, (size_t)rig->multiplier_count, sizeof *rig->multipliers, by_key);
}

static thud_moment moment_of(const near_rig *rig, thud_phase phase)
{
    return (thud_moment){.phase = phase,
                         .t = rig->h,
                         .h = rig->h,
                         .q = rig->q,
                         .u = rig->u,
                         .w = rig->w,
                         .trial = phase == THUD_CHECK ? rig->trial : NULL,
                         .multipliers = rig->multipliers,
                         .multiplier_count = rig->multiplier_count};
}

static void ask(thud_world *world, const near_rig *rig, thud_phase phase, thud_rows *rows)
{
    thud_inclusion problem = thud_world_inclusion(world);
    thud_moment at = moment_of(rig, phase);
    thud_rows_clear(rows);
    CHECK(problem.gaps(&at, rows, problem.user) == 0);
    CHECK(thud_rows_status(rows) == THUD_OK);
    thud_rows_sort(rows);
}

// The same rows bit for bit, and the same gap noted.
static void compare(const thud_rows *a, const thud_rows *b, const char *what, int round)
{
    int wrong = thud_rows_count(a) != thud_rows_count(b);
    double noted[2] = {thud_rows_noted_gap(a), thud_rows_noted_gap(b)};
    for (int i = 0; i < thud_rows_count(a) && i < thud_rows_count(b); i++)
    {
        thud_row x = thud_rows_get(a, i), y = thud_rows_get(b, i);
        wrong += x.key != y.key || x.gap != y.gap || x.shift != y.shift || x.width != y.width ||
                 x.count != y.count || x.kind != y.kind ||
                 memcmp(x.index, y.index, (size_t)x.count * sizeof *x.index) != 0 ||
                 memcmp(x.slope, y.slope, (size_t)(x.count * x.width) * sizeof *x.slope) != 0;
    }
    if (wrong > 0 || memcmp(&noted[0], &noted[1], sizeof *noted) != 0)
        test_fail(__FILE__, __LINE__, "%s, round %d: %d rows differ, %d and %d; noted %g and %g",
                  what, round, wrong, thud_rows_count(a), thud_rows_count(b), noted[0], noted[1]);
}

// All that the search over all pairs needs to know of a moment.
typedef struct brute
{
    const near_rig *rig;
    double pull, largest;
    double *reach, *speed, *ring;
    thud_rows *rows;
} brute;

static double length(int dim, const double *v, const double *from)
{
    double sum = 0;
    for (int k = 0; k < dim; k++)
        sum += (v[k] - (from ? from[k] : 0)) * (v[k] - (from ? from[k] : 0));
    return sqrt(sum);
}

static double wall_gap(const near_rig *rig, int wall, const double *q, int i)
{
    const thud_plane *plane = &rig->planes[wall];
    double scale = length(rig->dim, plane->normal, NULL), sum = -(plane->offset / scale);
    for (int k = 0; k < rig->dim; k++)
        sum += plane->normal[k] / scale * q[rig->dim * i + k];
    return sum - rig->spheres[i].radius;
}

static bool is_near(const brute *b, int i, int j)
{
    const near_rig *rig = b->rig;
    double sum = 0, reach = b->reach[i] + b->reach[j];
    for (int k = 0; k < rig->dim; k++)
        sum += pow(rig->q[rig->dim * j + k] - rig->q[rig->dim * i + k], 2);
    return sum < reach * reach;
}

static bool has_multiplier(const near_rig *rig, uint64_t key)
{
    thud_multiplier wanted = {.key = key};
    return bsearch(&wanted, rig->multipliers, (size_t)rig->multiplier_count, sizeof wanted, by_key);
}

static double shift_of(const near_rig *rig, int i, int j)
{
    return 2 * tol * fmin(rig->spheres[i].radius, rig->spheres[j].radius);
}

// Row and gap of a pair; lin at the trial position.
static thud_row pair_row(const near_rig *rig, int i, int j, int index[2], double slope[6],
                         double *lin)
{
    int dim = rig->dim;
    double normal[3], distance = length(dim, rig->q + dim * j, rig->q + dim * i);
    *lin = distance - (rig->spheres[i].radius + rig->spheres[j].radius);
    for (int k = 0; k < dim; k++)
    {
        int a = dim * i + k, b = dim * j + k;
        normal[k] = (rig->q[b] - rig->q[a]) / distance;
        slope[k] = -normal[k];
        slope[dim + k] = normal[k];
        *lin += normal[k] * ((rig->trial[b] - rig->q[b]) - (rig->trial[a] - rig->q[a]));
    }
    index[0] = dim * i;
    index[1] = dim * j;
    return (thud_row){.key = (uint64_t)i << 32 | (uint64_t)j,
                      .gap = distance - rig->spheres[i].radius - rig->spheres[j].radius,
                      .shift = shift_of(rig, i, j),
                      .width = dim,
                      .count = 2,
                      .index = index,
                      .slope = slope};
}

static void push_wall(const brute *b, int wall, int i)
{
    const near_rig *rig = b->rig;
    double normal[3], scale = length(rig->dim, rig->planes[wall].normal, NULL);
    int index = rig->dim * i;
    for (int k = 0; k < rig->dim; k++)
        normal[k] = rig->planes[wall].normal[k] / scale;
    CHECK(thud_rows_push(b->rows,
                         &(thud_row){.key = UINT64_C(1) << 63 | (uint64_t)wall << 32 | (uint64_t)i,
                                     .gap = wall_gap(rig, wall, rig->q, i),
                                     .shift = shift_of(rig, i, i),
                                     .width = rig->dim,
                                     .count = 1,
                                     .index = &index,
                                     .slope = normal}) == THUD_OK);
}

// Speeds near each body, and the largest of its neighbours'.
static void brute_speeds(const brute *b)
{
    const near_rig *rig = b->rig;
    for (int i = 0; i < rig->count; i++)
        for (int w = 0; w < rig->walls; w++)
        {
            double along = 0, scale = length(rig->dim, rig->planes[w].normal, NULL);
            for (int k = 0; k < rig->dim; k++)
                along += rig->planes[w].normal[k] / scale * rig->w[rig->dim * i + k];
            if (wall_gap(rig, w, rig->q, i) < 2 * b->reach[i])
                b->speed[i] = fmax(b->speed[i], fabs(along));
        }
    for (int ring = 0; ring < 2; ring++)
    {
        for (int i = 0; i < rig->count && ring; i++)
            b->ring[i] = b->speed[i];
        for (int i = 0; i < rig->count; i++)
            for (int j = 0; j < rig->count; j++)
                if (j != i && is_near(b, i, j) && !ring)
                    b->speed[i] = fmax(b->speed[i], length(rig->dim, rig->w + rig->dim * i,
                                                           rig->w + rig->dim * j));
                else if (j != i && is_near(b, i, j))
                    b->ring[i] = fmax(b->ring[i], b->speed[j]);
    }
}

static void brute_linearise(brute *b)
{
    const near_rig *rig = b->rig;
    double mean[3] = {0}, fastest = 0;
    for (int i = 0; i < rig->dim * rig->count; i++)
        mean[i % rig->dim] += rig->w[i] / rig->count;
    for (int i = 0; i < rig->count; i++)
    {
        fastest = fmax(fastest, length(rig->dim, rig->w + rig->dim * i, mean));
        b->pull = fmax(b->pull, length(rig->dim, rig->w + rig->dim * i, rig->u + rig->dim * i));
    }
    double travel = 2 * rig->h * (fastest + b->pull);
    for (int i = 0; i < rig->count; i++)
    {
        double radius = rig->spheres[i].radius;
        double size = fmin(b->largest, 4 * radius);
        b->reach[i] = radius + (fmin(travel, size) + 4 * tol * size) / 2;
    }
    brute_speeds(b);
    for (int i = 0; i < rig->count; i++)
        for (int j = i + 1; j < rig->count; j++)
        {
            int index[2];
            double slope[6], lin, fast = fmax(b->ring[i], b->ring[j]);
            thud_row row = pair_row(rig, i, j, index, slope, &lin);
            if (is_near(b, i, j) && (row.gap < 2 * row.shift + rig->h * (2 * b->pull + fast) ||
                                     has_multiplier(rig, row.key)))
                CHECK(thud_rows_push(b->rows, &row) == THUD_OK);
        }
    for (int w = 0; w < rig->walls; w++)
        for (int i = 0; i < rig->count; i++)
            if (wall_gap(rig, w, rig->q, i) <
                    2 * shift_of(rig, i, i) + rig->h * (2 * b->pull + b->ring[i]) ||
                has_multiplier(rig, UINT64_C(1) << 63 | (uint64_t)w << 32 | (uint64_t)i))
                push_wall(b, w, i);
}

static void brute_check(brute *b)
{
    const near_rig *rig = b->rig;
    double mean[3] = {0};
    for (int i = 0; i < rig->dim * rig->count; i++)
        mean[i % rig->dim] += (rig->trial[i] - rig->q[i]) / rig->count;
    for (int i = 0; i < rig->count; i++)
    {
        double way[3];
        for (int k = 0; k < rig->dim; k++)
            way[k] = rig->trial[rig->dim * i + k] - rig->q[rig->dim * i + k];
        b->reach[i] =
            rig->spheres[i].radius * (1 + margin_of_check + 2 * tol) + length(rig->dim, way, mean);
    }
    for (int i = 0; i < rig->count; i++)
        for (int j = i + 1; j < rig->count; j++)
        {
            int index[2];
            double slope[6], lin;
            if (!is_near(b, i, j))
                continue;
            thud_row row = pair_row(rig, i, j, index, slope, &lin);
            thud_rows_note_gap(
                b->rows, length(rig->dim, rig->trial + rig->dim * j, rig->trial + rig->dim * i) -
                             (rig->spheres[i].radius + rig->spheres[j].radius));
            if (lin < row.shift)
                CHECK(thud_rows_push(b->rows, &row) == THUD_OK);
        }
    for (int w = 0; w < rig->walls; w++)
        for (int i = 0; i < rig->count; i++)
        {
            double gap = wall_gap(rig, w, rig->trial, i);
            thud_rows_note_gap(b->rows, gap);
            if (gap < shift_of(rig, i, i))
                push_wall(b, w, i);
        }
}

static void brute_ask(const near_rig *rig, thud_phase phase, thud_rows *rows)
{
    size_t count = (size_t)rig->count;
    brute b = {.rig = rig, .rows = rows};
    b.reach = room(3 * count, sizeof *b.reach);
    b.speed = b.reach + count;
    b.ring = b.speed + count;
    for (int i = 0; i < rig->count; i++)
        b.largest = fmax(b.largest, rig->spheres[i].radius);
    thud_rows_clear(rows);
    if (phase == THUD_CHECK)
        brute_check(&b);
    else
        brute_linearise(&b);
    thud_rows_sort(rows);
    free(b.reach);
}

// One way of moving from moment to moment.
typedef struct motion
{
    const char *name;
    double off, along, speed; // off: of the grid; along: all together, per moment
} motion;

static const motion motions[] = {
    {"still", 1e-3, 0, 1e-3}, {"slow", 0.02, 0, 0.1},  {"fast", 0.3, 0, 3},
    {"carried", 0.02, 50, 1}, {"far", 0.02, 1e7, 0.2},
};

static void all_pairs(int dim, double span)
{
    uint64_t seed = test_seed(601);
    test_random random = test_random_start(seed);
    near_rig rig;
    long pushed = 0;
    rig_make(&rig, &random, dim, 250, span);
    thud_world *world = world_of(&rig, NULL);
    thud_rows *rows = NULL, *wanted = NULL;
    CHECK(thud_rows_create(dim * rig.count, NULL, &rows) == THUD_OK);
    CHECK(thud_rows_create(dim * rig.count, NULL, &wanted) == THUD_OK);
    for (size_t m = 0; m < sizeof motions / sizeof *motions; m++)
        for (int round = 0; round < 8; round++)
        {
            const motion *way = &motions[m];
            draw(&rig, &random, way->off, way->along * round, way->speed);
            for (int phase = THUD_LINEARISE; phase <= THUD_CHECK; phase++)
            {
                ask(world, &rig, (thud_phase)phase, rows);
                brute_ask(&rig, (thud_phase)phase, wanted);
                compare(rows, wanted, way->name, round);
                pushed += thud_rows_count(wanted);
            }
        }
    printf("  seed %llu, %ld rows\n", (unsigned long long)seed, pushed);
    CHECK(pushed > 1000);
    thud_rows_destroy(rows);
    thud_rows_destroy(wanted);
    thud_world_destroy(world);
    rig_drop(&rig);
}

static void equal_sizes(void)
{
    all_pairs(3, 1.2);
    all_pairs(2, 1.2);
}

static void many_sizes(void)
{
    all_pairs(3, 1e4);
    all_pairs(2, 1e4);
}

// Neighbours that come closer at a steady pace, until the list covers them no more.
static void drifting(void)
{
    uint64_t seed = test_seed(606);
    test_random random = test_random_start(seed);
    near_rig rig;
    int side = 7;
    rig_make(&rig, &random, 3, side * side * side, 1.2);
    thud_world *world = world_of(&rig, NULL);
    thud_rows *rows = NULL, *wanted = NULL;
    CHECK(thud_rows_create(3 * rig.count, NULL, &rows) == THUD_OK);
    CHECK(thud_rows_create(3 * rig.count, NULL, &wanted) == THUD_OK);
    for (int round = 0; round < 40; round++)
    {
        for (int i = 0; i < 3 * rig.count; i++)
        {
            int place = (int)rig.spheres[i / 3].center[i % 3];
            double pace = i % 3 > 0 ? 0 : place % 2 == 0 ? 0.003 : -0.003;
            rig.q[i] = place + round * pace;
            rig.u[i] = rig.w[i] = pace / rig.h;
            rig.trial[i] = rig.q[i] + pace;
        }
        for (int phase = THUD_LINEARISE; phase <= THUD_CHECK; phase++)
        {
            ask(world, &rig, (thud_phase)phase, rows);
            brute_ask(&rig, (thud_phase)phase, wanted);
            compare(rows, wanted, "drifting", round);
        }
    }
    CHECK(thud_rows_count(wanted) > rig.count / 4);
    thud_rows_destroy(rows);
    thud_rows_destroy(wanted);
    thud_world_destroy(world);
    rig_drop(&rig);
}

// A world that has gone through other moments against one that has not.
static void old_list(void)
{
    uint64_t seed = test_seed(602);
    test_random random = test_random_start(seed);
    near_rig rig;
    rig_make(&rig, &random, 3, 3000, 3);
    thud_world *world = world_of(&rig, NULL);
    thud_rows *rows = NULL, *wanted = NULL;
    CHECK(thud_rows_create(3 * rig.count, NULL, &rows) == THUD_OK);
    CHECK(thud_rows_create(3 * rig.count, NULL, &wanted) == THUD_OK);
    for (int round = 0; round < 40; round++)
    {
        const motion *way = &motions[round / 4 % 5];
        draw(&rig, &random, way->off, way->along * round, way->speed);
        for (int phase = THUD_LINEARISE; phase <= THUD_CHECK; phase++)
        {
            thud_world *fresh = world_of(&rig, NULL);
            ask(world, &rig, (thud_phase)phase, rows);
            ask(fresh, &rig, (thud_phase)phase, wanted);
            compare(rows, wanted, way->name, round);
            thud_world_destroy(fresh);
        }
    }
    printf("  seed %llu\n", (unsigned long long)seed);
    thud_rows_destroy(rows);
    thud_rows_destroy(wanted);
    thud_world_destroy(world);
    rig_drop(&rig);
}

static void threads(void)
{
    static const int counts[] = {2, 3, 4, 8};
    uint64_t seed = test_seed(603);
    test_random random = test_random_start(seed);
    for (int dim = 2; dim <= 3; dim++)
    {
        near_rig rig;
        rig_make(&rig, &random, dim, 9000, dim == 2 ? 1e3 : 1.5);
        thud_world *world = world_of(&rig, NULL), *other = world_of(&rig, NULL);
        thud_rows *rows = NULL, *wanted = NULL;
        CHECK(thud_rows_create(dim * rig.count, NULL, &rows) == THUD_OK);
        CHECK(thud_rows_create(dim * rig.count, NULL, &wanted) == THUD_OK);
        for (int round = 0; round < 10; round++)
        {
            const motion *way = &motions[round / 2];
            draw(&rig, &random, way->off, way->along * round, way->speed);
            for (int phase = THUD_LINEARISE; phase <= THUD_CHECK; phase++)
                for (int t = 0; t < 4; t++)
                {
                    omp_set_num_threads(1);
                    ask(world, &rig, (thud_phase)phase, wanted);
                    omp_set_num_threads(counts[(round + t) % 4]);
                    ask(other, &rig, (thud_phase)phase, rows);
                    compare(rows, wanted, way->name, round);
                }
        }
        thud_rows_destroy(rows);
        thud_rows_destroy(wanted);
        thud_world_destroy(world);
        thud_world_destroy(other);
        rig_drop(&rig);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

// Once all moments have been gone through, they need no more memory.
static void warm(void)
{
    near_rig rig;
    test_meter meter = {0};
    thud_allocator allocator = {test_meter_resize, &meter};
    long calls = 0;
    test_random start = test_random_start(604);
    rig_make(&rig, &start, 3, 5000, 2);
    thud_world *world = world_of(&rig, &allocator);
    thud_rows *rows = NULL;
    CHECK(thud_rows_create(3 * rig.count, &allocator, &rows) == THUD_OK);
    for (int pass = 0; pass < 2; pass++)
    {
        test_random random = test_random_start(605);
        calls = meter.calls;
        for (int round = 0; round < 10; round++)
        {
            const motion *way = &motions[round / 2];
            draw(&rig, &random, way->off, way->along * round, way->speed);
            ask(world, &rig, THUD_LINEARISE, rows);
            ask(world, &rig, THUD_CHECK, rows);
        }
    }
    CHECK(calls > 20 && meter.calls == calls);
    thud_rows_destroy(rows);
    thud_world_destroy(world);
    CHECK(meter.blocks == 0);
    rig_drop(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"equal-sizes", equal_sizes}, {"many-sizes", many_sizes}, {"drifting", drifting},
        {"old-list", old_list},       {"threads", threads},       {"warm", warm},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
