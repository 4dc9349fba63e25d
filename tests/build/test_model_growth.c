// Growth by table and by body: the spline, its bounds, and the work that growing does on a packing.
#include "model_rig.h"
#include "thud/model_verify.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 1}\n"

enum
{
    KNOTS = 12,
    TEXT = 2000
};

typedef struct table
{
    int count;
    double t[KNOTS], value[KNOTS];
} table;

// Knots from below 0 to above 1, so that a run has room.
static table random_table(test_random *random, double low, double high)
{
    table made = {.count = test_random_int(random, 2, KNOTS)};
    double span = 0;
    for (int i = 0; i < made.count; i++)
    {
        made.t[i] = span;
        made.value[i] = test_random_uniform(random, low, high);
        span += exp(test_random_uniform(random, -2, 1));
    }
    for (int i = 0; i < made.count; i++)
        made.t[i] = made.t[i] / made.t[made.count - 1] * 1.5 - 0.25;
    return made;
}

static void write_scene(const table *from, char text[TEXT])
{
    int used = snprintf(text, TEXT, "%s", HEAD "materials: {cell: {density: 1, growth: {table: [");
    for (int i = 0; i < from->count; i++)
        used += snprintf(text + used, (size_t)(TEXT - used), "%s[%.17g, %.17g]", i ? ", " : "",
                         from->t[i], from->value[i]);
    (void)snprintf(text + used, (size_t)(TEXT - used), "%s",
                   "]}}}\nbodies: [{at: [0, 0, 0], radius: 2}]\n");
}

// First derivative at an end of interval i, from values and second derivatives.
static double slope_at(const thud_knots *g, int i, int end)
{
    double width = g->t[i + 1] - g->t[i], chord = (g->value[i + 1] - g->value[i]) / width;
    return end ? chord + width * (g->curve[i] + 2 * g->curve[i + 1]) / 6
               : chord - width * (2 * g->curve[i] + g->curve[i + 1]) / 6;
}

// It passes through its knots, is twice differentiable, straight at its ends, and cubic between.
static void spline(void)
{
    uint64_t seed = test_seed(20261141);
    test_random random = test_random_start(seed);
    for (int trial = 0; trial < 300; trial++)
    {
        char text[TEXT];
        model_rig rig;
        table from = random_table(&random, 2, 2.2);
        write_scene(&from, text);
        REQUIRE(model_open(&rig, text));
        const thud_scene_growth *growth = rig.scene->materials[0].growth;
        REQUIRE(growth && growth->factor.kind == THUD_VARYING_TABLE);
        const thud_knots *g = growth->factor.table;
        REQUIRE(g->count == from.count && !growth->factor.expression);
        CHECK(g->curve[0] == 0 && g->curve[g->count - 1] == 0);
        double bend = 0;
        for (int i = 0; i < g->count; i++)
        {
            CHECK(g->t[i] == from.t[i] && g->value[i] == from.value[i]);
            CHECK_NEAR(thud_scene_growth_at(growth, g->t[i], NULL), g->value[i], 1e-14);
            bend = fmax(bend, fabs(g->curve[i]));
        }
        for (int i = 1; i + 1 < g->count; i++)
            CHECK_NEAR(slope_at(g, i - 1, 1), slope_at(g, i, 0), 1e-12 * (1 + bend));
        for (int i = 0; i + 1 < g->count; i++) // third differences of a cubic do not change
        {
            double width = (g->t[i + 1] - g->t[i]) / 4, v[5];
            for (int k = 0; k < 5; k++)
                v[k] = thud_scene_growth_at(growth, g->t[i] + k * width * (1 - 1e-15), NULL);
            CHECK_NEAR(v[4] - 3 * v[3] + 3 * v[2] - v[1], v[3] - 3 * v[2] + 3 * v[1] - v[0], 1e-13);
        }
        CHECK(isnan(thud_scene_growth_at(growth, g->t[0] - 0.01, NULL)));
        CHECK(isnan(thud_scene_growth_at(growth, g->t[g->count - 1] + 0.01, NULL)));
        // pairs of bodies: twice the radius times the largest second derivative
        CHECK_NEAR(thud_model_problem(rig.model)->smooth->gap_tt, 2 * 2 * bend, 1e-12 * bend);
        model_close(&rig);
    }
    printf("  seed %llu\n", (unsigned long long)seed);
}

// Tables that come near 0 are refused when the curve does fall to it, and only then.
static void stays_positive(void)
{
    uint64_t seed = test_seed(20261142);
    test_random random = test_random_start(seed);
    int refused = 0, taken = 0;
    for (int trial = 0; trial < 1500; trial++)
    {
        char text[TEXT];
        table from = random_table(&random, 0.01, 1);
        write_scene(&from, text);
        // the same knots lifted are fine, and their curve less the lift is that of the table
        table lifted = from;
        for (int i = 0; i < from.count; i++)
            lifted.value[i] += 100;
        char high[TEXT];
        model_rig rig;
        write_scene(&lifted, high);
        REQUIRE(model_open(&rig, high));
        double least = INFINITY;
        for (int k = 0; k <= 4000; k++)
        {
            double t = from.t[0] + k / 4000.0 * (from.t[from.count - 1] - from.t[0]);
            least = fmin(least, thud_scene_growth_at(rig.scene->materials[0].growth, t, NULL));
        }
        model_close(&rig);
        least -= 100;
        if (fabs(least) < 1e-4)
            continue; // too near for the samples to tell
        thud_scene *scene = NULL;
        thud_fault fault;
        thud_scene_def def = {.text = text, .length = strlen(text), .name = "text.yaml"};
        thud_status status = thud_scene_read(&def, &scene, &fault);
        if (status != (least > 0 ? THUD_OK : THUD_ERR_SCENE))
            test_fail(__FILE__, __LINE__, "least %g, but %s", least, thud_status_name(status));
        CHECK(status == THUD_OK || strstr(fault.text, "the curve through the knots falls to -"));
        refused += status < 0;
        taken += status >= 0;
        thud_scene_destroy(scene);
    }
    CHECK(refused > 100 && taken > 100);
    printf("  %d refused, %d taken (seed %llu)\n", refused, taken, (unsigned long long)seed);
}

// Own growth comes before that of the material; 1 is an own one too; a body needs no material.
static void whose(void)
{
    static const double wanted[] = {1.5, 2, 1, 1.25, 1.25, 1};
    double radius[6];
    char text[100];
    model_rig rig;
    REQUIRE(model_open(
        &rig, HEAD "growth: {slow: 1 + t/2, line: {table: [[0, 1], [2, 5]]}}\n"
                   "materials: {dough: {density: 1, growth: 1 + t}}\n"
                   "bodies:\n"
                   "  - {at: [0, 0, 0], radius: 1, material: dough}\n"
                   "  - {at: [10, 0, 0], radius: 1, material: dough, growth: line}\n"
                   "  - {at: [20, 0, 0], radius: 1, material: dough, growth: 1}\n"
                   "  - lattice: {origin: [30, 0, 0], count: [2, 1, 1], spacing: 5, radius: 1,\n"
                   "              mass: 1, growth: slow}\n"
                   "  - {at: [60, 0, 0], radius: 1, mass: 1}\n"));
    thud_model_radii(rig.model, .5, radius);
    for (int i = 0; i < 6; i++)
        CHECK(radius[i] == wanted[i]);
    CHECK(rig.scene->growth_count == 3 && strcmp(rig.scene->growths[2].name, "bodies_2") == 0);
    CHECK(thud_model_problem(rig.model)->smooth->gap_tt == 0); // all of them straight
    CHECK(!thud_model_fault(rig.model, 1.9, NULL, text, sizeof text));
    CHECK(thud_model_fault(rig.model, 2.1, NULL, text, sizeof text));
    CHECK(strcmp(text, "growth.line is unknown, because its table ends before") == 0);
    model_close(&rig);
}

// What one step did with the energy, from positions, radii and multipliers alone.
typedef struct account
{
    double kinetic, potential; // changes
    double growth;             // sum of lambda_i (change of r_i + change of r_j)
    double lost;               // 1/2 |u' - u|^2 + sum of lambda_i (g_i(t, q) - lin_i)
    double terms, least;       // sizes of all that was added, and the smallest gap
} account;

// The gap of a pair or of a body and a wall, along `slope` (of the second body; normal) at q.
static double gap_of(const model_rig *rig, const double *q, const double *r, int a, int b,
                     double slope[2])
{
    if (b < 0)
    {
        thud_plane plane;
        thud_model_wall(rig->model, -1 - b, 0, &plane);
        slope[0] = plane.normal[0];
        slope[1] = plane.normal[1];
        return slope[0] * q[2 * a] + slope[1] * q[2 * a + 1] - plane.offset - r[a];
    }
    slope[0] = q[2 * b] - q[2 * a];
    slope[1] = q[2 * b + 1] - q[2 * a + 1];
    double d = hypot(slope[0], slope[1]);
    slope[0] /= d;
    slope[1] /= d;
    return d - r[a] - r[b];
}

static void add_contact(const model_rig *rig, const thud_state *old, const double *r0,
                        const double *r1, const thud_multiplier *m, account *to)
{
    const thud_state *now = thud_model_state(rig->model);
    thud_key_parts parts = thud_key_read(m->key, thud_scene_keys(rig->scene));
    bool is_pair = parts.kind == THUD_KEY_PAIR;
    int a = (int)(is_pair ? parts.a : parts.b), b = (int)(is_pair ? parts.b : -1 - parts.a);
    double slope[2], lambda = m->impulse / old->h, speed = 0;
    double gap = gap_of(rig, old->q, r0, a, b, slope);
    double swell = r1[a] - r0[a] + (b >= 0 ? r1[b] - r0[b] : 0);
    for (int k = 0; k < 2; k++)
        speed += b >= 0 ? slope[k] * (now->u[2 * b + k] - now->u[2 * a + k])
                        : slope[k] * now->u[2 * a + k];
    double lin = gap - swell + old->h * speed;
    to->growth += lambda * swell;
    to->lost += lambda * (gap - lin);
    to->terms += lambda * (fabs(swell) + gap + fabs(lin) + old->h * fabs(speed));
}

static void settle_account(const model_rig *rig, const thud_state *old, const double *r0,
                           const double *r1, account *to)
{
    const thud_state *now = thud_model_state(rig->model);
    const double *mass = thud_model_problem(rig->model)->mass;
    for (int k = 0; k < now->dim; k++)
    {
        double change = now->u[k] - old->u[k];
        to->kinetic += mass[k] / 2 * (now->u[k] - old->u[k]) * (now->u[k] + old->u[k]);
        to->potential += k % 2 ? mass[k] * 10 * old->h * now->u[k] : 0; // gravity is 10
        to->lost += mass[k] / 2 * change * change;
        to->terms += mass[k] * (now->u[k] * now->u[k] + old->u[k] * old->u[k]);
    }
    for (int i = 0; i < now->multiplier_count; i++)
        add_contact(rig, old, r0, r1, &now->multipliers[i], to);
    to->least = INFINITY;
    for (int a = 0; a < rig->scene->body_count; a++)
        for (int b = -rig->scene->wall_count; b < a; b++)
        {
            double slope[2];
            to->least = fmin(to->least, gap_of(rig, now->q, r1, a, b, slope));
        }
}

static char *read_breathing(void)
{
    FILE *file = fopen(BREATHING, "r");
    char *text = calloc(1, 10000);
    if (!file || !text || fread(text, 1, 9999, file) == 0)
        test_fail(__FILE__, __LINE__, "cannot read the scene");
    if (file)
        (void)fclose(file);
    return text;
}

// The packing of scenes/breathing.yaml: in every step, and so in their sum, the work of the growth
// is the change of energy and what is lost; no gap is negative.
static void breathing(void)
{
    model_rig rig;
    char *text = read_breathing();
    bool open = model_open(&rig, text);
    free(text);
    REQUIRE(open);
    thud_state *now = thud_model_state(rig.model), *old = model_state_twin(&rig);
    double r0[256], r1[256], work = 0, energy = 0, lost = 0, most = 0, back = 0, least = INFINITY;
    double terms = 0;
    int steps = 0;
    REQUIRE(rig.scene->body_count <= 256);
    for (thud_verdict verdict = {0}; steps < 2000; steps++)
    {
        account step = {0};
        REQUIRE(thud_state_copy(old, now) == THUD_OK);
        REQUIRE(thud_step(thud_model_problem(rig.model), now, rig.work) >= 0);
        thud_model_radii(rig.model, thud_state_time(old), r0);
        thud_model_radii(rig.model, thud_state_time(now), r1);
        settle_account(&rig, old, r0, r1, &step);
        double off = step.growth - step.kinetic - step.potential - step.lost;
        most = fmax(most, fabs(off) / (step.terms + 1e-300));
        least = fmin(least, step.least);
        work += step.growth;
        back += fmin(0, step.growth);
        energy += step.kinetic + step.potential;
        lost += step.lost;
        terms += step.terms;
        if (steps % 20)
            continue;
        REQUIRE(thud_model_verify(rig.model, old, now, NULL, &verdict) == THUD_OK);
        CHECK(verdict.holds && verdict.checks[THUD_CERT_ENERGY].holds);
    }
    CHECK_AT_MOST(most, 1e-12);
    CHECK_NEAR(work, energy + lost, 1e-12 * terms);
    CHECK(least >= 0 && lost > 0 && work - back > 100 && back < -100);
    printf("  %d steps: growth put in %.6g and took %.6g back, energy %+.6g, lost %.6g, "
           "off by %.2g of a step's terms; smallest gap %.3g\n",
           steps, work - back, -back, energy, lost, most, least);
    thud_state_destroy(old);
    model_close(&rig);
}

// Nine disks in a box that holds no larger ones than of radius 1: the first step that makes them so
// fails, names what is in conflict, and leaves the state as it was.
static void overgrown(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, "thud: 1\nkind: spheres\ndim: 2\ntime: {step: 0.01, end: 1}\n"
                             "growth: {swell: {table: [[0, 1], [1, 2.5]]}}\n"
                             "materials: {dough: {density: 1, growth: swell}}\n"
                             "bodies: [{lattice: {origin: [1, 1], count: [3, 3], spacing: 2, "
                             "radius: 0.5}}]\n"
                             "walls: {tray: {box: [[0, 0], [6, 6]]}}\n"));
    thud_state *state = thud_model_state(rig.model);
    thud_status status = THUD_OK;
    while (status >= 0 && state->n < 100)
        status = thud_step(thud_model_problem(rig.model), state, rig.work);
    const thud_farkas *farkas = &thud_work_report(rig.work)->answer.farkas;
    CHECK(status == THUD_ERR_INFEASIBLE && state->n == 66); // radius 1 at t = 2/3
    CHECK(farkas->y && farkas->sum < 0);
    CHECK(strstr(thud_work_message(rig.work), "step 67"));
    for (int k = 0; k < 18; k++)
        CHECK_NEAR(state->q[k], 1 + 2 * (k % 2 ? k / 6 : k / 2 % 3), 1e-3);
    printf("  %s\n", thud_work_message(rig.work));
    model_close(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"spline", spline},
                                      {"stays-positive", stays_positive},
                                      {"whose", whose},
                                      {"breathing", breathing},
                                      {"overgrown", overgrown}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
