// The HTML page that `thud view` writes: the state that the files of src/page share.
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
    THUDI_PAGE_ROWS = 4000, // most rows of the series in a page; a longer series is thinned out
};

// The viewer as HTML, made by viewer/build.mjs. Its size is 0 if Thud was built without the viewer.
// The page's data replace THUDI_PAGE_MARK in it.
extern const unsigned char thudi_page_template[];
extern const size_t thudi_page_template_size;
#define THUDI_PAGE_MARK "<!--thud:data-->"

// The ranges for rounding to 16 bits: a position to 1/65535 of high - low, a velocity to 1/32767 of
// `speed`. In the units of the scene.
typedef struct thudi_page_scale
{
    double low[3], high[3]; // box around all bodies; inclusions: the range drawn of each coordinate
    double speed;           // largest |component| of a body's velocity
} thudi_page_scale;

typedef struct thudi_pager
{
    const thud_page_def *def;
    thud_snapshot_def run;
    thud_snapshot_reader *reader;
    thud_snapshot snapshot; // the frame that was read last
    thud_allocator allocator;
    thud_fault *fault;
    // Every stride-th frame is packed, frame_count in all. The stride grows until the page fits.
    int64_t stride, frame_count;
    int64_t packed; // index of the last frame that was packed, 0 to frame_count - 1; it may not fit
    thudi_page_scale scale;
    thudi_ranges ranges; // values that the colours show, lowest and highest
    int grid; // grid points per coordinate for the constraints' values; 0: no grid is packed
    thud_series_table *series; // thinned out to at most THUDI_PAGE_ROWS rows
    int64_t series_stride;     // lines of series.csv that make one row
    // The page's JSON. It holds no '<', because a name in a scene could end the <script> element.
    thud_json head;
    thudi_pack pack;             // the binary data: bodies, surfaces, frames and series
    THUDI_ARRAY(uint16_t) now;   // scratch: rounded numbers of the present frame
    THUDI_ARRAY(uint16_t) old;   // rounded positions, then velocities, of the previous frame
    double last_time;            // time of the previous frame
    THUDI_ARRAY(uint32_t) words; // scratch: the two bodies of each contact, coded
    THUDI_ARRAY(double) numbers; // scratch
    thud_surface *surfaces;      // one per obstacle
} thudi_pager;

// Write a text into the head; NULL is written as "".
static inline void thudi_head_text(thudi_pager *pager, const char *name, const char *value)
{
    thud_json_text(&pager->head, name, value ? value : "");
}

// Find the scale over all frames that the caller asked for, before frames are left out for size.
thud_status thudi_page_measure(thudi_pager *pager);
// Pack the bodies, the surfaces, every stride-th frame and the series. THUD_ERR_LIMIT: too large.
thud_status thudi_page_pack(thudi_pager *pager);
// Make, pack and free the surfaces of all obstacles, as triangles and lines.
thud_status thudi_page_make_surfaces(thudi_pager *pager);
void thudi_page_pack_surfaces(thudi_pager *pager);
void thudi_page_free_surfaces(thudi_pager *pager);
// Pack the constraints' values on the grid at time t. Unless `all`, constraints that do not depend
// on time are left out.
thud_status thudi_page_sample(thudi_pager *pager, double t, bool all);

// Find the range of values that each colour scale shows.
thud_status thudi_page_find_ranges(thudi_pager *pager);
// Write the palette and the colour scales into the head.
void thudi_page_write_colors(thudi_pager *pager);

// Read series.csv and thin it out.
thud_status thudi_page_read_series(thudi_pager *pager);
// Write the head: everything that is not in the pack.
thud_status thudi_page_write_head(thudi_pager *pager);

// Is the scene periodic along any axis? If so, the head holds the cell and each frame its shear.
bool thudi_page_is_periodic(const thud_scene *scene);

#endif
