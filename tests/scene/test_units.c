// Units made of the labels of a scene.
#include "thud/units.h"
#include "thud_test.h"

#include <string.h>

static void texts(void)
{
    const thud_scene si = {.unit_length = "m", .unit_time = "s", .unit_mass = "kg", .dim = 3};
    const thud_scene own = {.unit_length = "cm", .unit_time = "h", .unit_mass = "g", .dim = 2};
    const thud_scene partly = {.unit_length = "m", .dim = 3};
    const struct
    {
        const thud_scene *scene;
        int length, time, mass;
        const char *unit;
    } cases[] = {
        {&si, 1, 0, 0, "m"},    {&si, 1, -2, 1, "N"},    {&si, 2, -2, 1, "J"},
        {&si, -1, -2, 1, "Pa"}, {&si, 1, -1, 1, "N s"},  {&si, 0, -2, 1, "N/m"},
        {&si, 1, -1, 0, "m/s"}, {&si, 0, -1, 0, "1/s"},  {&own, 1, -2, 1, "g cm/h\xc2\xb2"},
        {&own, 0, 0, 0, ""},    {&partly, 1, 0, 0, "m"}, {&partly, 1, -1, 0, ""}};
    char unit[THUD_UNIT_SIZE];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        (void)thud_unit_text(unit, cases[i].scene, cases[i].length, cases[i].time, cases[i].mass);
        if (strcmp(unit, cases[i].unit) != 0)
            test_fail(__FILE__, __LINE__, "case %d: '%s', not '%s'", (int)i, unit, cases[i].unit);
    }
}

static void forces(void)
{
    thud_scene scene = {.unit_length = "m", .unit_time = "s", .unit_mass = "kg", .dim = 3};
    char unit[THUD_UNIT_SIZE];
    scene.order = THUD_SECOND_ORDER;
    CHECK(strcmp(thud_unit_force(unit, &scene), "N") == 0);
    CHECK(strcmp(thud_unit_pressure(unit, &scene), "Pa") == 0);
    scene.dim = 2;
    CHECK(strcmp(thud_unit_pressure(unit, &scene), "N/m") == 0);
    scene.order = THUD_FIRST_ORDER; // a mass times a velocity
    CHECK(strcmp(thud_unit_force(unit, &scene), "N s") == 0);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"texts", texts}, {"forces", forces}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
