/// System calls that fail when a test wants them to: link with -Wl,--wrap for each of ftruncate,
/// renameat, unlinkat, fstat, fsync, writev, pread, openat, and for those that the test adds.
#ifndef FAILING_CALLS_H
#define FAILING_CALLS_H

#include <stdbool.h>

/// Which call fails, counted from 1 (0: none), and how.
typedef struct failing_plan
{
    long calls, fail_at;
    int error;
    bool stutter; ///< writes of one byte, every other call interrupted
} failing_plan;

extern failing_plan failing_calls;

/// Count a call; true, with errno set, if it is the one that fails.
bool failing_now(void);

/// Put a call of the same name here.
#define FAILING_CALL(type, name, parameters, arguments)                                            \
    type __real_##name parameters; /* NOLINT */                                                    \
    type __wrap_##name parameters; /* NOLINT */                                                    \
    type __wrap_##name parameters  /* NOLINT */                                                    \
    {                                                                                              \
        return failing_now() ? -1 : __real_##name arguments;                                       \
    }

#endif
