// Statistics of series over windows, and studies that halve the step: exact answers.
#include "scene_text.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>
#include <thud/show.h>
#include <unistd.h>

static const thud_window whole = {.from = -INFINITY, .to = INFINITY};

static double find(thud_statistic statistic, thud_window window, const double *t,
                   const double *value, int count)
{
    thud_track track = {t, value, value, count};
    return thud_statistic_find(statistic, &window, &track);
}

// v = 3 - 2 t on [0, 4], in unequal steps.
static void ramp(void)
{
    static const double t[] = {0, 0.5, 2, 4}, v[] = {3, 2, -1, -5};
    CHECK(find(THUD_STATISTIC_END, whole, t, v, 4) == -5);
    CHECK(find(THUD_STATISTIC_MAXIMUM, whole, t, v, 4) == 3);
    CHECK(find(THUD_STATISTIC_MINIMUM, whole, t, v, 4) == -5);
    CHECK(find(THUD_STATISTIC_MEAN, whole, t, v, 4) == -1);
    CHECK_NEAR(find(THUD_STATISTIC_RATE, whole, t, v, 4), -2, 1e-14);
    thud_window part = {.from = 1, .to = 3};
    CHECK(find(THUD_STATISTIC_END, part, t, v, 4) == -3);
    CHECK(find(THUD_STATISTIC_MAXIMUM, part, t, v, 4) == 1);
    CHECK(find(THUD_STATISTIC_MEAN, part, t, v, 4) == -1);
    CHECK_NEAR(find(THUD_STATISTIC_RATE, part, t, v, 4), -2, 1e-14);
    thud_window inside = {.from = 2.5, .to = 3.5}; // within one step
    CHECK(find(THUD_STATISTIC_MEAN, inside, t, v, 4) == -3);
    CHECK(find(THUD_STATISTIC_MINIMUM, inside, t, v, 4) == -4);
    thud_window falling = {-INFINITY, INFINITY, true, 2, -2}; // t from 0.5 to 2.5
    CHECK(find(THUD_STATISTIC_END, falling, t, v, 4) == -2);
    CHECK(find(THUD_STATISTIC_MEAN, falling, t, v, 4) == 0);
    CHECK_NEAR(find(THUD_STATISTIC_RATE, falling, t, v, 4), -2, 1e-14);
}

// A count: 0 until t = 2, then 4 more with every step until it is 12.
static void steps(void)
{
    static const double t[] = {0, 1, 2, 3, 4, 5, 6}, v[] = {0, 0, 0, 4, 8, 12, 12};
    thud_window rising = {-INFINITY, INFINITY, true, 2, 10}; // t from 2.5 to 4.5
    CHECK(find(THUD_STATISTIC_MEAN, whole, t, v, 7) == 5);
    CHECK_NEAR(find(THUD_STATISTIC_RATE, rising, t, v, 7), 4, 1e-14);
    CHECK(find(THUD_STATISTIC_END, rising, t, v, 7) == 10);
    CHECK(find(THUD_STATISTIC_MEAN, rising, t, v, 7) == 6);
    // all nodes count, not only the ends: the line nearest to 0, 0, 0, 4
    CHECK_NEAR(find(THUD_STATISTIC_RATE, (thud_window){.from = 0, .to = 3}, t, v, 7), 1.2, 1e-14);
    // levels met at nodes exactly; and at the first time already
    rising.low = 4, rising.high = 12;
    CHECK_NEAR(find(THUD_STATISTIC_RATE, rising, t, v, 7), 4, 1e-14);
    rising.low = 0;
    CHECK(find(THUD_STATISTIC_MEAN, rising, t, v, 7) == 3.6);
    // another column, the time here, as the guide
    thud_track guided = {t, v, t, 7};
    thud_window window = {-INFINITY, INFINITY, true, 3, 5};
    CHECK(thud_statistic_find(THUD_STATISTIC_MEAN, &window, &guided) == 8);
}

static void never_reached(void)
{
    static const double t[] = {0, 1, 2, 3}, v[] = {0, 4, 2, 3}, bad[] = {NAN, 1, NAN, 3};
    thud_window high = {-INFINITY, INFINITY, true, 1, 5}, low = {-INFINITY, INFINITY, true, 6, 7};
    for (int i = 0; i < THUD_STATISTIC_COUNT; i++)
    {
        thud_statistic s = (thud_statistic)i;
        CHECK(isnan(find(s, high, t, v, 4)));
        CHECK(isnan(find(s, low, t, v, 4)));
        CHECK(isnan(find(s, (thud_window){.from = 4, .to = 5}, t, v, 4)));
        CHECK(isnan(find(s, (thud_window){.from = 1, .to = 5}, t, v, 4)));
        CHECK(isnan(find(s, whole, t, v, 0)));
    }
    // reached, but after the window in time has ended
    CHECK(isnan(find(THUD_STATISTIC_END, (thud_window){0, 0.5, true, 1, 3}, t, v, 4)));
    CHECK(find(THUD_STATISTIC_END, (thud_window){0, 1, true, 1, 3}, t, v, 4) == 3);
    CHECK(isnan(find(THUD_STATISTIC_RATE, (thud_window){.from = 1, .to = 1}, t, v, 4)));
    // beyond both bounds from the start on: it has not gone through the window
    CHECK(isnan(find(THUD_STATISTIC_END, (thud_window){0, 3, true, 6, 5}, t, v, 4)));
    CHECK(isnan(find(THUD_STATISTIC_END, (thud_window){0, 3, true, -2, -1}, t, v, 4)));
    // unless it comes back: up to 4 at t = 1, then down from 3.5 to 2.5
    CHECK(find(THUD_STATISTIC_END, (thud_window){0, 3, true, 3.5, 2.5}, t, v, 4) == 2.5);
    CHECK(find(THUD_STATISTIC_MAXIMUM, (thud_window){0, 3, true, 3.5, 2.5}, t, v, 4) == 3.5);
    // values that are not finite are passed over
    CHECK(find(THUD_STATISTIC_MAXIMUM, whole, t, bad, 4) == 3);
    CHECK(find(THUD_STATISTIC_END, whole, t, bad, 4) == 3);
}

static void sums(void)
{
    static const double t[] = {0, 0.5, 2, 4}, v[] = {3, 2, -1, -5};
    thud_series_sum sum = {0}, gaps = {0}, none = {0};
    CHECK(isnan(thud_series_sum_mean(&none)));
    for (int i = 0; i < 4; i++)
    {
        thud_series_sum_add(&sum, t[i], v[i]);
        thud_series_sum_add(&gaps, t[i], i == 0 ? INFINITY : v[i]);
        thud_series_sum_add(&none, t[i], NAN);
    }
    CHECK(sum.end == -5 && sum.largest == -5 && thud_series_sum_mean(&sum) == -1);
    CHECK(sum.time == 4 && sum.size == 0.5 * 2.5 + 1.5 * 1.5 + 2 * 3);
    CHECK(gaps.largest == -5 && gaps.time == 3.5);
    CHECK(isnan(none.largest) && isnan(thud_series_sum_mean(&none)));
}

static const char fall[] = "thud: 1\ntitle: a fall\nkind: inclusion\n"
                           "coordinates: {z: {start: 0}}\nforce: {z: -2}\n"
                           "time: {step: 0.25, end: 2}\n";

static int column_of(const thud_scene *scene, const char *name)
{
    thud_model *model = NULL;
    const char *const *names;
    int found = -1;
    if (thud_model_create(scene, NULL, &model, NULL) < 0)
        return -1;
    for (int i = thud_model_series(model, &names) - 1; i >= 0; i--)
        found = strcmp(names[i], name) == 0 ? i : found;
    thud_model_destroy(model);
    return found;
}

// z_n = -h^2 n (n + 1), so that z(2) = -4 - 2 h: every halving leaves half of the error.
static void halvings(void)
{
    thud_scene *scene = scene_of_text(fall);
    thud_halving *study = NULL;
    REQUIRE(scene);
    thud_halving_def def = {.scene = scene, .column = column_of(scene, "z"), .window = whole};
    REQUIRE(def.column > 0 && thud_halving_create(&def, &study, NULL) == THUD_OK);
    thud_halving_result result = thud_halving_view(study);
    REQUIRE(result.level_count == 4);
    CHECK(result.verdict == THUD_HALVING_CONVERGING && result.seed_count == 1);
    for (int i = 0; i < 4; i++)
    {
        double h = ldexp(0.25, -i);
        CHECK(result.levels[i].h == h && result.levels[i].steps == (int64_t)(2 / h));
        CHECK_NEAR(result.levels[i].value, -4 - 2 * h, 1e-14);
        CHECK(isnan(result.levels[i].scatter));
    }
    CHECK_NEAR(result.levels[3].change, 2 * ldexp(0.25, -3), 1e-14);
    CHECK_NEAR(result.left, 2 * ldexp(0.25, -3), 1e-13); // exactly what is left here
    CHECK(scene->step == 0.25);
    thud_halving_destroy(study);
    thud_scene_destroy(scene);
}

static thud_halving_verdict verdict_of(thud_halving_def *def)
{
    thud_halving *study = NULL;
    CHECK(thud_halving_create(def, &study, NULL) == THUD_OK);
    thud_halving_verdict verdict =
        study ? thud_halving_view(study).verdict : (thud_halving_verdict)-1;
    thud_halving_destroy(study);
    return verdict;
}

static int stop_at_once(double part, void *user)
{
    (void)part, (void)user;
    return 1;
}

static void verdicts(void)
{
    thud_scene *scene = scene_of_text(fall);
    REQUIRE(scene);
    thud_halving *study = NULL;
    thud_fault fault = {0};
    thud_halving_def def = {.scene = scene, .column = column_of(scene, "z"), .window = whole};
    def.levels = 2; // of two levels nothing can be said
    CHECK(verdict_of(&def) == THUD_HALVING_CHANGING);
    def.is_time = true; // it changes by 1/4, which is the larger step
    CHECK(verdict_of(&def) == THUD_HALVING_WITHIN_STEP);
    def.is_time = false;
    def.levels = 3;
    def.window = (thud_window){-INFINITY, INFINITY, true, -1, -4.3}; // reached at h = 1/4 alone
    def.guide = def.column;
    CHECK(verdict_of(&def) == THUD_HALVING_NOT_REACHED);
    def.window = whole;
    def.column = column_of(scene, "u.z"); // exact at any step
    CHECK(verdict_of(&def) == THUD_HALVING_STEADY);
    def.progress = stop_at_once;
    CHECK(thud_halving_create(&def, &study, &fault) == THUD_STOPPED && !study);
    def.progress = NULL;
    const int stop = 1;
    def.stop = &stop;
    CHECK(thud_halving_create(&def, &study, &fault) == THUD_STOPPED && !study);
    def.stop = NULL;
    thud_halving_def bad[] = {def, def, def, def, def};
    bad[0].levels = 17, bad[1].levels = 1, bad[2].h = 3, bad[3].h = -1, bad[4].seeds = 2;
    for (int i = 0; i < 5; i++)
        CHECK(thud_halving_create(&bad[i], &study, &fault) == THUD_ERR_ARGUMENT && fault.text[0]);
    CHECK(scene->step == 0.25);
    thud_scene_destroy(scene);
}

// The value of a column over time, of a ball that is dropped.
typedef struct flight
{
    int column;
    double before, highest;
    bool has_bounced;
} flight;

static int follow(const thud_model *model, const double *values, void *user)
{
    flight *f = user;
    double height = values[f->column];
    (void)model;
    f->has_bounced = f->has_bounced || (values[1] > 0 && height > f->before);
    f->highest = f->has_bounced ? fmax(f->highest, height) : 0;
    f->before = height;
    return 0;
}

// A ball with radius 0.1, mass 1 and gravity 10 falls from the height; how far its first rebound is
// off, over the bound.
static double rebound(double e, double height, double *bound)
{
    char text[900];
    (void)snprintf(text, sizeof text,
                   "thud: 1\ntitle: ball\nkind: spheres\ndim: 2\ngravity: [0, -10]\n"
                   "materials: {a: {density: 31.83098861837907}, b: {density: 1}}\n"
                   "contacts: [{between: [a, b], restitution: %g}]\n"
                   "bodies: [{at: [0, %.17g], radius: 0.1, material: a}]\n"
                   "walls: {floor: {plane: {point: [0, -0.1], normal: [0, 1]}, material: b}}\n"
                   "time: {step: 0.01, end: %g}\n",
                   e, height, 0.99 * sqrt(height / 5) * (1 + 2 * e));
    thud_scene *scene = scene_of_text(text);
    thud_model *model = NULL;
    if (!scene || thud_model_create(scene, NULL, &model, NULL) < 0)
        return NAN;
    *bound = thud_model_rebound_error(model);
    thud_model_destroy(model);
    flight f = {.column = column_of(scene, "potential")};
    int64_t count;
    thud_series_run_def def = {.scene = scene, .h = 0.01, .observe = follow, .user = &f};
    CHECK(thud_series_run(&def, &count, NULL) >= 0);
    thud_scene_destroy(scene);
    return f.highest / 10 / (e * e * height) - 1;
}

// The bound (1 + 1/e) g h / v of a rebound's height holds, and is not far above what happens.
static void rebounds(void)
{
    static const double all[] = {1, 0.9, 0.78, 0.5, 0.2};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
        double worst = 0, bound = 0;
        for (int k = 0; k < 40; k++)
        {
            double height = 0.8 + 0.01 * k, off = fabs(rebound(all[i], height, &bound));
            CHECK_NEAR(bound, (1 + 1 / all[i]) * 0.1 / sqrt(20 * height), 1e-4 * bound);
            CHECK_AT_MOST(off, bound);
            worst = fmax(worst, off / bound);
        }
        printf("  e = %.2f: errors of 40 rebounds are up to %.3f of the bound\n", all[i], worst);
        CHECK(worst > 0.9);
    }
}

static void failing_memory(void)
{
    thud_scene *scene = scene_of_text(fall);
    REQUIRE(scene);
    bool done = false;
    long fail_at = 1;
    for (; !done; fail_at++)
    {
        test_meter meter = {.fail_at = fail_at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_halving *study = NULL;
        thud_halving_def def = {.scene = scene,
                                .column = column_of(scene, "z"),
                                .window = whole,
                                .allocator = &allocator};
        thud_status status = thud_halving_create(&def, &study, NULL);
        done = status == THUD_OK;
        CHECK(done || status == THUD_ERR_MEMORY);
        CHECK(scene->step == 0.25);
        thud_halving_destroy(study);
        CHECK(meter.blocks == 0);
        REQUIRE(fail_at < 10000);
    }
    printf("  %ld allocations refused\n", fail_at - 2);
    thud_scene_destroy(scene);
}

static bool has_bytes(const char *folder, const char *name)
{
    char path[300], bytes[3000];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        (void)fclose(file);
    (void)unlink(path);
    return length == sizeof bytes;
}

static void chart(void)
{
    char folder[] = "/tmp/thud-measured-XXXXXX";
    thud_scene *scene = scene_of_text(fall);
    thud_halving *study = NULL;
    thud_fault fault = {0};
    REQUIRE(scene && mkdtemp(folder));
    thud_halving_def def = {.scene = scene, .column = column_of(scene, "z"), .window = whole};
    REQUIRE(thud_halving_create(&def, &study, NULL) == THUD_OK);
    thud_halving_result result = thud_halving_view(study);
    CHECK(thud_plot_halving(&result, "z", folder, "z", NULL, &fault) == THUD_OK);
    CHECK(has_bytes(folder, "z.svg") && has_bytes(folder, "z.png"));
    CHECK(thud_plot_halving(&result, "z", "", "z", NULL, &fault) == THUD_ERR_ARGUMENT);
    CHECK(rmdir(folder) == 0);
    thud_halving_destroy(study);
    thud_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"ramp", ramp},         {"steps", steps},       {"never-reached", never_reached},
        {"sums", sums},         {"halvings", halvings}, {"verdicts", verdicts},
        {"rebounds", rebounds}, {"chart", chart},       {"failing-memory", failing_memory},
    };
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
