// The rows as solvers read them: an array of heads, and slopes and blocks apart for the rows that a
// head cannot hold. A convex pair row with opposite slopes and no law takes 56 bytes, with a
// law 80. A general row takes 56, and 12 for each entry.
#ifndef THUDI_ROWS_H
#define THUDI_ROWS_H

#include "core/memory.h"
#include "core/rooms.h"
#include "thud/rows.h"

#include <assert.h>

// What a head holds of its row. The last two values are the width of the row's blocks.
typedef enum thudi_row_form
{
    THUDI_ROW_GENERAL, // slopes and blocks are apart
    THUDI_ROW_PAIR,    // a pair row with opposite slopes: its normal is apart
    THUDI_ROW_WHOLE_2, // a convex pair row with opposite slopes and no law: nothing is apart
    THUDI_ROW_WHOLE_3  // the same, of width 3
} thudi_row_form;

// Of a row that is not all in its head.
typedef struct thudi_row_apart
{
    size_t first;         // its slopes, or the three numbers of its normal, begin at slope[first]
    uint32_t block_first; // its blocks are blocks[block_first .. block_first + count), if general
    int count;            // number of blocks
    int law;              // laws[law - 1], 0 for none
    uint8_t width;        // coordinates per block, 1 at least
    uint8_t kind;         // thud_row_kind
} thudi_row_apart;

// A row. The forms with a normal n have the slope -n at block a and n at block b, or n at block b
// alone if a = b.
typedef struct thudi_row_head
{
    thud_key key;
    double gap, shift;
    union
    {
        double normal[3]; // of the last two forms; of width 2 the third number is 0
        thudi_row_apart apart;
    };
    uint64_t a : 31, b : 31; // first coordinate of each block; of no use in the form general
    uint64_t form : 2;       // thudi_row_form
} thudi_row_head;

static_assert(sizeof(thudi_row_head) == 56, "rows are most of the memory of a large step");

// A law and its numbers, where a row has them; many rows share one.
typedef struct thudi_row_law
{
    thud_law law;
    int count;    // of its numbers
    size_t first; // they are numbers[first .. first + count)
} thudi_row_law;

struct thud_rows
{
    thud_allocator allocator;
    int dim;
    int count;      // rows
    size_t entries; // of all rows
    size_t slopes_used;
    size_t blocks_used;
    int laws_used;
    size_t numbers_used;
    thud_status status;                 // first error since the last clear
    bool failed_at_key;                 // a push made it
    thud_key failed_key;                // that of this row
    char refusal[256];                  // what the callback said of it, or "",
    int refused_wall;                   // and the wall that it blamed, -1 for none
    double noted_gap;                   // the smallest given to thud_rows_note_gap
    int ordered;                        // so many rows from the first on are sorted by key
    thud_key last_key;                  // of the last push
    int stamp;                          // pushes of many blocks tried
    THUDI_ARRAY(thudi_row_head) heads;  // by row
    THUDI_ARRAY(thudi_row_head) sorted; // scratch of the sort, for all but the ordered rows
    THUDI_ARRAY(double) slope;          // slopes of general rows, normals of rows with a law
    THUDI_ARRAY(int) blocks;            // of general rows: first coordinate of each block
    THUDI_ARRAY(thudi_row_law) laws;
    THUDI_ARRAY(double) numbers; // of the laws
    THUDI_ARRAY(int) mark;       // by coordinate: stamp of the last push that used it, of many
    int marked;                  // coordinates that have a mark
    thud_rooms own_rooms;        // where no step lends its rooms
    thud_rooms *rooms;           // those of the step that asks for rows, else NULL
};

// Is the row all in its head?
static inline bool thudi_row_is_whole(const thudi_row_head *row)
{
    return row->form >= THUDI_ROW_WHOLE_2;
}

// Coordinates per block, 1 at least.
static inline int thudi_row_width(const thudi_row_head *row)
{
    return thudi_row_is_whole(row) ? (int)row->form : row->apart.width;
}

// Number of blocks.
static inline int thudi_row_count(const thudi_row_head *row)
{
    return row->form == THUDI_ROW_GENERAL ? row->apart.count : 1 + (row->a != row->b);
}

// Number of entries.
static inline int thudi_row_size(const thudi_row_head *row)
{
    if (thudi_row_is_whole(row))
        return (int)(row->a == row->b ? row->form : 2 * row->form);
    return thudi_row_count(row) * row->apart.width;
}

static inline thud_row_kind thudi_row_kind_of(const thudi_row_head *row)
{
    return thudi_row_is_whole(row) ? THUD_CONVEX : (thud_row_kind)row->apart.kind;
}

// The row's law is laws[number - 1]; 0 for none.
static inline int thudi_row_law_number(const thudi_row_head *row)
{
    return thudi_row_is_whole(row) ? 0 : row->apart.law;
}

// The numbers of a row's law; NULL for a row without.
static inline const double *thudi_row_numbers(const thud_rows *rows, const thudi_row_head *row)
{
    int law = thudi_row_law_number(row);
    return law > 0 ? rows->numbers.items + rows->laws.items[law - 1].first : NULL;
}

// The law that they belong to; 0 for a row without.
static inline thud_law thudi_row_law_of(const thud_rows *rows, const thudi_row_head *row)
{
    int law = thudi_row_law_number(row);
    return law > 0 ? rows->laws.items[law - 1].law : (thud_law)0;
}

// The slopes of the last block.
static inline const double *thudi_row_normal(const thud_rows *rows, const thudi_row_head *row)
{
    if (thudi_row_is_whole(row))
        return row->normal;
    const double *slope = rows->slope.items + row->apart.first;
    int before = row->form == THUDI_ROW_PAIR ? 0 : row->apart.count - 1;
    return slope + (ptrdiff_t)before * row->apart.width;
}

// A block of a row: `sign * slope[k]` at coordinate `start + k`. The product is exact.
typedef struct thudi_row_block
{
    int start;
    double sign; // 1 or -1
    const double *slope;
} thudi_row_block;

static inline thudi_row_block thudi_row_block_at(const thud_rows *rows, const thudi_row_head *row,
                                                 int j)
{
    if (row->form != THUDI_ROW_GENERAL)
        return (thudi_row_block){.start = (int)(j == 0 ? row->a : row->b),
                                 .sign = j == 0 && row->a != row->b ? -1 : 1,
                                 .slope = thudi_row_normal(rows, row)};
    return (thudi_row_block){.start = rows->blocks.items[row->apart.block_first + (size_t)j],
                             .sign = 1,
                             .slope = rows->slope.items + row->apart.first +
                                      (size_t)j * row->apart.width};
}

// The first coordinate of block j.
static inline int thudi_row_start(const thud_rows *rows, const thudi_row_head *row, int j)
{
    if (row->form != THUDI_ROW_GENERAL)
        return (int)(j == 0 ? row->a : row->b);
    return rows->blocks.items[row->apart.block_first + (size_t)j];
}

// The coordinate of entry e of a row.
static inline int thudi_row_coordinate(const thud_rows *rows, const thudi_row_head *row, int e)
{
    int width = thudi_row_width(row);
    if (width == 1)
        return rows->blocks.items[row->apart.block_first + (size_t)e];
    return e < width ? thudi_row_start(rows, row, 0) + e
                     : thudi_row_start(rows, row, 1) + e - width;
}

// The slope of entry e of a row.
static inline double thudi_row_slope(const thud_rows *rows, const thudi_row_head *row, int e)
{
    if (row->form == THUDI_ROW_GENERAL)
        return rows->slope.items[row->apart.first + (size_t)e];
    int width = thudi_row_width(row);
    double slope = thudi_row_normal(rows, row)[e < width ? e : e - width];
    return e < width && row->a != row->b ? -slope : slope;
}

// The coordinates of all entries of a row: those of a pair row are written into room.
static inline const int *thudi_row_index(const thud_rows *rows, const thudi_row_head *row,
                                         int room[6])
{
    int width = thudi_row_width(row);
    if (width == 1)
        return rows->blocks.items + row->apart.block_first;
    int first = thudi_row_start(rows, row, 0);
    int last = thudi_row_start(rows, row, thudi_row_count(row) - 1) - width;
    for (int k = 0; k < 6; k++)
        room[k] = k < width ? first + k : last + k;
    return room;
}

// The slopes of all entries of a row: those of opposite blocks are written into room.
static inline const double *thudi_row_slopes(const thud_rows *rows, const thudi_row_head *row,
                                             double room[6])
{
    if (row->form == THUDI_ROW_GENERAL)
        return rows->slope.items + row->apart.first;
    const double *normal = thudi_row_normal(rows, row);
    int width = thudi_row_width(row);
    for (int k = 0; k < 3; k++)
        room[k] = -normal[k];
    for (int k = 0; k < 3; k++) // after the others: if width is 2, it begins in their third place
        room[width + k] = normal[k];
    return row->a == row->b ? room + width : room;
}

// The entries of a row: slope[k] at coordinate index[k]. Not to be copied: both may point to room.
typedef struct thudi_entries
{
    const thudi_row_head *head;
    int size;
    const double *slope;
    const int *index;
    double slope_room[6];
    int index_room[6];
} thudi_entries;

// Of a row that is all in its head. It is much faster when the compiler knows the width.
static inline void thudi_row_open_whole(const thudi_row_head *row, int width,
                                        thudi_entries *entries)
{
    int unused = row->a == row->b ? width : 0; // of one block the second half is used alone
    for (int k = 0; k < width; k++)
    {
        entries->index_room[k] = (int)row->a + k;
        entries->index_room[width + k] = (int)row->b + k;
        entries->slope_room[k] = -row->normal[k];
        entries->slope_room[width + k] = row->normal[k];
    }
    entries->size = 2 * width - unused;
    entries->slope = entries->slope_room + unused;
    entries->index = entries->index_room + unused;
}

static inline void thudi_row_open(const thud_rows *rows, int i, thudi_entries *entries)
{
    const thudi_row_head *row = &rows->heads.items[i];
    entries->head = row;
    if (row->form == THUDI_ROW_WHOLE_3)
    {
        thudi_row_open_whole(row, 3, entries);
        return;
    }
    entries->size = thudi_row_size(row);
    entries->slope = thudi_row_slopes(rows, row, entries->slope_room);
    entries->index = thudi_row_index(rows, row, entries->index_room);
}

// Bulk pushes of fewer rows than this run on one thread.
#define THUDI_ROWS_THREADS_FROM 4000

// For code that writes rows in place, five functions.
// find_law: find or add the law with these numbers; *found goes into thudi_row_apart.law.
// numbers_fit: are the numbers in the ranges of the law?
// set_apart: move the normal of a whole row out of its head, and store kind and law there.
// same_law: have two rows the same law and numbers?
// remember: keep the first error of a push.
thud_status thudi_rows_find_law(thud_rows *rows, thud_law law, const double *numbers, int *found);
bool thudi_rows_numbers_fit(thud_law law, const double *numbers);
thud_status thudi_rows_set_apart(thud_rows *rows, thudi_row_head *row, thud_row_kind kind, int law);
bool thudi_rows_same_law(const thud_rows *a, const thudi_row_head *x, const thud_rows *b,
                         const thudi_row_head *y);
thud_status thudi_rows_remember(thud_rows *rows, thud_status status, thud_key key);

// Keep block j of a row of two blocks, and drop the other.
void thudi_rows_keep_block(thud_rows *rows, thudi_row_head *row, int j);

// Says which rows of a list may be added to another one.
typedef struct thudi_row_filter
{
    bool (*accepts)(void *user, const thud_rows *rows, int i);
    void *user;
} thudi_row_filter;

// Append the rows of `from` that `to` does not already hold bit for bit, and that the filter
// accepts (NULL: all). *added counts them. It is fastest when both lists are sorted. Then sort.
thud_status thudi_rows_add(thud_rows *to, const thud_rows *from, const thudi_row_filter *filter,
                           int *added);

// thud_rows_sort. from[k], unless `from` is NULL, receives the number that row k had before. Rows
// behind the first `ordered` ones are counted in the order of their keys.
void thudi_rows_sort_from(thud_rows *rows, int *from);

#endif
