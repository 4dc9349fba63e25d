// A team of threads: mailboxes between pairs, and a meeting point for all.
#include "team_threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A message on its way.
typedef struct message
{
    struct message *next;
    size_t size;
    char bytes[];
} message;

// Messages from one member to another one, the oldest first.
typedef struct mailbox
{
    message *first, *last;
} mailbox;

typedef struct room
{
    int size, threads;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    mailbox *mailboxes;  // from member r to member s: mailboxes[r * size + s]
    int arrived, round;  // at the meeting point
    thudi_packet packet; // joined so far, then the result
    const void **shown;  // by rank: what the member shows to the others
    team_member_fn *member;
    void *user;
} room;

typedef struct seat
{
    room *room;
    int rank;
    pthread_t thread;
} seat;

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    (void)fprintf(stderr, "team of threads: %s\n", what);
    abort();
}

static void post(room *r, int from, int to, const void *bytes, size_t size)
{
    message *sent = malloc(sizeof *sent + size);
    require(sent, "out of memory");
    *sent = (message){.size = size};
    memcpy(sent->bytes, bytes, size);
    (void)pthread_mutex_lock(&r->lock);
    mailbox *box = &r->mailboxes[from * r->size + to];
    *(box->first ? &box->last->next : &box->first) = sent;
    box->last = sent;
    (void)pthread_cond_broadcast(&r->changed);
    (void)pthread_mutex_unlock(&r->lock);
}

static void take(room *r, int from, int to, void *bytes, size_t size)
{
    mailbox *box = &r->mailboxes[from * r->size + to];
    (void)pthread_mutex_lock(&r->lock);
    while (!box->first)
        (void)pthread_cond_wait(&r->changed, &r->lock);
    message *taken = box->first;
    box->first = taken->next;
    (void)pthread_mutex_unlock(&r->lock);
    require(taken->size == size, "a message has another size than is expected");
    memcpy(bytes, taken->bytes, size);
    free(taken);
}

static void exchange(void *user, const thud_parcel *parcels, int count)
{
    const seat *own = user;
    for (int i = 0; i < count; i++)
        if (parcels[i].out_size > 0)
            post(own->room, own->rank, parcels[i].rank, parcels[i].out, parcels[i].out_size);
    for (int i = 0; i < count; i++)
        if (parcels[i].in_size > 0)
            take(own->room, parcels[i].rank, own->rank, parcels[i].in, parcels[i].in_size);
}

// Wait for all members. The lock is held before and after.
static void meet(room *r)
{
    int round = r->round;
    if (++r->arrived == r->size)
    {
        r->arrived = 0;
        r->round++;
        (void)pthread_cond_broadcast(&r->changed);
    }
    while (r->round == round)
        (void)pthread_cond_wait(&r->changed, &r->lock);
}

static void barrier(void *user)
{
    room *r = ((const seat *)user)->room;
    (void)pthread_mutex_lock(&r->lock);
    meet(r);
    (void)pthread_mutex_unlock(&r->lock);
}

static void reduce(void *user, void *joined, size_t size)
{
    thudi_packet *packet = joined;
    require(size == sizeof *packet, "a packet has another size");
    room *r = ((const seat *)user)->room;
    (void)pthread_mutex_lock(&r->lock);
    if (r->arrived == 0)
        r->packet = *packet;
    else
        thudi_packet_join(&r->packet, packet);
    meet(r);
    *packet = r->packet;
    meet(r); // the next one may begin when all have it
    (void)pthread_mutex_unlock(&r->lock);
}

// Show something to the others; it stays until the next meeting.
static void show(seat *own, const void *bytes)
{
    own->room->shown[own->rank] = bytes;
    barrier(own);
}

static void gather(void *user, const void *own_bytes, void *all, const size_t *first)
{
    seat *own = user;
    show(own, own_bytes);
    for (int r = 0; r < own->room->size; r++)
        memcpy((char *)all + first[r], own->room->shown[r], first[r + 1] - first[r]);
    barrier(own);
}

static void share(void *user, int rank, void *data, size_t size)
{
    seat *own = user;
    show(own, data);
    if (own->rank != rank)
        memcpy(data, own->room->shown[rank], size);
    barrier(own);
}

static void *sit(void *user)
{
    static const thud_team_calls calls = {exchange, reduce, gather, share, barrier};
    seat *own = user;
    thud_team team = {.size = own->room->size, .rank = own->rank, .calls = &calls, .user = own};
    omp_set_num_threads(own->room->threads);
    own->room->member(&team, own->room->user);
    return NULL;
}

static bool run(room *r, seat *seats)
{
    for (int rank = 0; rank < r->size; rank++)
    {
        seats[rank] = (seat){.room = r, .rank = rank};
        require(pthread_create(&seats[rank].thread, NULL, sit, &seats[rank]) == 0,
                "a thread cannot be made");
    }
    bool is_empty = true;
    for (int rank = 0; rank < r->size; rank++)
        (void)pthread_join(seats[rank].thread, NULL);
    for (int i = 0; i < r->size * r->size; i++)
        is_empty = is_empty && !r->mailboxes[i].first;
    return is_empty;
}

bool team_threads_run(int size, int threads, team_member_fn *member, void *user)
{
    size_t members = (size_t)size;
    room r = {.size = size, .threads = threads, .member = member, .user = user};
    r.mailboxes = calloc(members * members, sizeof *r.mailboxes);
    r.shown = calloc(members, sizeof *r.shown);
    seat *seats = calloc(members, sizeof *seats);
    require(r.mailboxes && r.shown && seats, "out of memory");
    (void)pthread_mutex_init(&r.lock, NULL);
    (void)pthread_cond_init(&r.changed, NULL);
    bool is_fine = run(&r, seats);
    (void)pthread_cond_destroy(&r.changed);
    (void)pthread_mutex_destroy(&r.lock);
    free(seats);
    free(r.shown);
    free(r.mailboxes);
    return is_fine;
}
