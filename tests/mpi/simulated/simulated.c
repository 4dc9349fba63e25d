// Sweeps of one projection by the processes of an MPI job, timed, with a hash of the multipliers.
//
//     simulated FILE SIDE SWEEPS     FILE: of pose_pile; SIDE: of bricks, in diameters
//
// The clock is that of MPI, so under SMPI the times are those of the simulated machine. The hash
// does not depend on the number of processes. Prints one line:
//
//     processes, ms a sweep, ms of the layout, % of the rows computed twice, messages of a sweep,
//     those of the process that sends most, bytes of a sweep, most rows of a process, hash
#include "pile_file.h"

#include "project/sweep/part.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <thud/mpi.h>
#include <unistd.h>

enum
{
    BRICK_LIMIT = 200,     // bodies: small piles have bricks, too
    DIAMETERS_OF_SIDE = 12 // of the bricks in the file
};

// The projection, as it lies in the file.
typedef struct pile
{
    thud_projection problem;
    thud_rows rows;
    thud_bricks bricks;
    int *marks;
} pile;

// The head of a file that is mapped, or NULL.
static pile_head *map_file(const char *path)
{
    int file = open(path, O_RDWR);
    pile_head head, *all = NULL;
    if (file < 0)
        return NULL;
    if (read(file, &head, sizeof head) == (ssize_t)sizeof head)
        all = mmap(NULL, head.place[PILE_ARRAYS], PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    (void)close(file);
    return all == MAP_FAILED ? NULL : all;
}

static void open_pile(pile_head *head, double side, pile *p)
{
    char *at = (char *)head;
    const size_t *place = head->place;
    p->bricks = head->bricks;
    p->bricks.side *= side / DIAMETERS_OF_SIDE;
    p->rows = (thud_rows){.dim = (int)head->dim,
                          .count = (int)head->rows,
                          .slopes_used = head->slopes,
                          .blocks_used = head->blocks,
                          .heads = {(void *)(at + place[0]), head->rows},
                          .slope = {(void *)(at + place[1]), head->slopes},
                          .blocks = {(void *)(at + place[2]), head->blocks}};
    p->problem = (thud_projection){.dim = (int)head->dim,
                                   .h = head->h,
                                   .mass = (void *)(at + place[3]),
                                   .w = (void *)(at + place[4]),
                                   .rows = &p->rows,
                                   .origin = (void *)(at + place[5]),
                                   .force = (void *)(at + place[6]),
                                   .warm = (void *)(at + place[7]),
                                   .accuracy = head->accuracy,
                                   .tolerance_share = head->tolerance_share,
                                   .shift_scale = head->shift_scale,
                                   .bricks = &p->bricks};
    p->marks = (void *)(at + place[8]);
}

// The bits of a 64-bit number mixed (splitmix64).
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

// Of the multipliers of own rows. Hashes of rows are added: their order does not count.
static uint64_t hash_rows(const thudi_packs *p)
{
    uint64_t sum = 0;
    for (int g = 0; g < p->groups; g++)
        for (int i = p->row_first[g]; i < p->row_first[g + 1]; i++)
        {
            int pack = p->placed[i].slot / THUDI_PACK_WIDTH;
            int k = p->placed[i].slot % THUDI_PACK_WIDTH;
            double x = p->is_small ? (double)p->small[pack].x[p->parity][k]
                                   : p->packs[pack].x[p->parity][k];
            uint64_t bits;
            memcpy(&bits, &x, sizeof bits);
            if (!p->is_own || p->is_own[g])
                sum += mix(mix((uint64_t)p->placed[i].row + 1) ^ bits);
        }
    return sum;
}

// What the processes found.
typedef struct findings
{
    double layout, sweeps; // seconds
    thud_team_counts counts;
    double worst; // residual that the last sweep saw
} findings;

static thud_status sweep(thud_team *team, const pile *p, thud_rooms *rooms, int count,
                         thudi_packs *packs, findings *found)
{
    const thudi_packing packing = {.problem = &p->problem,
                                   .count = p->rows.count,
                                   .marks = p->marks,
                                   .rooms = rooms,
                                   .brick_limit = BRICK_LIMIT,
                                   .team = team};
    thudi_team_barrier(team);
    double begun = MPI_Wtime();
    THUD_TRY(thudi_packs_begin(&packing, packs));
    thudi_team_barrier(team);
    double laid_out = MPI_Wtime();
    thud_team_counts before = thud_team_count(team);
    for (int k = 0; k < count; k++)
        found->worst = thudi_packs_sweep(packs, k % 7 * 0.15).worst;
    thudi_team_barrier(team);
    thud_team_counts after = thud_team_count(team);
    found->layout = laid_out - begun;
    found->sweeps = MPI_Wtime() - laid_out;
    found->counts.messages = after.messages - before.messages;
    found->counts.bytes = after.bytes - before.bytes;
    return team->status;
}

// Sums and maxima of all processes, and a line of the first one.
static void report(const thud_team *team, const thudi_packs *p, const findings *found, int count,
                   int rows)
{
    uint64_t own[4] = {hash_rows(p), (uint64_t)found->counts.messages,
                       (uint64_t)found->counts.bytes, (uint64_t)p->rows};
    uint64_t sum[4], most[4];
    (void)MPI_Reduce(own, sum, 4, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    (void)MPI_Reduce(own, most, 4, MPI_UINT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
    if (team->rank > 0)
        return;
    printf("%5d %9.3f %9.1f %6.2f %9.1f %6.1f %11.0f %8llu %016llx\n", team->size,
           1e3 * found->sweeps / count, 1e3 * found->layout, 100.0 * ((double)sum[3] / rows - 1),
           (double)sum[1] / count, (double)most[1] / count, (double)sum[2] / count,
           (unsigned long long)most[3], (unsigned long long)sum[0]);
    (void)fflush(stdout);
}

static bool run(thud_team *team, const char *path, double side, int count)
{
    pile p;
    findings found = {0};
    thudi_packs packs = {0};
    thud_rooms rooms = {0};
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    pile_head *head = map_file(path);
    if (!head)
        return false;
    thudi_rooms_begin(&rooms, &allocator);
    thudi_rooms_enter(&rooms);
    open_pile(head, side, &p);
    bool fine = sweep(team, &p, &rooms, count, &packs, &found) == THUD_OK;
    if (fine)
        report(team, &packs, &found, count, p.rows.count);
    thudi_rooms_free(&rooms);
    (void)munmap(head, head->place[PILE_ARRAYS]);
    return fine;
}

int main(int argc, char **argv)
{
    thud_team *team = NULL;
    if (thud_mpi_begin(&argc, &argv, 0, &team) != THUD_OK)
        return 1;
    bool is_asked = argc == 4 && strtod(argv[2], NULL) > 0 && strtol(argv[3], NULL, 10) > 0;
    bool fine =
        is_asked && run(team, argv[1], strtod(argv[2], NULL), (int)strtol(argv[3], NULL, 10));
    if (!fine && thud_team_rank(team) == 0)
        (void)fprintf(stderr, "usage: simulated FILE SIDE SWEEPS; or memory or FILE is missing\n");
    thud_mpi_end(team);
    return !fine;
}
