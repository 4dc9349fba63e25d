// Scenes drawn at random, every step judged by the independent checker: hoppers with gates, solids,
// meshes and containers, inelastic, with restitution and with glue; and glue between bodies of
// sizes 1 : 3000 that graze each other fast. `test_world_scenes print N [SEED]` writes scene N,
// `graze N` one of the latter.
#include "model_rig.h"
#include "random_scenes.h"
#include "thud/model_verify.h"

#include <stdlib.h>
#include <string.h>

// What a number of scenes came to.
typedef struct tally
{
    int scenes, aborted, failed;
    long steps, rows;
} tally;

static void judge(model_rig *rig, const thud_state *before, tally *sum, int *wrong)
{
    const thud_rows *rows = thud_work_report(rig->work)->rows;
    thud_direction *directions = calloc((size_t)thud_rows_count(rows) + 1, sizeof *directions);
    thud_verdict verdict = {0};
    REQUIRE(directions);
    int count = thud_model_directions(rig->model, rows, directions);
    thud_status status = thud_model_verify_recorded(
        rig->model, before, thud_model_state(rig->model), NULL, directions, count, &verdict);
    free(directions);
    sum->rows += thud_rows_count(rows);
    *wrong += status != THUD_OK || !verdict.holds;
    for (int i = 0; i < THUD_CERT_COUNT && status == THUD_OK; i++)
        if (!verdict.checks[i].holds)
        {
            char where[200];
            thud_model_describe(rig->model, verdict.checks[i].key, where, sizeof where);
            printf("  \"%s\" fails: %g times, %s\n", thud_certificate_title(i),
                   verdict.checks[i].value, where);
        }
}

// Run a scene to its end; false at the first step that is refused or fails its check.
static bool run(const random_scene *scene, tally *sum)
{
    model_rig rig;
    int wrong = 0;
    sum->scenes++;
    if (!model_open(&rig, scene->text))
        return false;
    double end = rig.scene->end;
    while (thud_state_time(thud_model_state(rig.model)) < end && wrong == 0)
    {
        thud_state *before = model_state_twin(&rig), *state = thud_model_state(rig.model);
        thud_status status = thud_step(thud_model_problem(rig.model), state, rig.work);
        if (status >= 0)
            judge(&rig, before, sum, &wrong);
        else
            printf("  %s\n", thud_work_message(rig.work));
        sum->aborted += status < 0;
        sum->failed += wrong > 0;
        sum->steps += status >= 0;
        thud_state_destroy(before);
        if (status < 0)
            wrong = 1;
    }
    model_close(&rig);
    return wrong == 0;
}

static void run_all(void (*draw)(random_scene *, uint64_t, int), uint64_t standard, int count)
{
    static random_scene scene;
    uint64_t seed = test_seed(standard);
    tally sum = {0};
    for (int n = 0; n < count; n++)
    {
        draw(&scene, seed, n);
        if (!run(&scene, &sum))
            printf("  seed %llu, scene %d (%c, %d dimensions)\n", (unsigned long long)seed, n,
                   scene.law, scene.dim);
    }
    printf("  seed %llu: %d scenes, %ld steps, %ld rows; %d aborted, %d failed a check\n",
           (unsigned long long)seed, sum.scenes, sum.steps, sum.rows, sum.aborted, sum.failed);
    CHECK(sum.aborted == 0 && sum.failed == 0 && sum.rows > 10 * sum.scenes);
}

static void hoppers(void)
{
    run_all(random_scene_draw, 30, 200);
}

static void grazing(void)
{
    run_all(random_scene_graze, 31, 100);
}

// Two disks fall together, the lower one is stopped, and the upper one ends nearly at its shift:
// the solver lets the pair pass without a row. Once with glue, in a hopper where it was found.
static void let_pass(void)
{
    static random_scene scene;
    tally sum = {0};
    random_scene_draw(&scene, 7, 94);
    CHECK(run(&scene, &sum));
    for (int n = 0; n < 400; n++)
    {
        (void)snprintf(scene.text, sizeof scene.text,
                       "thud: 1\nkind: spheres\ndim: 2\nsolver: {quality: preview}\n"
                       "gravity: [0, -8.5]\ntime: {step: 0.01, end: 0.01}\n"
                       "walls: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}\nbodies:\n"
                       "  - {at: [0, 0.051], radius: 0.05, mass: 1, velocity: [0, -1]}\n"
                       "  - {at: [0, %.17g], radius: 0.05, mass: 1, velocity: [0, -1]}\n",
                       0.161 + 2e-6 * (n - 200));
        CHECK(run(&scene, &sum));
    }
    CHECK(sum.aborted == 0 && sum.failed == 0);
    printf("  %d scenes, %d failed a check\n", sum.scenes, sum.failed);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"hoppers", hoppers}, {"grazing", grazing}, {"let_pass", let_pass}};
    static random_scene scene;
    if (argc < 3)
        return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
    int n = (int)strtol(argv[2], NULL, 10);
    uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;
    if (strcmp(argv[1], "graze") == 0)
        random_scene_graze(&scene, seed ? seed : 31, n);
    else
        random_scene_draw(&scene, seed ? seed : 30, n);
    (void)fputs(scene.text, stdout);
    return 0;
}
