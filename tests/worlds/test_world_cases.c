// Two scenes that went wrong, with their right answers.
//
// hopper-gate: plane 0 is a gate, surface 0 a side of the hopper. Bodies against the side got rows
// of the gate. All comes to rest: the walls carry the weight. One disk that lies on both, gravity
// (-2, -10), m = .01 pi: f_gate = 8 m, f_funnel = 2 sqrt(2) m.
//
// glue_fast: a disk grazes another one, m = pi / 100, and is 1.6 radii away at the end of the step.
// Step 1 is along y alone: gamma = -m (1 - .4998) / 2. In step 2 lin > 0, so nu = 0 and the impulse
// is gamma along the normal n of that place: u -+ n gamma / m; then free flight.
#include "model_rig.h"
#include "thud/model_verify.h"

#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// Read a scene of CASES with overrides, up to a NULL.
static bool open_case(model_rig *rig, const char *name, const char *const *set, int set_count)
{
    static char text[4000];
    char path[1000];
    *rig = (model_rig){0};
    (void)snprintf(path, sizeof path, "%s/%s", CASES, name);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        (void)fclose(file);
    thud_scene_def def = {
        .text = text, .length = length, .name = name, .set = set, .set_count = set_count};
    thud_status status = thud_scene_read(&def, &rig->scene, &rig->fault);
    if (status >= 0)
        status = thud_model_create(rig->scene, NULL, &rig->model, &rig->fault);
    if (status >= 0)
    {
        thud_work_def work = thud_model_work(rig->model);
        status = thud_work_create(&work, &rig->work);
    }
    if (status >= 0)
        return true;
    test_fail(__FILE__, __LINE__, "%s: %s", name, rig->fault.text);
    model_close(rig);
    return false;
}

// One step, judged; the news of it.
static unsigned take_step(model_rig *rig)
{
    thud_state *before = model_state_twin(rig);
    model_steps(rig, 1);
    const thud_report *report = thud_work_report(rig->work);
    int count = thud_rows_count(report->rows);
    thud_direction *directions = calloc((size_t)count + 1, sizeof *directions);
    thud_verdict verdict = {0};
    if (directions)
        count = thud_model_directions(rig->model, report->rows, directions);
    CHECK(directions && thud_model_verify_recorded(rig->model, before, thud_model_state(rig->model),
                                                   NULL, directions, count, &verdict) == THUD_OK);
    CHECK(verdict.holds);
    free(directions);
    thud_state_destroy(before);
    return report->news;
}

// The rows of the gate: none of a body that could not reach it, none twice. How many.
static int look_at_gate(const model_rig *rig)
{
    const thud_rows *rows = thud_work_report(rig->work)->rows;
    const double *w = thud_work_report(rig->work)->w;
    double h = rig->scene->step, gravity = 10;
    int count = 0;
    for (int i = 0; i < thud_rows_count(rows); i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(rows, i, &room);
        if (i > 0 && thud_key_same(row.key, thud_rows_get(rows, i - 1, NULL).key))
            test_fail(__FILE__, __LINE__, "key %llx twice",
                      (unsigned long long)thud_key_read(row.key, THUD_KEYS_NUMBERED).a);
        thud_key_parts parts = thud_key_read(row.key, THUD_KEYS_OPEN);
        if (parts.kind != THUD_KEY_WALL || parts.a != 0)
            continue;
        int k = row.index[0];
        double reach = 2 * row.shift + h * (2 * gravity * h + hypot(w[k], w[k + 1]));
        if (row.gap > reach)
            test_fail(__FILE__, __LINE__, "body %d: gap %g, reach %g", k / 2, row.gap, reach);
        count++;
    }
    return count;
}

static void gate(void)
{
    model_rig rig;
    double weight = 6.344249461466477;
    long rows = 0;
    REQUIRE(open_case(&rig, "hopper-gate.yaml", NULL, 0));
    for (int n = 0; n < 800 && test_failures() == 0; n++)
    {
        if (take_step(&rig) & THUD_NEWS_NOT_UNIQUE)
            test_fail(__FILE__, __LINE__, "step %d: forces are not unique", n + 1);
        rows += look_at_gate(&rig);
    }
    double down = model_value(&rig, "on_gate.y") + model_value(&rig, "on_funnel.y");
    double aside = model_value(&rig, "on_funnel.x");
    printf("  %ld rows of the gate; carried %.6f of the weight, aside %.6f\n", rows, -down / weight,
           aside / weight);
    CHECK_NEAR(down, -weight, 2e-3 * weight);
    CHECK_NEAR(aside, 0, 5e-3 * weight);
    CHECK(rows > 0);
    model_close(&rig);
}

static void one_disk(const char *const *set, int set_count)
{
    model_rig rig;
    REQUIRE(open_case(&rig, "hopper-gate.yaml", set, set_count));
    for (int n = 0; n < 200 && test_failures() == 0; n++)
        CHECK(take_step(&rig) == 0);
    CHECK(thud_rows_count(thud_work_report(rig.work)->rows) == 2);
    CHECK_NEAR(model_value(&rig, "force.gate"), 0.08 * PI, 1e-12);
    CHECK_NEAR(model_value(&rig, "force.funnel"), 0.02 * sqrt(2) * PI, 1e-12);
    model_close(&rig);
}

static void gate_exact(void)
{
    static const char *const set[] = {"bodies=[{at: [-0.2, 0.15], radius: 0.1}]",
                                      "gravity=[-2,-10]",
                                      "time.end=1",
                                      "walls.gate.material=grain",
                                      "walls.funnel.material=grain",
                                      "contacts=[{between: [grain, grain], restitution: 0.5}]"};
    one_disk(set, 3);
    one_disk(set, 6);
}

// Velocities and the memory of glue in a step.
static void check_glue(const model_rig *rig, const double u[4], double accuracy, double memory)
{
    const thud_state *state = thud_model_state(rig->model);
    double kept = 0;
    for (int k = 0; k < 4; k++)
        CHECK_NEAR(state->u[k], u[k], accuracy);
    for (int i = 0; i < state->multiplier_count; i++)
        kept += state->multipliers[i].memory;
    CHECK_NEAR(kept, memory, 1e-12);
    CHECK_NEAR(state->u[0] + state->u[2], 30, 1e-13);
    CHECK_NEAR(state->u[1] + state->u[3], -1, 1e-14);
}

static void grazing(void)
{
    static const double together[4] = {0, -.2501, 30, -.7499};
    static const double apart[4] = {0.20809514, -0.11136852, 29.79190486, -0.88863148};
    model_rig rig;
    REQUIRE(open_case(&rig, "glue_fast.yaml", NULL, 0));
    for (int n = 0; n < 10; n++)
    {
        CHECK(take_step(&rig) == 0);
        check_glue(&rig, n == 0 ? together : apart, 1e-8, n == 0 ? -PI / 100 * .2501 : 0);
    }
    CHECK(thud_model_state(rig.model)->multiplier_count == 0);
    model_close(&rig);
}

// A memory that cannot be: the message names the bodies of the scene, or the wall.
static void names(void)
{
    model_rig rig;
    REQUIRE(open_case(&rig, "glue_fast.yaml", NULL, 0));
    (void)take_step(&rig);
    thud_state *state = thud_model_state(rig.model);
    REQUIRE(state->multiplier_count == 1);
    state->multipliers[0].memory = 1;
    CHECK(thud_step(thud_model_problem(rig.model), state, rig.work) == THUD_ERR_ARGUMENT);
    CHECK(strcmp(thud_work_message(rig.work), "step 2 (t = 0.02): bodies 'still' and 'fast': the "
                                              "memory of its glue must be at most 0") == 0);
    model_close(&rig);
}

static int close_in(double t, thud_plane *plane, void *user)
{
    (void)user;
    *plane = (thud_plane){.normal = {-1, 0, 0}, .offset = t - 1};
    return 0;
}

// Two walls that leave no room, in a world without a scene: bodies and walls by their numbers.
static void names_by_number(void)
{
    thud_world *world = NULL;
    thud_work *work = NULL;
    thud_world_def def = {.dim = 2, .h = 0.75};
    thud_sphere disk = {.center = {0.5, 0}, .radius = 0.3, .mass = 1};
    CHECK(thud_world_create(&def, &world) == THUD_OK);
    REQUIRE(world && thud_world_add(world, &disk, 1, NULL) == THUD_OK);
    CHECK(thud_world_add_wall(world, &(thud_wall_def){.plane = {.normal = {1, 0, 0}}}, NULL) ==
          THUD_OK);
    CHECK(thud_world_add_wall(world, &(thud_wall_def){.motion = close_in}, NULL) == THUD_OK);
    CHECK(thud_world_prepare(world, THUD_REFUSE_OVERLAP, NULL) == THUD_OK);
    thud_work_def how = thud_world_work(world);
    CHECK(thud_work_create(&how, &work) == THUD_OK);
    thud_inclusion problem = thud_world_inclusion(world);
    CHECK(thud_step(&problem, thud_world_state(world), work) == THUD_ERR_INFEASIBLE);
    printf("  %s\n", thud_work_message(work));
    CHECK(strstr(thud_work_message(work), "no velocity satisfies body 0 and wall 0 (y = ") &&
          strstr(thud_work_message(work), ", body 0 and wall 1 (y = "));
    thud_work_destroy(work);
    thud_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"gate", gate},
                                      {"gate-exact", gate_exact},
                                      {"grazing", grazing},
                                      {"names", names},
                                      {"names-by-number", names_by_number}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
