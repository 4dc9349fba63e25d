// Dependent rows, rows in another order, and a row that the prediction does not violate.
#include "catalogue.h"

#include <string.h>

// --- a slot without width: the two walls can press on each other by any amount -------------

static const double slot_gravity = 2;

static void exact_slot(const cat_scene *scene, double t, double *q, double *u, double *mass)
{
    (void)scene;
    q[0] = t;
    u[0] = 1;
    q[1] = u[1] = 0;
    mass[0] = slot_gravity * t;
}

static void slot_step(const cat_trial_step *step, void *user)
{
    (void)user;
    CHECK(step->status == THUD_NEWS);
    CHECK(step->report->news == (THUD_NEWS_NOT_UNIQUE | THUD_NEWS_SELF_STRESS));
    CHECK(step->report->gamma == INFINITY);
    CHECK(!step->report->answer.unique);
    CHECK_NEAR((trial_impulse(step, 0) - trial_impulse(step, 1)) / step->h, slot_gravity, 1e-12);
}

void case_V20a(void)
{
    cat_scene scene = {.name = "V20a",
                       .problem = {.dim = 2},
                       .pull = {0, -slot_gravity},
                       .u = {1, 0},
                       .end = 1,
                       .plane_count = 2,
                       .planes = {{.count = 1, .index = {1}, .slope = {1}},
                                  {.count = 1, .index = {1}, .slope = {-1}}},
                       .exact = exact_slot,
                       .combine = {1, -1},
                       .news = THUD_NEWS_NOT_UNIQUE | THUD_NEWS_SELF_STRESS};
    scene_finish(&scene);
    scene_table(&scene, slot_step, NULL);
}

// --- a floor given three times: g, g and 2 g -----------------------------------------------

static void tripled_step(const cat_trial_step *step, void *user)
{
    bool touches = step->report->answer.tight > 0;
    (void)user;
    CHECK(step->report->news == (touches ? THUD_NEWS_NOT_UNIQUE : 0));
    if (!touches)
        return;
    CHECK(step->report->answer.tight == 3);
    CHECK_NEAR(step->report->gamma, 1, 1e-12);
    double force = trial_impulse(step, 0) + trial_impulse(step, 1) + 2 * trial_impulse(step, 2);
    if (step->before->u[0] == 0)
        CHECK_NEAR(force / step->h, 2, 1e-12);
}

void case_V20b(void)
{
    cat_scene scene = scene_floor();
    scene.name = "V20b";
    scene.planes[1] = scene.planes[2] = scene.planes[0];
    scene.planes[2].slope[0] = 2;
    scene.rows = scene.plane_count = 3;
    scene.combine[0] = scene.combine[1] = 1;
    scene.combine[2] = 2;
    scene.news = THUD_NEWS_NOT_UNIQUE;
    scene_table(&scene, tripled_step, NULL);
    // and from the start at rest on it
    scene.q[0] = 0;
    cat_trial trial = {.file = "V20b-at-rest",
                       .problem = scene_problem(&scene),
                       .q = scene.q,
                       .u = scene.u,
                       .h = .01,
                       .steps = 50,
                       .news = THUD_NEWS_NOT_UNIQUE,
                       .look = tripled_step};
    CHECK(trial_run(&trial, NULL) == 50);
}

// --- the order of the constraints ----------------------------------------------------------

enum
{
    RECORDED = 97,
    IMPULSES = 2 * SCENE_DIM,
    RECORD = IMPULSES + SCENE_ROWS
};

typedef struct cat_recording
{
    const cat_scene *scene;
    double values[RECORDED][RECORD]; ///< position, velocity, impulses of every step
} cat_recording;

static void record(const cat_trial_step *step, void *user)
{
    cat_recording *recording = user;
    double *value = recording->values[step->n - 1];
    size_t size = (size_t)recording->scene->problem.dim * sizeof *value;
    memcpy(value, step->after->q, size);
    memcpy(value + SCENE_DIM, step->after->u, size);
    scene_impulses(recording->scene, step, value + IMPULSES);
}

static double worst_difference(const cat_recording *a, const cat_recording *b)
{
    double worst = 0;
    for (int n = 0; n < RECORDED; n++)
        for (int i = 0; i < RECORD; i++)
            worst = fmax(worst, fabs(a->values[n][i] - b->values[n][i]));
    return worst;
}

/// Pushed in another order nothing changes at all; under other names, nothing but roundoff. (A
/// scene file cannot choose the order of pushing: there, that part has nothing to find.)
static void permute(cat_scene scene)
{
    static cat_recording given, pushed, renamed;
    cat_recording *all[3] = {&given, &pushed, &renamed};
    for (int i = 0; i < 3; i++)
    {
        memset(all[i], 0, sizeof *all[i]);
        all[i]->scene = &scene;
        scene.push_reversed = i == 1;
        scene.keys_reversed = i == 2;
        scene_measure(&scene, RECORDED, record, all[i], NULL);
    }
    printf("%-13s pushed in reverse: %g, named in reverse: %g\n", scene.name,
           worst_difference(&given, &pushed), worst_difference(&given, &renamed));
    CHECK(memcmp(given.values, pushed.values, sizeof given.values) == 0);
    CHECK_AT_MOST(worst_difference(&given, &renamed), 1e-12);
}

void case_permuted(void)
{
    permute(scene_corner("V06-40", 40));
    permute(scene_corner("V06-130", 130));
    permute(scene_vertex("V06-vertex-50", 50));
    permute(scene_cradle("V07-123", (double[]){1, 2, 3}));
    permute(scene_squeeze());
    permute(scene_three_discs());
    permute(scene_notch());
}

// --- pruning: the second contact closes only because the first one pushes into it ----------

static const double pruning_wanted[3] = {17. / 30, 8. / 30, 5. / 30};

static int pruning_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    (void)user;
    for (int i = 0; i < 2; i++)
    {
        int index[2] = {i, i + 1};
        double slope[2] = {-1, 1};
        thud_rows_push(rows, &(thud_row){.key = thud_key_number(i),
                                         .gap = at->q[i + 1] - at->q[i],
                                         .count = 2,
                                         .index = index,
                                         .slope = slope});
    }
    return 0;
}

static void pruning_step(const cat_trial_step *step, void *user)
{
    (void)user;
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(step->after->u[i], pruning_wanted[i], 1e-14);
    CHECK(step->report->answer.tight == 2);
}

static void pruning_projection(void)
{
    static const double q[3] = {0, .003, .004}, w[3] = {1, 0, 0};
    thud_moment at = {.phase = THUD_LINEARISE, .h = .01, .q = q, .w = w};
    thud_rows *rows = NULL;
    thud_projector *projector = NULL;
    thud_answer answer = {0};
    CHECK(thud_rows_create(3, NULL, &rows) == THUD_OK);
    CHECK(thud_projector_create(NULL, &projector) == THUD_OK);
    if (rows && projector)
    {
        thud_projection problem = {.dim = 3, .h = .01, .w = w, .rows = rows, .shift_scale = 1};
        pruning_gaps(&at, rows, NULL);
        CHECK(thud_project(&problem, projector, &answer) == THUD_OK);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(answer.u[i], pruning_wanted[i], 1e-14);
        CHECK_NEAR(answer.mu[0], 13. / 30, 1e-14);
        CHECK_NEAR(answer.mu[1], 5. / 30, 1e-14);
        CHECK(answer.certificate.violation_ulps <= 8 && answer.certificate.kkt <= 1e-12);
        CHECK(answer.unique);
    }
    thud_projector_destroy(projector);
    thud_rows_destroy(rows);
}

void case_pruning(void)
{
    cat_trial trial = {.file = "pruning",
                       .problem = {.dim = 3, .gaps = pruning_gaps, .smooth = &(thud_smoothness){0}},
                       .q = (double[]){0, .003, .004},
                       .u = (double[]){1, 0, 0},
                       .h = .01,
                       .steps = 1,
                       .look = pruning_step};
    CHECK(trial_run(&trial, NULL) == 1);
    pruning_projection();
}
