// The log as HDF5 files: what its reader and its writer share.
#ifndef THUDI_LOG_HDF5_H
#define THUDI_LOG_HDF5_H

#include "record/hdf5/hdf5_layout.h"
#include "record/log_form.h"

// Bytes of the log that stand together: in frames.h5, in the file of a frame, or in the tail.
typedef struct thudi_h5_segment
{
    int64_t begin, length; // in the log
    int64_t number;        // of the frame; -1 for frames.h5
    bool is_tail;
    const char *wrong; // why its bytes cannot be told; NULL if they can
} thudi_h5_segment;

// What is kept of a log that is open for reading. One file of a frame is open at a time.
typedef struct thudi_h5_log
{
    thudi_h5_all all;
    int folder; // of the frames, -1 if there is none
    THUDI_ARRAY(thudi_h5_segment) segments;
    size_t count;
    int64_t frames;  // files of frames, with those that are missing between others
    bool is_old;     // the file was the tail of a log that has more frames now
    bool has_scraps; // there are files with temporary names
    size_t open;     // the segment whose file is open; 0: none
    int fd;          // of that file
    thudi_h5_heads heads;
    THUDI_ARRAY(thudi_log_step) steps; // of that file, as they are in the log
    thudi_h5_bytes image;              // the metadata that it should have,
    THUDI_ARRAY(unsigned char) found;  // and those that it has
} thudi_h5_log;

void thudi_h5_log_free(thudi_h5_log *log, const thud_allocator *allocator);

// A log that is being written.
typedef struct thudi_h5_writer
{
    thudi_h5_all all;
    int run, folder;     // folder: of the frames, -1 until the first one
    bool has_begun;      // header and names are there
    int64_t frames;      // written
    int64_t tail_frames; // frames before the tail that is on the disk, -1 if there is none,
    size_t tail_used;    // and how much of what waits is in it
    THUDI_ARRAY(unsigned char) waiting; // steps as they are in the log
    size_t used;                        // of these
    THUDI_ARRAY(thudi_h5_node) nodes;   // the same as items
    thudi_h5_heads heads;
    thudi_h5_bytes image;
} thudi_h5_writer;

// Begin a stream whose writer has nothing yet, in the run directory. Write the tail, or remove one
// that has no more use. Write frames.h5, with links to the frames if `named`. Open the folder of
// frames, and make it if there is none. Wait until a file is on the disk. All return an errno
// value.
int thudi_h5_make_writer(thudi_stream *stream, const thud_allocator *allocator, int run);
int thudi_h5_write_tail(thudi_stream *stream);
int thudi_h5_write_about(thudi_h5_writer *w, bool named);
int thudi_h5_make_folder(thudi_h5_writer *w);
int thudi_h5_sync_descriptor(int fd);

// Functions of the table.
thud_status thudi_h5_open(thudi_log_source *source, int folder, int flags, thud_fault *fault);
ssize_t thudi_h5_read(thudi_log_source *source, void *to, size_t length, int64_t offset);
void thudi_h5_find(thudi_log_source *source, int64_t offset, thudi_log_place *place);
bool thudi_h5_find_wrong(thudi_log_source *source, thudi_log_place *place);
const char *thudi_h5_compare_shown(thudi_log_source *source, const thud_log_units *units,
                                   bool is_over);
void thudi_h5_close(thudi_log_source *source);
int thudi_h5_begin(thudi_stream *stream, const thudi_log_begin *how);
int thudi_h5_adopt(thudi_stream *stream, const thud_allocator *allocator, thudi_log_source *source,
                   int64_t bytes, uint32_t sum);
bool thudi_h5_has_folder(int folder, const char *name);
int thudi_h5_remove_folder(int folder);

// Open the folder of frames; -1 and errno if that fails.
int thudi_h5_folder(int folder);

enum
{
    THUDI_H5_SCRAP = -2 // in place of a number: a file with a temporary name
};

// What the folder of frames holds.
typedef struct thudi_h5_listing
{
    int64_t frames; // the largest number of a frame and 1
    int64_t files;  // with the name of a frame, whatever they are
    bool has_tail, has_scraps, has_others;
} thudi_h5_listing;

// Far more frames than there are files is no log that Thud leaves. Whoever counts up to that many
// would not end, so it is asked first.
static inline bool thudi_h5_is_far(const thudi_h5_listing *found, int64_t frames)
{
    return frames / 2 > found->files + 500;
}

// Remove frames, the last one first: what is left is a log at any time. Returns an errno value.
int thudi_h5_remove_frames(int folder, int64_t from, int64_t to);

// List a folder of frames; with `act`, also call it for every file. Returns an errno value.
int thudi_h5_list(int folder, thudi_h5_listing *found,
                  int (*act)(int folder, const char *name, int64_t number));

// Read that many bytes of a file, or fewer at its end. Returns an errno value.
int thudi_h5_read_file(int fd, void *to, size_t length, uint64_t offset, size_t *read);

// Open the file of a segment, and compare its metadata with those that follow from its heads. The
// segment's length is set, or what is wrong. Returns an errno value.
int thudi_h5_load(thudi_h5_log *log, const thud_allocator *allocator, size_t which, uint64_t *size);

#endif
