/// A run as one HTML page that anyone can open: viewer and data in a single file, which asks the
/// network for nothing. (library thud_show)
#ifndef THUD_PAGE_H
#define THUD_PAGE_H

#include "thud/measured.h"
#include "thud/model.h"
#include "thud/record.h"
#include "thud/verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How the run ended and what was proved of it, as run.json has it. NAN where it is not known.
typedef struct thud_page_run
{
    const char *ending, *error;       ///< NULL for ""
    double figures[THUD_TALLY_COUNT]; ///< of the tally, each by its number, as THUD_TALLY_min_gap
    double checked, held;             ///< steps looked at by the independent checker, and right
    double worst[THUD_CERT_COUNT];    ///< the worst of each certificate; holds when <= 1
    thud_accuracy accuracy;
} thud_page_run;

typedef struct thud_page_def
{
    const char *path;   ///< of the page; a file there is replaced once the page is whole
    const char *folder; ///< the run directory, for its series.csv
    const thud_scene *scene;
    const thud_model *model; ///< made of that scene
    thud_log *log;
    thud_page_run run;
    int64_t first, last, stride; ///< frames first, first + stride, ... <= last; stride 0 means 1
    int64_t max_bytes; ///< of the page; frames are left out until it fits. 0 for 12,000,000
    /// Called after each frame with frames done and to do; NULL for none. Begins again when frames
    /// have to be left out.
    void (*progress)(int64_t done, int64_t total, void *user);
    void *user;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_page_def;

typedef struct thud_page_size
{
    int64_t bytes;
    int64_t frames; ///< in the page
    int64_t stride; ///< between them, in frames of the log
} thud_page_size;

/// Write the page. Positions are rounded to 1/65535 of the scene's extent along each axis,
/// velocities to 1/32767 of the largest component, contact forces to 8 bits of mantissa, gaps to 5.
/// THUD_ERR_LIMIT when not even one frame fits, THUD_ERR_IO, THUD_ERR_RECORD, THUD_ERR_MEMORY, or
/// THUD_ERR_ARGUMENT with a fault; nothing is left under `path` then but what was there.
THUD_API thud_status thud_page_write(const thud_page_def *def, thud_page_size *size,
                                     thud_fault *fault);

#ifdef __cplusplus
}
#endif

#endif
