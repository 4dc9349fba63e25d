/// The linearised constraints of one step:  gap_i + slope_i . (q - q_n) >= 0,  one row each.
///
/// A problem pushes rows from its gaps callback; solvers, certificates and the checker read them.
#ifndef THUD_ROWS_H
#define THUD_ROWS_H

#include "thud/key.h"
#include "thud/law.h"
#include "thud/rooms.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A growing list of rows. Opaque; read it with thud_rows_count and thud_rows_get.
typedef struct thud_rows thud_rows;

/// What the caller knows of g_i in q. For a convex g feasibility of the linearised row proves
/// g >= 0 at the new position, and the step checks the claim (see THUD_NEWS_NOT_CONVEX). A
/// concave g gives no such proof: its callback must return cuts in the phase THUD_FIND_MISSING
/// until the trial position satisfies it.
typedef enum thud_row_kind
{
    THUD_CONVEX = 0,
    THUD_CONCAVE = 1
} thud_row_kind;

/// One constraint, linearised. It has one of two shapes:
/// - general (width 0 or 1): `count` coordinates index[0 .. count) with slope[0 .. count);
/// - pair (width 2 or 3): `count` = 1 or 2 blocks, each of `width` consecutive coordinates with
///   one mass, block j starting at coordinate index[j], with slope[j*width .. (j+1)*width).
/// A coordinate appears at most once in a row.
typedef struct thud_row
{
    thud_key key;       ///< names the constraint from one step to the next
    double gap;         ///< g(t_n+1, q_n), in the unit of g
    double shift;       ///< sigma >= 0: the solver keeps gap - shift instead; 0 for none
    thud_row_kind kind; ///< THUD_CONVEX unless said
    thud_law law;       ///< the contact law that `numbers` belong to; must be the problem's
    /// The numbers of the law, as many as it has, in the order of thud_law_info.numbers. NULL for a
    /// row that does not use the law: it is inelastic.
    const double *numbers;
    int cone;            ///< reserved for blocks of rows; must be 0
    int width;           ///< coordinates per block; 0 means 1
    int count;           ///< number of blocks; 0 is allowed and means a zero gradient
    const int *index;    ///< first coordinate of each block, length count
    const double *slope; ///< the gradient of g at q_n, length count * max(width, 1)
} thud_row;

/// Create an empty list for vectors of length dim. allocator: NULL for the C library's.
THUD_API thud_status thud_rows_create(int dim, const thud_allocator *allocator, thud_rows **out);
THUD_API void thud_rows_destroy(thud_rows *rows); ///< NULL is allowed

/// Forget all rows and any error, keep the memory.
THUD_API void thud_rows_clear(thud_rows *rows);

/// Add a row; its arrays are copied (they must not be views into `rows` itself). The error is also
/// remembered in rows, so a callback may push without looking at the result: the step that called
/// it will not miss the error. Keys should be unique: only then does the order of pushing not
/// matter, bit for bit, are multipliers remembered for the right row, and is the row's convexity
/// watched.
THUD_API thud_status thud_rows_push(thud_rows *rows, const thud_row *row);

/// A convex pair row with opposite slopes: -normal on block a, +normal on block b.
typedef struct thud_pair_row
{
    thud_key key;          ///< as in thud_row
    double gap, shift;     ///< as in thud_row
    int a, b;              ///< first coordinate of each block; a = -1: block b alone
    double normal[3];      ///< the first `width` count
    thud_law law;          ///< as in thud_row
    const double *numbers; ///< as in thud_row
} thud_pair_row;

/// Add many rows at once, faster than one by one and in the same order. width: 2 or 3. Either all
/// of them have two blocks, or all of them one. All or none are added; the error is that of the
/// first row that is refused, and is remembered as by thud_rows_push. Rows that are not in an array
/// yet can be written where they belong: see thud_rows_begin_pairs.
THUD_API thud_status thud_rows_push_pairs(thud_rows *rows, int width, const thud_pair_row *pairs,
                                          int count);

/// A run of pair rows behind the rows of a list, which threads write in their places. It is begun
/// and ended by one thread. Between the two the list may not be used otherwise. The fields are not
/// to be changed.
typedef struct thud_pair_run
{
    thud_rows *rows;   ///< the list
    int first;         ///< the number that the run's first row has in the list
    int count;         ///< the rows that there is room for
    int width, blocks; ///< of every row
    int bad;           ///< the first row that was refused; `count` if there is none
} thud_pair_run;

/// Begin a run of at most `count` rows. width: 2 or 3, as in thud_row. blocks: 2 for rows between
/// two blocks, 1 for rows of one, whose a is -1. An error is remembered as by thud_rows_fail; then
/// there is no run to end.
THUD_API thud_status thud_rows_begin_pairs(thud_rows *rows, int width, int blocks, int count,
                                           thud_pair_run *run);

/// Write `count` rows, from row `first` of the run on. Any thread may write, at the same time as
/// others, if no two write the same row. It is fastest with some tens of rows at once, which can
/// lie on the stack. The numbers of a law are not given here but with thud_pair_run_law, so
/// `numbers` must be NULL. A row that thud_rows_push would refuse is refused, with the status of
/// the first of them. Callers may leave the result aside: thud_rows_end_pairs returns it.
THUD_API thud_status thud_pair_run_write(thud_pair_run *run, int first, const thud_pair_row *pairs,
                                         int count);

/// Give row `row`, which was written, a contact law and its numbers, as in thud_row. One thread
/// calls it, after all have written. Rows that follow each other with the same numbers share
/// memory. An error is remembered as by thud_rows_push. When a row of the run was refused, it does
/// nothing.
THUD_API thud_status thud_pair_run_law(thud_pair_run *run, int row, thud_law law,
                                       const double *numbers);

/// End a run: its first `count` rows, which must all be written, are added to the list. All or none
/// are added; the error is that of the first row that was refused, for any number of threads, and
/// is remembered as by thud_rows_push.
THUD_API thud_status thud_rows_end_pairs(thud_pair_run *run, int count);

/// Where a callback that pushes rows finds scratch memory: the rooms of the step that asks for
/// them. What the callback opens is closed when it returns. Rows outside of a step have rooms of
/// their own.
THUD_API thud_rooms *thud_rows_rooms(thud_rows *rows);

/// Fail the list for a reason that is no row's: a callback that cannot make its rows, say for want
/// of memory, gives the status here that the step is to return. The first error counts.
THUD_API void thud_rows_fail(thud_rows *rows, thud_status status);

/// The same in the callback's own words: the message of the step ends with `text`. Returns status.
THUD_API thud_status thud_rows_fail_text(thud_rows *rows, thud_status status, const char *text);
/// The same, and names the wall that is to blame: thud_work_wall.
THUD_API thud_status thud_rows_fail_wall(thud_rows *rows, thud_status status, int wall,
                                         const char *text);

/// The first error of any push since the last clear, or THUD_OK.
THUD_API thud_status thud_rows_status(const thud_rows *rows);

/// In the phase THUD_FIND_MISSING: give the smallest g_i(t, trial) over all constraints, for the
/// report of a step that does not evaluate g at the new position itself. The smallest of several
/// calls counts.
THUD_API void thud_rows_note_gap(thud_rows *rows, double gap);

/// The smallest gap noted since the last clear, INFINITY if none.
THUD_API double thud_rows_noted_gap(const thud_rows *rows);

THUD_API int thud_rows_dim(const thud_rows *rows);
THUD_API int thud_rows_count(const thud_rows *rows);

/// Row i, 0 <= i < thud_rows_count(rows), as it was pushed; its arrays are views. Numbers
/// that are all thud_law_number.none are NULL.
THUD_API thud_row thud_rows_get(const thud_rows *rows, int i);

/// Sort by key; rows of equal key keep their order.
THUD_API void thud_rows_sort(thud_rows *rows);

#ifdef __cplusplus
}
#endif

#endif
