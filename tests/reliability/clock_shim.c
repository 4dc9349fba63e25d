// Loaded before the C library (LD_PRELOAD): a clock that is set while a program runs. The time of
// day jumps at every reading, by up to CLOCK_JUMP seconds forward and back (to 1970, and to 2040 as
// well); with CLOCK_LEAP the monotonic clock leaps forward by so many seconds, once, at its reading
// number CLOCK_LEAP_AT, as it may when a machine was asleep. Says at the end how often it was read.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const long long epochs[] = {0, 2208988800}; // 1970, 2040
static unsigned long long random_state = 1;
static long day_readings, readings, leap_at = -1;
static long long jump = -1, leap;

static long long setting(const char *name)
{
    const char *text = getenv(name);
    return text ? strtoll(text, NULL, 10) : 0;
}

static void begin(void)
{
    if (jump >= 0)
        return;
    jump = setting("CLOCK_JUMP");
    leap = setting("CLOCK_LEAP");
    leap_at = (long)setting("CLOCK_LEAP_AT");
    random_state += (unsigned long long)setting("CLOCK_SEED");
}

// The seconds that the clock shows where the true ones are now.
static long long jumped(long long now)
{
    begin();
    day_readings++;
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    unsigned choice = (unsigned)(random_state >> 60);
    if (choice < 2)
        return epochs[choice];
    long long by = (long long)((random_state >> 20) % (unsigned long long)(2 * jump + 1)) - jump;
    return now + by;
}

#define SHOWN __attribute__((visibility("default")))

SHOWN int clock_gettime(clockid_t clock_id, struct timespec *tp)
{
    long status = syscall(SYS_clock_gettime, clock_id, tp);
    begin();
    if (status != 0)
        return (int)status;
    if (clock_id == CLOCK_REALTIME || clock_id == CLOCK_REALTIME_COARSE)
        tp->tv_sec = jumped(tp->tv_sec);
    else if (clock_id == CLOCK_MONOTONIC && ++readings >= leap_at)
        tp->tv_sec += leap;
    return 0;
}

SHOWN int gettimeofday(struct timeval *restrict tv, void *restrict tz)
{
    struct timespec now = {0};
    (void)tz;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return -1;
    *tv = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

SHOWN time_t time(time_t *timer)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (timer)
        *timer = now.tv_sec;
    return now.tv_sec;
}

__attribute__((destructor)) static void tell(void)
{
    char line[120];
    int length =
        snprintf(line, sizeof line, "CLOCK_READ day %ld monotonic %ld\n", day_readings, readings);
    if (write(STDERR_FILENO, line, (size_t)length) < 0)
        _exit(97);
}
