// How threads wait for each other: asleep.
//
// The run time of OpenMP waits in a loop for milliseconds. On a machine with other work to do that
// takes the time from the thread that is waited for, and two threads cost many times one. Its
// policy is read from the environment before main begins, so the program sets it and starts anew.
#include "wait_policy.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The variable of GCC's run time, and rounds of its loop: docs/performance.md has measurements.
static const char VARIABLE[] = "GOMP_SPINCOUNT", ROUNDS[] = "0";

// Others have another variable, and soon sleep by themselves.
#if defined(__clang__)
static const bool IS_GNU = false;
#else
static const bool IS_GNU = true;
#endif

// Does /proc/self/maps say that this function is in the file `path`? Not so where a loader or an
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

void cli_wait_policy_set(char **argv)
{
    char path[PATH_MAX];
    // what is set already, by the user or by ourselves, is not set again; and where the file is
    // gone, or may not be executed any more, everything goes on as it is
    if (!IS_GNU || getenv(VARIABLE) || getenv("OMP_WAIT_POLICY"))
        return;
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = '\0';
    if (is_of_file(path) && setenv(VARIABLE, ROUNDS, 1) == 0)
        (void)execv(path, argv); // by its own path, so that it keeps its name
}
