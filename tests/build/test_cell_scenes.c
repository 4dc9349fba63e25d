// Periodic cells in scenes: fills without overlap through the border, what contacts are called and
// where they are drawn, and measures over a whole cell.
#include "model_rig.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.002, start: 1, end: 3}\n"

static const double PI = 3.14159265358979323846;

// The smallest gap of all images of all pairs, by trying them.
static double smallest_gap(const thud_scene *scene, const thud_cell *cell, double shear)
{
    double least = INFINITY;
    for (int a = 0; a < scene->body_count; a++)
        for (int b = a; b < scene->body_count; b++)
            for (int m = 0; m < 5 * 5 * 3; m++)
            {
                thud_sphere first = scene->bodies[a].sphere, second = scene->bodies[b].sphere;
                const thud_sphere *p = &first, *q = &second;
                thud_cell_wrap(cell, shear, first.center);
                thud_cell_wrap(cell, shear, second.center);
                int x = m % 5 - 2, y = m / 5 % 5 - 2, z = m / 25 - 1;
                double d[3] = {q->center[0] - p->center[0] - x * cell->period[0] - y * shear,
                               q->center[1] - p->center[1] - y * cell->period[1],
                               q->center[2] - p->center[2] - z * cell->period[2]};
                double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
                if (distance > 0 || a != b)
                    least = fmin(least, distance - p->radius - q->radius);
            }
    return least;
}

static void fills(void)
{
    static const char *const scenes[] = {
        HEAD "dim: 2\ncell: {x: [0, 1], y: [0, 1]}\nbodies:\n"
             "  - {at: [5.99, -3.01], radius: 0.1, mass: 1}\n"
             "  - fill: {region: {box: [[0, 0], [1, 1]]}, count: 50, gap: 0.001, seed: %d,\n"
             "           radius: {uniform: [0.03, 0.08]}, mass: 1}\n",
        HEAD "dim: 2\ncell: {x: [-1, 0.5], y: [0, 1], shear: 0.3*t}\nbodies:\n"
             "  - fill: {region: {box: [[-1, 0], [0.5, 1]]}, count: 60, gap: 0.001, seed: %d,\n"
             "           radius: {uniform: [0.03, 0.1]}, mass: 1}\n",
        HEAD "cell: {x: [0, 1], z: [0, 1]}\nbodies:\n"
             "  - fill: {region: {box: [[0, 0, 0], [1, 1, 1]]}, count: 60, gap: 0.001, seed: %d,\n"
             "           radius: {uniform: [0.05, 0.12]}, mass: 1}\n"
             "  - fill: {region: {ball: {center: [0.5, 0.5, 0.5], radius: 0.5}}, count: 20,\n"
             "           gap: 0.001, seed: 5, radius: 0.04, mass: 1}\n"};
    int across = 0;
    for (int seed = 1; seed <= 10; seed++)
        for (size_t n = 0; n < sizeof scenes / sizeof *scenes; n++)
        {
            char text[1000];
            model_rig rig;
            (void)snprintf(text, sizeof text, scenes[n], seed);
            REQUIRE(model_open(&rig, text));
            thud_cell cell = thud_model_cell(rig.model);
            double shear = thud_model_shear(rig.model, 1);
            CHECK(smallest_gap(rig.scene, &cell, shear) >= 0.001 - 1e-12);
            // some do stick out
            const thud_sphere *s = &rig.scene->bodies[rig.scene->body_count - 1].sphere;
            across += s->center[0] - s->radius < cell.low[0] ||
                      s->center[0] + s->radius > cell.low[0] + cell.period[0];
            model_close(&rig);
        }
    CHECK(across > 0);
}

static void names(void)
{
    static const struct
    {
        unsigned image;
        const char *text;
    } cases[] = {{0, "bodies 0 and 1"},
                 {3, "bodies 0 and 1 across x"},
                 {1 << 2, "bodies 0 and 1 across y"},
                 {1 | 2 << 2, "bodies 0 and 1 across x and y"},
                 {2 << 4, "bodies 0 and 1 across z"},
                 {1 | 1 << 4, "bodies 0 and 1 across x and z"},
                 {1 << 2 | 1 << 4, "bodies 0 and 1 across y and z"},
                 {63, "bodies 0 and 1 across x, y and z"}};
    model_rig rig;
    char text[100];
    REQUIRE(model_open(&rig, HEAD "cell: {x: [0, 1], y: [0, 1], z: [0, 1]}\n"
                                  "bodies: [{at: [0.1, 0.5, 0.5], radius: 0.1, mass: 1},\n"
                                  "         {at: [0.5, 0.5, 0.5], radius: 0.1, mass: 1}]\n"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
        thud_model_describe(rig.model, thud_key_pair(0, 1, (int)cases[i].image), text, sizeof text);
        CHECK(strcmp(text, cases[i].text) == 0);
    }
    model_close(&rig);
}

// Two disks pressed together through the border of a sheared cell, at rest in the frame of the
// cell.
static void touches(void)
{
    model_rig rig;
    thud_touch touch[4];
    REQUIRE(model_open(&rig, HEAD "dim: 2\ncell: {x: [0, 1], y: [0, 1], shear: 0.25*t}\n"
                                  "gravity: [0, 0]\nmaterials: {m: {density: 1, growth: t}}\n"
                                  "bodies: [{at: [2.6, 0.05], radius: 0.05, material: m},\n"
                                  "         {at: [0.88, 0.94], radius: 0.05, material: m}]\n"));
    thud_state *state = thud_model_state(rig.model);
    double t = 0;
    int count = 0;
    for (int n = 0; n < 100 && count == 0; n++)
    {
        model_steps(&rig, 1);
        t = thud_state_time(state);
        count = thud_model_touches(rig.model, t, state->q, state->multipliers,
                                   state->multiplier_count, touch);
    }
    REQUIRE(count == 1);
    double d[2] = {touch[0].to[0] - touch[0].from[0], touch[0].to[1] - touch[0].from[1]};
    CHECK(touch[0].from[0] >= 0 && touch[0].from[0] < 1 && touch[0].to[1] < 0);
    CHECK_NEAR(hypot(d[0], d[1]), 0.1 * t, 1e-4);
    CHECK_NEAR(touch[0].normal[1], d[1] / (0.1 * t), 1e-3);
    double q[4];
    memcpy(q, state->q, sizeof q);
    thud_model_wrap(rig.model, t, 2, q);
    CHECK_NEAR(q[0], touch[0].from[0], 0);
    CHECK(q[0] < 1 && q[2] > 0 && q[2] < 1 && state->q[0] > 2);
    model_close(&rig);
}

// All of a cell has the area of its disks and the sum of f n b over its contacts, however they lie.
static void whole_cell(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD
                       "dim: 2\ncell: {x: [0, 1], y: [0, 2], shear: 0.7*t}\n"
                       "materials: {m: {density: 1, growth: \"0.7 + 0.3*t\"}}\n"
                       "bodies: [{fill: {region: {box: [[0, 0], [1, 2]]}, count: 60, seed: 4,\n"
                       "                 radius: {uniform: [0.05, 0.09]}, material: m}}]\n"
                       "measure:\n"
                       "  all: {stress: {box: [[0, 0], [1, 2]]}}\n"
                       "  low: {stress: {box: [[0, 0], [1, 0.7]]}}\n"
                       "  high: {stress: {box: [[0, 0.7], [1, 2]]}}\n"
                       "  p: {pressure_profile: {box: [[0, 0], [1, 2]], axis: y, bins: 4}}\n"
                       "  phi: {packing_fraction: {box: [[0, 0], [1, 2]]}}\n"
                       "  part: {packing_fraction: {box: [[0, 0], [0.3, 2]]}}\n"
                       "  rest: {packing_fraction: {box: [[0.3, 0], [1, 2]]}}\n"
                       "  z: {coordination: {box: [[0, 0], [1, 2]]}}\n"));
    int loaded = 0;
    for (int n = 0; n < 60; n++)
    {
        model_steps(&rig, 5);
        thud_state *state = thud_model_state(rig.model);
        double t = thud_state_time(state), area = 0, sum[3] = {0, 0, 0};
        thud_touch touch[1000];
        REQUIRE(state->multiplier_count <= 1000);
        int count = thud_model_touches(rig.model, t, state->q, state->multipliers,
                                       state->multiplier_count, touch);
        for (int i = 0; i < rig.scene->body_count; i++)
            area += PI * pow(rig.scene->bodies[i].sphere.radius * (0.7 + 0.3 * t), 2);
        for (int i = 0; i < count; i++)
            for (int k = 0; k < 3; k++)
            {
                double b[2] = {touch[i].to[0] - touch[i].from[0],
                               touch[i].to[1] - touch[i].from[1]};
                sum[k] += touch[i].impulse / state->h * touch[i].normal[k == 1] * b[k > 0] / 2;
            }
        double size = 1e-12 * (1 + fabs(sum[0]) + fabs(sum[1]));
        CHECK_NEAR(model_value(&rig, "phi"), area / 2, 1e-12);
        CHECK_NEAR(0.3 * model_value(&rig, "part") + 0.7 * model_value(&rig, "rest"), area / 2,
                   1e-12);
        CHECK_NEAR(model_value(&rig, "all.xx"), sum[0], size);
        CHECK_NEAR(model_value(&rig, "all.yy"), sum[1], size);
        CHECK_NEAR(model_value(&rig, "all.xy"), sum[2], size);
        CHECK_NEAR(0.35 * model_value(&rig, "low.xy") + 0.65 * model_value(&rig, "high.xy"), sum[2],
                   size);
        double profile = (model_value(&rig, "p.0") + model_value(&rig, "p.1") +
                          model_value(&rig, "p.2") + model_value(&rig, "p.3")) /
                         4;
        CHECK_NEAR(profile, model_value(&rig, "all.pressure"), size);
        CHECK_NEAR(model_value(&rig, "z.mean"), 2.0 * count / rig.scene->body_count, 1e-12);
        loaded += count > 3;
    }
    CHECK(loaded > 5);
    model_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"fills", fills}, {"names", names}, {"touches", touches}, {"whole-cell", whole_cell}};
    return test_main(argc, argv, cases, 4);
}
