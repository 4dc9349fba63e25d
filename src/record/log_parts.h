// A log being read, shared by the files that read it.
#ifndef THUDI_LOG_PARTS_H
#define THUDI_LOG_PARTS_H

#include "core/memory.h"
#include "record/file_header.h"
#include "record/frame_blocks.h"
#include "record/log_form.h"

extern const thudi_file_kind thudi_log_kind;

struct thud_log
{
    thud_allocator allocator;
    char *path; // of the folder
    size_t path_size;
    thudi_log_source source;
    int64_t size; // of the log when it was opened
    thud_log_summary summary;
    THUDI_ARRAY(int64_t) offset; // of every frame's head,
    THUDI_ARRAY(int64_t) number; // and its number; empty unless the log is salvaged
    THUDI_ARRAY(uint64_t) chain; // of every node
    THUDI_ARRAY(double) body;    // blocks of the record read last
    thudi_record_head head;      // of the frame read last
    thudi_frame_reader reader;
};

// The file that is named in messages about the whole log.
thudi_at thudi_log_at(const thud_log *log);

// Read length bytes at offset. Fails if the file has become shorter.
thud_status thudi_log_read_at(thud_log *log, int64_t offset, void *to, size_t length,
                              thud_fault *fault);

// What is wrong with what other programs read beside the log, as in log_form.h.
const char *thudi_log_compare_shown(thud_log *log, const thud_log_units *units, bool is_over);

// What is wrong with the head of frame `number`; NULL if nothing is.
const char *thudi_log_head_fault(const thudi_record_head *head, int64_t number);

// Does a step match its sum?
bool thudi_log_step_is_sound(const thudi_log_step *step);

// Read the blocks of a record whose head is at offset and sound, and which ends within the file.
thud_status thudi_log_read_body(thud_log *log, int64_t offset, const thudi_record_head *head,
                                thud_fault *fault);

// The sum of all that the frame read last was made of: its record, and what the log calls blocks
// and keys. It tells whether two readers, or one at two times, have read the same.
uint32_t thudi_log_frame_sum(const thud_log *log);

// Read the record of names at offset. *wrong says what is wrong with it, or is NULL. *length is its
// length in bytes, 0 if its head is wrong or it does not end within the file.
thud_status thudi_log_add_names(thud_log *log, int64_t offset, int64_t *length, const char **wrong,
                                thud_fault *fault);

// Append the hash of the next node.
thud_status thudi_log_add_node(thud_log *log, uint64_t chain, thud_fault *fault);

// Find all whole records, and count the damaged frames between them.
thud_status thudi_log_salvage(thud_log *log, thud_fault *fault);

#endif
