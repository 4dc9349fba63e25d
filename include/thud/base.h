/// Status codes, memory and the conventions of the whole library.
///
/// Conventions, stated once:
/// - Names: functions `thud_noun_verb`, types `thud_noun`, callbacks `thud_*_fn`, constants
///   `THUD_*`.
/// - Arguments come in the order: object, inputs, in/out, outputs.
/// - A `thud_x_def` struct describes what to create. A field that is zero means its documented
///   default. So `(thud_x_def){.dim = 3}` is complete.
/// - Every function that can fail returns a thud_status. A status < 0 is an error. Nothing that the
///   caller owns has changed then, unless the function's documentation says otherwise. 0 (THUD_OK)
///   means success. A status > 0 is not an error. THUD_NEWS: success, and there is something to
///   know. THUD_STOPPED: the run ended early, on request. So test `status < 0`, not `status`.
/// - Inputs are copied unless the documentation says "borrowed". `thud_x_destroy(NULL)` is allowed.
/// - Views (const pointers into an object) are valid until the object changes.
/// - Units are the caller's: Thud contains no absolute length, time or mass. Every tolerance is
///   relative, or in the unit that its documentation gives.
/// - The library never prints, never aborts on bad input, has no globals and does not depend on the
///   locale.
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

/// The message of a status, for users. Never NULL.
THUD_API const char *thud_status_text(thud_status status);

/// The name of a status as written in the code, such as "THUD_ERR_MEMORY". Never NULL.
THUD_API const char *thud_status_name(thud_status status);

/// Test the floating-point arithmetic of this thread. THUD_ERR_FLOAT: it does not round to nearest,
/// it replaces subnormal numbers by 0, or the processor lacks instructions of this build: AVX2 or
/// FMA. Code that was compiled with -ffast-math can change the first two. Every step, projection,
/// verification and study calls this first and computes nothing after the error. So do functions
/// that read a scene, compile an expression, or create a state, a list of rows, a model, a world, a
/// solid or a work space. This function itself runs on every processor of the kind.
THUD_API thud_status thud_float_check(void);

/// The version of the library in use, "major.minor.patch".
THUD_API const char *thud_version(void);

/// Resize a block. block == NULL: allocate. new_size == 0: free the block and return NULL. Return
/// NULL for new_size > 0 if there is not enough memory; the old block must then stay as it is.
/// old_size: the present size of the block in bytes, 0 if block == NULL.
typedef void *thud_resize_fn(void *block, size_t old_size, size_t new_size, void *user);

/// The functions that an object allocates its memory with. NULL in a def: those of the C library.
typedef struct thud_allocator
{
    thud_resize_fn *resize; ///< called for every block
    void *user;             ///< handed back to resize
} thud_allocator;

#ifdef __cplusplus
}
#endif

#endif
