// Flow out of a hopper (scenes/discharge.yaml): how it grows with the outlet and falls with what is
// left above it, and that nothing gets lost.
//
// Without friction nothing keeps the weight of the heap off the outlet: the rate is not constant as
// in Beverloo's law, but its growth with the width D of the outlet is his, rate ~ (D - d)^(3/2) at
// equal filling, d the diameter of a disk.
#include "thud/model.h"
#include "thud_test.h"

#include <math.h>
#include <string.h>

static const double DIAMETER = 0.009;

typedef struct flow
{
    thud_scene *scene;
    thud_model *model;
    double passed[4]; // times at which a quarter, two and so on of `counted` were out
    int counted, out;
} flow;

static double counted_of(flow *f, const thud_report *report, double *values)
{
    const thud_state *state = thud_model_state(f->model);
    const char *const *names;
    int count = thud_model_series(f->model, &names);
    thud_model_measure(f->model,
                       &(thud_view){.t = thud_state_time(state),
                                    .q = state->q,
                                    .u = state->u,
                                    .state = state,
                                    .report = report,
                                    .problem = thud_model_problem(f->model)},
                       values);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], "out") == 0)
            return values[i];
    return NAN;
}

static void run(flow *f, double half_width, int rows)
{
    char outlet[60], count[60];
    const char *set[] = {outlet, count, "solver.quality=preview", "time.step=0.002"};
    double values[60] = {0};
    thud_fault fault = {0};
    (void)snprintf(outlet, sizeof outlet, "parameters.outlet=%g", half_width);
    (void)snprintf(count, sizeof count, "bodies.0.lattice.count=[19, %d]", rows);
    thud_scene_def def = {.path = SCENES "/discharge.yaml", .set = set, .set_count = 4};
    *f = (flow){.counted = 19 * rows * 3 / 4};
    thud_work *work = NULL;
    REQUIRE(thud_scene_read(&def, &f->scene, &fault) == THUD_OK);
    REQUIRE(thud_model_create(f->scene, NULL, &f->model, &fault) == THUD_OK);
    thud_work_def work_def = thud_model_work(f->model);
    REQUIRE(thud_work_create(&work_def, &work) == THUD_OK);
    thud_state *state = thud_model_state(f->model);
    (void)counted_of(f, NULL, values);
    for (int i = 0; i < 4 && thud_state_time(state) < 6 && test_failures() == 0;)
    {
        CHECK(thud_step(thud_model_problem(f->model), state, work) >= 0);
        f->out = (int)counted_of(f, thud_work_report(work), values);
        for (; i < 4 && f->out >= f->counted * (i + 1) / 4; i++)
            f->passed[i] = thud_state_time(state);
    }
    thud_work_destroy(work);
}

// Where bodies are says how many passed: none went through a wall.
static void check_count(const flow *f)
{
    const thud_state *state = thud_model_state(f->model);
    int below = 0;
    for (int i = 0; i < f->scene->body_count; i++)
    {
        double x = state->q[2 * i], y = state->q[2 * i + 1], r = f->scene->bodies[i].sphere.radius;
        below += y < 0;
        if (y > 0.1 && y < 0.7)
            CHECK(fabs(x) <= 0.1 - r);
        CHECK(y > -0.3 && fabs(x) < 0.4);
    }
    CHECK(below == f->out);
}

static double rate_of(const flow *f, int part)
{
    return f->counted / 4.0 / (f->passed[part] - f->passed[part - 1]);
}

static void grows_with_the_outlet(int rows)
{
    static const double half_widths[] = {0.02, 0.03, 0.045};
    double law[3], mean = 0;
    for (int i = 0; i < 3; i++)
    {
        flow f;
        run(&f, half_widths[i], rows);
        check_count(&f);
        double rate = rate_of(&f, 2);
        law[i] = rate / pow(2 * half_widths[i] - DIAMETER, 1.5);
        mean += law[i] / 3;
        printf(
            "half width %g: %.0f disks per second, then %.0f, then %.0f; over (D - d)^1.5: %.3g\n",
            half_widths[i], rate_of(&f, 1), rate, rate_of(&f, 3), law[i]);
        CHECK(rate_of(&f, 3) < rate && rate < 1.001 * rate_of(&f, 1)); // the heap sinks
        CHECK(rate_of(&f, 3) > 0.5 * rate_of(&f, 1));
        thud_model_destroy(f.model);
        thud_scene_destroy(f.scene);
    }
    for (int i = 0; i < 3; i++)
        CHECK(fabs(law[i] / mean - 1) < 0.1);
}

static void small(void)
{
    grows_with_the_outlet(24);
}

static void whole(void)
{
    grows_with_the_outlet(60);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"small", small}, {"whole", whole}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
