/// Status codes, memory and the conventions of the whole library.
///
/// Conventions, stated once:
/// - Names: functions `thud_noun_verb`, types `thud_noun`, callbacks `thud_*_fn`, constants
/// `THUD_*`.
/// - Arguments come in the order: object, inputs, in/out, outputs.
/// - A `thud_x_def` struct describes what to create; zero in a field means its documented default,
///   so `(thud_x_def){.dim = 3}` is a complete description.
/// - Every function that can fail returns a thud_status. An error is < 0, and nothing the caller
///   owns has changed. 0 (THUD_OK) is done. > 0 is no error: THUD_NEWS is done with news worth
///   reading, THUD_STOPPED a run that was asked to end early. So test `status < 0`, not `status`.
/// - Inputs are copied unless the documentation says "borrowed". `thud_x_destroy(NULL)` is fine.
/// - Views (const pointers into an object) hold until the object is next changed.
/// - Units are the caller's: Thud contains no absolute length, time or mass. Wherever a tolerance
///   appears it is relative, or in the unit of g as documented.
/// - The library never prints, never aborts on bad input, has no globals, and uses no locale.
#ifndef THUD_BASE_H
#define THUD_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(THUD_BUILD)
#define THUD_API __attribute__((visibility("default")))
#else
#define THUD_API
#endif

#define THUD_VERSION_MAJOR 0
#define THUD_VERSION_MINOR 1
#define THUD_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/// Every status: X(name, value, message).
#define THUD_STATUS_LIST(X)                                                                        \
    X(OK, 0, "done")                                                                               \
    X(NEWS, 1, "done, with news about the step")                                                   \
    X(STOPPED, 2, "the run was stopped")                                                           \
    X(ERR_ARGUMENT, -1, "an argument is out of its documented range")                              \
    X(ERR_MEMORY, -2, "out of memory")                                                             \
    X(ERR_LIMIT, -3, "a stated limit was exceeded")                                                \
    X(ERR_CALLBACK, -4, "a callback of the problem returned an error")                             \
    X(ERR_NOT_FINITE, -5, "a number is not finite")                                                \
    X(ERR_INFEASIBLE, -6, "no velocity satisfies all constraints")                                 \
    X(ERR_NOT_CONVERGED, -7, "the projection missed its tolerance")                                \
    X(ERR_QUADRATURE, -8, "the mean force missed its tolerance")                                   \
    X(ERR_FLOAT, -9, "the processor does not round to nearest, drops subnormals or lacks AVX2")    \
    X(ERR_OVERLAP, -10, "bodies overlap")                                                          \
    X(ERR_IO, -11, "a file could not be read or written")                                          \
    X(ERR_SCENE, -12, "the scene is invalid")                                                      \
    X(ERR_RECORD, -13, "the run directory is damaged, or is not a run directory")                  \
    X(ERR_BUSY, -14, "the run directory is in use")                                                \
    X(ERR_STEP, -15, "the step is too large for the motion in it")                                 \
    X(ERR_STOPPED, -16, "stopped on request before the end")

typedef enum thud_status
{
#define THUD_STATUS_ENUM(name, value, message) THUD_##name = (value),
    THUD_STATUS_LIST(THUD_STATUS_ENUM)
#undef THUD_STATUS_ENUM
} thud_status;

/// The message of a status, for people. Never NULL.
THUD_API const char *thud_status_text(thud_status status);

/// The name of a status as written in the code, such as "THUD_ERR_MEMORY". Never NULL.
THUD_API const char *thud_status_name(thud_status status);

/// THUD_OK, or THUD_ERR_FLOAT when this thread does not round to nearest, when it takes subnormal
/// numbers for 0, as code compiled with -ffast-math may set it, or when the processor lacks AVX2
/// or FMA. Every step, projection, check and study looks first, and so does whatever creates an
/// object with numbers in it: nothing is computed otherwise.
THUD_API thud_status thud_float_check(void);

/// The version of the library in use, "major.minor.patch".
THUD_API const char *thud_version(void);

/// Resize a block: block == NULL allocates, new_size == 0 frees and returns NULL. When it
/// returns NULL for new_size > 0 the old block is untouched. old_size is what was asked before.
typedef void *thud_resize_fn(void *block, size_t old_size, size_t new_size, void *user);

/// Where an object takes its memory from. NULL in a def means the C library's.
typedef struct thud_allocator
{
    thud_resize_fn *resize; ///< called for every block
    void *user;             ///< handed back to resize
} thud_allocator;

#ifdef __cplusplus
}
#endif

#endif
