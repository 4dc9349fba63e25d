// What the files of the page share: the page under way.
#ifndef THUDI_PAGER_H
#define THUDI_PAGER_H

#include "colors/color_range.h"
#include "core/fault.h"
#include "core/memory.h"
#include "core/stream.h"
#include "page/pack.h"
#include "thud/json.h"
#include "thud/page.h"
#include "thud/series.h"
#include "thud/snapshot.h"
#include "thud/surface.h"

enum
{
    THUDI_PAGE_ROWS = 4000, // of the series at most; longer ones are thinned out
};

// The viewer, made by viewer/build.mjs; the data take the place of the mark. Empty: not built.
extern const unsigned char thudi_page_template[];
extern const size_t thudi_page_template_size;
#define THUDI_PAGE_MARK "<!--thud:data-->"

// How numbers are rounded.
typedef struct thudi_page_scale
{
    double low[3], high[3]; // of bodies with their radii, or of the coordinates' first three
    double speed;           // largest component of a velocity
} thudi_page_scale;

typedef struct thudi_pager
{
    const thud_page_def *def;
    thud_snapshot_def run;
    thud_snapshot_reader *reader;
    thud_snapshot snapshot; // of the present frame
    thud_allocator allocator;
    thud_fault *fault;
    int64_t stride, frame_count; // of this attempt,
    int64_t packed;              // and the last one that was begun
    thudi_page_scale scale;
    thudi_ranges ranges; // of the colours
    int grid;            // points per coordinate where constraints are sampled, 0: they are not
    thud_series_table *series; // thinned out,
    int64_t series_stride;     // so many lines to a row
    thud_json head; // without any '<': names come from scenes, and no text may end its element
    thudi_pack pack;
    THUDI_ARRAY(uint16_t) now; // of the frame at hand
    THUDI_ARRAY(uint16_t) old; // positions and velocities of the one before,
    double last_time;          // and its time
    THUDI_ARRAY(uint32_t) words;
    THUDI_ARRAY(double) numbers;
    thud_surface *surfaces; // of all obstacles
} thudi_pager;

// A text of the head; NULL is written as "".
static inline void thudi_head_text(thudi_pager *pager, const char *name, const char *value)
{
    thud_json_text(&pager->head, name, value ? value : "");
}

// Find the scale over all frames that may be shown.
thud_status thudi_page_measure(thudi_pager *pager);
// Pack the bodies, every stride-th frame and the series.
thud_status thudi_page_pack(thudi_pager *pager);
// Make the surfaces of all obstacles; write what they are into the head, and pack them.
thud_status thudi_page_make_surfaces(thudi_pager *pager);
void thudi_page_pack_surfaces(thudi_pager *pager);
void thudi_page_free_surfaces(thudi_pager *pager);
// Pack the values of the constraints on the grid at time t; all: those that do not move too.
thud_status thudi_page_sample(thudi_pager *pager, double t, bool all);

// Find what the colours mean, and write it into the head.
thud_status thudi_page_find_ranges(thudi_pager *pager);
void thudi_page_write_colors(thudi_pager *pager);

thud_status thudi_page_read_series(thudi_pager *pager);
// The text of what is not an array, as JSON without any '<'.
thud_status thudi_page_write_head(thudi_pager *pager);

// Is any axis closed to a ring? Then frames have the shear, and the head the cell.
bool thudi_page_is_periodic(const thud_scene *scene);

#endif
