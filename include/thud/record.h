/// The run directory: what a run leaves behind, and how to read it again. (library thud_run)
///
///     scene.yaml   the scene, resolved            bodies.csv   its bodies
///     meshes.stl   the triangles of its meshes, if it has any
///     frames.thud  the log: frames, checksummed, append-only;
///                  or frames.h5 and frames/: the same as HDF5 files
///     series.csv   a line for every step          run.json     versions, timings, how it ended
///     checkpoint.thud, checkpoint.prev.thud       where the run can be taken up again
///
/// The log is little-endian: a header of 64 bytes, then records. docs/formats.md has every byte.
#ifndef THUD_RECORD_H
#define THUD_RECORD_H

#include "thud/checkpoint.h"
#include "thud/inclusion.h"
#include "thud/key.h"
#include "thud/series.h"
#include "thud/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The ids first to first + count - 1.
typedef struct thud_id_range
{
    int64_t first, count;
} thud_id_range;

/// The file of a run directory that makes it one: the log, where it is one file.
#define THUD_LOG_NAME "frames.thud"

/// How a log is stored. Its records, and so its digest, are the same in all forms.
typedef enum thud_log_form
{
    THUD_LOG_FILE = 0, ///< one file, frames.thud
    THUD_LOG_HDF5 = 1  ///< HDF5 files: frames.h5, and a file of each frame in the folder frames
} thud_log_form;

/// The name of a form as options have it, and the file in a run directory that shows it; NULL if
/// there is no such form. Forms count from 0 without a gap.
THUD_API const char *thud_log_form_name(thud_log_form form);
THUD_API const char *thud_log_form_file(thud_log_form form);

/// Units of the numbers in a log, as text; NULL or "": none. Only some forms store them.
typedef struct thud_log_units
{
    const char *length, *time, *velocity, *force, *impulse;
} thud_log_units;

/// One step, so that it can be checked from the log alone: q_n+1 = q_n + h u_n+1, or q_n + h move.
typedef struct thud_frame
{
    int64_t n; ///< the step goes from node n to node n + 1; for the start: the first node
    double t;  ///< time of node n
    double h;  ///< 0 for the start, which has no step: u_next, force are NULL then
    int dim;
    const double *q;               ///< q_n, length dim
    const double *u;               ///< u_n
    const double *u_next;          ///< u_n+1
    const double *force;           ///< f_n
    const double *move;            ///< (q_n+1 - q_n) / h where it is not u_n+1: see
                                   ///< THUD_TRAIT_MOVE_APART; NULL where it is
    const thud_multiplier *before; ///< multipliers carried into the step, sorted by key
    int before_count;
    const thud_multiplier *after; ///< those of the step itself, sorted by key
    int after_count;
    /// Numbers that the contact law keeps beyond the memory, as thud_state.more: more_width by
    /// multiplier, in the same order. When reading, more_width is 0 if both lists are empty.
    const double *before_more, *after_more;
    int more_width;
    const thud_direction *directions; ///< of rows of obstacles; none for the start
    int direction_count;
    const thud_id_range *ids; ///< what the coordinates belong to, in order, the same number of them
                              ///< each; NULL when writing: those of the record
    int id_count;             ///< ranges
} thud_frame;

/// Where a frame ends: q_n+1 into q, length dim; q_n for the start.
THUD_API void thud_frame_end(const thud_frame *frame, double *q);

/// SHA-256 over all records of a log: over its header, then over the digest before and the bytes of
/// each record in turn. Whoever changes a byte of the log changes it.
typedef struct thud_digest
{
    unsigned char bytes[32];
} thud_digest;

enum
{
    THUD_DIGEST_TEXT = 65, ///< room for a digest in hexadecimal, with its end
    THUD_DIGESTS = 8       ///< that can be asked for at once
};

/// 64 hexadecimal digits. Returns text.
THUD_API const char *thud_digest_text(const thud_digest *digest, char text[THUD_DIGEST_TEXT]);

typedef struct thud_record thud_record; ///< a run being written

typedef struct thud_record_def
{
    const char *folder;        ///< made if absent; must be empty, or replace must be true
    bool replace;              ///< a run directory there is replaced (nothing else is touched)
    int dim;                   ///< coordinates
    int64_t first_node;        ///< node that the run begins at: 0, or that of a checkpoint of
                               ///< another run, which this one continues
    thud_key_space keys;       ///< what the keys of its rows mean
    int64_t id_count;          ///< the ids 0 to id_count - 1 of bodies share the coordinates; 0:
                               ///< every coordinate has an id of its own
    const char *const *series; ///< names of the columns of series.csv
    int series_count;
    thud_log_form form;              ///< of the log; a run that is resumed keeps its own
    thud_log_units units;            ///< of its numbers
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_record_def;

/// Make and lock the directory, and begin the log and the series. THUD_ERR_IO, THUD_ERR_BUSY when
/// another process has it, THUD_ERR_ARGUMENT when it is not empty; *fault says what to do.
THUD_API thud_status thud_record_create(const thud_record_def *def, thud_record **out,
                                        thud_fault *fault);

/// Write a whole file of the directory (bodies.csv, meshes.stl, scene.yaml, run.json): under
/// another name first, so that it is never half there; in this order, for thud_record_resume. Call
/// begin, write as often as needed (it is a thud_sink_fn, its user the record), then end.
THUD_API thud_status thud_record_file_begin(thud_record *record, const char *name);
THUD_API int thud_record_file_write(const char *text, size_t length, void *record);
THUD_API thud_status thud_record_file_end(thud_record *record);

/// Append a frame, or a line of the series. After an error every further call fails with it.
THUD_API thud_status thud_record_frame(thud_record *record, const thud_frame *frame);
THUD_API thud_status thud_record_series(thud_record *record, const double *values);

/// Append the hash of the state at node n, chained: n = first_node, first_node + 1 ... without a
/// gap.
THUD_API thud_status thud_record_step(thud_record *record, int64_t n, uint64_t chain);

/// Write a checkpoint of these fields: outputs to the disk, then the checkpoint, then its name.
/// When this returns THUD_OK nothing of the run until here can be lost. The newest checkpoint
/// becomes checkpoint.prev.thud if it was `planned`; one that was not is replaced, so that
/// checkpoints out of turn leave no trace. After an error the older ones are still there.
THUD_API thud_status thud_record_checkpoint(thud_record *record, const thud_field *fields,
                                            int count, bool planned);

/// Lock the directory and take up the run there (def->replace is ignored): find the newest
/// checkpoint that is whole, see that log, series and scene are those that it speaks of, and cut
/// log and series to their lengths then. Nothing is written before all that is certain. THUD_NEWS:
/// the newest was no good and the one before it was taken, *fault says why. THUD_ERR_RECORD when
/// neither is any good, THUD_ERR_BUSY, THUD_ERR_IO.
THUD_API thud_status thud_record_resume(const thud_record_def *def, thud_record **out,
                                        thud_checkpoint **checkpoint, thud_fault *fault);

/// See whether log, series and scene of a run directory are those that its newest checkpoint (or,
/// if that is absent, the one before it) speaks of. Nothing is locked or written.
THUD_API thud_status thud_record_check(const char *folder, const thud_allocator *allocator,
                                       thud_checkpoint **checkpoint, thud_fault *fault);

/// The same of one of the two: the newest, or the one before it.
THUD_API thud_status thud_record_check_one(const char *folder, bool previous,
                                           const thud_allocator *allocator,
                                           thud_checkpoint **checkpoint, thud_fault *fault);

/// Read one of the two checkpoints of a run directory, and see that it is whole and belongs to the
/// scene there. Log and series are not looked at: a run whose log is damaged can be continued from
/// there in another directory, see thud_record_def.first_node.
THUD_API thud_status thud_record_salvage(const char *folder, bool previous,
                                         const thud_allocator *allocator,
                                         thud_checkpoint **checkpoint, thud_fault *fault);

/// See whether series.csv of a run directory is the one that its newest whole checkpoint speaks of,
/// up to the step of that checkpoint. THUD_ERR_RECORD: it was changed. THUD_NEWS: neither
/// checkpoint is whole, so nothing was compared.
THUD_API thud_status thud_record_check_series(const char *folder, const thud_allocator *allocator,
                                              thud_fault *fault);

/// Begin to record a run that is there already, without writing: what is recorded is compared.
/// Every byte of its log and of its series (up to the last whole record and line) must be what is
/// recorded now, and every field of its two checkpoints what is handed to thud_record_checkpoint
/// after that step: call it after every step. The call that finds a difference returns
/// THUD_ERR_RECORD; thud_record_close says where it is. from: where to begin, NULL for the start.
THUD_API thud_status thud_record_rehearse(const thud_record_def *def, const thud_checkpoint *from,
                                          thud_record **out, thud_fault *fault);

/// Has every byte of the log and the series of a rehearsal been compared?
THUD_API bool thud_record_is_matched(const thud_record *record);

/// Open a file of a run directory for reading, such as "scene.yaml". It must be a regular file, not
/// a link: THUD_ERR_RECORD otherwise, and when there is none. THUD_ERR_IO. Close *fd afterwards.
THUD_API thud_status thud_record_open_file(const char *folder, const char *name, int *fd,
                                           thud_fault *fault);

/// Does the folder hold the log of a run? *form, unless NULL, becomes its form.
THUD_API bool thud_record_find_log(const char *folder, thud_log_form *form);

/// Is a process writing a run into this folder now? Also false when that cannot be found out.
THUD_API bool thud_record_is_busy(const char *folder);

/// Bytes written so far, frames, and the node that the run begins at.
THUD_API int64_t thud_record_bytes(const thud_record *record);
THUD_API int64_t thud_record_frames(const thud_record *record);
THUD_API int64_t thud_record_first(const thud_record *record);

/// The digest of all records written so far.
THUD_API thud_digest thud_record_digest(const thud_record *record);

/// Write everything through to the disk and close. The record is gone whatever the status; fault
/// tells of the first error of its life. NULL is allowed.
THUD_API thud_status thud_record_close(thud_record *record, thud_fault *fault);

typedef struct thud_log thud_log; ///< a log being read

/// What a log holds.
typedef struct thud_log_summary
{
    int dim;
    int64_t frame_count;
    int64_t first_node; ///< that the run begins at: not 0 if it continues another run
    int64_t step_count; ///< hashes are there of the nodes first_node to step_count - 1
    bool is_cut;        ///< the last record is incomplete: the writer was stopped. It is ignored
    thud_log_form form;
    int64_t bytes;         ///< of its files
    int64_t whole_bytes;   ///< of the header and all whole records
    int64_t damaged_count; ///< frames left out by thud_log_open_damaged,
    int64_t first_damaged; ///< and the number of the first of them, -1 if there are none
} thud_log_summary;

/// Open the log of a run directory and look at every record's head. THUD_ERR_IO, or
/// THUD_ERR_RECORD when it is damaged or no log; *fault names file and offset.
THUD_API thud_status thud_log_open(const char *folder, const thud_allocator *allocator,
                                   thud_log **out, thud_fault *fault);
/// The same of a log in which records are damaged. Frames whose sums are wrong are left out and
/// counted; the others become frames 0 to frame_count - 1. Every byte is read. Hashes of nodes are
/// there up to the first gap.
THUD_API thud_status thud_log_open_damaged(const char *folder, const thud_allocator *allocator,
                                           thud_log **out, thud_fault *fault);
THUD_API void thud_log_close(thud_log *log); ///< NULL is allowed
THUD_API thud_log_summary thud_log_view(const thud_log *log);

/// Read frame i, 0 <= i < frame_count, and check its sum. Views, valid until the next call.
THUD_API thud_status thud_log_frame(thud_log *log, int64_t i, thud_frame *frame, thud_fault *fault);

/// The number that frame i had when it was written, from 0: i itself unless damaged frames were
/// left out.
THUD_API int64_t thud_log_number(const thud_log *log, int64_t i);

/// The chained hash of the state at node n, first_node <= n < step_count.
THUD_API uint64_t thud_log_chain(const thud_log *log, int64_t n);

/// The digests of the log after all records of the nodes up to nodes[i], for i = 0 to count - 1
/// < THUD_DIGESTS; nodes are in order, and one beyond the last stands for the whole log. Every byte
/// is read. THUD_ERR_IO, THUD_ERR_ARGUMENT.
THUD_API thud_status thud_log_digest(thud_log *log, const int64_t *nodes, int count,
                                     thud_digest *digests, thud_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
