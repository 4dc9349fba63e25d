// Files of bodies as XYZ, plain and extended: good ones give every value, bad ones are refused with
// place and advice.
#include "body_file_rig.h"
#include "thud_test.h"

static const char first[] = "write the number of bodies in the first line";
static const char numbers[] = "write numbers like 0.01 or 2e-3, with a decimal point";
static const char known[] = "use species:S:1, pos:R:3, radius:R:1, velo:R:3 and mass:R:1";
static const char same[] = "give all lines the same columns";
static const char plain[] = "write lines as SYMBOL x y z, or SYMBOL x y z RADIUS";
static const char frame[] = "write the number of bodies in the first line; a file holds one frame";

static void plain_files(void)
{
    good_file file =
        body_file_rig_read(THUDI_BODY_XYZ, 3, "2\nwater, say\nO 0 0.5 -1e-3\nH\t1  2 3 \n");
    CHECK(file.count == 2);
    body_file_rig_check(&file, 0, &(thud_sphere){.center = {0, 0.5, -1e-3}}, NULL, NULL, 3);
    body_file_rig_check(&file, 1, &(thud_sphere){.center = {1, 2, 3}}, NULL, NULL, 4);
    body_file_rig_free(&file);
    file = body_file_rig_read(THUDI_BODY_XYZ, 3,
                              "\xEF\xBB\xBF 2 \r\n\r\nA 1 2 3 4\r\n  B 5 6 7 8\r\n\r\n \r\n");
    CHECK(file.count == 2);
    body_file_rig_check(&file, 0, &(thud_sphere){.center = {1, 2, 3}, .radius = 4}, NULL, NULL, 3);
    body_file_rig_check(&file, 1, &(thud_sphere){.center = {5, 6, 7}, .radius = 8}, NULL, NULL, 4);
    body_file_rig_free(&file);
    file = body_file_rig_read(THUDI_BODY_XYZ, 2, "1\n\n\"#, 1 2 -0 4");
    body_file_rig_check(&file, 0, &(thud_sphere){.center = {1, 2, -0.0}, .radius = 4}, NULL, NULL,
                        3);
    body_file_rig_free(&file);
}

static void extended_files(void)
{
    good_file file = body_file_rig_read(
        THUDI_BODY_XYZ, 3,
        "1\nLattice=\"5 0 0 0 5 0 0 0 5\" "
        "Properties=species:S:1:pos:R:3:radius:R:1:velo:R:3:mass:R:1 pbc=\"T T F\"\n"
        "Si 1 2 3 4 5 6 7 8\n");
    body_file_rig_check(
        &file, 0,
        &(thud_sphere){.center = {1, 2, 3}, .velocity = {5, 6, 7}, .radius = 4, .mass = 8}, NULL,
        NULL, 3);
    body_file_rig_free(&file);
    file = body_file_rig_read(THUDI_BODY_XYZ, 3, "1\nProperties=\"mass:R:1:pos:R:3\"\n0.5 1 2 3\n");
    body_file_rig_check(&file, 0, &(thud_sphere){.center = {1, 2, 3}, .mass = 0.5}, NULL, NULL, 3);
    body_file_rig_free(&file);
    file = body_file_rig_read(THUDI_BODY_XYZ, 2, "1\nProperties=pos:R:2:velo:R:3\n1 2 3 4 0\n");
    body_file_rig_check(&file, 0, &(thud_sphere){.center = {1, 2}, .velocity = {3, 4}}, NULL, NULL,
                        3);
    body_file_rig_free(&file);
    // only a whole word is the key
    file = body_file_rig_read(THUDI_BODY_XYZ, 3, "1\nmyProperties=x:S:1 Properties\nA 1 2 3\n");
    body_file_rig_check(&file, 0, &(thud_sphere){.center = {1, 2, 3}}, NULL, NULL, 3);
    body_file_rig_free(&file);
}

static void bad_starts(void)
{
    static const char add[] = "add a line for every body";
    static const bad_file files[] = {
        {3, "", 1, 1, "the file is empty", first, 0, 0},
        {3, "\n", 1, 1, "'' is not a number of bodies", first, 0, 0},
        {3, "A 1 2 3\n", 1, 1, "'A 1 2 3' is not a number of bodies", first, 0, 0},
        {3, " -1\n\n", 1, 2, "'-1' is not a number of bodies", first, 0, 0},
        {3, "1.0\n\n", 1, 1, "'1.0' is not a number of bodies", first, 0, 0},
        {3, "1 \xC3\xA4\n\n", 1, 1, "'1 \xC3\xA4' is not a number of bodies", first, 0, 0},
        {3, "0\n\n", 1, 1, "the file has no bodies", add, 0, 0},
        {3, "100000001\n\nA 1 2 3\n", 1, 1, "the file has 100000001 bodies; the limit is 100000000",
         "split the file", 0, THUD_ERR_LIMIT},
        {3, "99999999999999999999999\n\nA 1 2 3\n", 1, 1,
         "the file has 99999999999999999999999 bodies; the limit is 100000000", "split the file", 0,
         THUD_ERR_LIMIT},
        {3, "1", 1, 2, "the file ends after its first line",
         "write a comment or an empty line as the second line", 0, 0},
        {3, "1\n", 2, 1, "the file ends after its first line",
         "write a comment or an empty line as the second line", 0, 0},
        {3, "1\n\n", 3, 1, "the file has 0 lines of bodies, but the first line says 1", frame, 0,
         0},
        {3, "100000000\n\nA 1 2 3", 3, 8,
         "the file has 1 line of bodies, but the first line says 100000000", frame, 0, 0},
        {3, "1\n\nA 1 2 3\n\nB 1 2 3\nC 1 2 3\n", 5, 1,
         "the file has 3 lines of bodies, but the first line says 1", frame, 0, 0},
        {3, "1\n\nA 1 2 3\n1\n\nA 1 2 3\n", 4, 1,
         "the file has 3 lines of bodies, but the first line says 1", frame, 0, 0},
        {3, "1\n\nA 1 2\0 3\n", 3, 6, "the control character 0x00 is not allowed",
         "save the file as plain text", 13, 0},
        {3, "1\n\xB5m\nA 1 2 3\n", 2, 1, "the byte 0xB5 is not UTF-8", "save the file as UTF-8", 0,
         0},
    };
    body_file_rig_refuse(THUDI_BODY_XYZ, files, sizeof files / sizeof *files);
}

static void bad_properties(void)
{
    static const bad_file files[] = {
        {3, "1\nProperties=\nA 1 2 3\n", 2, 12, "the property 'pos' is missing", "add pos:R:3", 0,
         0},
        {3, "1\nProperties=species:S:1\nA\n", 2, 12, "the property 'pos' is missing", "add pos:R:3",
         0, 0},
        {3, "1\na Properties=pos:R:3:masses:R:1\n1 2 3 4\n", 2, 22, "there is no property 'masses'",
         "did you mean 'mass'?", 0, 0},
        {3, "1\n\xC3\xA4 Properties=pos:R:3:forces:R:3\n", 2, 22, "there is no property 'forces'",
         "use one of species, pos, radius, velo, mass", 0, 0},
        {3, "1\nProperties=pos:R:3:\n1 2 3\n", 2, 20, "there is no property ''",
         "use one of species, pos, radius, velo, mass", 0, 0},
        {3, "1\nProperties=pos:R:3::\n1 2 3\n", 2, 20, "there is no property ''",
         "use one of species, pos, radius, velo, mass", 0, 0},
        {3, "1\nProperties=pos:R:3:pos:R:3\n", 2, 20, "the property 'pos' appears twice",
         "keep one of them", 0, 0},
        {3, "1\nProperties=pos:R:2\n1 2\n", 2, 16, "the property 'pos' must be R:3", known, 0, 0},
        {2, "1\nProperties=pos:R:4\n1 2\n", 2, 16, "the property 'pos' must be R:3", known, 0, 0},
        {3, "1\nProperties=pos:S:3\n1 2 3\n", 2, 16, "the property 'pos' must be R:3", known, 0, 0},
        {3, "1\nProperties=pos\n1 2 3\n", 2, 15, "the property 'pos' must be R:3", known, 0, 0},
        {3, "1\nProperties=pos:R\n1 2 3\n", 2, 16, "the property 'pos' must be R:3", known, 0, 0},
        {3, "1\nProperties=species:R:1:pos:R:3\n", 2, 20, "the property 'species' must be S:1",
         known, 0, 0},
        {3, "1\nProperties=pos:R:3:radius:R:2\n", 2, 27, "the property 'radius' must be R:1", known,
         0, 0},
        {3, "1\nProperties=\"pos:R:3\n1 2 3\n", 2, 12, "there is no property '\"pos'",
         "did you mean 'pos'?", 0, 0},
    };
    body_file_rig_refuse(THUDI_BODY_XYZ, files, sizeof files / sizeof *files);
}

static void bad_lines(void)
{
    static const bad_file files[] = {
        {3, "1\n\nA 1 2\n", 3, 6, "the line has 3 fields, but there are 5 columns", plain, 0, 0},
        {3, "1\n\nA 1 2 3 4 5\n", 3, 11, "the line has 6 fields, but there are 5 columns", plain, 0,
         0},
        {3, "1\n\nA\n", 3, 2, "the line has 1 field, but there are 5 columns", plain, 0, 0},
        {3, "2\n\nA 1 2 3\nB 1 2 3 4\n", 4, 9, "the line has 5 fields, but there are 4 columns",
         same, 0, 0},
        {3, "2\n\nA 1 2 3 4\nB 1 2 3\n", 4, 8, "the line has 4 fields, but there are 5 columns",
         same, 0, 0},
        {3, "2\n\nA 1 2 3\n\nB 1 2 3\n", 4, 1, "the line has 0 fields, but there are 4 columns",
         same, 0, 0},
        {3, "1\n\n\nA 1 2 3\n", 3, 1, "the line has 0 fields, but there are 5 columns", plain, 0,
         0},
        {3, "1\nProperties=pos:R:3\nA 1 2 3\n", 3, 7,
         "the line has 4 fields, but there are 3 columns", same, 0, 0},
        {3, "1\n\n1 2 3 x\n", 3, 7, "'x' for 'z' is not a finite decimal number", numbers, 0, 0},
        {3, "1\n\n\xC3\xA4 1,5 2 3\n", 3, 3, "'1,5' for 'x' is not a finite decimal number",
         numbers, 0, 0},
        {3, "1\n\nA 1 1e400 3\n", 3, 5, "'1e400' for 'y' is not a finite decimal number", numbers,
         0, 0},
        {3, "1\nProperties=pos:R:3:velo:R:3\n1 2 3 4 5 *\n", 3, 11,
         "'*' for 'vz' is not a finite decimal number", numbers, 0, 0},
        {3, "1\n\nA 1 2 3 0\n", 3, 9, "the radius must be > 0, but is 0",
         "leave the radii out to give one radius in the scene", 0, 0},
        {3, "1\nProperties=mass:R:1:pos:R:3\n-1 1 2 3\n", 3, 1, "the mass must be > 0, but is -1",
         "leave the masses out to compute them from a material", 0, 0},
        {2, "1\n\nA 1 2 3\n", 3, 7, "the third component must be 0 in two dimensions, but is 3",
         "write 0, or set dim: 3", 0, 0},
        {2, "1\nProperties=pos:R:2:velo:R:3\n1 2 3 4 5\n", 3, 9,
         "the third component must be 0 in two dimensions, but is 5", "write 0, or set dim: 3", 0,
         0},
    };
    body_file_rig_refuse(THUDI_BODY_XYZ, files, sizeof files / sizeof *files);
}

static void cut_short(void)
{
    static const char text[] =
        "2\r\nProperties=\"pos:R:3:radius:R:1\" \xC3\xA4\r\n1 2 3 4\n5 6 7 8";
    CHECK(body_file_rig_cut(THUDI_BODY_XYZ, 3, text, sizeof text) == 1);
}

static void allocations(void)
{
    body_file_rig_allocations(THUDI_BODY_XYZ, 3, "2\n\nA 1 2 3\nB 1 2 3\n", 2,
                              "no memory for 2 bodies");
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"plain-files", plain_files}, {"extended-files", extended_files},
        {"bad-starts", bad_starts},   {"bad-properties", bad_properties},
        {"bad-lines", bad_lines},     {"cut-short", cut_short},
        {"allocations", allocations},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
