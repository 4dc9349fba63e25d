// Resumes a run from the newest checkpoint that is whole and whose outputs are there. The outputs
// are cut to their lengths at that checkpoint.
#include "core/checksum.h"
#include "core/fault.h"
#include "record/checkpoint_format.h"
#include "record/digest.h"
#include "record/log_form.h"
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A checkpoint that is being tried, and the outputs that it describes.
typedef struct attempt
{
    thud_checkpoint *checkpoint;
    thudi_place place;
    thudi_log_source log;
    int series; // descriptor, -1 when closed
} attempt;

#define NO_ATTEMPT ((attempt){.log = THUDI_LOG_SOURCE_CLOSED, .series = -1})

// The checksum of the first `length` bytes of the log, or of the file if `log` is NULL; of all
// bytes if `length` is negative. *whole: there are that many. Returns an errno value.
static int sum_bytes(thudi_log_source *log, int fd, int64_t length, uint32_t *sum, bool *whole)
{
    char block[1 << 14];
    int64_t done = 0;
    *sum = 0;
    while (length < 0 || done < length)
    {
        size_t room = sizeof block;
        if (length >= 0 && length - done < (int64_t)room)
            room = (size_t)(length - done);
        ssize_t got =
            log ? thudi_log_source_read(log, block, room, done) : pread(fd, block, room, done);
        if (got < 0 && errno != EINTR)
            return errno;
        if (got == 0)
            break;
        if (got > 0)
        {
            *sum = thudi_checksum(*sum, block, (size_t)got);
            done += got;
        }
    }
    *whole = length < 0 || done == length;
    return 0;
}

// An output is the log, or the series.
static thud_status check_output(const thud_record *record, attempt *try, bool is_log,
                                thud_fault *fault)
{
    const char *name = is_log ? try->log.form->file : "series.csv";
    int64_t bytes = is_log ? try->place.log_bytes : try->place.series_bytes;
    uint64_t wanted = is_log ? try->place.log_sum : try->place.series_sum;
    uint32_t sum = 0;
    bool whole = false;
    int error =
        bytes < 0 ? 0 : sum_bytes(is_log ? &try->log : NULL, try->series, bytes, &sum, &whole);
    if (error)
        return thudi_fail_io(fault, THUDI_IN(record->path, name), "read", error);
    if (whole && sum == wanted)
        return THUD_OK;
    thudi_log_place place = {.offset = 0};
    if (is_log && thudi_log_source_find_wrong(&try->log, &place))
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(record->path, place.file), "",
                          "damaged at byte %lld: %s", (long long)place.offset, place.wrong);
    return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(record->path, name), "",
                      whole ? "the file does not match its checksum in the checkpoint"
                            : "the file is shorter than when the checkpoint was written");
}

// Sum the input files, in the order in which the run wrote them.
static thud_status sum_inputs(thud_record *record, thud_fault *fault)
{
    static const char *const names[] = {"bodies.csv", "meshes.stl", "scene.yaml"};
    record->input_sum = 0;
    for (int i = 0; i < 3; i++)
    {
        struct stat look;
        if (i < 2 && fstatat(record->folder.fd, names[i], &look, AT_SYMLINK_NOFOLLOW) != 0)
            continue; // an inclusion has no bodies, and most scenes have no meshes
        int fd = -1;
        THUD_TRY(
            thudi_run_file_open(record->folder.fd, record->path, names[i], O_RDONLY, &fd, fault));
        uint32_t sum;
        bool whole;
        int error = sum_bytes(NULL, fd, -1, &sum, &whole);
        (void)close(fd);
        if (error)
            return thudi_fail_io(fault, THUDI_IN(record->path, names[i]), "read", error);
        record->input_sum = thudi_checksum(record->input_sum, &sum, sizeof sum);
    }
    return THUD_OK;
}

static void drop_attempt(attempt *try)
{
    thudi_log_source_close(&try->log);
    if (try->series >= 0)
        (void)close(try->series);
    thud_checkpoint_free(try->checkpoint);
    *try = NO_ATTEMPT;
}

// Check that the records up to the checkpoint give the digest in it.
static thud_status check_digest(const thud_record *record, attempt *try, thud_fault *fault)
{
    thudi_at at = THUDI_IN(record->path, try->log.form->file);
    const thudi_place *place = &try->place;
    thudi_digest_request request = {.node = INT64_MAX - 1};
    int error = thudi_digest_log(&try->log, place->log_bytes, &request, 1);
    if (error)
        return thudi_fail_io(fault, at, "read", error);
    if (memcmp(&request.digest, &place->digest, sizeof request.digest) == 0)
        return THUD_OK;
    return thudi_fail(fault, THUD_ERR_RECORD, at, "",
                      "the digest of the records differs from the one in the checkpoint");
}

// Read a checkpoint, and what it says about the outputs.
static thud_status read_place(const thud_record *record, bool previous, attempt *try,
                              thud_fault *fault)
{
    thud_field fields[THUDI_PLACE_FIELDS];
    *try = NO_ATTEMPT;
    THUD_TRY(
        thud_checkpoint_read(record->path, previous, &record->allocator, &try->checkpoint, fault));
    thudi_place_fields(&try->place, fields);
    return thud_checkpoint_restore(try->checkpoint, fields, THUDI_PLACE_FIELDS, fault);
}

// The same, and check that it belongs to the scene in the folder.
static thud_status read_checkpoint(thud_record *record, bool previous, attempt *try,
                                   thud_fault *fault)
{
    const thudi_place *place = &try->place;
    THUD_TRY(read_place(record, previous, try, fault));
    if (place->input_sum != record->input_sum || place->frames < 0 || place->steps < 0)
    {
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(record->path, NULL),
                          "run the changed scene into another folder",
                          "the checkpoint belongs to another scene");
    }
    return THUD_OK;
}

// Read the run's first node and its key space from the log's header, whose checksum is verified.
static thud_status read_first(thud_record *record, attempt *try, thud_fault *fault)
{
    thudi_at at = THUDI_IN(record->path, try->log.form->file);
    thudi_file_header header = {.first = -1};
    ssize_t got = thudi_log_source_read(&try->log, &header, sizeof header, 0);
    if (got < 0)
        return thudi_fail_io(fault, at, "read", errno);
    record->first = header.first;
    record->keys = (thud_key_space)header.keys;
    thudi_file_header own = thudi_checkpoint_header(try->checkpoint);
    if (got < (ssize_t)sizeof header || header.version != THUDI_LOG_VERSION ||
        header.dim != own.dim || header.keys != own.keys ||
        memcmp(header.hash, own.hash, sizeof own.hash) != 0)
        return thudi_fail(fault, THUD_ERR_RECORD, at, "",
                          "the log and the checkpoint do not begin alike");
    if (header.first == own.first && header.first <= try->place.steps)
        return THUD_OK;
    return thudi_fail(fault, THUD_ERR_RECORD, at, "",
                      "the log does not begin before the checkpoint");
}

static thud_status try_checkpoint(thud_record *record, bool previous, int flags, attempt *try,
                                  thud_fault *fault)
{
    int folder = record->folder.fd;
    THUD_TRY(read_checkpoint(record, previous, try, fault));
    THUD_TRY(
        thudi_log_source_open(&try->log, &record->allocator, folder, record->path, flags, fault));
    THUD_TRY(thudi_run_file_open(folder, record->path, "series.csv", flags, &try->series, fault));
    THUD_TRY(check_output(record, try, true, fault));
    THUD_TRY(check_digest(record, try, fault));
    THUD_TRY(read_first(record, try, fault));
    return check_output(record, try, false, fault);
}

// Hand the outputs over to the record. From here on, files change.
static thud_status hand_over(thud_record *record, attempt *try)
{
    const thudi_place *place = &try->place;
    int series = try->series;
    try->series = -1; // the stream owns it now
    record->frames = place->frames;
    record->steps = place->steps;
    record->digest = place->digest;
    record->place = *place;
    int error = try->log.form->adopt(&record->log, &record->allocator, &try->log, place->log_bytes,
                                     (uint32_t)place->log_sum);
    if (error)
    {
        (void)close(series);
        return thudi_record_fail(record, &record->log, error);
    }
    error = thudi_stream_adopt(&record->series, &record->allocator, "series.csv", series,
                               place->series_bytes, (uint32_t)place->series_sum);
    return error ? thudi_record_fail(record, &record->series, error) : THUD_OK;
}

static thud_status resume(thud_record *record, attempt *try, thud_fault *fault)
{
    thud_fault first = {0}, second = {0};
    THUD_TRY(thudi_run_folder_reopen(&record->folder, record->path, fault));
    THUD_TRY(sum_inputs(record, fault));
    thud_status status = try_checkpoint(record, false, O_RDWR, try, &first);
    bool is_older = status == THUD_ERR_RECORD;
    if (is_older)
    {
        drop_attempt(try);
        status = try_checkpoint(record, true, O_RDWR, try, &second);
    }
    if (fault)
        *fault = first; // of the newest checkpoint, even if the older one can be used
    THUD_TRY(status);
    record->newest_planned = !is_older && try->place.is_planned;
    status = hand_over(record, try);
    if (status < 0 && fault)
        *fault = record->fault;
    return status < 0 || !is_older ? status : THUD_NEWS;
}

thud_status thud_record_resume(const thud_record_def *def, thud_record **out,
                               thud_checkpoint **checkpoint, thud_fault *fault)
{
    attempt try = NO_ATTEMPT;
    *out = NULL;
    *checkpoint = NULL;
    THUD_TRY(thudi_record_check_def(def, fault));
    thud_record *record = thudi_record_make(def);
    if (!record)
        return thudi_fail_memory(fault);
    thud_status status = resume(record, &try, fault);
    if (status < 0)
    {
        drop_attempt(&try);
        thudi_record_release(record, false);
        return status;
    }
    *out = record;
    *checkpoint = try.checkpoint;
    return status;
}

// Compares a checkpoint with all or a part of its run directory.
typedef thud_status compare_fn(thud_record *record, bool previous, attempt *try, thud_fault *fault);

static thud_status compare_all(thud_record *record, bool previous, attempt *try, thud_fault *fault)
{
    return try_checkpoint(record, previous, O_RDONLY, try, fault);
}

static thud_status check(thud_record *record, bool previous, compare_fn *compare, attempt *try,
                         thud_fault *fault)
{
    record->folder.fd = open(record->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (record->folder.fd < 0)
        return thudi_fail_io(fault, THUDI_IN(record->path, NULL), "open the folder", errno);
    THUD_TRY(sum_inputs(record, fault));
    return compare(record, previous, try, fault);
}

static thud_status check_one(const char *folder, bool previous, compare_fn *compare,
                             const thud_allocator *allocator, thud_checkpoint **checkpoint,
                             thud_fault *fault)
{
    attempt try = NO_ATTEMPT;
    thud_record *record =
        thudi_record_make(&(thud_record_def){.folder = folder, .dim = 1, .allocator = allocator});
    *checkpoint = NULL;
    if (!record)
        return thudi_fail_memory(fault);
    thud_status status = check(record, previous, compare, &try, fault);
    if (status >= 0)
    {
        *checkpoint = try.checkpoint;
        try.checkpoint = NULL;
    }
    drop_attempt(&try);
    thudi_record_release(record, false);
    return status;
}

thud_status thud_record_check(const char *folder, const thud_allocator *allocator,
                              thud_checkpoint **checkpoint, thud_fault *fault)
{
    struct stat look;
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool previous = at >= 0 && fstatat(at, THUDI_CHECKPOINT_NAME, &look, AT_SYMLINK_NOFOLLOW) != 0;
    if (at >= 0)
        (void)close(at);
    return thud_record_check_one(folder, previous, allocator, checkpoint, fault);
}

thud_status thud_record_check_one(const char *folder, bool previous,
                                  const thud_allocator *allocator, thud_checkpoint **checkpoint,
                                  thud_fault *fault)
{
    return check_one(folder, previous, compare_all, allocator, checkpoint, fault);
}

thud_status thud_record_salvage(const char *folder, bool previous, const thud_allocator *allocator,
                                thud_checkpoint **checkpoint, thud_fault *fault)
{
    return check_one(folder, previous, read_checkpoint, allocator, checkpoint, fault);
}

// Compare the series alone. THUD_NEWS: the checkpoint is missing or damaged, so nothing was
// compared.
static thud_status compare_series(thud_record *record, bool previous, attempt *try,
                                  thud_fault *fault)
{
    thud_fault unusable;
    thud_status status = read_place(record, previous, try, &unusable);
    if (status < 0)
        return status == THUD_ERR_MEMORY ? thudi_fail_memory(fault) : THUD_NEWS;
    THUD_TRY(thudi_run_file_open(record->folder.fd, record->path, "series.csv", O_RDONLY,
                                 &try->series, fault));
    return check_output(record, try, false, fault);
}

thud_status thud_record_check_series(const char *folder, const thud_allocator *allocator,
                                     thud_fault *fault)
{
    thud_status status = THUD_NEWS;
    for (int previous = 0; previous < 2 && status == THUD_NEWS; previous++)
    {
        thud_checkpoint *checkpoint;
        status = check_one(folder, previous == 1, compare_series, allocator, &checkpoint, fault);
        thud_checkpoint_free(checkpoint);
    }
    return status;
}
