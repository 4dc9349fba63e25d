/// The linearised constraints of one step, one row each:  gap_i + slope_i . (q - q_n) >= 0.
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

/// Whether g_i is convex or concave as a function of q; the caller must know. If g is convex and
/// the linearised row holds, then g >= 0 at the new position. The step tests the claim that g is
/// convex (THUD_NEWS_NOT_CONVEX). If g is concave, this proof does not hold. The callback must then
/// push cuts in the phase THUD_FIND_MISSING, until the trial position satisfies g >= 0.
typedef enum thud_row_kind
{
    THUD_CONVEX = 0,
    THUD_CONCAVE = 1
} thud_row_kind;

/// One constraint, linearised. It has one of two shapes:
/// - general (width 0 or 1): `count` coordinates index[0 .. count) with slope[0 .. count);
/// - pair (width 2 or 3): `count` = 1 or 2 blocks, each of `width` consecutive coordinates with one
///   mass, block j starting at coordinate index[j], with slope[j*width .. (j+1)*width).
///
/// A coordinate appears at most once in a row.
typedef struct thud_row
{
    thud_key key;       ///< names the constraint from one step to the next
    double gap;         ///< g(t_n+1, q_n), in the unit of g
    double shift;       ///< sigma >= 0, in the unit of g: the solver keeps gap - shift >= 0
    thud_row_kind kind; ///< THUD_CONVEX unless said
    thud_law law;       ///< the contact law that `numbers` belong to; must be the problem's
    /// All numbers of the law, in the order of thud_law_info.numbers. NULL: the row does not use
    /// the law and is inelastic.
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

/// Remove all rows and any error; keep the memory for later rows.
THUD_API void thud_rows_clear(thud_rows *rows);

/// Add a row. Its arrays are copied; they must not be views into `rows` itself. The first error is
/// stored in `rows`. So a callback may ignore the result: the step that called it reads the error
/// later. Keys should be unique, for three reasons: results then do not depend on the order of
/// pushing, multipliers are carried to the same row, and the step tests the row's convexity.
THUD_API thud_status thud_rows_push(thud_rows *rows, const thud_row *row);

/// A convex pair row with opposite slopes: -normal on block a, +normal on block b.
typedef struct thud_pair_row
{
    thud_key key;          ///< as in thud_row
    double gap, shift;     ///< as in thud_row
    int a, b;              ///< first coordinate of each block; a = -1: block b alone
    double normal[3];      ///< the first `width` numbers are used
    thud_law law;          ///< as in thud_row
    const double *numbers; ///< as in thud_row
} thud_pair_row;

/// Add many rows in the same order; this is faster than one by one. width: 2 or 3. All rows must
/// have the same number of blocks, one or two. If a row is refused, none is added. The error is
/// that of the first row that is refused, and is stored as by thud_rows_push. Rows that are not in
/// an array yet can be written directly into the list: see thud_rows_begin_pairs.
THUD_API thud_status thud_rows_push_pairs(thud_rows *rows, int width, const thud_pair_row *pairs,
                                          int count);

/// A run of pair rows: space after the last row of a list, where several threads write rows. One
/// thread begins and ends the run. Until the end do not use the list in another way. Do not change
/// the fields.
typedef struct thud_pair_run
{
    thud_rows *rows;   ///< the list
    int first;         ///< index of the run's first row in the list
    int count;         ///< rows that fit
    int width, blocks; ///< of every row
    int bad;           ///< first row of the run that was refused; `count` if none was
} thud_pair_run;

/// Begin a run of at most `count` rows. width: 2 or 3, as in thud_row. blocks: 2 for rows between
/// two blocks, 1 for rows of one, whose a is -1. An error is stored as by thud_rows_fail; then do
/// not end the run.
THUD_API thud_status thud_rows_begin_pairs(thud_rows *rows, int width, int blocks, int count,
                                           thud_pair_run *run);

/// Write `count` rows, from row `first` of the run on. Threads may write at the same time if no two
/// of them write the same row. It is fastest with some tens of rows per call, from an array on the
/// stack. `numbers` must be NULL: give the numbers of a law with thud_pair_run_law. Rows that
/// thud_rows_push would refuse are refused, with the status of the first of them. Callers may
/// ignore the result, because thud_rows_end_pairs returns it too.
THUD_API thud_status thud_pair_run_write(thud_pair_run *run, int first, const thud_pair_row *pairs,
                                         int count);

/// Give row `row` of the run a contact law and its numbers, as in thud_row. One thread calls this,
/// after all rows are written. Consecutive rows with the same numbers share memory. An error is
/// stored as by thud_rows_push. If a row of the run was refused, this does nothing.
THUD_API thud_status thud_pair_run_law(thud_pair_run *run, int row, thud_law law,
                                       const double *numbers);

/// End a run: add its first `count` rows to the list. All of them must be written. If a row was
/// refused, none is added. The error is that of the first row that was refused, for any number of
/// threads, and is stored as by thud_rows_push.
THUD_API thud_status thud_rows_end_pairs(thud_pair_run *run, int count);

/// Scratch memory for a callback that pushes rows: the rooms of the step that called it. Rooms that
/// the callback opens are closed when it returns. A list outside of a step has its own rooms.
THUD_API thud_rooms *thud_rows_rooms(thud_rows *rows);

/// Store an error that does not belong to a row. A callback that cannot compute its rows, for
/// example without enough memory, gives here the status that the step shall return. The first error
/// is kept.
THUD_API void thud_rows_fail(thud_rows *rows, thud_status status);

/// The same with a message: that of the step ends with `text`. Returns status.
THUD_API thud_status thud_rows_fail_text(thud_rows *rows, thud_status status, const char *text);
/// The same, and also stores the wall that caused the error, for thud_work_wall.
THUD_API thud_status thud_rows_fail_wall(thud_rows *rows, thud_status status, int wall,
                                         const char *text);

/// The first error since the list was last cleared, or THUD_OK.
THUD_API thud_status thud_rows_status(const thud_rows *rows);

/// In the phase THUD_FIND_MISSING: note the smallest g_i(t, trial) of all constraints. A step that
/// does not evaluate g at the new position itself reports it. Of several calls the smallest gap
/// counts.
THUD_API void thud_rows_note_gap(thud_rows *rows, double gap);

/// The smallest gap noted since the list was last cleared; INFINITY if none was.
THUD_API double thud_rows_noted_gap(const thud_rows *rows);

THUD_API int thud_rows_dim(const thud_rows *rows);
THUD_API int thud_rows_count(const thud_rows *rows);

/// Memory for the arrays of one row that thud_rows_get returns.
typedef struct thud_row_room
{
    int index[2];
    double slope[6];
} thud_row_room;

/// Row i, 0 <= i < thud_rows_count(rows), as it was pushed. Its index and slope point into the list
/// or into `room`, because a list keeps one slope only where the two slopes of a pair row are
/// opposite. They are valid while the room exists and the list is not changed. If room is NULL,
/// index and slope are NULL. `numbers` points into the list; it is NULL if all numbers have the
/// value thud_law_number.none.
THUD_API thud_row thud_rows_get(const thud_rows *rows, int i, thud_row_room *room);

/// Sort by key. Rows with the same key keep their order.
THUD_API void thud_rows_sort(thud_rows *rows);

#ifdef __cplusplus
}
#endif

#endif
