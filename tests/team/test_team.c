// Teams: sums and maxima do not depend on the order of the members, messages arrive in order, and
// an error of one member becomes that of all.
#include "team_threads.h"
#include "thud_test.h"

#include <string.h>

enum
{
    SIZE = 5,
    ROUNDS = 50
};

// Numbers that plain sums would round: each member has others.
static double term(int rank, int k)
{
    test_random random = test_random_start((uint64_t)(100 * rank + k + 1));
    return ldexp(test_random_normal(&random), test_random_int(&random, -300, 300));
}

static thudi_packet packet_of(int rank)
{
    thudi_packet packet = {.count = rank};
    for (int i = 0; i < THUDI_PACKET_SUMS; i++)
        for (int k = 0; k < 20; k++)
            thudi_exact_add(&packet.sum[i], term(rank, 20 * i + k));
    for (int i = 0; i < THUDI_PACKET_MAXIMA; i++)
        packet.largest[i] = term(rank, 70 + i);
    return packet;
}

static void alone(void)
{
    thud_team team = thudi_team_alone();
    thudi_packet packet = packet_of(3), same = packet;
    size_t first[2] = {2, 5};
    char all[6] = "ab...";
    CHECK(team.size == 1 && team.rank == 0);
    CHECK(thudi_team_reduce(&team, &packet) == THUD_OK);
    CHECK(memcmp(&packet.sum, &same.sum, sizeof same.sum) == 0 && packet.count == 3);
    CHECK(thudi_team_hold(&team, THUD_ERR_MEMORY, NULL) == THUD_ERR_MEMORY);
    CHECK(thud_team_meet(&team, THUD_ERR_LIMIT, NULL) == THUD_ERR_LIMIT);
    CHECK(thud_team_meet(&team, THUD_NEWS, NULL) == THUD_NEWS);
    thudi_team_gather(&team, "cde", all, first);
    CHECK(strcmp(all, "abcde") == 0);
    thudi_team_exchange(&team, NULL, 0);
    thudi_team_barrier(&team);
}

// Members come in any order, so the packets are joined in any order, too.
static void reduce_as_member(thud_team *team, void *user)
{
    const thudi_packet *wanted = user;
    for (int n = 0; n < ROUNDS; n++)
    {
        thudi_packet packet = packet_of(team->rank);
        CHECK(thudi_team_reduce(team, &packet) == THUD_OK);
        CHECK(packet.count == wanted->count && packet.failed == 0);
        for (int i = 0; i < THUDI_PACKET_SUMS; i++)
            CHECK(thudi_exact_value(&packet.sum[i]) == thudi_exact_value(&wanted->sum[i]));
        for (int i = 0; i < THUDI_PACKET_MAXIMA; i++)
            CHECK(packet.largest[i] == wanted->largest[i]);
    }
    CHECK(team->counts.reductions == ROUNDS);
}

static void reduce(void)
{
    thudi_packet all = packet_of(SIZE - 1);
    for (int rank = SIZE - 2; rank >= 0; rank--)
    {
        thudi_packet packet = packet_of(rank);
        thudi_packet_join(&all, &packet);
    }
    CHECK(team_threads_run(SIZE, 1, reduce_as_member, &all));
}

// Member r has r numbers.
static void gather_as_member(thud_team *team, void *user)
{
    (void)user;
    for (int n = 0; n < ROUNDS; n++)
    {
        int own[SIZE] = {0}, all[SIZE * SIZE] = {0};
        size_t first[SIZE + 1] = {0};
        for (int r = 0; r < SIZE; r++)
            first[r + 1] = first[r] + (size_t)r * sizeof *own;
        for (int i = 0; i < team->rank; i++)
            own[i] = 100 * n + 10 * team->rank + i;
        thudi_team_gather(team, own, all, first);
        for (int r = 0, at = 0; r < SIZE; r++)
            for (int i = 0; i < r; i++)
                CHECK(all[at++] == 100 * n + 10 * r + i);
        thudi_team_barrier(team);
    }
}

static void gather(void)
{
    CHECK(team_threads_run(SIZE, 1, gather_as_member, NULL));
}

// Every member sends to those of higher rank, so that some messages go one way only, and the first
// members are many rounds ahead of the last one.
static void exchange_as_member(thud_team *team, void *user)
{
    (void)user;
    for (int n = 0; n < ROUNDS; n++)
    {
        int out = 100 * n + team->rank, in[SIZE] = {0}, count = 0;
        thud_parcel parcels[SIZE];
        for (int r = 0; r < SIZE; r++)
            if (r != team->rank)
                parcels[count++] = (thud_parcel){.rank = r,
                                                 .out_size = r > team->rank ? sizeof out : 0,
                                                 .in_size = r < team->rank ? sizeof out : 0,
                                                 .out = &out,
                                                 .in = &in[r]};
        thudi_team_exchange(team, parcels, count);
        for (int r = 0; r < team->rank; r++)
            CHECK(in[r] == 100 * n + r);
    }
    CHECK(team->counts.exchanges == ROUNDS);
    CHECK(team->counts.messages == (int64_t)ROUNDS * (SIZE - 1 - team->rank));
    CHECK(team->counts.bytes == team->counts.messages * (int64_t)sizeof(int));
}

static void exchange(void)
{
    CHECK(team_threads_run(SIZE, 1, exchange_as_member, NULL));
}

// Member 2 fails between two reductions. The others learn it at the second one, and nothing is
// waited for afterwards, until the team begins again.
static void hold_as_member(thud_team *team, void *user)
{
    (void)user;
    thudi_packet packet = {0};
    CHECK(thudi_team_reduce(team, &packet) == THUD_OK);
    if (team->rank == 2)
    {
        CHECK(thudi_team_hold(team, THUD_ERR_IO, "the disk is full") == THUD_OK);
        CHECK(thudi_team_hold(team, THUD_ERR_MEMORY, NULL) == THUD_OK); // the first one counts
    }
    thudi_team_barrier(team);
    CHECK(team->status == THUD_OK);
    CHECK(thudi_team_reduce(team, &packet) == THUD_ERR_IO);
    CHECK(team->status == THUD_ERR_IO);
    CHECK(strcmp(team->message, "member 3 of 5: the disk is full") == 0);
    if (team->rank == 0) // without the others
    {
        CHECK(thudi_team_reduce(team, &packet) == THUD_ERR_IO);
        CHECK(thud_team_meet(team, THUD_OK, NULL) == THUD_ERR_IO);
        thudi_team_barrier(team);
    }
    thud_team_begin(team);
    CHECK(strcmp(team->message, "") == 0);
    CHECK(thud_team_meet(team, THUD_NEWS, NULL) == THUD_NEWS);
}

static void held(void)
{
    CHECK(team_threads_run(SIZE, 1, hold_as_member, NULL));
}

// All but the first member fail, each for another reason: that of the lowest rank counts.
static void fail_as_member(thud_team *team, void *user)
{
    (void)user;
    thud_status own = team->rank > 0 ? (thud_status)-team->rank : THUD_OK;
    CHECK(thud_team_meet(team, own, NULL) == THUD_ERR_ARGUMENT);
    CHECK(strcmp(team->message, "member 2 of 5: an argument is out of its documented range") == 0);
}

static void first_of_many(void)
{
    CHECK(team_threads_run(SIZE, 1, fail_as_member, NULL));
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"alone", alone},   {"reduce", reduce},
                                      {"gather", gather}, {"exchange", exchange},
                                      {"held", held},     {"first-of-many", first_of_many}};
    return test_main(argc, argv, cases, 6);
}
