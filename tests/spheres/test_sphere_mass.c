// Masses from densities: by pencil, and the bits that a scene gives its bodies.
#include "scene_text.h"
#include "thud_test.h"

#include <thud/spheres.h>

#include <string.h>

static void by_pencil(void)
{
    const double pi = 3.14159265358979323846;
    CHECK_NEAR(thud_sphere_mass(3, 0.5, 6), pi, 1e-15);
    CHECK_NEAR(thud_sphere_mass(2, 2, 0.25), pi, 1e-15);
    CHECK_NEAR(thud_sphere_mass(3, 0.005, 2500), 2500 * pi * 5e-7 / 3, 1e-18);
    CHECK(thud_sphere_mass(3, 1e300, 1) == INFINITY);
}

// Masses of scenes go into state hashes, so that these bits must not change.
static void as_in_scenes(void)
{
    for (int dim = 2; dim <= 3; dim++)
    {
        char text[300];
        (void)snprintf(text, sizeof text,
                       "{thud: 1, kind: spheres, dim: %d, time: {step: 1, end: 1}, materials: {a: "
                       "{density: 2467.3}}, bodies: [{at: [0, 0%s], radius: 0.00731}]}",
                       dim, dim == 3 ? ", 0" : "");
        thud_scene *scene = scene_of_text(text);
        REQUIRE(scene);
        CHECK(scene->bodies[0].sphere.mass == thud_sphere_mass(dim, 0.00731, 2467.3));
        CHECK(scene->bodies[0].sphere.mass ==
              (dim == 3 ? 0.004037036712950527 : 0.41419665317549864));
        thud_scene_destroy(scene);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"by-pencil", by_pencil}, {"as-in-scenes", as_in_scenes}};
    return test_main(argc, argv, cases, 2);
}
