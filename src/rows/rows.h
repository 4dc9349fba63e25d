// The rows as solvers read them: flat arrays of heads, blocks and slopes. A row of two blocks of
// three takes 104 bytes.
#ifndef THUDI_ROWS_H
#define THUDI_ROWS_H

#include "core/memory.h"
#include "core/rooms.h"
#include "thud/rows.h"

// What a row is apart from its gradient.
typedef struct thudi_row_head
{
    thud_key key;
    double gap, shift;
    uint64_t first : 48;  // its entries are slope[first .. first + size)
    uint64_t width : 8;   // coordinates per block, 1 at least
    uint64_t kind : 8;    // thud_row_kind
    uint32_t block_first; // its blocks are blocks[block_first .. block_first + count)
    int count;
    int size; // count * width
    int law;  // laws[law - 1], 0 for none
} thudi_row_head;

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
    int count;                          // rows
    size_t entries;                     // entries used
    size_t blocks_used;                 // blocks used
    int laws_used;                      // laws used
    size_t numbers_used;                // numbers used
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
    THUDI_ARRAY(double) slope;          // value of each entry
    THUDI_ARRAY(int) blocks;            // first coordinate of each block, as pushed
    THUDI_ARRAY(thudi_row_law) laws;
    THUDI_ARRAY(double) numbers; // of the laws
    THUDI_ARRAY(int) mark;       // by coordinate: stamp of the last push that used it, of many
    int marked;                  // coordinates that have a mark
    thud_rooms own_rooms;        // where no step lends its rooms
    thud_rooms *rooms;           // those of the step that asks for rows, else NULL
};

// The numbers of a row's law; NULL for a row without.
static inline const double *thudi_row_numbers(const thud_rows *rows, const thudi_row_head *row)
{
    return row->law > 0 ? rows->numbers.items + rows->laws.items[row->law - 1].first : NULL;
}

// The law that they belong to; 0 for a row without.
static inline thud_law thudi_row_law_of(const thud_rows *rows, const thudi_row_head *row)
{
    return row->law > 0 ? rows->laws.items[row->law - 1].law : (thud_law)0;
}

// The coordinate of entry e of a row.
static inline int thudi_row_coordinate(const thud_rows *rows, const thudi_row_head *row, int e)
{
    const int *block = rows->blocks.items + row->block_first;
    int width = (int)row->width;
    if (width == 1)
        return block[e];
    return e < width ? block[0] + e : block[1] + e - width; // a pair row has two blocks at most
}

// The coordinates of all entries of a row: those of a pair row are written into room.
static inline const int *thudi_row_index(const thud_rows *rows, const thudi_row_head *row,
                                         int room[6])
{
    const int *block = rows->blocks.items + row->block_first;
    int width = (int)row->width;
    if (width == 1)
        return block;
    int last = block[row->count - 1] - width;
    for (int k = 0; k < 6; k++)
        room[k] = k < width ? block[0] + k : last + k;
    return room;
}

// The entries of a row: slope[k] at coordinate index[k]. Not to be copied: index may point to room.
typedef struct thudi_entries
{
    const thudi_row_head *head;
    int size;
    const double *slope;
    const int *index;
    int room[6];
} thudi_entries;

static inline void thudi_row_open(const thud_rows *rows, int i, thudi_entries *entries)
{
    const thudi_row_head *row = &rows->heads.items[i];
    entries->head = row;
    entries->size = row->size;
    entries->slope = rows->slope.items + row->first;
    entries->index = thudi_row_index(rows, row, entries->room);
}

// Bulk pushes of fewer rows than this run on one thread.
#define THUDI_ROWS_THREADS_FROM 4000

// For code that writes rows in place: the law of a row with these numbers, found or added, for
// thudi_row_head.law; are numbers in the ranges of the law; and the first error of a push.
thud_status thudi_rows_find_law(thud_rows *rows, thud_law law, const double *numbers, int *found);
bool thudi_rows_numbers_fit(thud_law law, const double *numbers);
bool thudi_rows_same_law(const thud_rows *a, const thudi_row_head *x, const thud_rows *b,
                         const thudi_row_head *y);
thud_status thudi_rows_remember(thud_rows *rows, thud_status status, thud_key key);

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
