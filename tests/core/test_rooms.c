// Rooms: what they promise to those that open them, and that a mistake with them is noticed.
#include "core/rooms.h"
#include "thud_test.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static thud_rooms begin(test_meter *meter)
{
    thud_rooms rooms = {0};
    thud_allocator allocator = {test_meter_resize, meter};
    thudi_rooms_begin(&rooms, &allocator);
    thudi_rooms_enter(&rooms);
    return rooms;
}

// Rooms of random sizes, opened and closed at random: each keeps its place and what is in it, and
// none overlaps another.
static void kept(void)
{
    enum
    {
        MOST = 40,
        TIMES = 20000
    };
    test_random random = test_random_start(test_seed(1));
    test_meter meter = {0};
    thud_rooms rooms = begin(&meter);
    unsigned char *room[MOST];
    size_t size[MOST];
    int count = 0;
    for (int k = 0; k < TIMES; k++)
    {
        if (count < MOST && test_random_int(&random, 0, 99) < 55)
        {
            bool large = test_random_int(&random, 0, 19) == 0;
            size[count] = (size_t)test_random_int(&random, 0, large ? 100000 : 300);
            REQUIRE(thudi_room(&rooms, &room[count], size[count], "test") == THUD_OK);
            CHECK((uintptr_t)room[count] % 64 == 0);
            memset(room[count], count + 1, size[count]);
            count++;
        }
        else if (count > 0)
        {
            int left = test_random_int(&random, 0, count);
            for (int i = left; i < count; i++)
                for (size_t b = 0; b < size[i]; b += 1 + size[i] / 50)
                    CHECK(room[i][b] == i + 1);
            thud_rooms_close(&rooms, left);
            count = left;
        }
        CHECK(thud_rooms_count(&rooms) == count);
    }
    thudi_rooms_free(&rooms);
    CHECK(meter.blocks == 0);
}

// What a step opens.
static thud_status step(thud_rooms *rooms, size_t scale)
{
    double *a, *b, *c;
    THUD_TRY(thudi_room(rooms, &a, 3 * scale, "a"));
    int open = thud_rooms_count(rooms);
    THUD_TRY(thudi_room(rooms, &b, 50 * scale, "b"));
    THUD_TRY(thudi_room(rooms, &c, 7 * scale, "c"));
    thud_rooms_close(rooms, open);
    THUD_TRY(thudi_room(rooms, &b, 11 * scale, "b again"));
    THUD_TRY(thudi_room(rooms, &c, 20 * scale, "c again"));
    thud_rooms_close(rooms, 0);
    return THUD_OK;
}

// The second step that is like the first asks for no memory, and then one block holds it all.
static void warm(void)
{
    for (size_t scale = 1; scale < 100000; scale *= 7)
    {
        test_meter meter = {0};
        thud_rooms rooms = begin(&meter);
        CHECK(step(&rooms, scale) == THUD_OK);
        long calls = meter.calls;
        CHECK(meter.blocks == 1);
        for (int k = 0; k < 10; k++)
            CHECK(step(&rooms, scale) == THUD_OK);
        CHECK(meter.calls == calls && meter.blocks == 1);
        CHECK(step(&rooms, scale + scale / 8 + 1) == THUD_OK);
        CHECK(meter.blocks == 1);
        thudi_rooms_free(&rooms);
        CHECK(meter.blocks == 0);
    }
}

// Released memory comes back in one block, and then no more is needed than before.
static void released(void)
{
    for (size_t scale = 1; scale < 100000; scale *= 7)
    {
        test_meter meter = {0};
        thud_rooms rooms = begin(&meter);
        for (int k = 0; k < 3; k++)
        {
            CHECK(step(&rooms, scale) == THUD_OK);
            thudi_rooms_release(&rooms);
            CHECK(meter.blocks == 0);
        }
        long calls = meter.calls;
        CHECK(step(&rooms, scale) == THUD_OK);
        CHECK(meter.calls == calls + 1 && meter.blocks == 1);
        CHECK(step(&rooms, scale) == THUD_OK);
        CHECK(meter.calls == calls + 1);
        thudi_rooms_free(&rooms);
        CHECK(meter.blocks == 0);
    }
}

// Whichever allocation fails, what was open stays open and all memory is given back.
static void failing_memory(void)
{
    int failures = 0;
    for (long at = 1;; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_rooms rooms = begin(&meter);
        unsigned char *first;
        thud_status status = thudi_room(&rooms, &first, 1000, "first");
        bool is_open = status == THUD_OK;
        if (is_open)
            memset(first, 9, 1000);
        for (int k = 0; k < 12 && status == THUD_OK; k++)
        {
            double *more;
            status = thudi_room(&rooms, &more, (size_t)1000 << k, "more");
        }
        CHECK(status == THUD_OK || status == THUD_ERR_MEMORY);
        for (int k = 0; k < 1000 && is_open; k++)
            CHECK(first[k] == 9);
        thud_rooms_close(&rooms, 0); // may fail to join the blocks, which is no error
        meter.fail_at = 0;
        CHECK(step(&rooms, 1000) == THUD_OK);
        thudi_rooms_free(&rooms);
        CHECK(meter.blocks == 0);
        if (status == THUD_OK)
            break;
        failures++;
    }
    printf("  %d allocations\n", failures);
    CHECK(failures >= 5);
}

// The first room of a step needs a larger block, and there is no memory for it.
static void failing_growth(void)
{
    test_meter meter = {0};
    thud_rooms rooms = begin(&meter);
    char *room;
    REQUIRE(thudi_room(&rooms, &room, 10, "small") == THUD_OK);
    thud_rooms_close(&rooms, 0);
    meter.fail_at = meter.calls + 1;
    CHECK(thudi_room(&rooms, &room, 100000, "large") == THUD_ERR_MEMORY);
    thud_rooms_close(&rooms, 0);
    meter.fail_at = 0;
    CHECK(thudi_room(&rooms, &room, 100000, "large") == THUD_OK);
    thud_rooms_close(&rooms, 0);
    thudi_rooms_free(&rooms);
    CHECK(meter.blocks == 0);
}

static void too_large(void)
{
    test_meter meter = {0};
    thud_rooms rooms = begin(&meter);
    double *room = NULL;
    CHECK(thudi_room(&rooms, &room, SIZE_MAX / 8, "bytes beyond all memory") == THUD_ERR_LIMIT);
    CHECK(thudi_room(&rooms, &room, SIZE_MAX / 2, "more than a size can say") == THUD_ERR_LIMIT);
    CHECK(thud_rooms_count(&rooms) == 0 && meter.blocks == 0);
    CHECK(thudi_room(&rooms, &room, 0, "nothing") == THUD_OK && room);
    thudi_rooms_free(&rooms);
}

#ifndef NDEBUG
// A room is NaN when it is opened.
static void spoilt(void)
{
    test_meter meter = {0};
    thud_rooms rooms = begin(&meter);
    double *room;
    for (int k = 0; k < 3; k++)
    {
        REQUIRE(thudi_room(&rooms, &room, 100, "numbers") == THUD_OK);
        for (int i = 0; i < 100; i++)
        {
            CHECK(isnan(room[i]));
            room[i] = i;
        }
        thud_rooms_close(&rooms, 0);
    }
    thudi_rooms_free(&rooms);
}

static void leave_one_open(thud_rooms *rooms)
{
    int *room;
    (void)thudi_room(rooms, &room, 10, "left open");
    thudi_rooms_expect(rooms, 0);
}

static void open_in_parallel(thud_rooms *rooms)
{
    thudi_rooms_enter(rooms);
#pragma omp parallel num_threads(1)
    {
        int *room;
        (void)thudi_room(rooms, &room, 10, "by a thread");
    }
}

static void close_too_many(thud_rooms *rooms)
{
    thud_rooms_close(rooms, 1);
}

// Does this end the process by an assertion?
static bool aborts(void (*mistake)(thud_rooms *rooms))
{
    (void)fflush(NULL);
    pid_t child = fork();
    if (child == 0)
    {
        test_meter meter = {0};
        thud_rooms rooms = begin(&meter);
        (void)freopen("/dev/null", "w", stderr);
        mistake(&rooms);
        _exit(0);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void noticed(void)
{
    CHECK(aborts(leave_one_open));
    CHECK(aborts(open_in_parallel));
    CHECK(aborts(close_too_many));
}
#endif

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"kept", kept},
        {"warm", warm},
        {"released", released},
        {"failing-memory", failing_memory},
        {"failing-growth", failing_growth},
        {"too-large", too_large},
#ifndef NDEBUG
        {"spoilt", spoilt},
        {"noticed", noticed},
#endif
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
