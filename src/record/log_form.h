// The forms in which a log is stored. A log is a sequence of bytes, see log_format.h; a form says
// where these bytes are. One table of functions for each form, so that what reads and writes a log
// does not know which one it has.
#ifndef THUDI_LOG_FORM_H
#define THUDI_LOG_FORM_H

#include "core/stream.h"
#include "record/log_format.h"
#include "thud/text.h"

enum
{
    THUDI_LOG_FILE_NAME = 48 // room for the name of a file of the log, with its end
};

typedef struct thudi_log_table thudi_log_table;

// A log that is open for reading.
typedef struct thudi_log_source
{
    const thudi_log_table *form; // NULL when closed
    const char *path;            // of the run directory, borrowed
    thud_allocator allocator;
    int folder;     // the same, borrowed; of use only while it is open
    int fd;         // of the file that shows the log, -1 for none
    int64_t size;   // of the log, in bytes
    int64_t stored; // bytes of its files
    void *kept;     // the form's
} thudi_log_source;

#define THUDI_LOG_SOURCE_CLOSED ((thudi_log_source){.fd = -1})

// Where a byte of the log is stored.
typedef struct thudi_log_place
{
    char file[THUDI_LOG_FILE_NAME]; // in the run directory
    int64_t offset;
    const char *wrong; // what is wrong with all bytes there, NULL if nothing is
} thudi_log_place;

// What begins a log.
typedef struct thudi_log_begin
{
    const thud_allocator *allocator;
    int folder; // of the run
    const thud_log_units *units;
} thudi_log_begin;

struct thudi_log_table
{
    const char *name; // as an option gives it
    const char *file; // that makes a folder a run directory
    // Open the log in the folder, for reading; with the flag O_RDWR it will be adopted.
    thud_status (*open)(thudi_log_source *source, int folder, int flags, thud_fault *fault);
    // As pread.
    ssize_t (*read)(thudi_log_source *source, void *to, size_t length, int64_t offset);
    // Where a byte is stored. NULL: in `file`, at the same place.
    void (*find)(thudi_log_source *source, int64_t offset, thudi_log_place *place);
    // The first place of which something is known to be wrong. NULL: nothing can be.
    bool (*find_wrong)(thudi_log_source *source, thudi_log_place *place);
    // What is wrong with what other programs read in `file` and the log does not have: the units,
    // and the links to frames, where the run is over. NULL: nothing, or there is no such thing.
    const char *(*compare_shown)(thudi_log_source *source, const thud_log_units *units,
                                 bool is_over);
    void (*close)(thudi_log_source *source);
    // Begin a log, which is not published; or continue one after its first `bytes` bytes, whose
    // checksum is `sum`. The stream takes the source over, even on failure. Returns an errno value.
    int (*begin)(thudi_stream *stream, const thudi_log_begin *how);
    int (*adopt)(thudi_stream *stream, const thud_allocator *allocator, thudi_log_source *source,
                 int64_t bytes, uint32_t sum);
    const char *folder; // that a log may have besides, NULL where there is none
    // Is this the name of that folder, and does it hold only what a log leaves there? And remove it
    // with all of that. Returns an errno value.
    bool (*has_folder)(int folder, const char *name);
    int (*remove_folder)(int folder);
};

extern const thudi_log_table thudi_log_in_file, thudi_log_in_hdf5;

// The table of a form.
const thudi_log_table *thudi_log_table_of(thud_log_form form);
// The form of the log in the folder. Without a log it is the file.
thud_log_form thudi_log_form_in(int folder);
bool thudi_log_is_in(int folder);

// Is this the name of a file or a folder that a log leaves in a run directory? Is it the file that
// shows a log?
bool thudi_log_owns(int folder, const char *name, bool is_folder);
bool thudi_log_is_shown_by(const char *name);
// Remove the folders of logs of all forms. Returns an errno value.
int thudi_log_clear(int folder);
// Remove the files that show logs of other forms. Returns an errno value.
int thudi_log_clear_others(int folder, thud_log_form form);

// Open the log of the run in the folder. `path` is the folder's, for messages.
thud_status thudi_log_source_open(thudi_log_source *source, const thud_allocator *allocator,
                                  int folder, const char *path, int flags, thud_fault *fault);
void thudi_log_source_close(thudi_log_source *source);

// Read length bytes, or fewer at the end. Returns their number; -1 and errno for an error.
ssize_t thudi_log_source_read(thudi_log_source *source, void *to, size_t length, int64_t offset);

thudi_log_place thudi_log_source_find(thudi_log_source *source, int64_t offset);
bool thudi_log_source_find_wrong(thudi_log_source *source, thudi_log_place *place);
const char *thudi_log_source_compare_shown(thudi_log_source *source, const thud_log_units *units,
                                           bool is_over);

// Begin a stream that compares with the source, and takes it over, even on failure. Returns an
// errno value.
int thudi_log_source_compare(thudi_stream *stream, const thud_allocator *allocator,
                             thudi_log_source *source);

// Is this the path of a file in which the log of a run is stored?
bool thudi_log_has_path(const char *path);

#endif
