// How threads wait for each other: in a loop, or asleep if the processors have other work.
//
// OpenMP's runtime waits in a loop for milliseconds. On a busy machine this takes time from the
// thread that the others wait for, and two threads take many times as long as one. On an idle
// machine sleeping costs more, because waking takes longer than a part of a sweep. The runtime
// reads the policy from the environment before main begins, so the program sets it and restarts
// itself.
#include "wait_policy.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The variable of GCC's runtime, and the rounds of its loop: docs/performance.md has measurements.
static const char VARIABLE[] = "GOMP_SPINCOUNT", ROUNDS[] = "0";

// Other runtimes have another variable, and soon sleep without it.
#if defined(__clang__)
static const bool IS_GNU = false;
#else
static const bool IS_GNU = true;
#endif

// Does /proc/self/maps say that this function is in the file `path`? It does not if a loader or an
// emulator was started with the program as its argument.
static bool is_of_file(const char *path)
{
    char line[PATH_MAX + 100];
    bool found = false;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && !found && fgets(line, sizeof line, maps))
    {
        char *rest;
        uintmax_t low = strtoumax(line, &rest, 16), high = 0;
        if (*rest == '-')
            high = strtoumax(rest + 1, &rest, 16);
        char *name = strchr(rest, '/');
        if (!name || (uintptr_t)cli_wait_policy_set < low || (uintptr_t)cli_wait_policy_set >= high)
            continue;
        name[strcspn(name, "\n")] = '\0';
        found = strcmp(name, path) == 0;
    }
    if (maps)
        (void)fclose(maps);
    return found;
}

// Programs and threads that want a processor now, this one included; 0 if it is unknown.
static long count_running(void)
{
    char line[200] = "";
    FILE *load = fopen("/proc/loadavg", "re");
    if (load && !fgets(line, sizeof line, load))
        line[0] = '\0';
    if (load)
        (void)fclose(load);
    // three averages, then running/all
    char *at = line + strcspn(line, "/");
    while (at > line && at[-1] != ' ')
        at--;
    return strtol(at, NULL, 10);
}

// Do the processors have other work than these threads? Work that ends within milliseconds does not
// count.
static bool is_busy(int threads, int processors)
{
    enum
    {
        LOOKS = 3
    };
    for (int i = 0; i < LOOKS; i++)
    {
        if (count_running() - 1 + threads <= processors)
            return false;
        (void)nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    return true;
}

void cli_wait_policy_set(char **argv, int threads, int processors)
{
    char path[PATH_MAX];
    // a policy that the user or this program has set stays; if the program's file is gone or cannot
    // be executed any more, the program continues without restart
    if (!IS_GNU || getenv(VARIABLE) || getenv("OMP_WAIT_POLICY") || !is_busy(threads, processors))
        return;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = '\0';
    if (is_of_file(path) && setenv(VARIABLE, ROUNDS, 1) == 0)
        (void)execv(path, argv); // by its own path, so that it keeps its name
}
