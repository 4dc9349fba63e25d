// Reads a log: all heads when it is opened, a frame's body on request. Every number of the file is
// checked against the file's size and its sums before it is used.
#include "core/checksum.h"
#include "core/fault.h"
#include "record/digest.h"
#include "record/log_parts.h"
#include "record/run_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

thudi_at thudi_log_at(const thud_log *log)
{
    return THUDI_IN(log->path, thud_log_form_file(log->summary.form));
}

// Fail for damage that belongs to no frame.
static thud_status damaged(thud_log *log, thud_fault *fault, int64_t offset, const char *what)
{
    thudi_log_place place = thudi_log_source_find(&log->source, offset);
    return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(log->path, place.file), "",
                      "damaged at byte %" PRId64 ": %s", place.offset,
                      place.wrong ? place.wrong : what);
}

thud_status thudi_log_read_at(thud_log *log, int64_t offset, void *to, size_t length,
                              thud_fault *fault)
{
    ssize_t got = thudi_log_source_read(&log->source, to, length, offset);
    if (got < 0)
        return thudi_fail_io(fault, thudi_log_at(log), "read", errno);
    if (got < (ssize_t)length)
        return damaged(log, fault, offset + got, "the file has become shorter");
    return THUD_OK;
}

static thud_status frame_damaged(thud_log *log, thud_fault *fault, int64_t number, int64_t offset,
                                 const char *what)
{
    thudi_log_place place = thudi_log_source_find(&log->source, offset);
    (void)thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(log->path, place.file), "",
                     "frame %" PRId64 " is damaged at byte %" PRId64 ": %s", number, place.offset,
                     place.wrong ? place.wrong : what);
    if (fault)
        fault->is_record = true;
    return THUD_ERR_RECORD;
}

const thudi_file_kind thudi_log_kind = {"log", THUDI_LOG_MAGIC, THUDI_LOG_VERSION};

static thud_status read_header(thud_log *log, thud_fault *fault)
{
    thudi_file_header header;
    thudi_at at = thudi_log_at(log);
    if (log->size < (int64_t)sizeof header)
        return thudi_fail(fault, THUD_ERR_RECORD, at, "", "the file is too short to be a log");
    THUD_TRY(thudi_log_read_at(log, 0, &header, sizeof header, fault));
    THUD_TRY(thudi_header_check(&header, &thudi_log_kind, at, fault));
    log->summary.dim = log->reader.dim = (int)header.dim;
    log->reader.keys = (thud_key_space)header.keys;
    log->reader.allocator = log->allocator;
    log->summary.first_node = log->summary.step_count = header.first;
    return THUD_OK;
}

const char *thudi_log_head_fault(const thudi_record_head *head, int64_t number)
{
    if (!thudi_head_is_sound(head))
        return "a head does not match its checksum";
    if (head->type != THUDI_LOG_FRAME)
        return "a record has an unknown type";
    if (head->index != (uint64_t)number)
        return "frames are missing or repeated";
    if (head->n < 0 || head->n > THUDI_NODE_MOST || !isfinite(head->t) || !isfinite(head->h) ||
        head->h < 0 || head->length % 8 != 0 || head->blocks > head->length / sizeof(thudi_block))
        return "a head has impossible numbers";
    return NULL;
}

// Are all bytes from offset on 0? A file system may leave such an end after a power failure.
static thud_status is_blank(thud_log *log, int64_t offset, bool *blank, thud_fault *fault)
{
    char block[4096];
    *blank = true;
    while (*blank && offset < log->size)
    {
        size_t length = sizeof block;
        if (log->size - offset < (int64_t)length)
            length = (size_t)(log->size - offset);
        THUD_TRY(thudi_log_read_at(log, offset, block, length, fault));
        for (size_t i = 0; i < length; i++)
            *blank = *blank && block[i] == 0;
        offset += (int64_t)length;
    }
    return THUD_OK;
}

bool thudi_log_step_is_sound(const thudi_log_step *step)
{
    thudi_log_step copy = *step;
    copy.sum = 0;
    return step->sum == thudi_checksum(0, &copy, sizeof copy);
}

thud_status thudi_log_add_node(thud_log *log, uint64_t chain, thud_fault *fault)
{
    size_t count = (size_t)(log->summary.step_count - log->summary.first_node);
    if (thudi_array_reserve(&log->allocator, &log->chain, count + 1) < 0)
        return thudi_fail_memory(fault);
    log->chain.items[count] = chain;
    log->summary.step_count++;
    return THUD_OK;
}

// Read the step at *offset and move *offset past it. *over: the step is incomplete, or only zeros
// follow.
static thud_status read_step(thud_log *log, int64_t *offset, bool *over, thud_fault *fault)
{
    thudi_log_step step;
    *over = log->size - *offset < (int64_t)sizeof step;
    if (*over)
        return THUD_OK;
    THUD_TRY(thudi_log_read_at(log, *offset, &step, sizeof step, fault));
    if (!thudi_log_step_is_sound(&step))
    {
        THUD_TRY(is_blank(log, *offset, over, fault));
        if (*over)
            return THUD_OK;
        (void)damaged(log, fault, *offset, "a step does not match its checksum");
        if (fault)
            fault->is_record = true;
        return THUD_ERR_RECORD;
    }
    if (step.n != log->summary.step_count)
        return damaged(log, fault, *offset, "steps are missing or repeated");
    THUD_TRY(thudi_log_add_node(log, step.chain, fault));
    *offset += (int64_t)sizeof step;
    return THUD_OK;
}

static thud_status read_frame(thud_log *log, int64_t *offset, bool *over, thud_fault *fault)
{
    thudi_record_head head;
    int64_t rest = log->size - *offset - (int64_t)sizeof head;
    *over = rest < 0;
    if (*over)
        return THUD_OK;
    THUD_TRY(thudi_log_read_at(log, *offset, &head, sizeof head, fault));
    const char *wrong = thudi_log_head_fault(&head, log->summary.frame_count);
    if (wrong)
    {
        THUD_TRY(is_blank(log, *offset, over, fault));
        return *over ? THUD_OK
                     : frame_damaged(log, fault, log->summary.frame_count, *offset, wrong);
    }
    *over = head.length > (uint64_t)rest;
    if (*over)
        return THUD_OK;
    size_t count = (size_t)log->summary.frame_count;
    if (thudi_array_reserve(&log->allocator, &log->offset, count + 1) < 0)
        return thudi_fail_memory(fault);
    log->offset.items[log->summary.frame_count++] = *offset;
    *offset += (int64_t)(sizeof head + head.length);
    return THUD_OK;
}

thud_status thudi_log_add_names(thud_log *log, int64_t offset, int64_t *length, const char **wrong,
                                thud_fault *fault)
{
    thudi_record_head head;
    int64_t rest = log->size - offset - (int64_t)sizeof head;
    *length = 0;
    *wrong = NULL;
    if (rest < 0)
        return THUD_OK;
    THUD_TRY(thudi_log_read_at(log, offset, &head, sizeof head, fault));
    *wrong = thudi_block_names_fault(&head);
    if (*wrong || head.length > (uint64_t)rest)
        return THUD_OK;
    *length = (int64_t)(sizeof head + head.length);
    THUD_TRY(thudi_log_read_body(log, offset, &head, fault));
    if (thudi_block_names_add(&log->allocator, &log->reader.names, &head, log->body.items, wrong) <
        0)
        return thudi_fail_memory(fault);
    return *wrong ? THUD_OK
                  : thudi_block_names_check(&log->reader.names, &thudi_log_kind, thudi_frame_knows,
                                            thudi_log_at(log), fault);
}

static thud_status read_names(thud_log *log, int64_t *offset, bool *over, thud_fault *fault)
{
    const char *wrong;
    int64_t length;
    THUD_TRY(thudi_log_add_names(log, *offset, &length, &wrong, fault));
    *over = length == 0;
    if (wrong)
        return damaged(log, fault, *offset, wrong);
    *offset += length;
    return THUD_OK;
}

static thud_status read_records(thud_log *log, thud_fault *fault)
{
    int64_t offset = sizeof(thudi_file_header);
    for (bool over = false; !over && offset < log->size;)
    {
        uint32_t type;
        over = log->size - offset < (int64_t)sizeof type;
        if (over)
            break;
        THUD_TRY(thudi_log_read_at(log, offset, &type, sizeof type, fault));
        if (type == THUDI_LOG_STEP)
            THUD_TRY(read_step(log, &offset, &over, fault));
        else if (type == THUDI_RECORD_NAME)
            THUD_TRY(read_names(log, &offset, &over, fault));
        else
            THUD_TRY(read_frame(log, &offset, &over, fault));
    }
    log->summary.is_cut = offset < log->size;
    log->summary.whole_bytes = offset;
    return THUD_OK;
}

static thud_status open_file(thud_log *log, thud_fault *fault)
{
    int folder = open(log->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0 && errno == ENOTDIR)
    {
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(log->path, NULL),
                          "give a run directory, which 'thud run' writes",
                          "this is not a run directory");
    }
    if (folder < 0)
        return thudi_fail_io(fault, THUDI_IN(log->path, NULL), "open the folder", errno);
    thud_status status = thudi_run_folder_check(folder, log->path, fault);
    if (status >= 0)
        status = thudi_log_source_open(&log->source, &log->allocator, folder, log->path, O_RDONLY,
                                       fault);
    log->summary.form = thudi_log_form_in(folder);
    (void)close(folder);
    log->size = log->source.size;
    log->summary.bytes = log->source.stored;
    return status;
}

typedef thud_status read_fn(thud_log *log, thud_fault *fault);

static thud_status open_log(thud_log *log, read_fn *read, thud_fault *fault)
{
    THUD_TRY(open_file(log, fault));
    THUD_TRY(read_header(log, fault));
    log->summary.first_damaged = -1;
    return read(log, fault);
}

static thud_status open_by(const char *folder, read_fn *read, const thud_allocator *allocator,
                           thud_log **out, thud_fault *fault)
{
    *out = NULL;
    thud_allocator memory = thudi_allocator_or_default(allocator);
    thud_log *log = thudi_allocate_zeroed(&memory, sizeof *log);
    if (!log)
        return thudi_fail_memory(fault);
    log->allocator = memory;
    log->source = THUDI_LOG_SOURCE_CLOSED;
    log->path_size = strlen(folder) + 1;
    log->path = memory.resize(NULL, 0, log->path_size, memory.user);
    thud_status status = THUD_ERR_MEMORY;
    if (log->path)
    {
        memcpy(log->path, folder, log->path_size);
        status = open_log(log, read, fault);
    }
    else
        (void)thudi_fail_memory(fault);
    if (status < 0)
        thud_log_close(log);
    else
        *out = log;
    return status;
}

thud_status thud_log_open(const char *folder, const thud_allocator *allocator, thud_log **out,
                          thud_fault *fault)
{
    return open_by(folder, read_records, allocator, out, fault);
}

thud_status thud_log_open_damaged(const char *folder, const thud_allocator *allocator,
                                  thud_log **out, thud_fault *fault)
{
    return open_by(folder, thudi_log_salvage, allocator, out, fault);
}

void thud_log_close(thud_log *log)
{
    if (!log)
        return;
    thudi_log_source_close(&log->source);
    thud_allocator allocator = log->allocator;
    thudi_array_free(&allocator, &log->offset);
    thudi_array_free(&allocator, &log->number);
    thudi_array_free(&allocator, &log->chain);
    thudi_array_free(&allocator, &log->body);
    thudi_frame_reader_free(&log->reader);
    thudi_free(&allocator, log->path, log->path_size);
    thudi_free(&allocator, log, sizeof *log);
}

const char *thudi_log_compare_shown(thud_log *log, const thud_log_units *units, bool is_over)
{
    return thudi_log_source_compare_shown(&log->source, units, is_over);
}

thud_log_summary thud_log_view(const thud_log *log)
{
    return log->summary;
}

uint64_t thud_log_chain(const thud_log *log, int64_t n)
{
    return log->chain.items[n - log->summary.first_node];
}

int64_t thud_log_number(const thud_log *log, int64_t i)
{
    return log->number.items ? log->number.items[i] : i;
}

thud_status thud_log_digest(thud_log *log, const int64_t *nodes, int count, thud_digest *digests,
                            thud_fault *fault)
{
    thudi_digest_request requests[THUD_DIGESTS] = {0};
    if (count < 0 || count > THUD_DIGESTS)
        return THUD_ERR_ARGUMENT;
    for (int i = 0; i < count; i++)
        requests[i].node = nodes[i];
    int error = thudi_digest_log(&log->source, log->size, requests, count);
    if (error)
        return thudi_fail_io(fault, thudi_log_at(log), "read", error);
    for (int i = 0; i < count; i++)
        digests[i] = requests[i].digest;
    return THUD_OK;
}

thud_status thudi_log_read_body(thud_log *log, int64_t offset, const thudi_record_head *head,
                                thud_fault *fault)
{
    if (thudi_array_reserve(&log->allocator, &log->body, head->length / sizeof(double)) < 0)
        return thudi_fail_memory(fault);
    return thudi_log_read_at(log, offset + (int64_t)sizeof *head, log->body.items, head->length,
                             fault);
}

thud_status thud_log_frame(thud_log *log, int64_t i, thud_frame *frame, thud_fault *fault)
{
    if (i < 0 || i >= log->summary.frame_count)
    {
        return thudi_fail(fault, THUD_ERR_ARGUMENT, thudi_log_at(log), "",
                          "there is no frame %" PRId64 ", the log has %" PRId64, i,
                          log->summary.frame_count);
    }
    thudi_record_head head;
    int64_t offset = log->offset.items[i];
    THUD_TRY(thudi_log_read_at(log, offset, &head, sizeof head, fault));
    // the next head, where this body must end, is known since the log was opened
    int64_t end = i + 1 < log->summary.frame_count ? log->offset.items[i + 1] : log->size;
    int64_t number = thud_log_number(log, i);
    if (thudi_log_head_fault(&head, number) || head.length > (uint64_t)(end - offset) - sizeof head)
        return frame_damaged(log, fault, number, offset, "the file has changed");
    THUD_TRY(thudi_log_read_body(log, offset, &head, fault));
    log->head = head;
    thud_status status = thudi_frame_join(&log->reader, &head, log->body.items, frame);
    if (status == THUD_ERR_RECORD)
        return frame_damaged(log, fault, number,
                             offset + (int64_t)(sizeof head + log->reader.place),
                             log->reader.wrong);
    return status < 0 ? thudi_fail_memory(fault) : THUD_OK;
}

uint32_t thudi_log_frame_sum(const thud_log *log)
{
    const thudi_frame_reader *reader = &log->reader;
    uint32_t sum = thudi_checksum(0, &reader->keys, sizeof reader->keys);
    sum = thudi_checksum(sum, reader->names.list.items,
                         reader->names.count * sizeof *reader->names.list.items);
    sum = thudi_checksum(sum, &log->head, sizeof log->head);
    return thudi_checksum(sum, log->body.items, log->head.length);
}
