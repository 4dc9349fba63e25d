// Contact problems of real size, generated to be like those of public collections, of which
// tests/export has three.
#include "scene.h"

#include "thud_test.h"

// Feasible to rounding, and primal and dual values equal to 1e-12: optimal.
static void check_scene(const char *name, const scene *s)
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
        check_scene(names[j], scenes[j]);
        scene_destroy(scenes[j]);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"generated", run_generated}};
    return test_main(argc, argv, cases, 1);
}
