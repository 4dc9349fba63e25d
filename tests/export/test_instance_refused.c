// Files of FCLIB that are malformed, cut or hold another problem: refused, with a reason.
#include "instance_rig.h"

#include "thud_test.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// A way to spoil a good file, and what is said of it.
typedef struct spoiled
{
    const char *path; ///< list to replace, or to remove
    enum
    {
        REMOVE,
        NUMBERS,
        WHOLES
    } how;
    double x[5];
    int count;
    thud_status status;
    const char *text;
} spoiled;

#define G "fclib_global/"
static const spoiled ways[] = {
    {G "M/x", REMOVE, {0}, 0, THUD_ERR_SCENE, "fclib_global/M/x is missing"},
    {G "H", REMOVE, {0}, 0, THUD_ERR_SCENE, "fclib_global/H/m is missing"},
    {G "spacedim", REMOVE, {0}, 0, THUD_ERR_SCENE, "fclib_global/spacedim is missing"},
    {G "vectors/w", REMOVE, {0}, 0, THUD_ERR_SCENE, "fclib_global/vectors/w is missing"},
    {"fclib_global", REMOVE, {0}, 0, THUD_ERR_SCENE, "it holds no FCLIB problem"},
    {G "spacedim", WHOLES, {4}, 1, THUD_ERR_SCENE, "spacedim is neither 2 nor 3"},
    {G "spacedim", WHOLES, {3}, 1, THUD_ERR_SCENE, "the sizes of M, H and spacedim do not match"},
    {G "spacedim", WHOLES, {2, 2}, 2, THUD_ERR_SCENE, "spacedim is not one number"},
    {G "spacedim", NUMBERS, {2}, 1, THUD_ERR_SCENE, "spacedim is not a list of numbers"},
    {G "M/m", WHOLES, {0}, 1, THUD_ERR_SCENE, "the sizes of M are impossible"},
    {G "M/m", WHOLES, {-3}, 1, THUD_ERR_SCENE, "the sizes of M are impossible"},
    {G "M/m", WHOLES, {2}, 1, THUD_ERR_SCENE, "an entry of M is outside the matrix"},
    {G "M/m", WHOLES, {5}, 1, THUD_ERR_SCENE, "the sizes of M, H and spacedim do not match"},
    {G "M/m", WHOLES, {2e9}, 1, THUD_ERR_LIMIT, "M is larger than 16777216"},
    {G "H/n", WHOLES, {2e9}, 1, THUD_ERR_LIMIT, "H is larger than 16777216"},
    {G "H/nz", WHOLES, {2e9}, 1, THUD_ERR_LIMIT, "H is larger than 16777216"},
    {G "H/nz", WHOLES, {1000}, 1, THUD_ERR_SCENE, "H/p has 7 numbers; it must have 1000"},
    {G "H/nz", WHOLES, {-3}, 1, THUD_ERR_SCENE, "the sizes of H are impossible"},
    {G "M/nz", WHOLES, {-1}, 1, THUD_ERR_SCENE, "M/p has 3 numbers; it must have 4"},
    {G "H/p", WHOLES, {0, 2, 1, 5, 7}, 5, THUD_ERR_SCENE, "the starts of H do not match"},
    {G "H/p", WHOLES, {0, 9999999, 4, 5, 7}, 5, THUD_ERR_SCENE, "the starts of H do not match"},
    {G "H/p", WHOLES, {1, 2, 3, 5, 7}, 5, THUD_ERR_SCENE, "the starts of H do not match"},
    {G "H/p", WHOLES, {0, 2, 4, 5, 9}, 5, THUD_ERR_SCENE, "the starts of H do not match"},
    {G "H/p", WHOLES, {0, 2, 4, 5, -1}, 5, THUD_ERR_SCENE, "the starts of H do not match"},
    {G "H/x", NUMBERS, {1, 2}, 2, THUD_ERR_SCENE, "H/x has 2 numbers; it must have 7"},
    {G "M/x", NUMBERS, {1, 2, NAN}, 3, THUD_ERR_SCENE, "M has an entry that is not finite"},
    {G "M/x", NUMBERS, {1, 2, INFINITY}, 3, THUD_ERR_SCENE, "M has an entry that is not finite"},
    {G "M/x", NUMBERS, {1, 2, -3}, 3, THUD_ERR_SCENE, "the diagonal of M is not positive"},
    {G "M/x", NUMBERS, {1, 0, 3}, 3, THUD_ERR_SCENE, "the diagonal of M is not positive"},
    {G "M/i", WHOLES, {1, 0, 2}, 3, THUD_ERR_ARGUMENT, "M is not diagonal"},
    {G "M/i", WHOLES, {0, 1, -2}, 3, THUD_ERR_SCENE, "an entry of M is outside the matrix"},
    {G "vectors/f", NUMBERS, {1, 2}, 2, THUD_ERR_SCENE, "vectors/f has 2 numbers; it must have 3"},
    {G "vectors/f", NUMBERS, {1, 2, NAN}, 3, THUD_ERR_SCENE, "vector f has a number that is not"},
    {G "M/x", NUMBERS, {1e-320, 1, 1}, 3, THUD_ERR_SCENE, "M^-1 f has a number that is not"},
    {G "vectors/w", NUMBERS, {1, NAN, 1, 1}, 4, THUD_ERR_SCENE, "vector w has a number that is"},
    {G "vectors/mu", NUMBERS, {1}, 1, THUD_ERR_SCENE, "vectors/mu has 1 numbers; it must have 2"},
    {"fclib_global/G/m", WHOLES, {1}, 1, THUD_ERR_ARGUMENT, "it has equations (G)"},
    {"solution/v", NUMBERS, {1, 2, 3}, 3, THUD_OK, ""},
};

static void spoil(const char *path, const spoiled *way)
{
    int wholes[5];
    rig_file file = rig_open(path, false);
    for (int k = 0; k < 5; k++)
        wholes[k] = isfinite(way->x[k]) ? (int)way->x[k] : 0;
    if (way->how == REMOVE)
        rig_drop(&file, way->path);
    else if (way->how == NUMBERS)
        rig_numbers(&file, way->path, way->x, way->count);
    else
        rig_wholes(&file, way->path, wholes, way->count);
    rig_close(&file);
}

static void run_malformed(void)
{
    for (size_t j = 0; j < sizeof ways / sizeof *ways; j++)
    {
        const char *path = rig_path("spoiled.hdf5");
        thud_instance *found = NULL;
        thud_fault fault = {0};
        rig_problem(path, strcmp(ways[j].path, G "H/p") == 0 ? RIG_COLUMNS : RIG_TRIPLETS);
        spoil(path, &ways[j]);
        thud_status status = thud_instance_read(path, NULL, &found, &fault);
        if (status != ways[j].status || !strstr(fault.text, ways[j].text))
            test_fail(__FILE__, __LINE__, "case %zu: %s, \"%s\", wanted %s, \"%s\"", j,
                      thud_status_name(status), fault.text, thud_status_name(ways[j].status),
                      ways[j].text);
        CHECK(status == THUD_OK || strcmp(fault.file, path) == 0);
        CHECK((status == THUD_OK) == (found != NULL));
        thud_instance_destroy(found);
    }
}

// A file cut short anywhere is refused, or nothing that is read of it was in the part cut off.
static void run_truncated(void)
{
    const char *path = rig_path("cut.hdf5");
    static char whole[100000];
    rig_problem(path, RIG_COLUMNS);
    FILE *file = fopen(path, "rb");
    REQUIRE(file != NULL);
    size_t size = fread(whole, 1, sizeof whole, file);
    (void)fclose(file);
    REQUIRE(size > 1000 && size < sizeof whole);
    for (size_t length = 0; length < size; length += length < 200 ? 20 : 97)
    {
        thud_instance *found = NULL;
        thud_fault fault = {0};
        file = fopen(path, "wb");
        REQUIRE(file != NULL && fwrite(whole, 1, length, file) == length && fclose(file) == 0);
        CHECK(thud_instance_read(path, NULL, &found, &fault) == THUD_ERR_SCENE);
        CHECK(strstr(fault.text, "not an HDF5 file, or it is cut off") != NULL);
        thud_instance_destroy(found);
    }
}

static void check_refused(const char *list, thud_status wanted, const char *text)
{
    thud_instance *found = NULL;
    thud_fault fault = {0};
    const char *path = rig_path("other.hdf5");
    rig_file file = rig_open(path, true);
    rig_numbers(&file, list, (double[]){1}, 1);
    rig_close(&file);
    CHECK(thud_instance_read(path, NULL, &found, &fault) == wanted);
    CHECK(strstr(fault.text, text) != NULL);
    CHECK(found == NULL);
}

static void run_other_problems(void)
{
    thud_instance *found = NULL;
    thud_fault fault = {0};
    check_refused("fclib_local/W/x", THUD_ERR_ARGUMENT, "a local problem (W, q)");
    check_refused("fclib_global_rolling/M/x", THUD_ERR_ARGUMENT, "rolling friction");
    check_refused("run/time", THUD_ERR_SCENE, "no FCLIB problem");
    check_refused("fclib_global", THUD_ERR_SCENE, "fclib_global/spacedim is missing");
    CHECK(thud_instance_read(rig_path("absent.hdf5"), NULL, &found, &fault) == THUD_ERR_IO);
    CHECK(thud_instance_read(rig_path(""), NULL, &found, &fault) == THUD_ERR_SCENE); // a folder
    const char *pipe = rig_path("pipe.hdf5");
    REQUIRE(mkfifo(pipe, 0600) == 0);
    CHECK(thud_instance_read(pipe, NULL, &found, &fault) == THUD_ERR_SCENE);
    CHECK(strcmp(fault.text, "it is not a regular file") == 0);
    CHECK(unlink(pipe) == 0);
    CHECK(found == NULL);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"malformed", run_malformed},
        {"truncated", run_truncated},
        {"other-problems", run_other_problems},
    };
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    int code = test_main(argc, argv, cases, sizeof cases / sizeof *cases);
    rig_clean();
    return code;
}
