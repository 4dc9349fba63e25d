/// A projection solved alone and by the members of a team of threads.
#ifndef PARTS_RIG_H
#define PARTS_RIG_H

#include "team_threads.h"
#include "thud_test.h"

#include <thud/project.h>

/// What one member found. Arrays are by row.
typedef struct parts_answer
{
    thud_status status;
    thud_effort effort;
    double *mu, *y;
    char message[THUD_TEAM_MESSAGE];
    thud_team_counts counts;
} parts_answer;

enum
{
    PARTS_MOST = 8,          // members of a team
    PARTS_BRICK_LIMIT = 200, // bodies: more are cut into bricks, so that small worlds have many
    PARTS_BRICK_SIDE = 4     // diameters
};

/// A projection and how it is solved.
typedef struct parts_task
{
    const thud_projection *problem;
    thud_projector_def def;
    int size;       ///< members
    int threads;    ///< of each member
    const int *cut; ///< NULL: about as many rows each
    /// Member `failing` takes its memory from this allocator and stops by this flag; the others
    /// have none.
    int failing;
    const thud_allocator *allocator;
    volatile const int *stop;
} parts_task;

/// The number of bricks of a problem that is laid out whole.
int parts_count_bricks(const thud_projection *problem, int brick_limit);

/// First bricks of members that own random stretches. Two cuts at one brick make an empty part.
void parts_cut_at_random(test_random *random, int bricks, int size, int *cut);

/// Change a problem of sweep_graph with 500 bodies so that sweeps begin in small packs, and
/// multipliers grow until these are too narrow.
void parts_outgrow_floats(thud_projection *problem);

/// The size of one member's part.
typedef struct parts_size
{
    int own_rows, rows; ///< of its own groups; all that it sweeps
    int ghosts;
    size_t held, most; ///< bytes while it sweeps; while it is laid out
    double seconds;    ///< of the layout, of the processor
} parts_size;

/// Lay out the parts of all members: sizes[0 .. size). Of a team of one: the whole problem.
void parts_measure(const parts_task *task, parts_size *sizes);

/// Solve alone, with task->threads threads.
void parts_solve_alone(const parts_task *task, parts_answer *answer);

/// Solve by all members: answers[0 .. size).
void parts_solve(const parts_task *task, parts_answer *answers);

/// Free the arrays of some answers.
void parts_free(parts_answer *answers, int count);

#endif
