// What the tests of the record share: folders that go again, random frames, files as bytes.
#ifndef RECORD_RIG_H
#define RECORD_RIG_H

#include "thud_test.h"

#include "thud/record.h"

enum
{
    RIG_PATH = 4096,
    RIG_DIRECTIONS = 7,
    RIG_LOG_BEGIN = 64 + 56 + 16 + 9 * 32 // of the first frame: behind the header and the names
};

typedef struct rig_frame
{
    thud_frame view;
    double *vectors;
    thud_multiplier *multipliers;
    double *more;
    thud_direction directions[RIG_DIRECTIONS];
    thud_id_range ids[2];
} rig_frame;

// A new folder in the present one; NULL on failure. rig_folder_remove takes it away with all that
// it holds.
const char *rig_folder_make(char path[RIG_PATH]);
void rig_folder_remove(const char *path);

// folder/name, in memory of its own until the next four calls, or the caller's.
const char *rig_path(const char *folder, const char *name);
void rig_join(char path[RIG_PATH], const char *folder, const char *name);

// A frame of random bits (NaNs included), the start when n = 0; with up to `most` multipliers.
void rig_frame_make(rig_frame *frame, test_random *random, int dim, int64_t n, int most);
void rig_frame_free(rig_frame *frame);
bool rig_frame_same(const thud_frame *a, const thud_frame *b); // bit for bit

size_t rig_frame_length(const thud_frame *frame); // bytes that its record has

// The bytes of a file, to be freed; NULL when there is none.
unsigned char *rig_file_read(const char *path, size_t *length);
bool rig_file_write(const char *path, const void *bytes, size_t length);
bool rig_exists(const char *folder, const char *name);
int rig_count(const char *folder); // files in it

// A run with `count` frames of `dim` coordinates, which are kept in `frames`.
bool rig_run_write(const char *folder, uint64_t seed, int dim, int most, rig_frame *frames,
                   int count);

// Read frames in order, backwards and at random: all the same bits.
void rig_log_check(thud_log *log, const rig_frame *frames, int64_t count);

// How runs of the rig store their log: the form that the environment names in THUD_LOG.
thud_log_form rig_form(void);

// A run of two coordinates and three columns, and their names.
extern const char *const rig_columns[];
thud_record_def rig_def(const char *folder);
// A file has this text and no other.
bool rig_holds(const char *folder, const char *name, const char *text);

#endif
