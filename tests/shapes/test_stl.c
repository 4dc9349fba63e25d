// STL files: what is written is read back in both forms; every malformed one is refused with its
// place.
#include "shapes/stl_file.h"

#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

enum
{
    COUNT = 37
};

static void put(unsigned char *at, uint32_t bits)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(bits >> 8 * i);
}

static void put_float(unsigned char *at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(at, bits);
}

static float random_float(test_random *random)
{
    return (float)(test_random_normal(random) * (test_random_int(random, 0, 3) ? 1 : 1e-30));
}

// A binary file of `count` triangles with the corners given; length 84 + 50 count.
static unsigned char *binary_of(const float *corners, int count, const char *header)
{
    unsigned char *file = calloc(84 + 50 * (size_t)count, 1);
    if (!file)
        abort();
    (void)snprintf((char *)file, 80, "%s", header);
    put(file + 80, (uint32_t)count);
    for (int i = 0; i < 9 * count; i++)
        put_float(file + 84 + 50 * (size_t)(i / 9) + 12 + 4 * (size_t)(i % 9), corners[i]);
    return file;
}

static void compare(const thudi_stl *stl, const float *corners, int count)
{
    CHECK(stl->count == count);
    for (int i = 0; i < 9 * count && stl->count == count; i++)
        CHECK((float)stl->triangles[i] == corners[i]);
}

static void binary(void)
{
    test_random random = test_random_start(50);
    float corners[9 * COUNT];
    for (int i = 0; i < 9 * COUNT; i++)
        corners[i] = random_float(&random);
    for (int form = 0; form < 2; form++)
    {
        unsigned char *file = binary_of(corners, COUNT, form ? "solid by some exporter" : "mesh");
        thudi_stl stl;
        thud_fault fault = {.line = 0};
        CHECK(thudi_stl_read((char *)file, 84 + 50 * COUNT, NULL, &stl, &fault) == THUD_OK);
        compare(&stl, corners, COUNT);
        thudi_stl_free(NULL, &stl);
        free(file);
    }
}

static void ascii(void)
{
    test_random random = test_random_start(51);
    float corners[9 * COUNT];
    for (int form = 0; form < 3; form++)
    {
        char *text = malloc(1000 * COUNT);
        REQUIRE(text);
        int used = sprintf(text, "%s", form == 1 ? "\n  SOLID facet x\r\n" : "solid\n");
        for (int i = 0; i < COUNT; i++)
        {
            const char *end = form == 1 ? "\r\n\t" : form == 2 ? " " : "\n";
            used += sprintf(text + used, "facet normal 0 nan 1%souter LOOP%s", end, end);
            for (int j = 0; j < 3; j++)
            {
                float *c = corners + 9 * i + 3 * j;
                for (int k = 0; k < 3; k++)
                    c[k] = random_float(&random);
                used += sprintf(text + used, "vertex %.9g %.9g %.9g%s", (double)c[0], (double)c[1],
                                (double)c[2], end);
            }
            used += sprintf(text + used, "endloop%sendfacet%s", end, end);
            if (i == 5) // a second solid in the file
                used += sprintf(text + used, "endsolid x\n\nsolid y\n");
        }
        used += sprintf(text + used, "endsolid%s", form == 1 ? " x y z\r\n\r\n" : "");
        thudi_stl stl;
        thud_fault fault = {.line = 0};
        CHECK(thudi_stl_read(text, (size_t)used, NULL, &stl, &fault) == THUD_OK);
        compare(&stl, corners, COUNT);
        thudi_stl_free(NULL, &stl);
        free(text);
    }
}

static void refuse(const char *text, size_t length, int line, int column, const char *complaint)
{
    thudi_stl stl;
    thud_fault fault = {.line = -1};
    char *copy = malloc(length > 0 ? length : 1); // so that reading beyond is seen
    REQUIRE(copy);
    memcpy(copy, text, length);
    CHECK(thudi_stl_read(copy, length, NULL, &stl, &fault) == THUD_ERR_SCENE);
    CHECK(!stl.triangles && stl.count == 0);
    if (fault.line != line || fault.column != column || strcmp(fault.text, complaint) != 0)
        test_fail(__FILE__, __LINE__, "%d:%d: %s; wanted %d:%d: %s", fault.line, fault.column,
                  fault.text, line, column, complaint);
    CHECK(fault.hint[0]);
    CHECK(thudi_stl_read(copy, length, NULL, &stl, NULL) == THUD_ERR_SCENE);
    free(copy);
}

static void bad_words(void)
{
    static const struct
    {
        const char *text;
        int line, column;
        const char *complaint;
    } cases[] = {
        {"", 1, 1, "a file of 0 bytes is not an STL file"},
        {"mesh", 1, 1, "a file of 4 bytes is not an STL file"},
        {"solid", 1, 6, "the file ends where 'endsolid' should be"},
        {"solid a\nendsolid", 1, 1, "the file has no triangles"},
        {"solid\nfacets", 2, 1, "there is 'facets' where 'endsolid' should be"},
        {"solid\nfacet norm", 2, 7, "there is 'norm' where 'normal' should be"},
        {"solid\nfacet normal 0 0 1 outer loo", 2, 26, "there is 'loo' where 'loop' should be"},
        {"solid\nfacet normal 0 0 1 outer loop\nvertex 1 2 x", 3, 12,
         "'x' is not a finite decimal number"},
        {"solid\nfacet normal 0 0 1 outer loop\nvertex 1 2 nan", 3, 12,
         "'nan' is not a finite decimal number"},
        {"solid\nfacet normal 0 0 1 outer loop\nvertex 1 1e999 0", 3, 10,
         "'1e999' is not a finite decimal number"},
        {"solid\nfacet normal 0 0 1 outer loop\nvertex 1 2", 3, 11,
         "'' is not a finite decimal number"},
        {"solid\nfacet normal 0 0 1 outer loop vertex 1 2 3 vertex 1 2 3 endloop", 2, 57,
         "there is 'endloop' where 'vertex' should be"},
        {"solid\nfacet normal 0 0 1 outer loop vertex 1 2 3 vertex 1 2 3 vertex 1 2 3\n"
         "vertex 1 2 3",
         3, 1, "there is 'vertex' where 'endloop' should be"},
        {"solid\nendsolid\nx", 3, 1, "there is 'x' where 'solid' should be"},
        {"solid\n\xff\x01long-long-long-long-long-long-long-long-word", 2, 1,
         "there is '\?\?long-long-long-long-long-long-long-lon...' where 'endsolid' should be"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        refuse(cases[i].text, strlen(cases[i].text), cases[i].line, cases[i].column,
               cases[i].complaint);
}

static void bad_bytes(void)
{
    float corners[18] = {0};
    corners[13] = 1;
    unsigned char *file = binary_of(corners, 2, "mesh");
    refuse((char *)file, 183, 1, 1,
           "this is not an STL file: it has 183 bytes, but 184 follow from the 2 triangles of byte "
           "80");
    put_float(file + 84 + 50 + 12 + 16, (float)NAN);
    refuse((char *)file, 184, 0, 0, "triangle 2 (byte 162): a coordinate is not finite");
    put_float(file + 84 + 50 + 12 + 16, INFINITY);
    refuse((char *)file, 184, 0, 0, "triangle 2 (byte 162): a coordinate is not finite");
    put(file + 80, 0xffffffffu);
    refuse((char *)file, 184, 1, 1,
           "this is not an STL file: it has 184 bytes, but 214748364834 follow from the 4294967295 "
           "triangles of byte 80");
    put(file + 80, 0);
    refuse((char *)file, 84, 1, 1, "the file has no triangles");
    free(file);
}

// Cut anywhere, it is refused; nothing is read beyond the end (run under a checker of memory).
static void cut_short(void)
{
    static const char text[] = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 "
                               "0\nvertex 0 1 0\nendloop\nendfacet\nendsolid";
    for (size_t length = 0; length < sizeof text; length++)
    {
        char *copy = malloc(length > 0 ? length : 1);
        thudi_stl stl;
        REQUIRE(copy);
        memcpy(copy, text, length);
        thud_status status = thudi_stl_read(copy, length, NULL, &stl, NULL);
        CHECK(status == (length + 1 == sizeof text ? THUD_OK : THUD_ERR_SCENE));
        thudi_stl_free(NULL, &stl);
        free(copy);
    }
}

static void limits(void)
{
    float corners[18] = {0};
    unsigned char *file = binary_of(corners, 2, "mesh");
    test_meter meter = {.fail_at = 1};
    thud_allocator allocator = {test_meter_resize, &meter};
    thudi_stl stl;
    thud_fault fault = {.line = 0};
    CHECK(thudi_stl_read((char *)file, 184, &allocator, &stl, &fault) == THUD_ERR_MEMORY);
    CHECK(meter.blocks == 0 && fault.text[0]);
    meter = (test_meter){.fail_at = 2};
    CHECK(thudi_stl_read((char *)file, 184, &allocator, &stl, &fault) == THUD_ERR_MEMORY);
    CHECK(meter.blocks == 0);
    meter = (test_meter){0};
    CHECK(thudi_stl_read((char *)file, 184, &allocator, &stl, &fault) == THUD_OK);
    thudi_stl_free(&allocator, &stl);
    CHECK(meter.blocks == 0);
    CHECK(thudi_stl_read((char *)file, (size_t)1 << 30, &allocator, &stl, &fault) ==
          THUD_ERR_LIMIT); // by its length alone
    free(file);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"binary", binary},       {"ascii", ascii},         {"bad-words", bad_words},
        {"bad-bytes", bad_bytes}, {"cut-short", cut_short}, {"limits", limits},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
