// Contact problems of real size: three from a public collection, and generated ones like them.
#ifdef THUD_FCLIB
#include "fclib_file.h"
#endif
#include "scene.h"

#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

// Feasible to rounding, and primal and dual values equal to 1e-12: optimal.
static void check_scene(const char *name, const scene *s, double optimum, double digits)
{
    thud_projector *projector = NULL;
    thud_projection projection = scene_projection(s, NULL);
    thud_answer answer;
    double primal = 0;
    int loaded = 0;
    REQUIRE(thud_projector_create(NULL, &projector) == THUD_OK);
    thud_status status = thud_project(&projection, projector, &answer);
    if (status != THUD_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", name, thud_status_name(status));
    else
    {
        double gap = scene_duality_gap(s, answer.u, answer.mu, &primal);
        for (int i = 0; i < thud_rows_count(s->rows); i++)
            loaded += answer.mu[i] > 0;
        printf("  %-34s dim %4d rows %4d loaded %4d unique %d: optimum %.12g, gap %.2g, "
               "kkt %.2g, violation %.2g ulps, added %d, dropped %d\n",
               name, s->dim, thud_rows_count(s->rows), loaded, answer.unique, primal, gap,
               answer.certificate.kkt, answer.certificate.violation_ulps, answer.effort.added,
               answer.effort.dropped);
        CHECK_AT_MOST(fabs(gap), 1e-12);
        CHECK_AT_MOST(answer.certificate.kkt, 1e-12);
        CHECK_AT_MOST(answer.certificate.violation_ulps, 8);
        if (optimum > 0)
            CHECK_NEAR(primal, optimum, digits);
    }
    thud_projector_destroy(projector);
}

static void run_generated(void)
{
    scene *scenes[] = {
        scene_spheres(120, .2, 1, 1), scene_spheres(200, .2, 1, 2), scene_spheres(100, .3, 1e-6, 3),
        scene_spheres(100, .1, 0, 4), scene_crystal(5, 5),          scene_boxes(5, 5, 6),
        scene_boxes(1, 20, 7)};
    static const char *const names[] = {
        "spheres",         "more spheres",    "nearly jammed spheres",       "jammed spheres",
        "crystal, jammed", "stacks of boxes", "tower of boxes, four corners"};
    for (size_t j = 0; j < sizeof scenes / sizeof *scenes; j++)
    {
        check_scene(names[j], scenes[j], 0, 0);
        scene_destroy(scenes[j]);
    }
}

#ifdef THUD_FCLIB
/// The optimum, known to one unit of its last digit.
static const struct
{
    const char *file;
    int contacts;
    double optimum, digits;
} collection[] = {
    {"Spheres-i099-356-679.hdf5", 356, 195.7368920408, 1e-10},
    {"spheres-in-a-box-98-i10000-256-10.hdf5", 256, 1.702795295697e-7, 1e-19},
    {"Box_Stacks-i0122-82-5.hdf5", 82, 2.238325635e-5, 1e-14},
};

static const char *collection_folder(void)
{
    const char *folder = getenv("THUD_FCLIB_DIR");
    return folder ? folder : THUD_FCLIB;
}

static void run_public(void)
{
    for (size_t j = 0; j < sizeof collection / sizeof *collection; j++)
    {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", collection_folder(), collection[j].file);
        scene *s = fclib_read(path);
        REQUIRE(s != NULL);
        CHECK(thud_rows_count(s->rows) == collection[j].contacts);
        check_scene(collection[j].file, s, collection[j].optimum, collection[j].digits);
        scene_destroy(s);
    }
}

static bool collection_is_there(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", collection_folder(), collection[0].file);
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}
#else
static void run_public(void)
{
}

static bool collection_is_there(void)
{
    return false;
}
#endif

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"generated", run_generated}, {"public", run_public}};
    if (argc > 1 && strcmp(argv[1], "public") == 0 && !collection_is_there())
    {
        printf("the public collection is not there: see THUD_FCLIB_DIR\n");
        return 77;
    }
    return test_main(argc, argv, cases, 2);
}
