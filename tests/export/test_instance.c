// Projections in files of FCLIB: written and read again, in every layout.
#include "instance_rig.h"

#include "thud/spheres.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>

static thud_instance *read_good(const char *path)
{
    thud_instance *instance = NULL;
    thud_fault fault = {0};
    if (thud_instance_read(path, NULL, &instance, &fault) != THUD_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", path, fault.text);
    return instance;
}

// Rows one entry at a time: shapes may differ, numbers may not.
static double entry_of(const thud_row *row, int coordinate)
{
    int width = row->width > 1 ? row->width : 1;
    for (int k = 0; k < row->count * width; k++)
        if (row->index[k / width] + k % width == coordinate)
            return row->slope[k];
    return 0;
}

static void check_same(const thud_instance *a, const thud_instance *b)
{
    size_t size = (size_t)a->dim * sizeof(double);
    REQUIRE(a->dim == b->dim && a->contacts == b->contacts && a->space == b->space);
    CHECK(memcmp(a->mass, b->mass, size) == 0 && memcmp(a->f, b->f, size) == 0);
    CHECK(memcmp(a->w, b->w, size) == 0);
    CHECK(strcmp(a->title, b->title) == 0 && strcmp(a->about, b->about) == 0);
    for (int i = 0; i < a->contacts; i++)
    {
        thud_row_room rooms[2];
        thud_row x = thud_rows_get(a->rows, i, &rooms[0]), y = thud_rows_get(b->rows, i, &rooms[1]);
        CHECK(x.gap == y.gap);
        for (int k = 0; k < a->dim; k++)
            CHECK(entry_of(&x, k) == entry_of(&y, k));
    }
    REQUIRE(a->solution && b->solution && a->impulse && b->impulse);
    CHECK(memcmp(a->solution, b->solution, size) == 0);
    CHECK(memcmp(a->impulse, b->impulse, (size_t)a->contacts * sizeof(double)) == 0);
}

/// A world of a few spheres that have just met, and the step that they took.
typedef struct scene
{
    thud_world *world;
    thud_inclusion problem;
    thud_state *before;
    thud_work *work;
} scene;

static void scene_create(scene *s, int dim, const double *restitution, const double *glue,
                         int steps)
{
    thud_world_def def = {.dim = dim,
                          .h = .02,
                          .gravity = {0, dim == 2 ? -1 : 0, dim == 3 ? -1 : 0},
                          .material_count = restitution || glue ? 1 : 0,
                          .law = restitution ? THUD_LAW_RESTITUTION : THUD_LAW_GLUE,
                          .numbers = restitution ? restitution : glue};
    thud_start start;
    double low[] = {0, 0, 0}, high[] = {3, dim == 2 ? INFINITY : 3, INFINITY};
    test_random random = test_random_start(4);
    if (thud_world_create(&def, &s->world) != THUD_OK)
        abort();
    for (int i = 0; i < 18; i++)
    {
        thud_sphere sphere = {.radius = .45, .mass = 1 + .1 * i};
        sphere.center[0] = .5 + i % 3 + test_random_uniform(&random, -.03, .03);
        sphere.center[1] = .5 + i / 3 % 3 + test_random_uniform(&random, -.03, .03);
        sphere.center[dim - 1] = dim == 3 ? .6 + i / 9 : .6 + i / 3;
        if (thud_world_add(s->world, &sphere, 1, NULL) != THUD_OK)
            abort();
    }
    if (thud_world_add_box(s->world, low, high, NULL) != THUD_OK ||
        thud_world_prepare(s->world, THUD_REFUSE_OVERLAP, &start) < 0)
        abort();
    thud_state *state = thud_world_state(s->world);
    thud_work_def work = thud_world_work(s->world);
    s->problem = thud_world_inclusion(s->world);
    if (thud_work_create(&work, &s->work) != THUD_OK ||
        thud_state_create(&(thud_state_def){.dim = state->dim, .h = state->h, .q = state->q},
                          &s->before) != THUD_OK)
        abort();
    for (int n = 0; n < steps; n++)
        if (thud_state_copy(s->before, state) < 0 || thud_step(&s->problem, state, s->work) < 0)
            test_fail(__FILE__, __LINE__, "%s", thud_work_message(s->work));
}

static void scene_destroy(scene *s)
{
    thud_work_destroy(s->work);
    thud_state_destroy(s->before);
    thud_world_destroy(s->world);
}

static thud_instance *scene_instance(const scene *s)
{
    thud_instance *instance = NULL;
    CHECK(thud_instance_of_step(&s->problem, s->before, thud_work_report(s->work), NULL,
                                &instance) == THUD_OK);
    return instance;
}

static void run_round_trip(void)
{
    for (int dim = 2; dim <= 3; dim++)
    {
        scene s;
        scene_create(&s, dim, NULL, NULL, 90);
        thud_instance *made = scene_instance(&s);
        REQUIRE(made != NULL && made->contacts > 10);
        (void)snprintf(made->title, sizeof made->title, "A few spheres");
        (void)snprintf(made->about, sizeof made->about, "in %d dimensions", dim);
        thud_fault fault = {0};
        REQUIRE(thud_instance_write(made, rig_path("round.hdf5"), &fault) == THUD_OK);
        thud_instance *found = read_good(rig_path("round.hdf5"));
        REQUIRE(found != NULL);
        CHECK(found->friction == 0 && found->space == dim);
        check_same(made, found);
        thud_instance_destroy(found);
        thud_instance_destroy(made);
        scene_destroy(&s);
    }
}

static void run_layouts(void)
{
    for (rig_layout layout = RIG_COLUMNS; layout <= RIG_SWAPPED_TRIPLETS; layout++)
    {
        rig_problem(rig_path("layout.hdf5"), layout);
        thud_instance *found = read_good(rig_path("layout.hdf5"));
        REQUIRE(found != NULL);
        CHECK(found->dim == 3 && found->contacts == 2 && found->space == 2);
        CHECK(found->mass[0] == 2 && found->mass[1] == 3 && found->mass[2] == 4);
        CHECK(found->w[0] == -1 && found->w[1] == 1 && found->w[2] == -2);
        thud_row_room rooms[2];
        thud_row one = thud_rows_get(found->rows, 0, &rooms[0]),
                 two = thud_rows_get(found->rows, 1, &rooms[1]);
        CHECK(one.gap == .25 && two.gap == -.5);
        CHECK(entry_of(&one, 0) == 1 && entry_of(&one, 1) == -1 && entry_of(&one, 2) == 0);
        CHECK(entry_of(&two, 0) == 0 && entry_of(&two, 1) == .5 && entry_of(&two, 2) == 2);
        CHECK(found->friction == .3 && !found->solution && found->title[0] == '\0');
        thud_instance_destroy(found);
    }
    // an entry given in parts, and an empty column
    rig_problem(rig_path("parts.hdf5"), RIG_TRIPLETS);
    rig_file file = rig_open(rig_path("parts.hdf5"), false);
    rig_wholes(&file, "fclib_global/H/nz", (int[]){4}, 1);
    rig_wholes(&file, "fclib_global/H/p", (int[]){0, 0, 0, 0}, 4);
    rig_wholes(&file, "fclib_global/H/i", (int[]){2, 1, 2, 2}, 4);
    rig_numbers(&file, "fclib_global/H/x", (double[]){1, 4, -1, 3}, 4);
    rig_close(&file);
    thud_instance *found = read_good(rig_path("parts.hdf5"));
    REQUIRE(found != NULL);
    thud_row_room room;
    thud_row one = thud_rows_get(found->rows, 0, &room);
    CHECK(one.count == 2 && entry_of(&one, 2) == 3 && entry_of(&one, 1) == 4);
    CHECK(thud_rows_get(found->rows, 1, NULL).count == 0);
    thud_instance_destroy(found);
}

// Solve what was written; the step found the same velocity, within the certificate of its problem:
// |u - u*|^2 <= sum mu_i |lin_i - shift_i| / h, twice for rows that are missed by a little.
static void check_step(const scene *s, bool is_glued)
{
    thud_instance *made = scene_instance(s), *found = NULL;
    thud_fault fault = {0};
    const thud_report *report = thud_work_report(s->work);
    thud_projector *projector = NULL;
    thud_answer answer;
    REQUIRE(made && thud_instance_write(made, rig_path("step.hdf5"), &fault) == THUD_OK);
    found = read_good(rig_path("step.hdf5"));
    REQUIRE(found != NULL);
    thud_projection projection = thud_instance_projection(found);
    REQUIRE(thud_projector_create(NULL, &projector) == THUD_OK);
    REQUIRE(thud_project(&projection, projector, &answer) == THUD_OK);
    CHECK_AT_MOST(answer.certificate.kkt, 1e-12);
    double apart = 0, allowed = 0, pushed = 0;
    for (int k = 0; k < found->dim; k++)
    {
        double own = report->answer.u[k] - answer.u[k];
        apart += found->mass[k] * own * own;
        pushed += fabs(answer.u[k] - found->w[k]);
    }
    for (int i = 0; i < found->contacts; i++)
    {
        thud_row row = thud_rows_get(report->rows, i, NULL);
        allowed += 2 * (report->answer.mu[i] + answer.mu[i]) *
                   fabs(report->answer.lin[i] - row.shift) / s->before->h;
    }
    printf("  %d contacts: |u - u*| = %.3g, allowed %.3g\n", found->contacts, sqrt(apart),
           sqrt(allowed));
    CHECK_AT_MOST(sqrt(apart), sqrt(allowed) + 1e-13);
    CHECK(pushed > 1e-6);
    for (int k = 0; k < found->dim && is_glued; k++) // what moves the bodies is that projection
        CHECK_NEAR(report->velocity[k], report->answer.u[k], 1e-15);
    thud_projector_destroy(projector);
    thud_instance_destroy(found);
    thud_instance_destroy(made);
}

static void run_step(void)
{
    static const int steps[] = {30, 60, 90, 300};
    for (int j = 0; j < 4; j++)
        for (int dim = 2; dim <= 3; dim++)
        {
            scene s;
            scene_create(&s, dim, NULL, NULL, steps[j]);
            check_step(&s, false);
            scene_destroy(&s);
        }
}

static void run_glue(void)
{
    scene s;
    scene_create(&s, 2, NULL, (double[]){-.05}, 200);
    check_step(&s, true);
    scene_destroy(&s);
}

static void run_bounce(void)
{
    scene s;
    scene_create(&s, 3, (double[]){.5}, NULL, 60);
    check_step(&s, false);
    scene_destroy(&s);
}

// Titles of any length, and none.
static void run_texts(void)
{
    scene s;
    scene_create(&s, 2, NULL, NULL, 30);
    thud_instance *made = scene_instance(&s);
    REQUIRE(made != NULL);
    memset(made->title, 'x', sizeof made->title - 1);
    memset(made->about, 'y', sizeof made->about - 1);
    thud_fault fault = {0};
    REQUIRE(thud_instance_write(made, rig_path("texts.hdf5"), &fault) == THUD_OK);
    thud_instance *found = read_good(rig_path("texts.hdf5"));
    REQUIRE(found != NULL);
    CHECK(strlen(found->title) == sizeof made->title - 1);
    CHECK(strlen(found->about) == sizeof made->about - 1);
    thud_instance_destroy(found);
    thud_instance_destroy(made);
    scene_destroy(&s);
    thud_instance_destroy(NULL);
}

static void run_unwritable(void)
{
    scene s;
    char longest[5000];
    thud_fault fault = {0};
    scene_create(&s, 2, NULL, NULL, 30);
    thud_instance *made = scene_instance(&s);
    REQUIRE(made != NULL);
    CHECK(thud_instance_write(made, rig_path("absent/file.hdf5"), &fault) == THUD_ERR_IO);
    CHECK(fault.text[0] != '\0');
    CHECK(thud_instance_write(made, rig_path(""), &fault) == THUD_ERR_IO); // a folder
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK(thud_instance_write(made, longest, &fault) == THUD_ERR_IO);
    thud_instance_destroy(made);
    scene_destroy(&s);
}

static thud_status write_and_read(const scene *s, const thud_allocator *allocator)
{
    thud_instance *made = NULL, *found = NULL;
    thud_fault fault = {0};
    thud_status status =
        thud_instance_of_step(&s->problem, s->before, thud_work_report(s->work), allocator, &made);
    if (status >= 0)
        status = thud_instance_write(made, rig_path("memory.hdf5"), &fault);
    if (status >= 0)
        status = thud_instance_read(rig_path("memory.hdf5"), allocator, &found, &fault);
    thud_instance_destroy(found);
    thud_instance_destroy(made);
    return status;
}

static void run_memory(void)
{
    scene s;
    scene_create(&s, 2, NULL, NULL, 30);
    for (long at = 1;; at++)
    {
        test_meter meter = {.fail_at = at};
        thud_allocator allocator = {test_meter_resize, &meter};
        thud_status status = write_and_read(&s, &allocator);
        CHECK(meter.blocks == 0);
        CHECK(status == (meter.calls < at ? THUD_OK : THUD_ERR_MEMORY));
        if (meter.calls < at || test_failures() > 3)
            break;
    }
    scene_destroy(&s);
}

/// The optimum, known to one unit of its last digit.
static const struct
{
    const char *file;
    int contacts, loaded;
    double optimum, digits;
} collection[] = {
    {"Spheres-i099-356-679.hdf5", 356, 263, 195.7368920408, 1e-10},
    {"spheres-in-a-box-98-i10000-256-10.hdf5", 256, 190, 1.702795295697e-7, 1e-19},
    {"Box_Stacks-i0122-82-5.hdf5", 82, 78, 2.238325635e-5, 1e-14},
};

// The files of the public collection, as far as they are there.
static void run_public(void)
{
    for (size_t j = 0; j < sizeof collection / sizeof *collection; j++)
    {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", getenv("THUD_FCLIB_DIR"), collection[j].file);
        thud_instance *found = read_good(path);
        thud_projector *projector = NULL;
        thud_answer answer;
        double primal = 0;
        int loaded = 0;
        REQUIRE(found != NULL);
        thud_projection projection = thud_instance_projection(found);
        REQUIRE(thud_projector_create(NULL, &projector) == THUD_OK);
        REQUIRE(thud_project(&projection, projector, &answer) == THUD_OK);
        for (int k = 0; k < found->dim; k++)
            primal +=
                found->mass[k] * (answer.u[k] - found->w[k]) * (answer.u[k] - found->w[k]) / 2;
        for (int i = 0; i < found->contacts; i++)
            loaded += answer.mu[i] > 0;
        printf("  %-40s optimum %.13g, kkt %.2g, %.2g ulps\n", collection[j].file, primal,
               answer.certificate.kkt, answer.certificate.violation_ulps);
        CHECK(found->contacts == collection[j].contacts && loaded == collection[j].loaded);
        CHECK(found->friction > 0);
        CHECK_NEAR(primal, collection[j].optimum, collection[j].digits);
        CHECK_AT_MOST(answer.certificate.kkt, 1e-12);
        CHECK_AT_MOST(answer.certificate.violation_ulps, 8);
        thud_projector_destroy(projector);
        thud_instance_destroy(found);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"round-trip", run_round_trip},
                                      {"layouts", run_layouts},
                                      {"step", run_step},
                                      {"glue", run_glue},
                                      {"bounce", run_bounce},
                                      {"texts", run_texts},
                                      {"unwritable", run_unwritable},
                                      {"memory", run_memory},
                                      {"public", run_public}};
    int count = sizeof cases / sizeof *cases;
    bool has_files = getenv("THUD_FCLIB_DIR") != NULL;
    if (argc > 1 && strcmp(argv[1], "public") == 0 && !has_files)
    {
        printf("the public collection is not there: see THUD_FCLIB_DIR\n");
        return 77;
    }
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    int code = test_main(argc, argv, cases, has_files ? count : count - 1);
    rig_clean();
    return code;
}
