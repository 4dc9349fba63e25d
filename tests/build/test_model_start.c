// A scene that cannot begin, and one whose memory runs out: the right status, a fault, no leak.
#include "model_rig.h"
#include "thud/model_verify.h"

#include <string.h>

#define HEAD "thud: 1\nkind: spheres\ntime: {step: 0.01, end: 1}\n"
#define INCLUSION "thud: 1\nkind: inclusion\ntime: {step: 0.01, end: 1}\n"

/// The text of a fault; line 0 when no place is to blame.
static void check_fault(const char *scene, thud_status wanted, const char *text, int line,
                        int column)
{
    model_rig rig;
    CHECK(!model_try(&rig, scene, NULL));
    const thud_fault *fault = &rig.fault;
    if (rig.status != wanted || strcmp(fault->text, text) != 0)
        test_fail(__FILE__, __LINE__, "%s \"%s\", wanted %s \"%s\"", thud_status_name(rig.status),
                  fault->text, thud_status_name(wanted), text);
    if (strcmp(fault->file, "text.yaml") != 0 || fault->line != line || fault->column != column)
        test_fail(__FILE__, __LINE__, "%s:%d:%d, wanted %d:%d", fault->file, fault->line,
                  fault->column, line, column);
    model_close(&rig);
}

static void overlaps(void)
{
    check_fault(HEAD "bodies:\n"
                     "  - {at: [0, 0, 0], radius: 1, mass: 1}\n"
                     "  - {name: probe, at: [1.5, 0, 0], radius: 1, mass: 1}\n",
                THUD_ERR_OVERLAP,
                "bodies 0 and 'probe' overlap by 0.5 at the start (1 overlap in all)", 0, 0);
    // bodies that have grown by the time the run begins
    check_fault("thud: 1\nkind: spheres\ntime: {start: 1, step: 0.01, end: 2}\n"
                "materials: {dough: {density: 1, growth: 2*t}}\n"
                "bodies:\n"
                "  - {at: [0, 0, 0], radius: 0.5}\n"
                "  - {at: [1.75, 0, 0], radius: 0.5}\n",
                THUD_ERR_OVERLAP, "bodies 0 and 1 overlap by 0.25 at the start (1 overlap in all)",
                0, 0);
    // the deepest is named
    check_fault(HEAD "bodies:\n"
                     "  - {at: [0, 0, 0.25], radius: 1, mass: 1}\n"
                     "  - {at: [1.5, 0, 0.25], radius: 1, mass: 1}\n"
                     "  - {at: [9, 9, 9], radius: 1, mass: 1}\n"
                     "walls: {floor: {plane: {point: [0, 0, 0], normal: [0, 0, 2]}}}\n",
                THUD_ERR_OVERLAP,
                "body 0 and wall 'floor' overlap by 0.75 at the start (3 overlaps in all)", 0, 0);
    check_fault(HEAD "overlaps: project\n"
                     "bodies:\n"
                     "  - {at: [1, 2, 3], radius: 1, mass: 1}\n"
                     "  - {at: [1, 2, 3], radius: 2, mass: 1}\n",
                THUD_ERR_OVERLAP, "bodies 0 and 1 have the same centre", 0, 0);
}

static void overlaps_projected(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "overlaps: project\n"
                                  "bodies:\n"
                                  "  - {at: [0, 0, 0], radius: 1, mass: 1}\n"
                                  "  - {at: [1.5, 0, 0], radius: 1, mass: 3}\n"));
    const thud_state *state = thud_model_state(rig.model);
    thud_start start = thud_model_start(rig.model);
    CHECK(rig.status == THUD_OK && start.overlap_count == 1);
    CHECK_NEAR(start.largest_shift, .375, 1e-4); // the lighter one moves more
    CHECK(start.min_gap > 0 && state->q[3] - state->q[0] > 2);
    CHECK_NEAR(state->q[0], -.375, 1e-4);
    CHECK_NEAR(state->q[3], 1.625, 1e-4);
    CHECK(state->u[0] == 0 && state->u[3] == 0);
    model_close(&rig);
}

/// A ball that just fits cannot be given room.
static void no_room(void)
{
    model_rig rig;
    REQUIRE(model_open(&rig, HEAD "bodies: [{at: [1, 1, 1], radius: 1, mass: 1}]\n"
                                  "walls: {box: {box: [[0, 0, 0], [2, 2, 2]]}}\n"));
    CHECK(rig.status == THUD_NEWS);
    model_close(&rig);
}

static void violated(void)
{
    check_fault(INCLUSION "coordinates: {z: {start: 1}}\n"
                          "constraints:\n"
                          "  floor: z\n"
                          "  roof: z*2 - 2.5\n",
                THUD_ERR_SCENE, "constraint 'roof' is -0.5 at the start", 7, 3);
    check_fault("thud: 1\nkind: inclusion\ntime: {start: 2, step: 0.01, end: 3}\n"
                "coordinates: {z: {start: 1}}\n"
                "constraints: {lift: z - t}\n",
                THUD_ERR_SCENE, "constraint 'lift' is -1 at the start", 5, 15);
    // roundoff of the terms is none
    model_rig rig;
    REQUIRE(model_open(&rig, INCLUSION "coordinates: {x: {start: cos(2.8)}, y: {start: sin(2.8)}}\n"
                                       "constraints:\n  pillar: hypot(x, y) - (1 + 1e-15)\n"));
    model_close(&rig);
    CHECK(!model_try(&rig,
                     INCLUSION "coordinates: {x: {start: 1}}\n"
                               "constraints: {wall: x - 1.00000000001}\n",
                     NULL));
    CHECK(rig.status == THUD_ERR_SCENE);
    CHECK(thud_model_create(rig.scene, NULL, &rig.model, NULL) == THUD_ERR_SCENE);
    model_close(&rig);
}

/// Fail every allocation in turn; `use` works with a model whose next allocations may fail too.
static void starve(const char *text, thud_status (*use)(thud_model *model))
{
    long fail_at = 1;
    for (bool done = false; !done && test_failures() == 0; fail_at++)
    {
        model_rig rig;
        test_meter meter = {.fail_at = fail_at};
        thud_allocator allocator = {test_meter_resize, &meter};
        if (model_try(&rig, text, &allocator))
        {
            thud_status status = use(rig.model);
            done = status == THUD_OK;
            CHECK(done || status == THUD_ERR_MEMORY);
        }
        else
        {
            CHECK(rig.status == THUD_ERR_MEMORY);
            CHECK(rig.fault.text[0] != '\0');
        }
        model_close(&rig);
        CHECK(meter.blocks == 0);
    }
    printf("%ld allocations\n", fail_at - 2);
    CHECK(fail_at > 10);
}

/// A step that is judged.
static thud_status step_and_judge(thud_model *model)
{
    thud_work *work = NULL;
    thud_work_def def = thud_model_work(model);
    thud_state *before = NULL, *state = thud_model_state(model);
    thud_verdict verdict;
    thud_status status = thud_work_create(&def, &work);
    if (status >= 0)
        status = thud_state_create(
            &(thud_state_def){
                .dim = state->dim, .t0 = state->t0, .h = state->h, .q = state->q, .u = state->u},
            &before);
    if (status >= 0)
        status = thud_step(thud_model_problem(model), state, work);
    if (status >= 0)
        status = thud_model_verify(model, before, state, NULL, &verdict);
    if (status >= 0)
        CHECK(verdict.holds);
    thud_state_destroy(before);
    thud_work_destroy(work);
    return status;
}

static void starved_spheres(void)
{
    starve(HEAD "gravity: [0, 0, -10]\n"
                "materials: {dough: {density: 1, growth: 1 + t}}\n"
                "bodies:\n"
                "  - {at: [0, 0, 1], radius: 1, material: dough}\n"
                "  - {at: [0, 0, 3], radius: 1, material: dough}\n"
                "walls:\n"
                "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}\n"
                "  lid: {plane: {point: [0, 0, 9 - t], normal: [0, 0, -1]}}\n"
                "measure:\n"
                "  weight: {force_on: floor}\n"
                "  passed: {count_through: {plane: {point: [0, 0, 0], normal: [1, 0, 0]}}}\n"
                "  energy: {kinetic_energy_of: all}\n"
                "  begun: {time_when: {column: energy.center, reaches: 1}}\n",
           step_and_judge);
}

/// The same for contacts that bounce and contacts that stick.
static void starved_laws(void)
{
    static const char *const laws[] = {"restitution: 0.5", "glue: unlimited"};
    for (int i = 0; i < 2; i++)
    {
        char text[600];
        (void)snprintf(text, sizeof text,
                       HEAD
                       "gravity: [0, 0, -10]\n"
                       "materials: {a: {density: 1}, b: {density: 1}}\n"
                       "contacts: [{between: [a, b], %s}, {between: [a, a], %s}]\n"
                       "bodies:\n"
                       "  - {at: [0, 0, 1], radius: 1, material: a}\n"
                       "  - {at: [0, 0, 3], radius: 1, material: a}\n"
                       "walls:\n"
                       "  floor: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: b}\n",
                       laws[i], laws[i]);
        starve(text, step_and_judge);
    }
}

static void starved_inclusion(void)
{
    starve(INCLUSION "coordinates: {x: {start: 0, velocity: 1}, z: {start: 0}}\n"
                     "force: {z: -1 - t}\n"
                     "constraints: {floor: z, wall: 1e-3 - x}\n",
           step_and_judge);
}

/// Overlaps are listed and described in memory too.
static void starved_overlap(void)
{
    static const char text[] = HEAD "bodies:\n"
                                    "  - {at: [0, 0, 0], radius: 1, mass: 1}\n"
                                    "  - {at: [1.5, 0, 0], radius: 1, mass: 1}\n";
    bool done = false;
    for (long fail_at = 1; !done && test_failures() == 0; fail_at++)
    {
        model_rig rig;
        test_meter meter = {.fail_at = fail_at};
        thud_allocator allocator = {test_meter_resize, &meter};
        CHECK(!model_try(&rig, text, &allocator));
        done = rig.status == THUD_ERR_OVERLAP;
        CHECK(done || rig.status == THUD_ERR_MEMORY);
        CHECK(meter.blocks == 0);
        model_close(&rig);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"overlaps", overlaps},
                                      {"overlaps-projected", overlaps_projected},
                                      {"no-room", no_room},
                                      {"violated", violated},
                                      {"starved-spheres", starved_spheres},
                                      {"starved-laws", starved_laws},
                                      {"starved-inclusion", starved_inclusion},
                                      {"starved-overlap", starved_overlap}};
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
