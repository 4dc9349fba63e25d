// A team of the processes of an MPI job. No other file includes mpi.h.
//
// Only the thread that began MPI calls it. Counts of MPI are ints, so long messages go in pieces.
//
// With THUD_MPI_BLOCKING MPI's own calls wait. That is for SMPI, which simulates a cluster: its
// collective operations that do not wait send a message from each process to each, and every test
// of a request takes time there.
#include "thud/mpi.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    TESTS = 2000,         // of what is waited for, before others get the processor
    YIELDS = 2000,        // before the process sleeps between two tests
    NAP = 50000,          // nanoseconds
    MOST_BYTES = 1 << 30, // of one message of MPI
    MOST_PACKET = 4096,   // bytes of what is reduced
    LIBRARY_TEXT = 200
};

// A build without OpenMP has one thread.
#ifdef THUD_NO_OPENMP
#define LEVEL MPI_THREAD_SINGLE
#else
#define LEVEL MPI_THREAD_FUNNELED
#endif

typedef struct job
{
    MPI_Comm comm;
    int size;
    MPI_Op join;
    MPI_Datatype packet; // of packet_size bytes; made at the first reduction
    size_t packet_size;
    MPI_Request *requests;
    int request_room;
    int *counts, *places; // by rank, of a gather
} job;

// There is one job per process, as MPI has it.
static job the_job;
static char library_text[LIBRARY_TEXT];

static void *allocate(size_t size)
{
    void *block = malloc(size > 0 ? size : 1);
    if (block)
        return block;
    (void)fprintf(stderr, "thud: error: out of memory for messages\n");
    (void)MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    abort(); // MPI_Abort may return
}

#ifdef THUD_MPI_BLOCKING
// A collective operation by both of its names.
#define COLLECT(waiting, starting, ...) (void)MPI_##waiting(__VA_ARGS__)

static void wait_for(int count, MPI_Request *requests)
{
    (void)MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}
#else
#define COLLECT(waiting, starting, ...)                                                            \
    do                                                                                             \
    {                                                                                              \
        MPI_Request collected;                                                                     \
        (void)MPI_##starting(__VA_ARGS__, &collected);                                             \
        wait_for(1, &collected);                                                                   \
    } while (0)

// MPI's own calls wait in a loop. Where there are more processes than processors, that takes the
// time of the process that is waited for: minutes in place of seconds.
static void wait_for(int count, MPI_Request *requests)
{
    static const struct timespec nap = {0, NAP};
    int is_done = 0;
    for (long tries = 0;; tries++)
    {
        (void)MPI_Testall(count, requests, &is_done, MPI_STATUSES_IGNORE);
        if (is_done)
            return;
        if (tries > TESTS + YIELDS)
            (void)nanosleep(&nap, NULL);
        else if (tries > TESTS)
            (void)sched_yield();
    }
}
#endif

// What MPI hands over may lie at any address.
static void join_packets(void *in, void *inout, int *count, MPI_Datatype *type)
{
    _Alignas(64) char own[MOST_PACKET], other[MOST_PACKET];
    int size = 0;
    (void)MPI_Type_size(*type, &size);
    for (int i = 0; i < *count; i++)
    {
        memcpy(own, (char *)inout + (size_t)i * (size_t)size, (size_t)size);
        memcpy(other, (char *)in + (size_t)i * (size_t)size, (size_t)size);
        thud_team_join(own, other);
        memcpy((char *)inout + (size_t)i * (size_t)size, own, (size_t)size);
    }
}

// Room for so many more requests behind `used`.
static void reserve_requests(job *j, int used, int more)
{
    if (used + more <= j->request_room)
        return;
    int room = 2 * (used + more);
    MPI_Request *grown = allocate((size_t)room * sizeof(MPI_Request));
    if (used > 0)
        memcpy(grown, j->requests, (size_t)used * sizeof *grown);
    free(j->requests);
    j->requests = grown;
    j->request_room = room;
}

static int pieces_of(size_t size)
{
    return (int)(size / MOST_BYTES + (size % MOST_BYTES > 0));
}

static int size_of_piece(size_t size, int piece)
{
    size_t left = size - (size_t)piece * MOST_BYTES;
    return left < MOST_BYTES ? (int)left : MOST_BYTES;
}

// Messages between two processes arrive in the order in which they are sent.
static void exchange(void *user, const thud_parcel *parcels, int count)
{
    job *j = user;
    int used = 0;
    for (int i = 0; i < count; i++)
    {
        const thud_parcel *p = &parcels[i];
        int in = pieces_of(p->in_size), out = pieces_of(p->out_size);
        reserve_requests(j, used, in + out);
        for (int k = 0; k < in; k++)
            (void)MPI_Irecv((char *)p->in + (size_t)k * MOST_BYTES, size_of_piece(p->in_size, k),
                            MPI_BYTE, p->rank, 0, j->comm, &j->requests[used++]);
        for (int k = 0; k < out; k++)
            (void)MPI_Isend((const char *)p->out + (size_t)k * MOST_BYTES,
                            size_of_piece(p->out_size, k), MPI_BYTE, p->rank, 0, j->comm,
                            &j->requests[used++]);
    }
    wait_for(used, j->requests);
}

static void reduce(void *user, void *packet, size_t size)
{
    job *j = user;
    if (j->packet_size != size)
    {
        if (size > MOST_PACKET)
            (void)MPI_Abort(j->comm, EXIT_FAILURE);
        if (j->packet_size > 0)
            (void)MPI_Type_free(&j->packet);
        (void)MPI_Type_contiguous((int)size, MPI_BYTE, &j->packet);
        (void)MPI_Type_commit(&j->packet);
        j->packet_size = size;
    }
    COLLECT(Allreduce, Iallreduce, MPI_IN_PLACE, packet, 1, j->packet, j->join, j->comm);
}

static void share(void *user, int rank, void *data, size_t size)
{
    job *j = user;
    for (int k = 0; k < pieces_of(size); k++)
        COLLECT(Bcast, Ibcast, (char *)data + (size_t)k * MOST_BYTES, size_of_piece(size, k),
                MPI_BYTE, rank, j->comm);
}

// Too much for the counts of MPI: one member after the other.
static void gather_in_turn(job *j, const void *own, char *all, const size_t *first)
{
    int rank;
    (void)MPI_Comm_rank(j->comm, &rank);
    if (first[rank + 1] > first[rank])
        memcpy(all + first[rank], own, first[rank + 1] - first[rank]);
    for (int r = 0; r < j->size; r++)
        share(j, r, all + first[r], first[r + 1] - first[r]);
}

static void gather(void *user, const void *own, void *all, const size_t *first)
{
    job *j = user;
    if (first[j->size] > INT_MAX)
    {
        gather_in_turn(j, own, all, first);
        return;
    }
    int rank;
    (void)MPI_Comm_rank(j->comm, &rank);
    for (int r = 0; r < j->size; r++)
    {
        j->counts[r] = (int)(first[r + 1] - first[r]);
        j->places[r] = (int)first[r];
    }
    COLLECT(Allgatherv, Iallgatherv, own, j->counts[rank], MPI_BYTE, all, j->counts, j->places,
            MPI_BYTE, j->comm);
}

static void barrier(void *user)
{
    COLLECT(Barrier, Ibarrier, ((job *)user)->comm);
}

// The first line of what MPI's library says of itself.
static void read_library(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    (void)MPI_Get_library_version(text, &length);
    text[strcspn(text, "\n")] = '\0';
    for (char *c = text; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    (void)snprintf(library_text, sizeof library_text, "%.*s", LIBRARY_TEXT - 1, text);
}

thud_status thud_mpi_begin(int *argc, char ***argv, uint64_t cut_seed, thud_team **team)
{
    static const thud_team_calls calls = {exchange, reduce, gather, share, barrier};
    int support = MPI_THREAD_SINGLE, rank = 0;
    job *j = &the_job;
    *team = NULL;
    if (MPI_Init_thread(argc, argv, LEVEL, &support) != MPI_SUCCESS)
        return THUD_ERR_LIMIT;
    if (support < LEVEL)
        return THUD_ERR_LIMIT;
    (void)MPI_Comm_dup(MPI_COMM_WORLD, &j->comm);
    (void)MPI_Comm_size(j->comm, &j->size);
    (void)MPI_Comm_rank(j->comm, &rank);
    (void)MPI_Op_create(join_packets, 1, &j->join);
    j->counts = allocate((size_t)j->size * sizeof *j->counts);
    j->places = allocate((size_t)j->size * sizeof *j->places);
    read_library();
    return thud_team_create(
        &(thud_team_def){
            .size = j->size, .rank = rank, .calls = &calls, .user = j, .cut_seed = cut_seed},
        team);
}

void thud_mpi_end(thud_team *team)
{
    job *j = &the_job;
    if (!team)
        return;
    if (j->packet_size > 0)
        (void)MPI_Type_free(&j->packet);
    (void)MPI_Op_free(&j->join);
    (void)MPI_Comm_free(&j->comm);
    free(j->requests);
    free(j->counts);
    free(j->places);
    *j = (job){0};
    thud_team_destroy(team);
    (void)MPI_Finalize();
}

const char *thud_mpi_library(void)
{
    return library_text;
}
