// Files of bodies as CSV: good ones give every value, bad ones are refused with place and advice.
#include "body_file_rig.h"
#include "thud_test.h"

#include "thud/scene.h"

#include <stdlib.h>
#include <string.h>

static const char columns[] = "name the columns in the first line: x, y, z (in three dimensions) "
                              "and any of radius, vx, vy, vz, mass, material, name, growth";
static const char numbers[] = "write numbers like 0.01 or 2e-3, with a decimal point";
static const char fields[] = "give every line a field for every column; a field may be empty";
static const char quotes[] = "put all of the field in quotes, and double those inside";
static const char known[] = "use one of x, y, z, vx, vy, vz, radius, mass, material, name, growth";

static void all_columns(void)
{
    good_file file = body_file_rig_read(THUDI_BODY_CSV, 3,
                                        "name,material,x,y,z,vx,vy,vz,radius,mass\n"
                                        "first,glass,1,-2,3e0,4,5.5,+6,0.25,1e-3\n"
                                        ",,0.1,0.2,0.3,0,0,0,1,2\n");
    CHECK(file.count == 2);
    body_file_rig_check(
        &file, 0,
        &(thud_sphere){.center = {1, -2, 3}, .velocity = {4, 5.5, 6}, .radius = 0.25, .mass = 1e-3},
        "first", "glass", 2);
    body_file_rig_check(&file, 1, &(thud_sphere){.center = {0.1, 0.2, 0.3}, .radius = 1, .mass = 2},
                        NULL, NULL, 3);
    body_file_rig_free(&file);
}

static void few_columns(void)
{
    good_file file = body_file_rig_read(THUDI_BODY_CSV, 2, "y,x\n1,2\n3,4");
    CHECK(file.count == 2);
    body_file_rig_check(&file, 0, &(thud_sphere){.center = {2, 1}}, NULL, NULL, 2);
    body_file_rig_check(&file, 1, &(thud_sphere){.center = {4, 3}}, NULL, NULL, 3);
    body_file_rig_free(&file);
    file = body_file_rig_read(THUDI_BODY_CSV, 2, "vy,radius,x,y,vx\n1,2,3,4,5");
    body_file_rig_check(&file, 0, &(thud_sphere){.center = {3, 4}, .velocity = {5, 1}, .radius = 2},
                        NULL, NULL, 2);
    body_file_rig_free(&file);
}

// Spaces, tabs, comments, empty lines, line ends of both kinds, a byte order mark.
static void layout(void)
{
    good_file file =
        body_file_rig_read(THUDI_BODY_CSV, 2,
                           "\xEF\xBB\xBF# grains, measured\r\n\r\n  x ,\ty,  name\t\r\n"
                           "  # a, comment, with \"quote\r\n 1 ,2\t, a b \r\n \t\n3,4,\n\n#\n"
                           "\t5,6 ,c\r\n");
    CHECK(file.count == 3);
    body_file_rig_check(&file, 0, &(thud_sphere){.center = {1, 2}}, "a b", NULL, 5);
    body_file_rig_check(&file, 1, &(thud_sphere){.center = {3, 4}}, NULL, NULL, 7);
    body_file_rig_check(&file, 2, &(thud_sphere){.center = {5, 6}}, "c", NULL, 10);
    body_file_rig_free(&file);
}

static void quoted(void)
{
    good_file file = body_file_rig_read(THUDI_BODY_CSV, 2,
                                        "\"x\", \"y\" ,name,material\n"
                                        "\"1\",2, \"a, b\" ,\"say \"\"yes\"\"!\"\n"
                                        "3,\"4\",\"\",\"\"\"\"\n"
                                        "5,6,\" # \",\"gr\xC3\xBC\xC3\x9F \"\"\"\"\"\n"
                                        "7,8,plain,#9\n");
    CHECK(file.count == 4);
    body_file_rig_check(&file, 0, &(thud_sphere){.center = {1, 2}}, "a, b", "say \"yes\"!", 2);
    body_file_rig_check(&file, 1, &(thud_sphere){.center = {3, 4}}, NULL, "\"", 3);
    body_file_rig_check(&file, 2, &(thud_sphere){.center = {5, 6}}, " # ",
                        "gr\xC3\xBC\xC3\x9F \"\"", 4);
    body_file_rig_check(&file, 3, &(thud_sphere){.center = {7, 8}}, "plain", "#9", 5);
    body_file_rig_free(&file);
}

static void bad_headers(void)
{
    static const bad_file files[] = {
        {3, "", 1, 1, "the file is empty", columns, 0, 0},
        {3, "\xEF\xBB\xBF", 1, 1, "the file is empty", columns, 0, 0},
        {3, "# x,y\n\n", 3, 1, "the file is empty", columns, 0, 0},
        {3, "x,y,z\n", 2, 1, "the file has no bodies", "add a line for every body", 0, 0},
        {3, "x,y,z\n# 1,2,3", 2, 8, "the file has no bodies", "add a line for every body", 0, 0},
        {3, "x,y,raduis,z\n", 1, 5, "there is no column 'raduis'", "did you mean 'radius'?", 0, 0},
        {3, "x,y,z,colour\n", 1, 7, "there is no column 'colour'", known, 0, 0},
        {3, "X,y,z\n", 1, 1, "there is no column 'X'", known, 0, 0},
        {3, "\xC3\xA4,x\n", 1, 1, "there is no column '\xC3\xA4'", known, 0, 0},
        {3, "\xEF\xBB\xBF\xEF\xBB\xBFx,y,z\n", 1, 1, "there is no column '\xEF\xBB\xBFx'", known, 0,
         0},
        {3, "name,\"\xC3\xA4\",x\n", 1, 7, "there is no column '\xC3\xA4'", known, 0, 0},
        {3, "x,y,z,x\n", 1, 7, "the column 'x' appears twice", "keep one of them", 0, 0},
        {3, "# a\nname, name\n", 2, 7, "the column 'name' appears twice", "keep one of them", 0, 0},
        {3, "x,y\n1,2\n", 1, 1, "the column 'z' is missing", columns, 0, 0},
        {2, "\n x,radius\n1,2\n", 2, 1, "the column 'y' is missing", columns, 0, 0},
        {2, "y\n1,2\n", 1, 1, "the column 'x' is missing", columns, 0, 0},
        {2, "x,y,z\n1,2,3\n", 1, 5, "there is no column 'z' in two dimensions",
         "remove the column, or set dim: 3", 0, 0},
        {2, "x,y,vz\n1,2,3\n", 1, 5, "there is no column 'vz' in two dimensions",
         "remove the column, or set dim: 3", 0, 0},
        {3, "x,y,,z\n", 1, 5, "a column has no name", columns, 0, 0},
        {3, "x,y,z,\n", 1, 7, "a column has no name", columns, 0, 0},
        {3, ",\n", 1, 1, "a column has no name", columns, 0, 0},
        {3, "1.5,2,3\n", 1, 1, "there is the number 1.5 instead of the name of a column", columns,
         0, 0},
        {3, "x;y;z\n", 1, 1, "there is no column 'x;y;z'", "separate fields with commas", 0, 0},
        {3, "x\ty\tz\n", 1, 1, "there is no column 'x y z'", "separate fields with commas", 0, 0},
        {3, "x,\"y,z\n1,2,3\n", 1, 3, "a quote is opened and not closed",
         "close it on the same line", 0, 0},
    };
    body_file_rig_refuse(THUDI_BODY_CSV, files, sizeof files / sizeof *files);
}

static void bad_rows(void)
{
    static const bad_file files[] = {
        {2, "x,y\n1\n", 2, 2, "the line has 1 field, but there are 2 columns", fields, 0, 0},
        {3, "x,y,z,mass\n1,2,3,4\n1,2\n", 3, 4, "the line has 2 fields, but there are 4 columns",
         fields, 0, 0},
        {2, "x,y\n1,2,3\n", 2, 5, "the line has 3 fields, but there are 2 columns", fields, 0, 0},
        {2, "x,y\n1,2,\n", 2, 5, "the line has 3 fields, but there are 2 columns", fields, 0, 0},
        {2, "x,y\n1,2,3,\"4\" 5,6\n", 2, 5, "the line has 4 fields, but there are 2 columns",
         fields, 0, 0},
        {2, "x,y\n1 2\n", 2, 4, "the line has 1 field, but there are 2 columns", fields, 0, 0},
        {2, "x,y\n1,abc\n", 2, 3, "'abc' for 'y' is not a finite decimal number", numbers, 0, 0},
        {2, "name,x,y\n\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80, 1x,2", 2, 6,
         "'1x' for 'x' is not a finite decimal number", numbers, 0, 0},
        {2, "x,y\n\"1 \",2\n", 2, 2, "'1 ' for 'x' is not a finite decimal number", numbers, 0, 0},
        {2, "x,y\n1e999,2\n", 2, 1, "'1e999' for 'x' is not a finite decimal number", numbers, 0,
         0},
        {2, "x,y,vx\n1,2,nan\n", 2, 5, "'nan' for 'vx' is not a finite decimal number", numbers, 0,
         0},
        {2, "x,y,vy\n1,2,inf\n", 2, 5, "'inf' for 'vy' is not a finite decimal number", numbers, 0,
         0},
        {2, "x,y\n0x10,2\n", 2, 1, "'0x10' for 'x' is not a finite decimal number", numbers, 0, 0},
        {2, "x,y\n1_000,2\n", 2, 1, "'1_000' for 'x' is not a finite decimal number", numbers, 0,
         0},
        {2, "x,y\n1 000,2\n", 2, 1, "'1 000' for 'x' is not a finite decimal number", numbers, 0,
         0},
        {2, "x,y\n1,\n", 2, 3, "'y' has no value", "give every row all its numbers", 0, 0},
        {2, "x,y\n , 2\n", 2, 1, "'x' has no value", "give every row all its numbers", 0, 0},
        {2, "x,y,radius\r\n1,2,3\r\n1,2,0\r\n", 3, 5, "the radius must be > 0, but is 0",
         "leave the radii out to give one radius in the scene", 0, 0},
        {2, "x,y,radius\n1,2, -1e-3\n", 2, 6, "the radius must be > 0, but is -1e-3",
         "leave the radii out to give one radius in the scene", 0, 0},
        {2, "x,y,radius\n1,2,1e-400\n", 2, 5, "the radius must be > 0, but is 1e-400",
         "leave the radii out to give one radius in the scene", 0, 0},
        {2, "x,y,mass\n1,2,-0\n", 2, 5, "the mass must be > 0, but is -0",
         "leave the masses out to compute them from a material", 0, 0},
        {2, "x,y,name\n1,2,\"a\n", 2, 5, "a quote is opened and not closed",
         "close it on the same line", 0, 0},
        {2, "x,y,name\n1,2,\"a\"\"\n", 2, 5, "a quote is opened and not closed",
         "close it on the same line", 0, 0},
        {2, "x,y,name\n1,2,\"a\" b\n", 2, 9, "there is text after a closing quote", quotes, 0, 0},
        {2, "x,y,name\n1,2,a \"b\"\n", 2, 7, "there is a quote inside a field", quotes, 0, 0},
        {2, "x,y,name\n1,2,\"a\nb\"\n", 2, 5, "a quote is opened and not closed",
         "close it on the same line", 0, 0},
        {2,
         "x,y\n1,12345678901234567890123456789012345678901234567890123456789\xC3\xA4"
         "45678901234567890\n",
         2, 3,
         "'12345678901234567890123456789012345678901234567890123456789...' for 'y' is not a finite "
         "decimal number",
         numbers, 0, 0},
    };
    body_file_rig_refuse(THUDI_BODY_CSV, files, sizeof files / sizeof *files);
}

static void bad_bytes(void)
{
    static const char utf8[] = "save the file as UTF-8", plain[] = "save the file as plain text";
    static const bad_file files[] = {
        {2, "x,y\n1,2\0\n", 2, 4, "the control character 0x00 is not allowed", plain, 9, 0},
        {2, "x,y\n\"\x1B\",2\n", 2, 2, "the control character 0x1B is not allowed", plain, 0, 0},
        {2, "x,y\n1,2\x7F\n", 2, 4, "the control character 0x7F is not allowed", plain, 0, 0},
        {2, "x,y\r1,2\r", 1, 4, "there is a carriage return without a line feed",
         "end lines with LF or CRLF", 0, 0},
        {2, "x,y\n1,2\r", 2, 4, "there is a carriage return without a line feed",
         "end lines with LF or CRLF", 0, 0},
        {2, "x,y\n# gr\xFC\xDF\n", 2, 5, "the byte 0xFC is not UTF-8", utf8, 0, 0},
        {2, "# \x80\n", 1, 3, "the byte 0x80 is not UTF-8", utf8, 0, 0},
        {2, "# \xC3", 1, 3, "the byte 0xC3 is not UTF-8", utf8, 0, 0},
        {2, "# \xC0\xAF\n", 1, 3, "the byte 0xC0 is not UTF-8", utf8, 0, 0},
        {2, "# \xE0\x80\xAF\n", 1, 3, "the byte 0xE0 is not UTF-8", utf8, 0, 0},
        {2, "# \xE2\x82\x28\n", 1, 3, "the byte 0xE2 is not UTF-8", utf8, 0, 0},
        {2, "# \xED\xA0\x80\n", 1, 3, "the byte 0xED is not UTF-8", utf8, 0, 0},
        {2, "# \xF0\x80\x80\xAF\n", 1, 3, "the byte 0xF0 is not UTF-8", utf8, 0, 0},
        {2, "# \xF4\x90\x80\x80\n", 1, 3, "the byte 0xF4 is not UTF-8", utf8, 0, 0},
        {2, "# \xFF\xFE\n", 1, 3, "the byte 0xFF is not UTF-8", utf8, 0, 0},
    };
    body_file_rig_refuse(THUDI_BODY_CSV, files, sizeof files / sizeof *files);
}

// Every length of a file cut short is refused or read, never more.
static void cut_short(void)
{
    static const char text[] = "\xEF\xBB\xBFx, y,name , radius\r\n1,2e1, \"a\"\"\xC3\xA4\",3\r\n"
                               "# end\r\n4,5,b,6";
    CHECK(body_file_rig_cut(THUDI_BODY_CSV, 2, text, sizeof text) ==
          9); // after 3, its line end, five bytes of comment, their line end, and 6
}

static void limits(void)
{
    size_t long_name = (size_t)THUD_SCENE_STRING + 1, size = (size_t)THUD_SCENE_STRING + 100;
    static const char start[13] = "x,y,name\n1,2,";
    char *text = malloc(size);
    thudi_body_row *rows;
    int count;
    thud_fault fault;
    REQUIRE(text);
    memset(text, 'a', size);
    memcpy(text, start, sizeof start);
    CHECK(thudi_body_rows_read(THUDI_BODY_CSV, 2, text, 13 + long_name, NULL, &rows, &count,
                               &fault) == THUD_ERR_LIMIT);
    CHECK(fault.line == 2 && fault.column == 5 && strcmp(fault.hint, "shorten it") == 0);
    CHECK(strcmp(fault.text, "a text has 65537 bytes; the limit is 65536") == 0);
    CHECK(thudi_body_rows_read(THUDI_BODY_CSV, 2, text, 12 + long_name, NULL, &rows, &count,
                               NULL) == THUD_OK);
    CHECK(count == 1 && rows[0].name_length == THUD_SCENE_STRING);
    thudi_body_rows_free(NULL, rows, count);
    // the length is refused before the text is read
    CHECK(thudi_body_rows_read(THUDI_BODY_CSV, 2, text, (size_t)THUD_BODY_FILE_SIZE + 1, NULL,
                               &rows, &count, &fault) == THUD_ERR_LIMIT);
    CHECK(strcmp(fault.text, "the file has 2147483648 bytes; the limit is 2147483647") == 0);
    CHECK(fault.line == 1 && fault.column == 1 && strcmp(fault.hint, "split the file") == 0);
    free(text);
}

static void allocations(void)
{
    body_file_rig_allocations(THUDI_BODY_CSV, 2, "x,y,name\n1,2,\"a\"\"b\"\n", 1,
                              "no memory for 1 body");
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"all-columns", all_columns}, {"few-columns", few_columns}, {"layout", layout},
        {"quoted", quoted},           {"bad-headers", bad_headers}, {"bad-rows", bad_rows},
        {"bad-bytes", bad_bytes},     {"cut-short", cut_short},     {"limits", limits},
        {"allocations", allocations},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
