/// Single projections kept in files, in the format of FCLIB, a public collection of contact
/// problems. (library thud_show)
///
/// A global problem of FCLIB without friction is one projection of Thud: M v = H r + f with
/// u_N = H_N^T v + w_N >= 0, r_N >= 0, u_N r_N = 0 says that v = P_K(M^-1 f) with
/// K = { v : w_N + H_N^T v >= 0 } and multipliers r_N. docs/problems.md describes the files.
#ifndef THUD_INSTANCE_H
#define THUD_INSTANCE_H

#include "thud/hypotheses.h"
#include "thud/step.h"
#include "thud/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A projection and where it came from. Read the fields.
typedef struct thud_instance
{
    int dim;                  ///< coordinates
    int contacts;             ///< rows
    int space;                ///< 2 or 3: columns of H per contact, the normal first
    double *mass;             ///< diagonal of M, length dim
    double *f;                ///< M w, length dim
    double *w;                ///< the velocity to project, M^-1 f, length dim
    thud_rows *rows;          ///< one per contact: gap w_N, slope the column of H; key: contact
    double friction;          ///< the largest coefficient in the file; Thud ignores them all
    double *solution;         ///< v as stored with it, length dim, or NULL
    double *impulse;          ///< r_N as stored with it, one per contact, or NULL
    char title[256];          ///< "" if there is none
    char about[1024];         ///< "" if there is none
    thud_allocator allocator; ///< where its memory comes from
} thud_instance;

THUD_API void thud_instance_destroy(thud_instance *instance); ///< NULL is allowed

/// What thud_project takes: h = 1, no shifts.
THUD_API thud_projection thud_instance_projection(const thud_instance *instance);

enum
{
    THUD_INSTANCE_LIMIT = 1 << 24 ///< coordinates, contacts and entries of a matrix at most
};

/// Read the group fclib_global of an HDF5 file. THUD_ERR_IO: it cannot be read. THUD_ERR_SCENE: it
/// is no HDF5 file, or not such a problem: parts are missing, of other sizes than they should be,
/// not finite, M is not diagonal and positive. THUD_ERR_ARGUMENT: it is one that is no projection:
/// a local problem (W, q), or with equations (G). THUD_ERR_LIMIT, THUD_ERR_MEMORY. Sizes are
/// compared with the size of the file before memory is taken; links to other files are not
/// followed. HDF5 is not safe for threads, and its own reader may crash on a damaged file: `thud
/// project` reads a file on trial first, in a process with little memory.
THUD_API thud_status thud_instance_read(const char *path, const thud_allocator *allocator,
                                        thud_instance **out, thud_fault *fault);

/// Write it as such a file; what is at `path` is replaced once the file is complete.
THUD_API thud_status thud_instance_write(const thud_instance *instance, const char *path,
                                         thud_fault *fault);

/// The projection that the step behind `report`, from `before` on, has made, in velocities: gaps
/// less their shifts, over h. With glue w holds what the glue remembers, too; with
/// restitution it is that of the displacement. Velocity and multipliers found are the
/// stored solution.
THUD_API thud_status thud_instance_of_step(const thud_inclusion *problem, const thud_state *before,
                                           const thud_report *report,
                                           const thud_allocator *allocator, thud_instance **out);

/// A stored projection solved, and what was proved of the answer.
typedef struct thud_solved
{
    thud_status status; ///< of the projection: done, infeasible or not converged
    double primal;      ///< 1/2 |v - w|_M^2
    double dual;        ///< of the multipliers; never above the optimum
    int loaded, closed; ///< contacts with mu > 0, and tight ones
    bool unique;        ///< multipliers
    thud_certificate certificate;
    thud_farkas farkas;             ///< y is gone
    thud_independence independence; ///< of the closed contacts
    double stored;   ///< |v - v'|_M of the solution in the file, NAN if there is none
    bool is_optimal; ///< to rounding
} thud_solved;

/// Solve exactly; an error that is not a status of the projection is returned.
THUD_API thud_status thud_instance_solve(const thud_instance *instance, thud_solved *solved);

/// The public set: what each problem is, and how it is made.
enum
{
    THUD_SET_COUNT = 4
};
THUD_API const char *thud_set_name(int which);
/// Run its scene up to its step and take the projection of that. The instance is the caller's.
THUD_API thud_status thud_set_make(int which, thud_instance **out, thud_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
