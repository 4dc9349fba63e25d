// Files of bodies to read in tests. Every text is read from a block of just its size, so that a
// sanitizer sees a read beyond its end.
#include "body_file_rig.h"

#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text, size_t length)
{
    char *copy = malloc(length + (length == 0));
    CHECK(copy != NULL);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

static void refuse(thudi_body_format format, const bad_file *bad, int number)
{
    size_t length = bad->length > 0 ? bad->length : strlen(bad->text);
    thud_status wanted = bad->status < 0 ? bad->status : THUD_ERR_SCENE;
    test_meter meter = {0};
    thud_allocator allocator = {test_meter_resize, &meter};
    thudi_body_row *rows = (thudi_body_row *)&rows;
    int count = -1;
    thud_fault fault = {.file = "kept"};
    char *text = copy_of(bad->text, length);
    thud_status status =
        thudi_body_rows_read(format, bad->dim, text, length, &allocator, &rows, &count, &fault);
    if (status != wanted || fault.line != bad->line || fault.column != bad->column ||
        strcmp(fault.text, bad->complaint) != 0 || strcmp(fault.hint, bad->hint) != 0)
        test_fail(__FILE__, __LINE__, "bad file %d: %s %d:%d \"%s\" \"%s\"", number,
                  thud_status_name(status), fault.line, fault.column, fault.text, fault.hint);
    CHECK(strcmp(fault.file, "kept") == 0 && rows == NULL && count == 0);
    // without a fault to fill, all the same
    CHECK(thudi_body_rows_read(format, bad->dim, text, length, &allocator, &rows, &count, NULL) ==
          wanted);
    CHECK(meter.blocks == 0);
    free(text);
}

void body_file_rig_refuse(thudi_body_format format, const bad_file *files, int count)
{
    for (int i = 0; i < count; i++)
        refuse(format, &files[i], i);
    printf("  %d bad files\n", count);
}

int body_file_rig_cut(thudi_body_format format, int dim, const char *text, size_t size)
{
    int good = 0;
    for (size_t length = 0; length < size; length++)
    {
        thudi_body_row *rows;
        int count;
        char *copy = copy_of(text, length);
        good +=
            thudi_body_rows_read(format, dim, copy, length, NULL, &rows, &count, NULL) == THUD_OK;
        thudi_body_rows_free(NULL, rows, count);
        free(copy);
    }
    return good;
}

void body_file_rig_allocations(thudi_body_format format, int dim, const char *text, int rows,
                               const char *complaint)
{
    test_meter meter = {.fail_at = 1};
    thud_allocator allocator = {test_meter_resize, &meter};
    thudi_body_row *read;
    int count;
    thud_fault fault;
    size_t length = strlen(text);
    CHECK(thudi_body_rows_read(format, dim, text, length, &allocator, &read, &count, &fault) ==
          THUD_ERR_MEMORY);
    CHECK(read == NULL && count == 0 && meter.blocks == 0);
    CHECK(strcmp(fault.text, complaint) == 0 && fault.hint[0] == '\0');
    CHECK(thudi_body_rows_read(format, dim, text, length, &allocator, &read, &count, &fault) ==
          THUD_OK);
    CHECK(count == rows && meter.blocks == 1 && meter.calls == 2);
    thudi_body_rows_free(&allocator, read, count);
    thudi_body_rows_free(&allocator, NULL, 0);
    CHECK(meter.blocks == 0);
}

good_file body_file_rig_read(thudi_body_format format, int dim, const char *text)
{
    char *copy = copy_of(text, strlen(text));
    thudi_body_row *rows;
    int count;
    thud_fault fault = {.line = 0};
    thud_status status =
        thudi_body_rows_read(format, dim, copy, strlen(text), NULL, &rows, &count, &fault);
    if (status != THUD_OK)
        test_fail(__FILE__, __LINE__, "%s %d:%d %s (%s), of the file:\n%s",
                  thud_status_name(status), fault.line, fault.column, fault.text, fault.hint, text);
    return (good_file){rows, count, copy};
}

void body_file_rig_free(good_file *file)
{
    thudi_body_rows_free(NULL, file->rows, file->count);
    free(file->text);
}

static bool is_word(const char *word, size_t length, const char *wanted)
{
    if (!word || !wanted)
        return word == wanted && length == 0;
    return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

void body_file_rig_check(const good_file *file, int row, const thud_sphere *sphere,
                         const char *name, const char *material, int line)
{
    REQUIRE(row < file->count);
    const thudi_body_row *got = &file->rows[row];
    CHECK(memcmp(&got->sphere, sphere, sizeof *sphere) == 0);
    CHECK(is_word(got->name, got->name_length, name));
    CHECK(is_word(got->material, got->material_length, material));
    if (got->line != line)
        test_fail(__FILE__, __LINE__, "row %d is of line %d, wanted %d", row, got->line, line);
}
