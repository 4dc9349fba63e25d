// What a model tells of its scene: names of constraints, radii, walls, contacts, a step.
#include "model_rig.h"

#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 1}\n"

static const char three[] = HEAD "bodies:\n"
                                 "  - {at: [0, 0, 1], radius: 1, mass: 2}\n"
                                 "  - {name: probe, at: [0, 0, 4], radius: 1, mass: 2}\n"
                                 "  - {at: [5, 0, 1], radius: 1, mass: 2}\n"
                                 "walls:\n"
                                 "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 3]}}\n"
                                 "  room: {box: [[-9, -9, -9], [9, 9, 9]]}\n";

static void check_text(const model_rig *rig, thud_key key, const char *wanted)
{
    char text[200];
    thud_model_describe(rig->model, key, text, sizeof text);
    if (strcmp(text, wanted) != 0)
        test_fail(__FILE__, __LINE__, "\"%s\", wanted \"%s\"", text, wanted);
}

static void describe(void)
{
    model_rig rig;
    char small[12];
    REQUIRE(model_open(&rig, three));
    check_text(&rig, thud_key_pair(0, 2, 0), "bodies 0 and 2");
    check_text(&rig, thud_key_pair(0, 1, 0), "bodies 0 and 'probe'");
    check_text(&rig, thud_key_pair(1, 2, 0), "bodies 'probe' and 2");
    check_text(&rig, thud_key_wall(0, 2), "body 2 and wall 'floor'");
    check_text(&rig, thud_key_wall(6, 1), "body 'probe' and wall 'room.z-high'");
    check_text(&rig, thud_key_wall(7, 1), "body 'probe' and wall '?'");
    check_text(&rig, thud_key_pair(77, 99, 0), "bodies 77 and 99");
    thud_model_describe(rig.model, thud_key_pair(0, 2, 0), small, sizeof small);
    CHECK(strcmp(small, "bodies 0 an") == 0);
    model_close(&rig);
    REQUIRE(model_open(&rig, "thud: 1\nkind: inclusion\ntime: {step: 0.1, end: 1}\n"
                             "coordinates: {z: {start: 1}}\nconstraints: {floor: z, roof: 2 - z}"));
    check_text(&rig, thud_key_number(0), "constraint 'floor'");
    check_text(&rig, thud_key_number(1), "constraint 'roof'");
    check_text(&rig, thud_key_number(2), "constraint '?'");
    CHECK(thud_model_touches(rig.model, 0, NULL, &(thud_multiplier){{0}, 1, 0}, 1, NULL) == 0);
    model_close(&rig);
}

/// Materials by turns, and a body without one, which does not grow.
static void radii(void)
{
    static const double wanted[] = {1, .5 * 1.5, 2 * 1.25, .25 * 1.5, 3};
    double radius[5];
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "materials:\n"
                                  "  glass: {density: 1, growth: 1 + t}\n"
                                  "  dough: {density: 1, growth: 1 + t^2}\n"
                                  "  stone: {density: 1}\n"
                                  "bodies:\n"
                                  "  - {at: [0, 0, 0], radius: 1, mass: 1}\n"
                                  "  - {at: [10, 0, 0], radius: 0.5, material: glass}\n"
                                  "  - {at: [20, 0, 0], radius: 2, material: dough}\n"
                                  "  - {at: [30, 0, 0], radius: 0.25, material: glass}\n"
                                  "  - {at: [40, 0, 0], radius: 3, material: stone}\n"));
    thud_model_radii(rig.model, .5, radius);
    for (int i = 0; i < 5; i++)
        CHECK(radius[i] == wanted[i]);
    model_close(&rig);
}

/// A ball on the floor is lifted by its own growth, masses stay.
static void growth_lifts(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig,
                       HEAD "materials: {dough: {density: 3, growth: 1 + t}}\n"
                            "bodies: [{at: [0, 0, 1], radius: 1}]\n"
                            "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}"));
    const thud_state *state = thud_model_state(rig.model);
    double mass = thud_model_problem(rig.model)->mass[2];
    model_steps(&rig, 50);
    CHECK_NEAR(state->q[2], 1.5, 1e-4);
    CHECK(state->q[2] >= 1.5);
    CHECK_NEAR(mass, 4 * 3.14159265358979323846, 1e-13);
    CHECK(thud_model_problem(rig.model)->mass[2] == mass);
    model_close(&rig);
}

static void walls(void)
{
    model_rig rig;
    thud_plane plane;
    REQUIRE(model_open(&rig, HEAD "dim: 2\n"
                                  "bodies: [{at: [0, 9], radius: 1, mass: 1}]\n"
                                  "walls:\n"
                                  "  lift: {plane: {point: [5, 2*t], normal: [0, 4]}}\n"
                                  "  door: {plane: {point: [1, 0], normal: [3*sin(t), 3*cos(t)]}}\n"
                                  "  room: {box: [[-10, -20], [30, 40]]}\n"));
    thud_model_wall(rig.model, 0, .5, &plane);
    CHECK(plane.normal[0] == 0 && plane.normal[1] == 1 && plane.normal[2] == 0);
    CHECK(plane.offset == 1);
    for (int i = 0; i < 10; i++)
    {
        double t = .3 * i;
        thud_model_wall(rig.model, 1, t, &plane);
        CHECK_NEAR(plane.normal[0], sin(t), 1e-15);
        CHECK_NEAR(plane.normal[1], cos(t), 1e-15);
        CHECK_NEAR(hypot(plane.normal[0], plane.normal[1]), 1, 3e-16);
        CHECK_NEAR(plane.offset, sin(t), 1e-15);
    }
    static const double box[4][3] = {{1, 0, -10}, {-1, 0, -30}, {0, 1, -20}, {0, -1, -40}};
    for (int i = 0; i < 4; i++)
    {
        thud_model_wall(rig.model, 2 + i, 7, &plane);
        CHECK(plane.normal[0] == box[i][0] && plane.normal[1] == box[i][1]);
        CHECK(plane.offset == box[i][2]);
    }
    model_close(&rig);
}

/// The plate carries the ball up.
static void moving_wall_pushes(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig,
                       HEAD "bodies: [{at: [0, 0, 1], radius: 1, mass: 1}]\n"
                            "walls: {lift: {plane: {point: [0, 0, 2*t], normal: [0, 0, 1]}}}"));
    model_steps(&rig, 50);
    CHECK_NEAR(thud_model_state(rig.model)->q[2], 2, 1e-4);
    CHECK_NEAR(thud_model_state(rig.model)->u[2], 2, 1e-9);
    model_close(&rig);
}

static void check_vector(const double *value, double x, double y, double z)
{
    CHECK_NEAR(value[0], x, 1e-15);
    CHECK_NEAR(value[1], y, 1e-15);
    CHECK_NEAR(value[2], z, 1e-15);
}

/// Those that carry load, in the order given; keys of what is not there are left out.
static void touches(void)
{
    static const double q[9] = {0, 0, 1, 3, 4, 1, 5, 0, 2};
    const thud_multiplier multipliers[] = {
        {thud_key_pair(0, 1, 0), .5, 0}, {thud_key_pair(0, 2, 0), 0, 0},
        {thud_key_pair(1, 7, 0), 1, 0},  {thud_key_pair(7, 8, 0), 1, 0},
        {thud_key_wall(0, 2), .25, 0},   {thud_key_wall(1, 0), 2, 0},
        {thud_key_wall(9, 0), 1, 0}};
    thud_touch touch[7];
    model_rig rig;
    REQUIRE(model_open(&rig, three));
    CHECK(thud_model_touches(rig.model, 0, q, multipliers, 7, touch) == 3);
    CHECK(touch[0].a == 0 && touch[0].b == 1 && touch[0].impulse == .5);
    check_vector(touch[0].from, 0, 0, 1);
    check_vector(touch[0].to, 3, 4, 1);
    check_vector(touch[0].normal, .6, .8, 0);
    CHECK(touch[1].a == 2 && touch[1].b == -1 && touch[1].impulse == .25);
    check_vector(touch[1].from, 5, 0, 2);
    check_vector(touch[1].to, 5, 0, 0);
    check_vector(touch[1].normal, 0, 0, -1);
    CHECK(touch[2].a == 0 && touch[2].b == -2 && touch[2].impulse == 2);
    check_vector(touch[2].to, -9, 0, 1);
    check_vector(touch[2].normal, -1, 0, 0);
    CHECK(thud_model_touches(rig.model, 0, q, multipliers, 0, touch) == 0);
    model_close(&rig);
}

/// In the plane, with a wall that moves: the foot is on the wall at the time asked for.
static void touches_in_the_plane(void)
{
    static const double q[4] = {1, 5, 4, 9};
    const thud_multiplier multipliers[] = {{thud_key_pair(0, 1, 0), 3, 0},
                                           {thud_key_wall(0, 1), 1, 0}};
    thud_touch touch[2];
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "dim: 2\n"
                                  "bodies:\n"
                                  "  - {at: [1, 5], radius: 1, mass: 1}\n"
                                  "  - {at: [4, 9], radius: 1, mass: 1}\n"
                                  "walls: {lift: {plane: {point: [0, t], normal: [0, 2]}}}"));
    CHECK(thud_model_touches(rig.model, .5, q, multipliers, 2, touch) == 2);
    check_vector(touch[0].from, 1, 5, 0);
    check_vector(touch[0].to, 4, 9, 0);
    check_vector(touch[0].normal, .6, .8, 0);
    check_vector(touch[1].from, 4, 9, 0);
    check_vector(touch[1].to, 4, .5, 0);
    check_vector(touch[1].normal, 0, -1, 0);
    model_close(&rig);
}

static void suggested_step(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "gravity: [3, 0, -4*(1 + t)]\n"
                                  "bodies:\n"
                                  "  - {at: [0, 0, 0], radius: 0.8, mass: 1}\n"
                                  "  - {at: [5, 0, 0], radius: 0.2, mass: 1}\n"));
    CHECK_NEAR(thud_model_suggested_step(rig.model), .1 * sqrt(.2 / 5), 1e-17);
    model_close(&rig);
    REQUIRE(model_open(&rig, three));
    CHECK(thud_model_suggested_step(rig.model) == 0);
    model_close(&rig);
}

// A scene of two spheres, the smaller with r = 0.2, at h = 0.25: sqrt(r / 5) is 0.2.
#define TWO(time, rest)                                                                            \
    "thud: 1\nkind: spheres\ntime: {" time "}\n" rest "bodies:\n"                                  \
    "  - {at: [0, 0, 0], radius: 0.8, mass: 1}\n"                                                  \
    "  - {at: [5, 0, 0], radius: 0.2, mass: 1}\n"

// How far gaps are kept, by gravity, step, quality and tolerances.
static void step_tol(void)
{
    static const struct
    {
        const char *scene;
        double gravity; // 0: the step does not count
        double tol_a;
    } cases[] = {
        {TWO("step: 0.25, end: 1", "gravity: [3, 0, -4]\n"), 5, 1e-3},
        {TWO("step: 0.25, end: 1", "gravity: [3, 0, -4]\nsolver: {quality: study}\n"), 5, 1e-6},
        {TWO("step: 0.25, end: 1", "gravity: [0, 0, -1 - 4*t]\n"), 5, 1e-3}, // affine: at its end
        // it turns and is 5 at both ends: the largest |gravity|, not that of each component
        {TWO("step: 0.25, end: 1", "gravity: [5 - 5*t, 0, -5*t]\n"), 5, 1e-3},
        {TWO("step: 0.25, end: 1", "gravity: [0, 0, -5 - sin(t)]\n"), 0, 0}, // no bound is known
        {TWO("step: 0.25, end: 1", "gravity: [3, 0, -4]\nsolver: {tol: 1e-5, tol_a: 1e-3}\n"), 0,
         0},
        {TWO("step: 0.25, end: 1", ""), 0, 0},
        {TWO("step: 0.01, end: 1", "gravity: [3, 0, -4]\n"), 0, 0}, // below 0.1 sqrt(r / g)
        {TWO("step: auto, end: 1", "gravity: [3, 0, -4]\n"), 0, 0},
        {three, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        model_rig rig;
        REQUIRE(model_open(&rig, cases[i].scene));
        double h = thud_model_scene(rig.model)->step, tol = thud_model_scene(rig.model)->tol;
        double wanted = cases[i].tol_a * h * h * cases[i].gravity;
        CHECK_NEAR(thud_model_step_tol(rig.model), wanted, 1e-15 * wanted);
        CHECK_NEAR(thud_model_tol(rig.model), wanted > 0 ? wanted / .2 : tol, 1e-15 * wanted);
        model_close(&rig);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"describe", describe},
                                      {"radii", radii},
                                      {"growth-lifts", growth_lifts},
                                      {"walls", walls},
                                      {"moving-wall-pushes", moving_wall_pushes},
                                      {"touches", touches},
                                      {"touches-in-the-plane", touches_in_the_plane},
                                      {"suggested-step", suggested_step},
                                      {"step-tol", step_tol}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
