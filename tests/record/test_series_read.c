// Reading series.csv: every number comes back, and what is wrong is said with its place.
#include "show_rig.h"
#include "thud/series.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static thud_status read_text(const char *text, size_t length, thud_series_table **series,
                             const thud_allocator *allocator, thud_fault *fault)
{
    char folder[RIG_PATH];
    CHECK(rig_folder_make(folder) && rig_file_write(rig_path(folder, "series.csv"), text, length));
    thud_status status = thud_series_table_read(folder, allocator, series, fault);
    rig_folder_remove(folder);
    return status;
}

static void good(void)
{
    static const char text[] = "t,\"a,b\",\"say \"\"x\"\"\",\xc3\xbc,\n"
                               "0,1,-2.5e-3,nan,1\n"
                               "0.1,inf,-inf,4,1e300\n";
    thud_series_table *series;
    CHECK(read_text(text, sizeof text - 1, &series, NULL, NULL) == THUD_OK);
    REQUIRE(series->column_count == 5 && series->row_count == 2);
    CHECK(thud_series_table_find(series, "t") == 0 && thud_series_table_find(series, "a,b") == 1);
    CHECK(thud_series_table_find(series, "say \"x\"") == 2);
    CHECK(thud_series_table_find(series, "\xc3\xbc") == 3 &&
          thud_series_table_find(series, "") == 4);
    CHECK(thud_series_table_find(series, "b") == -1);
    const double *x = series->values;
    CHECK(x[0] == 0 && x[1] == 1 && x[2] == -2.5e-3 && isnan(x[3]) && x[4] == 1);
    CHECK(x[5] == 0.1 && x[6] == INFINITY && x[7] == -INFINITY && x[8] == 4 && x[9] == 1e300);
    thud_series_table_destroy(series);
}

static void bad(void)
{
    static const struct
    {
        const char *text;
        int line, column;
        const char *said;
    } cases[] = {
        {"", 1, 1, "the header is not complete"},
        {"t,x", 1, 3, "the header is not complete"},
        {"t,\"x", 1, 3, "the header is not complete"},
        {"t,\"x\"y\n", 1, 3, "there is text after a quoted field"},
        {"t,x\n1,2\n3\n", 3, 1, "the line has fewer fields than the header"},
        {"t,x\n1,2,3\n", 2, 5, "the line has more fields than the header"},
        {"t,x\n1,two\n", 2, 3, "this is not a number"},
        {"t,x\n1,\n", 2, 3, "this is not a number"},
        {"t,x\n1,0x10\n", 2, 3, "this is not a number"},
        {"t,x\n1, 2\n", 2, 3, "this is not a number"},
        {"t,x\n\n", 2, 1, "this is not a number"},
        {"\xc3\xbc,x\n1,2\r\n", 2, 3, "this is not a number"},
        {"t,x\n1,1e999\n", 2, 3, "this is not a number"},
        {"t,x\r\n1,2\n", 1, 3, "the name of a column holds a control character"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        thud_series_table *series;
        thud_fault fault = {0};
        thud_status status = read_text(cases[i].text, strlen(cases[i].text), &series, NULL, &fault);
        if (status != THUD_ERR_RECORD || strcmp(fault.text, cases[i].said) != 0 ||
            fault.line != cases[i].line || fault.column != cases[i].column)
            test_fail(__FILE__, __LINE__, "case %d: %d:%d: %s", (int)i, fault.line, fault.column,
                      fault.text);
        thud_series_table_destroy(series);
    }
    static char wide[3000];
    memset(wide, '1', sizeof wide);
    thud_series_table *series;
    thud_fault fault = {0};
    CHECK(read_text(wide, sizeof wide, &series, NULL, &fault) == THUD_ERR_RECORD);
    CHECK(strcmp(fault.text, "the field is too long") == 0);
    thud_series_table_destroy(series);
    wide[0] = '"';
    CHECK(read_text(wide, sizeof wide, &series, NULL, NULL) == THUD_ERR_RECORD);
    thud_series_table_destroy(series);
    CHECK(read_text("a\0b\n1\n", 6, &series, NULL, &fault) == THUD_ERR_RECORD);
    CHECK(strcmp(fault.text, "there is a null byte") == 0);
    thud_series_table_destroy(series);
    CHECK(read_text("\"a\0b\"\n1\n", 8, &series, NULL, &fault) == THUD_ERR_RECORD);
    CHECK(strcmp(fault.text, "there is a null byte") == 0);
    thud_series_table_destroy(series);
}

// Of a file cut anywhere after its header, the whole lines are read, and nothing else.
static void cut_off(void)
{
    static const char text[] = "t,x\n1,2\n3,4\n5,6\n";
    for (size_t length = 4; length < sizeof text; length++)
    {
        thud_series_table *series;
        CHECK(read_text(text, length, &series, NULL, NULL) == THUD_OK);
        CHECK(series->row_count == (length - 4) / 4);
        for (size_t i = 0; i < 2 * series->row_count; i++)
            CHECK(series->values[i] == (double)i + 1);
        thud_series_table_destroy(series);
    }
}

static void no_file(void)
{
    char folder[RIG_PATH];
    thud_series_table *series = NULL;
    thud_fault fault = {0};
    CHECK(rig_folder_make(folder));
    CHECK(thud_series_table_read(folder, NULL, &series, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "the folder holds no series.csv"));
    CHECK(mkdir(rig_path(folder, "series.csv"), 0777) == 0);
    CHECK(thud_series_table_read(folder, NULL, &series, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "it is not a regular file"));
    CHECK(rmdir(rig_path(folder, "series.csv")) == 0);
    CHECK(symlink("/dev/null", rig_path(folder, "series.csv")) == 0);
    CHECK(thud_series_table_read(folder, NULL, &series, &fault) == THUD_ERR_RECORD);
    CHECK(strstr(fault.text, "it is a link"));
    thud_series_table_destroy(series);
    rig_folder_remove(folder);
}

static void failing_memory(void)
{
    static const char text[] = "time,value\n1,2\n3,4\n5,6\n7,8\n9,0\n";
    long at = 1;
    for (thud_status status = THUD_ERR_MEMORY; status != THUD_OK; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_series_table *series;
        thud_fault fault = {0};
        status = read_text(text, sizeof text - 1, &series, &allocator, &fault);
        CHECK(status == THUD_OK || (status == THUD_ERR_MEMORY && fault.text[0]));
        thud_series_table_destroy(series);
        CHECK(meter.blocks == 0);
    }
    CHECK(at > 4);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"good", good},
        {"bad", bad},
        {"cut-off", cut_off},
        {"no-file", no_file},
        {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
