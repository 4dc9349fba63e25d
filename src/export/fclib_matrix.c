// Sparse matrices of an FCLIB file: {m, n, nz, nzmax, p, i, x}.
//
// nz = -1 is compressed columns, -2 compressed rows, else the number of triplets. In triplets p
// holds the columns and i the rows, as in the files of the collection and in CSparse; FCLIB's own
// header says the opposite, so the other way is tried when this one does not fit.
#include "core/fault.h"
#include "export/fclib_parts.h"

#include <math.h>
#include <stdio.h>

static bool is_inside(const int *index, size_t count, int end)
{
    for (size_t e = 0; e < count; e++)
        if (index[e] < 0 || index[e] >= end)
            return false;
    return true;
}

// Spell out compressed starts: `line[e]` is the line of entry e.
static bool spell_out(const int *start, int lines, size_t entries, int *line)
{
    if (start[0] != 0 || start[lines] < 0 || (size_t)start[lines] != entries)
        return false;
    for (int j = 0; j < lines; j++)
    {
        if (start[j + 1] < start[j] || (size_t)start[j + 1] > entries)
            return false;
        for (int e = start[j]; e < start[j + 1]; e++)
            line[e] = j;
    }
    return true;
}

static thud_status read_size(const thudi_fclib_file *file, const char *group, const char *name,
                             int *value)
{
    char path[100];
    (void)snprintf(path, sizeof path, "%s/%s", group, name);
    return thudi_fclib_whole(file, path, value);
}

static thud_status read_sizes(const thudi_fclib_file *file, const char *group, const char *name,
                              thudi_fclib_matrix *a)
{
    int limit = THUD_INSTANCE_LIMIT;
    THUD_TRY(read_size(file, group, "m", &a->m));
    THUD_TRY(read_size(file, group, "n", &a->n));
    THUD_TRY(read_size(file, group, "nz", &a->nz));
    if (a->m < 1 || a->n < 0 || a->nz < -2)
        return thudi_fclib_fail(file, "the sizes of %s are impossible", name);
    if (a->m > limit || a->n > limit || a->nz > limit)
    {
        return thudi_fail(file->fault, THUD_ERR_LIMIT, THUDI_IN(file->path, NULL), "",
                          "%s is larger than %d", name, limit);
    }
    // a vector of m numbers and one of n are in the same file
    int most = a->m > a->n ? a->m : a->n;
    if (!thudi_fclib_can_hold(file, most > a->nz ? most : a->nz, sizeof(int)))
        return thudi_fclib_fail(file, "%s is larger than the file: it is damaged", name);
    a->entries = a->nz >= 0 ? (size_t)a->nz : 0;
    return a->nz >= 0 ? THUD_OK : thudi_fclib_count(file, group, "x", &a->entries);
}

static thud_status reserve(const thudi_fclib_file *file, thudi_fclib_matrix *a)
{
    size_t lines = (size_t)(a->m > a->n ? a->m : a->n) + 1;
    size_t most = a->entries > lines ? a->entries : lines;
    if (thudi_array_reserve(&file->allocator, &a->row, most) < 0 ||
        thudi_array_reserve(&file->allocator, &a->column, most) < 0 ||
        thudi_array_reserve(&file->allocator, &a->x, a->entries + 1) < 0)
        return thudi_fail_memory(file->fault);
    return THUD_OK;
}

static thud_status read_triplets(const thudi_fclib_file *file, const char *group, const char *name,
                                 thudi_fclib_matrix *a)
{
    THUD_TRY(thudi_fclib_numbers(file, group, "p", true, a->entries, a->column.items));
    THUD_TRY(thudi_fclib_numbers(file, group, "i", true, a->entries, a->row.items));
    if (!is_inside(a->column.items, a->entries, a->n) || !is_inside(a->row.items, a->entries, a->m))
    {
        int *swap = a->row.items;
        size_t capacity = a->row.capacity;
        a->row.items = a->column.items;
        a->row.capacity = a->column.capacity;
        a->column.items = swap;
        a->column.capacity = capacity;
    }
    if (!is_inside(a->column.items, a->entries, a->n) || !is_inside(a->row.items, a->entries, a->m))
        return thudi_fclib_fail(file, "an entry of %s is outside the matrix", name);
    return THUD_OK;
}

static thud_status read_compressed(const thudi_fclib_file *file, const char *group,
                                   const char *name, thudi_fclib_matrix *a)
{
    bool by_columns = a->nz == -1;
    int lines = by_columns ? a->n : a->m, across = by_columns ? a->m : a->n;
    int *line = by_columns ? a->column.items : a->row.items;
    int *place = by_columns ? a->row.items : a->column.items;
    // the starts go into the list that the places will overwrite
    THUD_TRY(thudi_fclib_numbers(file, group, "p", true, (size_t)lines + 1, place));
    if (lines > 0 && place[lines] >= 0 && (size_t)place[lines] < a->entries)
        a->entries = (size_t)place[lines]; // nzmax of room, fewer in use
    if (!spell_out(place, lines, a->entries, line))
        return thudi_fclib_fail(file, "the starts of %s do not match its entries", name);
    THUD_TRY(thudi_fclib_numbers(file, group, "i", true, a->entries, place));
    if (!is_inside(place, a->entries, across))
        return thudi_fclib_fail(file, "an entry of %s is outside the matrix", name);
    return THUD_OK;
}

thud_status thudi_fclib_matrix_read(const thudi_fclib_file *file, const char *name,
                                    thudi_fclib_matrix *a)
{
    char group[50];
    (void)snprintf(group, sizeof group, THUDI_FCLIB_GROUP "/%s", name);
    THUD_TRY(read_sizes(file, group, name, a));
    THUD_TRY(reserve(file, a));
    THUD_TRY(a->nz >= 0 ? read_triplets(file, group, name, a)
                        : read_compressed(file, group, name, a));
    THUD_TRY(thudi_fclib_numbers(file, group, "x", false, a->entries, a->x.items));
    for (size_t e = 0; e < a->entries; e++)
        if (!isfinite(a->x.items[e]))
            return thudi_fclib_fail(file, "%s has an entry that is not finite", name);
    return THUD_OK;
}

void thudi_fclib_matrix_free(const thud_allocator *allocator, thudi_fclib_matrix *a)
{
    thudi_array_free(allocator, &a->row);
    thudi_array_free(allocator, &a->column);
    thudi_array_free(allocator, &a->x);
}
