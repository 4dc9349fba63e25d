// series.csv read back, field by field.
#include "record/base/series_read.h"
#include "core/characters.h"

#include "core/fault.h"
#include "thud/record.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SERIES_NAME "series.csv"

enum
{
    FIELD = 1000 // characters of a field at most
};

typedef struct reader
{
    const char *folder;
    FILE *file;
    const thud_allocator *allocator;
    thud_fault *fault;
    thudi_series *series;
    char field[FIELD + 1];
    size_t length;
    int line, column; // where the field begins
    int next_column;
    int end; // what ended the field: ',', '\n' or EOF
} reader;

static thud_status fail(const reader *r, const char *text)
{
    thudi_at at = {.folder = r->folder, .file = SERIES_NAME, .line = r->line, .column = r->column};
    return thudi_fail(
        r->fault, THUD_ERR_RECORD, at,
        "restore the file: it was changed after the run, or belongs to another version", "%s",
        text);
}

static int next(reader *r)
{
    int c = getc(r->file);
    r->next_column += c != EOF && (c & 0xc0) != 0x80; // characters, not bytes
    return c;
}

// A field in quotes up to its last one; two of them are one of the text.
static thud_status read_quoted(reader *r, int *c)
{
    for (;;)
    {
        *c = next(r);
        if (*c == '"')
        {
            *c = next(r);
            if (*c != '"')
                return THUD_OK;
        }
        if (*c == EOF)
            return THUD_OK;
        if (*c == '\0')
            return fail(r, "there is a null byte");
        if (r->length == FIELD)
            return fail(r, "the field is too long");
        r->field[r->length++] = (char)*c;
    }
}

static thud_status read_field(reader *r)
{
    r->length = 0;
    r->column = r->next_column;
    int c = next(r);
    bool is_quoted = c == '"';
    if (is_quoted)
        THUD_TRY(read_quoted(r, &c));
    while (c != ',' && c != '\n' && c != EOF)
    {
        if (is_quoted || c == '\0')
            return fail(r,
                        is_quoted ? "there is text after a quoted field" : "there is a null byte");
        if (r->length == FIELD)
            return fail(r, "the field is too long");
        r->field[r->length++] = (char)c;
        c = next(r);
    }
    r->field[r->length] = '\0';
    r->end = c;
    return THUD_OK;
}

static void begin_line(reader *r, int line)
{
    r->line = line;
    r->next_column = 1;
}

static thud_status read_names(reader *r)
{
    thudi_series *series = r->series;
    unsigned long code;
    begin_line(r, 1);
    do
    {
        THUD_TRY(read_field(r));
        if (r->end == EOF)
            return ferror(r->file) ? THUD_OK : fail(r, "the header is not complete");
        if (thudi_find_hidden(r->field, r->length, true, &code) < r->length)
            return fail(r, "the name of a column holds a control character");
        if (thudi_array_reserve(r->allocator, &series->names, series->names_size + r->length + 1) <
            0)
            return thudi_fail_memory(r->fault);
        memcpy(series->names.items + series->names_size, r->field, r->length + 1);
        series->names_size += r->length + 1;
        series->column_count++;
    } while (r->end == ',');
    return THUD_OK;
}

static bool read_number(const reader *r, double *x)
{
    static const struct
    {
        const char *text;
        double value;
    } special[] = {{"nan", NAN}, {"inf", INFINITY}, {"-inf", -INFINITY}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(r->field, special[i].text) == 0)
        {
            *x = special[i].value;
            return true;
        }
    return thud_number_read(r->field, r->length, x);
}

// One line into `row`; *cut when the file ends before it does.
static thud_status read_row(reader *r, double *row, bool *cut)
{
    int count = 0;
    do
    {
        THUD_TRY(read_field(r));
        *cut = r->end == EOF;
        if (*cut)
            return THUD_OK;
        if (count == r->series->column_count)
            return fail(r, "the line has more fields than the header");
        if (!read_number(r, &row[count++]))
            return fail(r, "this is not a number");
    } while (r->end == ',');
    return count < r->series->column_count ? fail(r, "the line has fewer fields than the header")
                                           : THUD_OK;
}

static thud_status read_rows(reader *r)
{
    thudi_series *series = r->series;
    size_t width = (size_t)series->column_count;
    for (bool cut = false; !cut;)
    {
        if (thudi_array_reserve(r->allocator, &series->values, (series->row_count + 1) * width) < 0)
            return thudi_fail_memory(r->fault);
        begin_line(r, r->line < 2000000000 ? r->line + 1 : r->line);
        THUD_TRY(read_row(r, series->values.items + series->row_count * width, &cut));
        series->row_count += !cut;
    }
    return THUD_OK;
}

thud_status thudi_series_parse(FILE *file, const char *folder, const thud_allocator *allocator,
                               thudi_series *series, thud_fault *fault)
{
    reader r = {
        .folder = folder, .file = file, .allocator = allocator, .fault = fault, .series = series};
    errno = 0;
    thud_status status = read_names(&r);
    if (status == THUD_OK && r.end != EOF)
        status = read_rows(&r);
    if (ferror(file))
        return thudi_fail_io(fault, THUDI_IN(folder, SERIES_NAME), "read",
                             errno != 0 ? errno : EIO);
    return status;
}

thud_status thudi_series_file(const char *folder, FILE **file, thud_fault *fault)
{
    int fd = -1;
    THUD_TRY(thud_record_open_file(folder, SERIES_NAME, &fd, fault));
    *file = fdopen(fd, "rb");
    if (*file)
        return THUD_OK;
    int error = errno;
    (void)close(fd);
    return thudi_fail_io(fault, THUDI_IN(folder, SERIES_NAME), "open", error);
}

void thudi_series_free(thudi_series *series, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &series->values);
    thudi_array_free(allocator, &series->names);
}

struct thud_series
{
    thud_allocator allocator;
    thudi_series names;
    reader reader;
    char *folder;
    size_t folder_size;
};

// Its reader points into it, so that it stays where it is.
static thud_series *make_series(const thud_allocator *allocator, const char *folder)
{
    thud_allocator memory = thudi_allocator_or_default(allocator);
    thud_series *series = thudi_allocate_zeroed(&memory, sizeof *series);
    if (!series)
        return NULL;
    series->allocator = memory;
    series->folder_size = strlen(folder) + 1;
    series->folder = memory.resize(NULL, 0, series->folder_size, memory.user);
    if (!series->folder)
    {
        thudi_free(&memory, series, sizeof *series);
        return NULL;
    }
    memcpy(series->folder, folder, series->folder_size);
    series->reader = (reader){
        .folder = series->folder, .allocator = &series->allocator, .series = &series->names};
    return series;
}

thud_status thud_series_open(const char *folder, const thud_allocator *allocator, thud_series **out,
                             thud_fault *fault)
{
    *out = NULL;
    thud_series *series = make_series(allocator, folder);
    if (!series)
        return thudi_fail_memory(fault);
    series->reader.fault = fault;
    thud_status status = thudi_series_file(folder, &series->reader.file, fault);
    if (status >= 0)
        status = read_names(&series->reader);
    if (status >= 0 && ferror(series->reader.file))
        status = thudi_fail_io(fault, THUDI_IN(folder, SERIES_NAME), "read", EIO);
    if (status < 0)
        thud_series_close(series);
    else
        *out = series;
    return status;
}

void thud_series_close(thud_series *series)
{
    if (!series)
        return;
    if (series->reader.file)
        (void)fclose(series->reader.file);
    thud_allocator allocator = series->allocator;
    thudi_series_free(&series->names, &allocator);
    thudi_free(&allocator, series->folder, series->folder_size);
    thudi_free(&allocator, series, sizeof *series);
}

int thud_series_columns(const thud_series *series)
{
    return series->names.column_count;
}

const char *thud_series_name(const thud_series *series, int column)
{
    const char *at = series->names.names.items;
    for (int i = 0; i < column && i < series->names.column_count; i++)
        at += strlen(at) + 1;
    return column < 0 || column >= series->names.column_count ? "" : at;
}

thud_status thud_series_next(thud_series *series, double *values, bool *over, thud_fault *fault)
{
    reader *r = &series->reader;
    r->fault = fault;
    *over = false;
    begin_line(r, r->line < 2000000000 ? r->line + 1 : r->line);
    errno = 0;
    THUD_TRY(read_row(r, values, over));
    if (ferror(r->file))
        return thudi_fail_io(fault, THUDI_IN(series->folder, SERIES_NAME), "read",
                             errno != 0 ? errno : EIO);
    return THUD_OK;
}

int thudi_series_find_line(int fd, int64_t size, int64_t *end)
{
    char block[4096];
    for (*end = 0; size > 0;)
    {
        size_t length = size < (int64_t)sizeof block ? (size_t)size : sizeof block;
        ssize_t got = pread(fd, block, length, size - (int64_t)length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got != (ssize_t)length)
            return got < 0 ? errno : EIO;
        for (size_t i = length; i > 0 && *end == 0; i--)
            if (block[i - 1] == '\n')
                *end = size - (int64_t)length + (int64_t)i;
        size = *end > 0 ? 0 : size - (int64_t)length;
    }
    return 0;
}

thud_status thud_series_last(thud_series *series, double *values, bool *found, thud_fault *fault)
{
    struct stat look;
    int64_t end = 0, begin = 0;
    int fd = fileno(series->reader.file);
    int error = fstat(fd, &look) != 0 ? errno : thudi_series_find_line(fd, look.st_size, &end);
    if (!error && end > 0)
        error = thudi_series_find_line(fd, end - 1, &begin);
    *found = begin > 0; // before it are the names
    if (!error && *found && fseeko(series->reader.file, begin, SEEK_SET) != 0)
        error = errno;
    if (error)
        return thudi_fail_io(fault, THUDI_IN(series->folder, SERIES_NAME), "read", error);
    bool over = false;
    thud_status status = *found ? thud_series_next(series, values, &over, fault) : THUD_OK;
    *found = *found && !over;
    return status;
}

int thud_series_line(const thud_series *series)
{
    return series->reader.line;
}
