// Good scenes: what must come out of them.
#include "scene_rig.h"
#include "thud_test.h"

#include <string.h>
#include <thud/model.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

static thud_scene *read_good(const char *name)
{
    CHECK(chdir(SCENE_GOOD) == 0);
    return rig_read(&(thud_scene_def){.path = name});
}

static double value(thud_varying varying, double t)
{
    double room[64];
    bool fits = thud_varying_is_given(&varying) && thud_varying_room(&varying) <= 64;
    CHECK(fits);
    return fits ? thud_varying_at(&varying, t, room) : NAN;
}

static void minimal(void)
{
    thud_scene *s = read_good("spheres_minimal.yaml");
    REQUIRE(s);
    CHECK(strcmp(s->file, "spheres_minimal.yaml") == 0 && strcmp(s->title, "spheres_minimal") == 0);
    CHECK(strcmp(s->about, "") == 0 && strcmp(s->unit_length, "") == 0);
    CHECK(s->kind == THUD_SCENE_SPHERES && s->dim == 3 && s->frames == 100 && !s->record_all);
    CHECK(s->start == 0 && s->step == 0.01 && s->end == 1 && !s->step_is_auto);
    CHECK(strcmp(s->quality, "default") == 0 && s->tol == 1e-5 && s->tol_a == 1e-3);
    CHECK(s->drag == 0 && s->overlaps == THUD_REFUSE_OVERLAP && !s->gravity_moves);
    for (int k = 0; k < 3; k++)
        CHECK(value(s->gravity[k], 0) == 0);
    CHECK(s->material_count == 0 && s->wall_count == 0 && s->measure_count == 0);
    REQUIRE(s->body_count == 1);
    CHECK(s->bodies[0].sphere.center[2] == 1 && s->bodies[0].sphere.radius == 0.5);
    CHECK(s->bodies[0].sphere.mass == 2 && s->bodies[0].material == -1 && !s->bodies[0].name);
    CHECK(strcmp(s->bodies[0].origin, "body") == 0);
    CHECK(s->coordinate_count == 0 && s->constraint_count == 0);
    thud_scene_destroy(s);
}

static void check_full_bodies(const thud_scene *s)
{
    static const struct
    {
        int first;
        const char *origin;
        int material;
    } parts[] = {{0, "body", 0},  {1, "body", -1}, {2, "lattice", 1}, {25, "lattice", 1},
                 {26, "fill", 0}, {65, "fill", 0}, {66, "fill", -1},  {85, "fill", -1},
                 {86, "file", 1}, {87, "file", 0}, {88, "file", 0}};
    REQUIRE(s->body_count == 89);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    {
        const thud_scene_body *body = &s->bodies[parts[i].first];
        CHECK(strcmp(body->origin, parts[i].origin) == 0);
        CHECK(body->material == parts[i].material);
    }
    CHECK(strcmp(s->bodies[0].name, "probe") == 0 && s->bodies[0].sphere.velocity[2] == -1);
    CHECK_NEAR(s->bodies[0].sphere.mass, 2500 * 4.0 / 3 * pi * 0.012 * 0.012 * 0.012, 1e-15);
    CHECK(s->bodies[1].sphere.mass == 0.125 && s->bodies[1].sphere.center[1] == 0.0625);
    CHECK(s->bodies[1].sphere.radius == 1 / 3e1 && s->bodies[2].sphere.velocity[1] == 2);
    CHECK(s->bodies[66].sphere.mass == 0.5);
    CHECK(strcmp(s->bodies[86].name, "first grain") == 0 && s->bodies[86].sphere.mass == 0.25);
    CHECK(!s->bodies[87].name && s->bodies[87].sphere.mass == 0.5);
    CHECK(s->bodies[88].sphere.center[1] == 2 && s->bodies[88].sphere.radius == 0.3);
}

static void check_full_walls(const thud_scene *s)
{
    static const char *const names[] = {"floor",       "hall.x-low", "hall.x-high", "hall.y-low",
                                        "hall.y-high", "hall.z-low", "hall.z-high"};
    REQUIRE(s->wall_count == 7);
    for (int i = 0; i < 7; i++)
        CHECK(strcmp(s->walls[i].name, names[i]) == 0 && s->walls[i].moves == (i == 0));
    CHECK_NEAR(value(s->walls[0].plane.point[2], 0.05), 2e-3 * sin(2 * pi * 5 * 0.05) - 10, 1e-15);
    CHECK(value(s->walls[0].plane.normal[2], 0) == 2 && s->walls[0].place.line == 35);
    for (int i = 1; i < 7; i++)
        for (int k = 0; k < 3; k++)
        {
            double sign = i % 2 ? 1 : -1, normal = k == (i - 1) / 2 ? sign : 0;
            CHECK(value(s->walls[i].plane.normal[k], 0) == normal);
            CHECK(value(s->walls[i].plane.point[k], 0) == -20 * sign);
        }
    static const struct
    {
        const char *name;
        thud_measure_kind kind;
        int first, count;
    } wanted[] = {{"flow", THUD_MEASURE_COUNT_THROUGH, 0, 0},
                  {"push", THUD_MEASURE_FORCE_ON, 0, 1},
                  {"all", THUD_MEASURE_FORCE_ON, 1, 6},
                  {"side", THUD_MEASURE_FORCE_ON, 4, 1}};
    REQUIRE(s->measure_count == 4);
    for (int i = 0; i < 4; i++)
        CHECK(strcmp(s->measures[i].name, wanted[i].name) == 0 &&
              s->measures[i].kind == wanted[i].kind &&
              s->measures[i].first_wall == wanted[i].first &&
              s->measures[i].wall_count == wanted[i].count);
    CHECK(value(s->measures[0].plane.point[2], 4) == 4);
}

static void full(void)
{
    thud_scene *s = read_good("spheres_full.yaml");
    REQUIRE(s);
    CHECK(strcmp(s->title, "Everything at once") == 0);
    CHECK(strcmp(s->about, "A scene that uses every key,\n  with a line that is indented\n\n"
                           "and an empty one.\n") == 0);
    CHECK(strcmp(s->unit_length, "m") == 0 && strcmp(s->unit_time, "s") == 0 &&
          strcmp(s->unit_mass, "kg") == 0);
    CHECK(s->start == -1 && s->end == 3 && s->frames == 17 && s->record_all && s->step_is_auto);
    CHECK(s->drag == 0.125 && s->overlaps == THUD_PROJECT_OVERLAP && s->gravity_moves);
    CHECK(strcmp(s->quality, "custom") == 0 && s->tol == 1e-4 && s->tol_a == 2e-3);
    CHECK(value(s->gravity[0], 0) == 0 && value(s->gravity[1], 0) == 0.1);
    CHECK(value(s->gravity[2], -1) == -9.81);
    REQUIRE(s->material_count == 2);
    CHECK(strcmp(s->materials[1].name, "dough") == 0 && s->materials[1].density == 400);
    CHECK(!s->materials[0].growth && value(s->materials[1].growth->factor, 1) == 2.5);
    CHECK(s->materials[1].place.line == 22 && s->materials[1].place.column == 3);
    CHECK(strcmp(s->materials[1].place.file, "spheres_full.yaml") == 0);
    check_full_bodies(s);
    check_full_walls(s);
    // a tenth of sqrt(r / g), shortened to divide the run
    double longest = 0.1 * sqrt(0.012 / sqrt(0.1 * 0.1 + 9.81 * 9.81)), count = 4 / s->step;
    CHECK(s->step <= longest && s->step > 0.99 * longest);
    CHECK_NEAR(count, round(count), 1e-9);
    thud_scene_destroy(s);
}

static void obstacles(void)
{
    static const struct
    {
        const char *name;
        thud_solid_kind kind;
        bool moves;
        int triangles;
    } wanted[] = {{"block", THUD_BOX, true, 0},         {"ball", THUD_BALL, false, 0},
                  {"rod", THUD_CAPSULE, true, 0},       {"log", THUD_CYLINDER, false, 0},
                  {"leaf", THUD_TRIANGLE, false, 0},    {"funnel", THUD_MESH, false, 2},
                  {"half", THUD_MESH, false, 1},        {"hopper", THUD_MESH, false, 20},
                  {"tray", THUD_INSIDE_BOX, true, 0},   {"drum", THUD_INSIDE_DRUM, false, 0},
                  {"tube", THUD_INSIDE_DRUM, false, 0}, {"cone", THUD_INSIDE_CONE, false, 0},
                  {"sky", THUD_INSIDE_BALL, false, 0}};
    thud_scene *s = read_good("obstacles.yaml");
    REQUIRE(s && s->obstacle_count == 13 && s->wall_count == 1);
    for (int i = 0; i < 13; i++)
    {
        const thud_scene_obstacle *o = &s->obstacles[i];
        CHECK(strcmp(o->name, wanted[i].name) == 0 && o->solid.kind == wanted[i].kind &&
              o->moves == wanted[i].moves && o->solid.triangle_count == wanted[i].triangles &&
              o->solid.is_open == (i == 10) && thud_scene_wall_name(s, 1 + i) == o->name);
        CHECK(o->material == (i == 1 ? 1 : i == 12 ? 0 : -1));
    }
    CHECK(s->obstacles[0].solid.points[0][2] == -0.5 && s->obstacles[1].solid.radius == 1);
    CHECK_NEAR(value(s->obstacles[0].position[2], 0.3), sin(0.6), 1e-15);
    CHECK(s->obstacles[5].solid.triangles[3] == 1 && s->obstacles[6].solid.triangles[4] == 10);
    // a hopper of five sides: the inscribed circle of its outlet has the radius given
    const double *corner = s->obstacles[7].solid.triangles;
    CHECK_NEAR(hypot((corner[0] + corner[3]) / 2, (corner[1] + corner[4]) / 2), 0.5, 1e-15);
    CHECK(corner[2] == 0 && corner[8] == 3);
    CHECK(s->measures[0].wall_count == 0 && s->measures[0].obstacle == 7);
    CHECK(s->measures[1].wall_count == 1 && s->measures[1].first_wall == 0);
    thud_scene_destroy(s);
    s = read_good("obstacles_flat.yaml");
    REQUIRE(s && s->obstacle_count == 7 && !thud_varying_is_given(&s->obstacles[0].rotation[0]));
    CHECK(value(s->obstacles[0].rotation[2], 2) == 0.2 &&
          isinf(s->obstacles[0].solid.points[1][2]));
    CHECK(s->obstacles[4].solid.triangle_count == 4 && s->obstacles[4].solid.triangles[0] == -0.5);
    thud_scene_destroy(s);
}

static void disks(void)
{
    thud_scene *s = read_good("disks.yaml");
    REQUIRE(s);
    CHECK(s->dim == 2 && s->body_count == 12 + 2 + 5 && s->wall_count == 4);
    CHECK(strcmp(s->quality, "study") == 0 && s->tol == 1e-8 && s->tol_a == 1e-6);
    CHECK(!s->materials[0].growth); // 1 is none
    CHECK(s->bodies[0].material == 0 && s->bodies[12].sphere.radius == 0.05);
    CHECK_NEAR(s->bodies[12].sphere.mass, 3 * pi * 0.05 * 0.05, 1e-16);
    CHECK(s->bodies[11].sphere.center[0] == 3 && s->bodies[11].sphere.center[1] == 2);
    CHECK(s->bodies[18].sphere.velocity[0] == 1 && signbit(s->bodies[18].sphere.velocity[1]));
    CHECK(strcmp(s->walls[2].name, "tray.y-low") == 0 && s->measures[0].first_wall == 2);
    thud_scene_destroy(s);
    s = read_good("cloud.yaml");
    REQUIRE(s);
    CHECK(s->body_count == 2 && s->bodies[1].sphere.radius == 0.25);
    CHECK(s->bodies[1].sphere.mass == 2 && s->bodies[1].sphere.velocity[1] == -1);
    CHECK(s->step == 1.0 / 3 && s->frames == 3);
    thud_scene_destroy(s);
    s = read_good("growing.yaml");
    REQUIRE(s);
    CHECK(s->step == 0.05); // of the radius 0.25 * 4
    thud_scene_destroy(s);
}

static void inclusions(void)
{
    thud_scene *s = read_good("plate.yaml");
    REQUIRE(s);
    CHECK(s->kind == THUD_SCENE_INCLUSION && s->order == THUD_SECOND_ORDER && s->dim == 0);
    CHECK(s->step == 1.0 / 128 && s->end == 6 && s->drag == 0.1);
    REQUIRE(s->coordinate_count == 2 && s->constraint_count == 3 && s->break_count == 3);
    CHECK(strcmp(s->coordinates[0].name, "z") == 0 && s->coordinates[0].velocity == 2);
    CHECK(signbit(s->coordinates[1].start) && s->coordinates[1].mass == 1e-300);
    CHECK(strcmp(thud_expression_view(s->coordinates[0].force.expression)->text, "-G") == 0);
    CHECK(strcmp(thud_expression_view(s->coordinates[1].impulse.expression)->text, "-cos(t)*x") ==
          0);
    CHECK(s->breaks[0] == 0.4371 && s->breaks[2] == 5);
    CHECK(s->constraints[0].shift == 1e-6 && s->constraints[1].shift == 1e-3);
    CHECK(strcmp(s->constraints[2].name, "H\xc3\xb6he") == 0 && s->constraints[2].place.line == 17);
    CHECK(s->smooth.gap_tt == 4 && isnan(s->smooth.gap_tq));
    thud_scene_destroy(s);
    s = read_good("sweeping.yaml");
    REQUIRE(s);
    CHECK(s->order == THUD_FIRST_ORDER && s->coordinate_count == 2 && s->constraint_count == 1);
    CHECK(strcmp(thud_expression_view(s->coordinates[0].force.expression)->text, "1 - u") == 0);
    CHECK(!thud_varying_is_given(&s->coordinates[1].force) && s->coordinates[1].mass == 2 &&
          s->coordinates[0].mass == 1);
    CHECK(s->smooth.gap_tt == 0 && s->smooth.gap_tq == 0.25);
    thud_scene_destroy(s);
}

static void laws(void)
{
    thud_scene *s = read_good("contacts.yaml");
    REQUIRE(s);
    CHECK(s->law == THUD_LAW_RESTITUTION && s->contact_count == 4 && s->wall_count == 9);
    CHECK(s->contacts[0].a == 0 && s->contacts[0].b == 1 && s->contacts[0].rule.numbers[0] == 0.5);
    CHECK(s->contacts[1].rule.law == THUD_LAW_RESTITUTION && s->contacts[1].rule.numbers[0] == 1);
    CHECK(s->contacts[2].a == 0 && s->contacts[2].b == 2 && s->contacts[2].rule.numbers[0] == 0);
    CHECK(!signbit(s->contacts[3].rule.numbers[0]) && s->contacts[3].place.line == 14);
    CHECK(s->walls[0].material == 1 && s->walls[1].material == -1 && s->walls[8].material == 2);
    thud_scene_destroy(s);
    s = read_good("sticky.yaml");
    REQUIRE(s);
    CHECK(s->law == THUD_LAW_GLUE && s->contacts[0].rule.numbers[0] == -INFINITY);
    CHECK(s->walls[0].material == 0); // the only one
    thud_scene_destroy(s);
    s = read_good("constraints.yaml");
    REQUIRE(s);
    CHECK(s->law == THUD_LAW_GLUE && s->constraints[0].rule.numbers[0] == -0.1);
    CHECK(s->constraints[1].rule.numbers[0] == -INFINITY && s->constraints[2].rule.numbers[0] == 0);
    thud_scene_destroy(s);
    s = read_good("noisy.yaml");
    REQUIRE(s);
    CHECK(s->law == THUD_LAW_INELASTIC && s->noise == 1.0 / 3 && s->seed == UINT64_C(1) << 53);
    thud_scene_destroy(s);
}

static void texts(void)
{
    thud_scene *s = read_good("awkward_texts.yaml");
    REQUIRE(s);
    CHECK(strcmp(s->title, "Zeile\t\"eins\" \\ M\xc3\xbcll \xef\xbb\xbf\xc2\xa0") == 0);
    CHECK(strcmp(s->about, " spaces around \xe2\x80\xa8 \xc2\x85\n\n\xf0\x9f\x98\x80") == 0);
    CHECK(strcmp(s->unit_length, "\xc2\xb5m") == 0 && strcmp(s->unit_time, "no") == 0);
    thud_scene_destroy(s);
    s = rig_read_text("{thud: 1, kind: inclusion, time: {step: 1, end: 2}, "
                      "coordinates: {q: {start: 0}}}");
    REQUIRE(s);
    CHECK(strcmp(s->file, "-") == 0 && strcmp(s->title, "-") == 0);
    thud_scene_destroy(s);
}

// Types come from the format, never from YAML's guesses.
static void plain_words(void)
{
    thud_scene *s = rig_read_text("thud: 1\nkind: spheres\ntitle: 0x10\nabout: ~\n"
                                  "units: {length: yes, time: null, mass: 1_000}\n"
                                  "time: {step: .5, end: +1.}\n"
                                  "materials: {no: {density: 1}, 1e5: {density: 2}}\n"
                                  "bodies: [{at: [0, 0, 0], radius: 1, material: 1e5}]\n");
    REQUIRE(s);
    CHECK(strcmp(s->title, "0x10") == 0 && strcmp(s->about, "~") == 0);
    CHECK(strcmp(s->unit_length, "yes") == 0 && strcmp(s->unit_time, "null") == 0);
    CHECK(strcmp(s->unit_mass, "1_000") == 0 && s->step == 0.5 && s->end == 1);
    CHECK(strcmp(s->materials[0].name, "no") == 0 && s->bodies[0].material == 1);
    thud_scene_destroy(s);
}

static void growth_laws(void)
{
    // by body: stone's, own, dough's twice, own of the entry with a name that was free, of the rows
    static const char *const names[] = {"swell",     "slow",      NULL,       NULL,    "bodies_3_",
                                        "bodies_3_", "bodies_3_", "bodies_4", "swell", "bodies_4"};
    thud_scene *s = read_good("growth_laws.yaml");
    double room[64];
    REQUIRE(s && s->body_count == 10 && s->growth_count == 5);
    for (int i = 0; i < 10; i++)
    {
        const thud_scene_growth *growth = s->bodies[i].growth;
        bool same = growth && (names[i] ? growth->name && strcmp(growth->name, names[i]) == 0
                                        : growth == s->materials[0].growth);
        if (!same)
            test_fail(__FILE__, __LINE__, "body %d", i);
    }
    const thud_knots *knots = s->growths[1].factor.table;
    REQUIRE(knots);
    CHECK(knots->count == 3 && knots->t[2] == 1.5 && s->growths[1].factor.place.line == 8);
    CHECK(knots->value[2] == 1 / 1.5);
    CHECK(thud_scene_growth_at(s->materials[0].growth, 1, NULL) == 1.5); // a line
    CHECK(thud_scene_growth_at(s->bodies[4].growth, 2, room) == 5);
    CHECK(thud_scene_growth_at(NULL, 2, NULL) == 1);
    thud_scene_destroy(s);
}

static void wrong_arguments(void)
{
    thud_scene *s = (thud_scene *)&s;
    thud_fault fault;
    CHECK(thud_scene_read(NULL, &s, &fault) == THUD_ERR_ARGUMENT && !s);
    CHECK(thud_scene_read(&(thud_scene_def){.length = 3}, &s, NULL) == THUD_ERR_ARGUMENT);
    CHECK(thud_scene_read(&(thud_scene_def){.text = ""}, NULL, NULL) == THUD_ERR_ARGUMENT);
    CHECK(thud_scene_read(&(thud_scene_def){.text = "", .set_count = 1}, &s, &fault) ==
          THUD_ERR_ARGUMENT);
    CHECK(thud_scene_read(&(thud_scene_def){0}, &s, &fault) == THUD_ERR_SCENE); // empty
    CHECK(thud_scene_read(&(thud_scene_def){.path = "no/such.yaml"}, &s, &fault) == THUD_ERR_IO);
    CHECK(strcmp(fault.file, "no/such.yaml") == 0 && fault.line == 0);
    CHECK(strcmp(fault.text, "the file does not exist") == 0);
    CHECK(thud_scene_read(&(thud_scene_def){.path = SCENE_GOOD}, &s, &fault) == THUD_ERR_IO);
    CHECK(strcmp(fault.text, "the file is a folder") == 0);
    CHECK(thud_scene_read(&(thud_scene_def){.path = "/dev/null"}, &s, &fault) == THUD_ERR_IO);
    CHECK(thud_scene_read(&(thud_scene_def){.text = "", .folder = "/no/such"}, &s, &fault) ==
          THUD_ERR_IO);
    thud_scene_destroy(NULL);
}

static bool blames_nothing(const thud_fault *fault, thud_status status)
{
    return fault->status == status && fault->step == 0 && thud_key_same(fault->row, THUD_NO_KEY) &&
           fault->body == -1 && fault->wall == -1;
}

// The numbers of a fault are for programs: those that are not known must say so.
static void numbers_of_faults(void)
{
    static const char unknown[] = "thud: 1\nkind: inclusion\ntime: {step: 1, end: 2*lenght}\n"
                                  "coordinates: {q: {start: 0}}\n";
    static const char negative[] = "thud: 1\nkind: inclusion\ntime: {step: -1, end: 2}\n"
                                   "coordinates: {q: {start: 0}}\n";
    static const char early[] = "thud: 1\nkind: inclusion\ntime: {step: 1, end: 2}\n"
                                "coordinates: {q: {start: -1}}\nconstraints: {floor: q}\n";
    thud_scene *s = NULL;
    thud_model *model = NULL;
    thud_fault fault;
    memset(&fault, 77, sizeof fault);
    CHECK(thud_scene_read(&(thud_scene_def){.text = unknown, .length = strlen(unknown)}, &s,
                          &fault) == THUD_ERR_SCENE);
    CHECK(blames_nothing(&fault, THUD_ERR_SCENE) && strcmp(fault.path, "time.end") == 0);
    CHECK(strcmp(fault.name, "lenght") == 0);
    memset(&fault, 77, sizeof fault);
    CHECK(thud_scene_read(&(thud_scene_def){.text = negative, .length = strlen(negative)}, &s,
                          &fault) == THUD_ERR_SCENE);
    CHECK(blames_nothing(&fault, THUD_ERR_SCENE) && strcmp(fault.path, "time.step") == 0);
    CHECK(fault.name[0] == '\0');
    memset(&fault, 77, sizeof fault);
    CHECK(thud_scene_read(&(thud_scene_def){.text = early, .length = strlen(early)}, &s, &fault) ==
          THUD_OK);
    CHECK(thud_model_create(s, NULL, &model, &fault) == THUD_ERR_SCENE);
    CHECK(blames_nothing(&fault, THUD_ERR_SCENE) && fault.line == 5);
    thud_scene_destroy(s);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"minimal", minimal},
                                      {"full", full},
                                      {"obstacles", obstacles},
                                      {"disks", disks},
                                      {"inclusions", inclusions},
                                      {"laws", laws},
                                      {"growth-laws", growth_laws},
                                      {"texts", texts},
                                      {"plain-words", plain_words},
                                      {"wrong-arguments", wrong_arguments},
                                      {"numbers-of-faults", numbers_of_faults}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
