// series.csv, read back: names and numbers, thinned out to what a chart can show. Of the lines that
// make a row the last is taken; of what is a worst case, the worst.
#include "page/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum
{
    FIELD = 70000 // characters of a field: longer than any string of a scene
};

typedef struct reader
{
    thudi_pager *pager;
    FILE *file;
    char *field; // FIELD characters
    int line;
    int64_t lines_in_row; // of the row that is being made
} reader;

static thud_status damaged(const reader *from, const char *what)
{
    thud_fault *fault = from->pager->fault;
    thudi_record_say(fault, from->pager->def->folder, "series.csv",
                     "this file was changed after the run", "%s", what);
    if (fault)
    {
        fault->line = from->line;
        fault->column = 1;
    }
    return THUD_ERR_RECORD;
}

// Read a field; returns what ended it: ',' '\n' or EOF, or 0 if it is none.
static int read_field(reader *from)
{
    size_t length = 0;
    bool quoted = false;
    for (;;)
    {
        int c = getc(from->file);
        if (quoted && c == '"')
        {
            c = getc(from->file);
            if (c != '"') // two of them within quotes are one
                quoted = false;
        }
        else if (c == '"')
        {
            quoted = true;
            continue;
        }
        from->field[length] = '\0';
        if (c == EOF || (!quoted && (c == ',' || c == '\n')))
            return c;
        if (length + 1 >= FIELD || c == '\0')
            return 0;
        from->field[length++] = (char)c;
    }
}

static thud_status read_names(reader *from)
{
    thudi_page_series *series = &from->pager->series;
    int end = ',';
    while (end == ',')
    {
        end = read_field(from);
        size_t length = strlen(from->field) + 1, wanted = series->name_length + length;
        if (end == 0 || end == EOF)
            return damaged(from, "the names of the columns are cut off");
        if (thudi_array_reserve(&from->pager->allocator, &series->names, wanted) < 0)
            return thudi_record_memory(from->pager->fault);
        memcpy(series->names.items + series->name_length, from->field, length);
        series->name_length = wanted;
        series->column_count++;
    }
    return THUD_OK;
}

static bool read_value(const char *text, double *value)
{
    if (strcmp(text, "nan") == 0 || strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0)
    {
        *value = text[0] == 'n' ? NAN : text[0] == 'i' ? INFINITY : -INFINITY;
        return true;
    }
    return thud_number_read(text, strlen(text), value);
}

// Which of two values a column keeps: -1 the smaller, 1 the larger, 0 the later.
static int worse_of(const char *name)
{
    static const char *const largest[] = {"rounds",  "sweeps", "violation", "backward",
                                          "forward", "kkt",    "between"};
    for (size_t i = 0; i < sizeof largest / sizeof *largest; i++)
        if (strcmp(name, largest[i]) == 0)
            return 1;
    return strcmp(name, "min_gap") == 0 ? -1 : 0;
}

static void merge_row(const thudi_page_series *series, double *into, const double *later)
{
    const char *name = series->names.items;
    for (int i = 0; i < series->column_count; i++, name += strlen(name) + 1)
    {
        int worse = worse_of(name);
        if (worse == 0 || isnan(into[i]) || (worse > 0 && later[i] > into[i]) ||
            (worse < 0 && later[i] < into[i]))
            into[i] = later[i];
    }
}

// Half the rows, each of twice as many lines.
static void halve(thudi_page_series *series)
{
    size_t columns = (size_t)series->column_count;
    double *values = series->values.items;
    for (size_t row = 0; row < series->row_count / 2; row++)
    {
        memmove(values + columns * row, values + columns * 2 * row, columns * sizeof *values);
        merge_row(series, values + columns * row, values + columns * (2 * row + 1));
    }
    series->row_count /= 2;
    series->stride *= 2;
}

// Read a line; *more is false at the end of the file, and a line cut off there is left out.
static thud_status read_line(reader *from, double *values, bool *more)
{
    int columns = from->pager->series.column_count, end = ',';
    *more = false;
    from->line++;
    for (int i = 0; i < columns; i++)
    {
        end = read_field(from);
        if (end == EOF)
            return THUD_OK;
        if (end == 0 || end != (i + 1 < columns ? ',' : '\n') ||
            !read_value(from->field, &values[i]))
            return damaged(from, "the line is not one number for each column");
    }
    *more = true;
    return THUD_OK;
}

static thud_status read_rows(reader *from)
{
    thudi_page_series *series = &from->pager->series;
    size_t columns = (size_t)series->column_count;
    bool more = true;
    series->stride = 1;
    if (thudi_array_reserve(&from->pager->allocator, &series->values,
                            columns * (THUDI_PAGE_ROWS + 2)) < 0)
        return thudi_record_memory(from->pager->fault);
    while (more)
    {
        if (series->row_count == THUDI_PAGE_ROWS && from->lines_in_row == 0)
            halve(series);
        double *row = series->values.items + columns * series->row_count;
        double *fresh = from->lines_in_row > 0 ? row + columns : row;
        THUD_TRY(read_line(from, fresh, &more));
        if (!more)
            break;
        if (fresh != row)
            merge_row(series, row, fresh);
        if (++from->lines_in_row < series->stride)
            continue;
        series->row_count++;
        from->lines_in_row = 0;
    }
    series->row_count += from->lines_in_row > 0;
    return THUD_OK;
}

static thud_status read_file(reader *from)
{
    char path[4096];
    const char *folder = from->pager->def->folder;
    if (snprintf(path, sizeof path, "%s/series.csv", folder) >= (int)sizeof path)
        return thudi_record_io(from->pager->fault, folder, NULL, "open", ENAMETOOLONG);
    // neither a pipe nor a link of that name is ours
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    from->file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    if (!from->file)
    {
        int error = errno;
        if (descriptor >= 0)
            (void)close(descriptor);
        return thudi_record_io(from->pager->fault, folder, "series.csv", "open", error);
    }
    from->line = 1;
    thud_status status = read_names(from);
    if (status >= 0)
        status = read_rows(from);
    if (ferror(from->file))
        status = thudi_record_io(from->pager->fault, folder, "series.csv", "read", EIO);
    (void)fclose(from->file);
    return status;
}

thud_status thudi_page_read_series(thudi_pager *pager)
{
    reader from = {.pager = pager, .field = thudi_allocate_zeroed(&pager->allocator, FIELD)};
    if (!from.field)
        return thudi_record_memory(pager->fault);
    thud_status status = read_file(&from);
    thudi_free(&pager->allocator, from.field, FIELD);
    return status;
}
