// What the tests of the page share: a run of random numbers, and a reader of pages that shares no
// code with the writer.
#ifndef PAGE_RIG_H
#define PAGE_RIG_H

#include "record_rig.h"

#include "thud/page.h"

typedef enum page_rig_kind
{
    PAGE_SPHERES_3D,
    PAGE_SPHERES_2D,
    PAGE_SHOWN, // walls in all the ways that `show` has
    PAGE_INCLUSION
} page_rig_kind;

typedef struct page_rig
{
    char folder[RIG_PATH]; // holds the folder "run" and pages
    char run[RIG_PATH], page[RIG_PATH];
    thud_scene *scene;
    thud_model *model;
    thud_log *log;
    int frame_count;
} page_rig;

// A run of `frames` frames of random numbers. False after a failed check.
bool page_rig_make(page_rig *rig, page_rig_kind kind, int frames, uint64_t seed);
void page_rig_free(page_rig *rig);

// All frames into PAGE, a name in the rig's folder.
thud_page_def page_rig_def(page_rig *rig, const char *page);

// A page taken apart. Views of memory that page_free gives back.
typedef struct page_parts
{
    char *html;
    size_t length;
    char *head;          // JSON
    unsigned char *data; // inflated
    size_t data_length;
    size_t at; // how far it was read
} page_parts;

bool page_read(page_parts *page, const char *path);
void page_free(page_parts *page);

// The number after "name": in the head; NAN if there is none.
double page_number(const page_parts *page, const char *name);
// The number at a place of the list "name": [..].
double page_item(const page_parts *page, const char *name, int place);

// The next numbers of the data.
double page_f32(page_parts *page);
double page_f64(page_parts *page);
unsigned page_u32(page_parts *page);
// Arrays of planes of bytes.
void page_u16s(page_parts *page, uint16_t *x, size_t count);
void page_u32s(page_parts *page, uint32_t *x, size_t count);

#endif
