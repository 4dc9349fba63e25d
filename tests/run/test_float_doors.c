// Every door to computing looks at the floating-point unit first: with another rounding, or without
// subnormal numbers, it refuses and changes nothing. Numbers as text do not depend on it.
//
// Before there was one at every door a checker that rounds upwards called good steps wrong.
#include "thud/model_verify.h"
#include "thud_test.h"

#include <fenv.h>
#include <immintrin.h>
#include <omp.h>
#include <string.h>
#include <thud/converge.h>
#include <thud/events.h>
#include <thud/expression.h>
#include <thud/hypotheses.h>
#include <thud/impacts.h>
#include <thud/jamming.h>
#include <thud/model.h>
#include <thud/run.h>
#include <thud/spheres.h>
#include <thud/text.h>
#include <thud/verify.h>

enum
{
    MODES = 6,
    LARGE = 6000 // coordinates, enough for more than one thread
};

static const char *const NAMES[MODES] = {"upward",   "downward", "towards zero",
                                         "no small", "small 0",  "both"};

static unsigned unit_before;

// Change the unit; nothing is printed until unit_restore.
static void unit_set(int mode)
{
    static const int rounding[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static const unsigned bits[] = {0x8000, 0x0040, 0x8040}; // flushed, read as 0, both
    unit_before = _mm_getcsr();
    if (mode < 3)
        (void)fesetround(rounding[mode]);
    else
        _mm_setcsr(unit_before | bits[mode - 3]);
}

static void unit_restore(void)
{
    (void)fesetround(FE_TONEAREST);
    _mm_setcsr(unit_before);
}

static const char SCENE[] = "thud: 1\n"
                            "kind: spheres\n"
                            "dim: 2\n"
                            "gravity: [0, -9.81]\n"
                            "time: {step: 0.003, end: 0.3}\n"
                            "walls: {floor: {plane: {point: [0, 0], normal: [0.1, 1]}}}\n"
                            "bodies:\n"
                            "  - {at: [0.1, 0.11], radius: 0.1, mass: 1}\n"
                            "  - {at: [0.2, 0.41], radius: 0.1, mass: 2, velocity: [0.3, -1.7]}\n";

static thud_status read_scene(thud_scene **scene)
{
    thud_fault fault;
    return thud_scene_read(&(thud_scene_def){.text = SCENE, .length = sizeof SCENE - 1}, scene,
                           &fault);
}

// Everything that the doors need, made with the unit as it should be.
typedef struct rig
{
    thud_scene *scene;
    thud_model *model;
    thud_world *world;
    thud_state *before, *after;
    thud_work *work;
    thud_projector *projector;
    thud_rows *rows;
    const thud_inclusion *problem;
} rig;

static bool rig_step(rig *r)
{
    thud_state *now = thud_model_state(r->model);
    for (int k = 0; k < 60; k++)
        if (thud_step(r->problem, now, r->work) < 0)
            return false;
    return thud_state_copy(r->before, now) == THUD_OK && thud_step(r->problem, now, r->work) >= 0 &&
           thud_state_copy(r->after, now) == THUD_OK;
}

static bool rig_make(rig *r)
{
    thud_row row = {.gap = 0.1, .count = 1, .index = (int[]){0}, .slope = (double[]){1}};
    thud_fault fault;
    *r = (rig){0};
    if (read_scene(&r->scene) != THUD_OK ||
        thud_model_create(r->scene, NULL, &r->model, &fault) != THUD_OK)
        return false;
    thud_work_def work = thud_model_work(r->model);
    thud_state_def state = {.dim = 4, .h = 1, .q = (double[4]){0}};
    r->problem = thud_model_problem(r->model);
    return thud_work_create(&work, &r->work) == THUD_OK &&
           thud_projector_create(NULL, &r->projector) == THUD_OK &&
           thud_state_create(&state, &r->before) == THUD_OK &&
           thud_state_create(&state, &r->after) == THUD_OK &&
           thud_rows_create(4, NULL, &r->rows) == THUD_OK &&
           thud_rows_push(r->rows, &row) == THUD_OK &&
           thud_world_create(&(thud_world_def){.dim = 2, .h = 1}, &r->world) == THUD_OK &&
           thud_world_add(r->world, &(thud_sphere){.radius = 1, .mass = 1}, 1, NULL) == THUD_OK &&
           rig_step(r);
}

static void rig_free(rig *r)
{
    thud_rows_destroy(r->rows);
    thud_projector_destroy(r->projector);
    thud_work_destroy(r->work);
    thud_state_destroy(r->before);
    thud_state_destroy(r->after);
    thud_world_destroy(r->world);
    thud_model_destroy(r->model);
    thud_scene_destroy(r->scene);
}

typedef thud_status door_fn(rig *r);

static thud_status by_step(rig *r)
{
    return thud_step(r->problem, thud_model_state(r->model), r->work);
}

static thud_status by_run(rig *r)
{
    return thud_run(r->problem, thud_model_state(r->model), r->work, &(thud_run_def){.end = 1},
                    NULL);
}

static thud_status by_work(rig *r)
{
    thud_work *work = NULL;
    (void)r;
    thud_status status = thud_work_create(NULL, &work);
    thud_work_destroy(work);
    return status;
}

static thud_status by_projection(rig *r)
{
    thud_answer answer;
    thud_projection problem = {
        .dim = 4, .h = 1, .w = (double[4]){-1}, .rows = r->rows, .shift_scale = 1};
    return thud_project(&problem, r->projector, &answer);
}

static thud_status by_gamma(rig *r)
{
    double gamma;
    return thud_gamma(r->rows, NULL, NULL, r->projector, &gamma, NULL);
}

static thud_status by_checker(rig *r)
{
    thud_verdict verdict;
    return thud_verify_step(r->problem, r->before, r->after, NULL, &verdict);
}

static thud_status by_sphere_checker(rig *r)
{
    thud_verdict verdict;
    return thud_verify_spheres(r->problem, NULL, r->before, r->after, NULL, &verdict);
}

static thud_status by_judge(rig *r)
{
    thud_verdict verdict;
    return thud_model_verify(r->model, r->before, r->after, NULL, &verdict);
}

static thud_status by_events(rig *r)
{
    thud_events *events = NULL;
    (void)r;
    thud_status status = thud_events_create(&(thud_events_def){.dim = 1,
                                                               .count = 1,
                                                               .end = 1,
                                                               .q = (double[]){0},
                                                               .u = (double[]){1},
                                                               .radius = (double[]){1}},
                                            &events);
    thud_events_destroy(events);
    return status;
}

static thud_status by_jam(rig *r)
{
    thud_jam *jam = NULL;
    (void)r;
    thud_status status = thud_jam_create(&(thud_jam_def){.count = 30, .seed = 1}, &jam);
    thud_jam_destroy(jam);
    return status;
}

static thud_status by_world(rig *r)
{
    thud_world *world = NULL;
    (void)r;
    thud_status status = thud_world_create(&(thud_world_def){.dim = 2, .h = 1}, &world);
    thud_world_destroy(world);
    return status;
}

static thud_status by_prepare(rig *r)
{
    return thud_world_prepare(r->world, THUD_REFUSE_OVERLAP, NULL);
}

static thud_status by_solid(rig *r)
{
    thud_solid *solid = NULL;
    (void)r;
    thud_status status =
        thud_solid_create(&(thud_solid_def){.kind = THUD_BALL, .radius = 1}, &solid, NULL);
    thud_solid_destroy(solid);
    return status;
}

static thud_status by_scene(rig *r)
{
    thud_scene *scene = NULL;
    (void)r;
    thud_status status = read_scene(&scene);
    thud_scene_destroy(scene);
    return status;
}

static thud_status by_model(rig *r)
{
    thud_model *model = NULL;
    thud_fault fault;
    thud_status status = thud_model_create(r->scene, NULL, &model, &fault);
    thud_model_destroy(model);
    return status;
}

static thud_status by_expression(rig *r)
{
    thud_expression *e = NULL;
    (void)r;
    thud_status status = thud_expression_create("1/3", 3, NULL, NULL, &e, NULL);
    thud_expression_destroy(e);
    return status;
}

static thud_status by_convergence(rig *r)
{
    thud_converge *study = NULL;
    thud_fault fault;
    thud_status status =
        thud_converge_create(&(thud_converge_def){.scene = r->scene, .levels = 3}, &study, &fault);
    thud_converge_destroy(study);
    return status;
}

static thud_status by_site(rig *r)
{
    return thud_site_rows(
        r->problem, &(thud_site){.h = 1, .q = r->before->q, .reach = 1, .length = 1}, r->rows);
}

static const struct
{
    const char *name;
    door_fn *open;
} DOORS[] = {
    {"thud_step", by_step},
    {"thud_run", by_run},
    {"thud_work_create", by_work},
    {"thud_project", by_projection},
    {"thud_gamma", by_gamma},
    {"thud_verify_step", by_checker},
    {"thud_verify_spheres", by_sphere_checker},
    {"thud_model_verify", by_judge},
    {"thud_events_create", by_events},
    {"thud_jam_create", by_jam},
    {"thud_world_create", by_world},
    {"thud_world_prepare", by_prepare},
    {"thud_solid_create", by_solid},
    {"thud_scene_read", by_scene},
    {"thud_model_create", by_model},
    {"thud_expression_create", by_expression},
    {"thud_converge_create", by_convergence},
    {"thud_site_rows", by_site},
};

static void doors(void)
{
    rig r;
    REQUIRE(rig_make(&r));
    thud_verdict verdict;
    CHECK(thud_model_verify(r.model, r.before, r.after, NULL, &verdict) == THUD_OK &&
          verdict.holds);
    uint64_t hash = thud_state_hash(thud_model_state(r.model), 0);
    int refused = 0;
    for (size_t d = 0; d < sizeof DOORS / sizeof *DOORS; d++)
        for (int mode = 0; mode < MODES; mode++)
        {
            unit_set(mode);
            thud_status status = DOORS[d].open(&r);
            unit_restore();
            if (status != THUD_ERR_FLOAT)
                test_fail(__FILE__, __LINE__, "%s, %s: %s", DOORS[d].name, NAMES[mode],
                          thud_status_name(status));
            refused += status == THUD_ERR_FLOAT;
        }
    CHECK(thud_state_hash(thud_model_state(r.model), 0) == hash);
    CHECK(by_step(&r) >= 0 && by_judge(&r) == THUD_OK); // and with the unit as it was, they open
    printf("  %d doors, %d times closed\n", (int)(sizeof DOORS / sizeof *DOORS), refused);
    rig_free(&r);
}

// A thread keeps the rounding it was started with: if one of the team rounds otherwise, the step is
// refused, although the thread that asks for it is fine.
static void team(void)
{
    thud_state *state = NULL;
    thud_work *work = NULL;
    static double q[LARGE];
    REQUIRE(thud_state_create(&(thud_state_def){.dim = LARGE, .h = 1, .q = q}, &state) == THUD_OK);
    REQUIRE(thud_work_create(NULL, &work) == THUD_OK);
    omp_set_num_threads(3);
    for (int mode = 0; mode < MODES; mode++)
    {
#pragma omp parallel num_threads(3)
        if (omp_get_thread_num() == 2)
            unit_set(mode);
        thud_status status = thud_step(&(thud_inclusion){.dim = LARGE}, state, work);
#pragma omp parallel num_threads(3)
        if (omp_get_thread_num() == 2)
            unit_restore();
        CHECK(status == THUD_ERR_FLOAT && state->n == 0);
        CHECK(strstr(thud_work_message(work), "nearest"));
    }
    CHECK(thud_step(&(thud_inclusion){.dim = LARGE}, state, work) == THUD_OK);
    thud_work_destroy(work);
    thud_state_destroy(state);
}

// Text to number and back: the same bits in every mode, for all sizes of numbers.
static void numbers(void)
{
    test_random random = test_random_begin(20261118);
    for (int i = 0; i < 3000; i++)
    {
        char text[THUD_NUMBER_SIZE], other[THUD_NUMBER_SIZE];
        uint64_t bits = test_random_bits(&random), bits_back;
        double x, back = 0;
        if (i % 10 == 0)
            bits &= ~(UINT64_C(0x7ff) << 52); // subnormal
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x))
            continue;
        (void)thud_number_write(text, x);
        unit_set(i % MODES);
        (void)thud_number_write(other, x);
        bool is_read = thud_number_read(text, strlen(text), &back);
        unit_restore();
        memcpy(&bits_back, &back, sizeof back);
        CHECK(is_read && bits_back == bits && strcmp(text, other) == 0);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"doors", doors}, {"team", team}, {"numbers", numbers}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
