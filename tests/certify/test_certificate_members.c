// A certificate by the members of a team of which one lacks memory, at each of its allocations in
// turn: all members get the error, and none waits for another.
#include "certify/certify.h"
#include "core/memory.h"
#include "team_threads.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    BODIES = 3000,
    DIM = 3 * BODIES,
    ROWS = 5000,
    MEMBERS = 3
};

typedef struct common
{
    thud_projection problem;
    thud_rows *rows;
    double w[DIM], mu[ROWS], u[MEMBERS][DIM], lin[MEMBERS][ROWS];
    int failing; // the member
    long left;   // allocations that it still gets
    thud_status status[MEMBERS];
    char message[MEMBERS][THUD_TEAM_MESSAGE];
} common;

static void *resize(void *block, size_t old_size, size_t new_size, void *user)
{
    long *left = user;
    (void)old_size;
    if (new_size > 0)
        return (*left)-- > 0 ? realloc(block, new_size) : NULL;
    free(block);
    return NULL;
}

static bool make(common *c)
{
    thud_rows *rows = NULL;
    c->problem = (thud_projection){.dim = DIM, .h = 0.01, .w = c->w, .shift_scale = 1};
    if (thud_rows_create(DIM, NULL, &rows) < 0)
        return false;
    c->problem.rows = c->rows = rows;
    for (int i = 0; i < ROWS; i++)
    {
        int a = i % (BODIES - 1), index[2] = {3 * a, 3 * a + 3};
        double slope[6] = {-1, 0, 0, 1, 0, 0};
        c->mu[i] = i % 7;
        thud_row row = {.key = thud_key_number(i),
                        .gap = 0.1,
                        .width = 3,
                        .count = 2,
                        .index = index,
                        .slope = slope};
        if (thud_rows_push(rows, &row) < 0)
            return false;
    }
    return true;
}

static void certify(thud_team *team, void *user)
{
    common *c = user;
    int rank = thud_team_rank(team);
    thud_allocator allocator = thudi_allocator_or_default(NULL);
    thud_certificate certificate;
    thud_rooms rooms = {0};
    if (rank == c->failing)
        allocator = (thud_allocator){resize, &c->left};
    thudi_rooms_begin(&rooms, &allocator);
    thud_status status =
        thudi_certify(&c->problem, 3, c->mu, team, &rooms, c->u[rank], c->lin[rank], &certificate);
    c->status[rank] = team ? thud_team_meet(team, status, NULL) : status;
    if (team)
        (void)snprintf(c->message[rank], THUD_TEAM_MESSAGE, "%s", thud_team_message(team));
    CHECK(thud_rooms_count(&rooms) == 0);
    thudi_rooms_free(&rooms);
}

static void no_memory(void)
{
    static common room; // too large for a stack
    common *c = &room;
    int failures = 0;
    REQUIRE(make(c));
    for (c->failing = 0; c->failing < MEMBERS; c->failing++)
    {
        long most = 0;
        for (bool fails = true; fails && most < 100; most++)
        {
            char wanted[THUD_TEAM_MESSAGE];
            c->left = most;
            CHECK(team_threads_run(MEMBERS, 1, certify, c));
            fails = c->status[0] < 0;
            failures += fails;
            (void)snprintf(wanted, sizeof wanted, "member %d of 3: out of memory", c->failing + 1);
            for (int r = 0; r < MEMBERS; r++)
            {
                CHECK(c->status[r] == (fails ? THUD_ERR_MEMORY : THUD_OK));
                CHECK(strcmp(c->message[r], fails ? wanted : "") == 0);
            }
        }
        CHECK(most > 1 && most < 100);
    }
    printf("  %d failures, each met by all members\n", failures);
    thud_rows_destroy(c->rows);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"no-memory", no_memory}};
    return test_main(argc, argv, cases, 1);
}
