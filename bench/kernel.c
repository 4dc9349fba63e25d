// Benchmark: the sweep alone. Nanoseconds per contact and sweep of every kernel this processor has,
// in packs of doubles and in small ones, one thread, beside a loop that only reads and writes the
// same bytes; the bits must agree.
//
//     kernel [--quick | N ...]      default: 1000 10000 100000 1000000
// Set OMP_NUM_THREADS=1: large lattices would be shared by threads.
//
// The problem: a body-centred lattice with jitter, eight contacts per sphere, as many as a dense
// pile has near pairs; accelerated sweeps with momentum 0.9, as the solver makes them.
#include "project/projector.h"
#include "project/sweep/packs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    BRICK_LIMIT = 4096 // bodies, as projections have it
};

typedef struct lattice
{
    int side, count;
    double *q, *w;
    thud_rows *rows;
} lattice;

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double jitter(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

// Cell (x, y, z) holds a corner (which = 0) and a centre (1).
static int number_of(const lattice *l, int x, int y, int z, int which)
{
    return 2 * ((z * l->side + y) * l->side + x) + which;
}

static void push_contact(lattice *l, int a, int b)
{
    double slope[6], sum = 0;
    int index[2] = {3 * a, 3 * b};
    for (int k = 0; k < 3; k++)
    {
        slope[3 + k] = l->q[3 * (size_t)b + (size_t)k] - l->q[3 * (size_t)a + (size_t)k];
        sum += slope[3 + k] * slope[3 + k];
    }
    for (int k = 0; k < 3; k++)
        slope[k] = -(slope[3 + k] /= sqrt(sum));
    (void)thud_rows_push(l->rows, &(thud_row){.key = thud_key_pair(a, b, 0),
                                              .gap = 1e-4 * slope[3],
                                              .shift = 2e-5,
                                              .width = 3,
                                              .count = 2,
                                              .index = index,
                                              .slope = slope});
}

static void connect(lattice *l, int x, int y, int z)
{
    int centre = number_of(l, x, y, z, 1);
    for (int corner = 0; corner < 8; corner++)
    {
        int i = x + (corner & 1), j = y + (corner >> 1 & 1), k = z + (corner >> 2);
        if (i < l->side && j < l->side && k < l->side)
            push_contact(l, number_of(l, i, j, k, 0), centre);
    }
}

static bool build(lattice *l, int wanted)
{
    uint64_t state = 7;
    for (l->side = 1; 2 * l->side * l->side * l->side < wanted;)
        l->side++;
    l->count = 2 * l->side * l->side * l->side;
    l->q = calloc(3 * (size_t)l->count, sizeof *l->q);
    l->w = calloc(3 * (size_t)l->count, sizeof *l->w);
    if (!l->q || !l->w || thud_rows_create(3 * l->count, NULL, &l->rows) < 0)
        return false;
    for (int z = 0; z < l->side; z++)
        for (int y = 0; y < l->side; y++)
            for (int x = 0; x < l->side; x++)
                for (int which = 0; which < 2; which++)
                {
                    double *q = l->q + 3 * (size_t)number_of(l, x, y, z, which);
                    q[0] = x + 0.5 * which + 0.1 * jitter(&state);
                    q[1] = y + 0.5 * which + 0.1 * jitter(&state);
                    q[2] = z + 0.5 * which + 0.1 * jitter(&state);
                    l->w[q - l->q + 2] = -jitter(&state);
                }
    for (int z = 0; z < l->side; z++)
        for (int y = 0; y < l->side; y++)
            for (int x = 0; x < l->side; x++)
                connect(l, x, y, z);
    thud_rows_sort(l->rows);
    return thud_rows_status(l->rows) == THUD_OK;
}

static double stream_small(thudi_packs *p)
{
    double sum = 0;
    for (int i = 0; i < p->pack_first[p->groups]; i++)
    {
        thudi_small_pack *pack = &p->small[i];
        float lane[8];
        for (int k = 0; k < 8; k++)
            lane[k] = pack->x[0][k] + pack->x[1][k] + pack->level[k] + pack->inverse_tolerance[k] +
                      (float)(pack->a[k] + pack->b[k]) + pack->normal[0][k] + pack->normal[1][k] +
                      pack->normal[2][k];
        for (int k = 0; k < 8; k++)
            sum += (double)(pack->x[0][k] = lane[k] * 0x1p-60f);
    }
    return sum;
}

static double stream_full(thudi_packs *p)
{
    double sum = 0;
    for (int i = 0; i < p->pack_first[p->groups]; i++)
    {
        thudi_pack *pack = &p->packs[i];
        double lane[8];
        for (int k = 0; k < 8; k++)
            lane[k] = pack->x[0][k] + pack->x[1][k] + pack->level[k] +
                      (double)pack->inverse_tolerance[k] + pack->a[k] + pack->b[k] +
                      pack->normal[0][k] + pack->normal[1][k] + pack->normal[2][k];
        for (int k = 0; k < 8; k++)
            sum += pack->x[0][k] = lane[k] * 0x1p-60;
    }
    return sum;
}

// What a sweep must read and write, without what it computes.
static double stream(thudi_packs *p)
{
    if (!p->is_small)
    {
        double sum = stream_full(p);
        for (int i = 0; i < 4 * p->bodies; i++)
            p->before[i] = p->velocity[i] += 1e-30 * p->before[i];
        return sum;
    }
    double sum = stream_small(p);
    for (int i = 0; i < 4 * p->bodies; i++)
        p->small_before[i] = p->small_velocity[i] += 1e-30F * p->small_before[i];
    return sum;
}

static uint64_t hash_of(const thudi_packs *p)
{
    uint64_t hash = 0xcbf29ce484222325u;
    int packs = p->pack_first ? p->pack_first[p->groups] : 0; // none if they did not begin
    for (int i = 0; i < packs; i++)
    {
        const void *x = p->is_small ? (const void *)p->small[i].x : p->packs[i].x;
        const unsigned char *bytes = x;
        size_t size = p->is_small ? sizeof p->small[i].x : sizeof p->packs[i].x;
        for (size_t k = 0; k < size; k++)
            hash = (hash ^ bytes[k]) * 0x100000001b3u;
    }
    return hash;
}

static bool begin(const lattice *l, const char *kernel, bool is_small, thud_rooms *rooms,
                  thudi_packs *packs)
{
    int *marks;
    static const thud_bricks bricks = {.side = 12 * 0.866}; // 12 diameters
    thud_projection problem = {.dim = 3 * l->count,
                               .h = 1e-2,
                               .w = l->w,
                               .rows = l->rows,
                               .origin = l->q,
                               .bricks = &bricks,
                               .shift_scale = 1};
    if (thudi_room(rooms, &marks, (size_t)problem.dim, "marks") < 0)
        return false;
    for (int k = 0; k < problem.dim; k++)
        marks[k] = -1;
    thudi_packing packing = {.problem = &problem,
                             .count = l->rows->count,
                             .marks = marks,
                             .rooms = rooms,
                             .brick_limit = BRICK_LIMIT};
    thud_status status = thudi_packs_begin(&packing, packs);
    if (status == THUD_OK && !is_small)
        status = thudi_packs_widen(&problem, packs);
    packs->kernel = thudi_kernel_find(kernel);
    return status == THUD_OK && packs->is_small == is_small && packs->kernel;
}

// The best of a few repetitions, in nanoseconds per contact and sweep.
static double time_of(thudi_packs *p, int sweeps, bool only_stream)
{
    double best = INFINITY, seen = 0;
    for (int repetition = 0; repetition < 5; repetition++)
    {
        double start = cpu_seconds();
        for (int k = 0; k < sweeps; k++)
            seen += only_stream ? stream(p) : thudi_packs_sweep(p, 0.9).worst;
        double took = (cpu_seconds() - start) / sweeps / p->rows * 1e9;
        best = took < best ? took : best;
    }
    return isfinite(seen) ? best : NAN;
}

// work: contacts to be swept in one repetition.
static bool measure_packs(const lattice *l, bool is_small, int work)
{
    static const char *const kernels[] = {"avx2", "vector", "plain"};
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thud_rooms rooms = {0};
    uint64_t hash = 0;
    bool fine = true;
    double streamed = 0;
    thudi_rooms_begin(&rooms, &allocator);
    for (int k = 0; k < 3 && fine; k++)
    {
        thudi_packs packs = {0};
        if (!thudi_kernel_find(kernels[k]))
            continue;
        fine = begin(l, kernels[k], is_small, &rooms, &packs);
        if (!fine)
            break;
        int sweeps = 1 + work / (packs.rows + 1);
        double took = time_of(&packs, sweeps, false);
        uint64_t own = hash_of(&packs);
        fine = hash == 0 || own == hash;
        hash = own;
        if (streamed == 0)
            streamed = time_of(&packs, sweeps, true);
        printf("%8d %-7s %-6s %6.2f %8.2f %6.2f %8.1f %7d %3d  %016llx%s\n", l->count, kernels[k],
               is_small ? "small" : "double", took, streamed, took / streamed,
               100.0 * packs.rows / (THUDI_PACK_WIDTH * (double)packs.pack_first[packs.groups]),
               packs.rows, packs.phases, (unsigned long long)hash, fine ? "" : "  DIFFERS");
        thudi_rooms_free(&rooms);
    }
    thudi_rooms_free(&rooms);
    return fine;
}

static bool measure(int wanted, int work)
{
    lattice l = {0};
    bool fine = build(&l, wanted);
    for (int is_small = 0; is_small < 2 && fine; is_small++)
        fine = measure_packs(&l, is_small, work);
    thud_rows_destroy(l.rows);
    free(l.q);
    free(l.w);
    return fine;
}

int main(int argc, char **argv)
{
    static const char *const standard[] = {"1000", "10000", "100000", "1000000"};
    static const char *const quick[] = {"500", "20000"};
    bool is_quick = argc == 2 && strcmp(argv[1], "--quick") == 0, fine = true;
    int count = is_quick ? 2 : argc > 1 ? argc - 1 : 4;
    printf("ns per contact and sweep; stream: the same bytes, nothing computed; fill in %%\n");
    printf("%8s %-7s %-6s %6s %8s %6s %8s %7s %3s  %s\n", "N", "kernel", "packs", "sweep", "stream",
           "ratio", "fill", "rows", "ph", "bits");
    for (int i = 0; i < count && fine; i++)
    {
        const char *text = is_quick ? quick[i] : argc > 1 ? argv[i + 1] : standard[i];
        int wanted = (int)strtol(text, NULL, 10);
        fine = wanted > 0 && measure(wanted, is_quick ? 1000000 : 20000000);
        if (wanted <= 0)
            fprintf(stderr, "usage: kernel [--quick | N ...]\n");
    }
    return !fine;
}
