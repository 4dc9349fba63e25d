// Trials from scene files: problem and start as the reader of scenes and the model make them.
#include "catalogue.h"

#include "thud/model.h"

#include <stdlib.h>
#include <string.h>

static int ran;

struct cat_file
{
    thud_scene *scene;
    thud_model *model;
};

/// "KEY=x", x so that it is read back as it is.
static const char * override(char *text, size_t size, const char *key, double x)
{
    char number[THUD_NUMBER_SIZE];
    (void)snprintf(text, size, "%s=%s", key, thud_number_write(number, x));
    return text;
}

static bool read_scene(const cat_trial *trial, cat_file *file)
{
    char path[1000], step[80], end[80];
    const char *set[] = {override(step, sizeof step, "time.step", trial->h),
                         override(end, sizeof end, "time.end", trial->h * trial->steps)};
    thud_scene_def def = {.text = trial->text, .set = set, .set_count = 2};
    thud_fault fault;
    (void)snprintf(path, sizeof path, "%s/%s.yaml", CATALOGUE_SCENES, trial->file);
    if (trial->text)
        def.length = strlen(trial->text);
    else
        def.path = path;
    if (thud_scene_read(&def, &file->scene, &fault) == THUD_OK &&
        thud_model_create(file->scene, NULL, &file->model, &fault) == THUD_OK)
        return true;
    test_fail(__FILE__, __LINE__, "%s:%d:%d: %s", fault.file, fault.line, fault.column, fault.text);
    return false;
}

/// What the errors need not tell: how the force is averaged, and what is promised of the gaps.
static void check_alike(const thud_inclusion *problem, const thud_inclusion *wanted)
{
    CHECK(problem->dim == wanted->dim && problem->order == wanted->order);
    CHECK((problem->impulse != NULL) == (wanted->impulse != NULL));
    CHECK((problem->force != NULL) == (wanted->force != NULL));
    CHECK(!wanted->force || problem->force_is_steady == wanted->force_is_steady);
    CHECK(problem->break_count == wanted->break_count);
    for (int i = 0; i < problem->break_count && i < wanted->break_count; i++)
        CHECK(problem->breaks[i] == wanted->breaks[i]);
    CHECK(problem->smooth != NULL);
    if (problem->smooth)
    {
        CHECK_NEAR(problem->smooth->gap_tt, wanted->smooth->gap_tt, 1e-15);
        CHECK_NEAR(problem->smooth->gap_tq, wanted->smooth->gap_tq, 1e-15);
    }
}

cat_file *file_open(cat_trial *trial)
{
    cat_file *file = calloc(1, sizeof *file);
    if (!file || (!trial->file && !trial->text))
    {
        test_fail(__FILE__, __LINE__, "this trial has no scene file");
        free(file);
        return NULL;
    }
    if (read_scene(trial, file))
    {
        const thud_inclusion *problem = thud_model_problem(file->model);
        const thud_state *state = thud_model_state(file->model);
        check_alike(problem, &trial->problem);
        CHECK(state->h == trial->h && state->t0 == 0);
        if (problem->dim == trial->problem.dim)
        {
            trial->problem = *problem;
            trial->q = state->q;
            trial->u = state->u;
            ran++;
            return file;
        }
    }
    file_close(file);
    return NULL;
}

void file_close(cat_file *file)
{
    if (!file)
        return;
    thud_model_destroy(file->model);
    thud_scene_destroy(file->scene);
    free(file);
}

int file_finish(int result)
{
    int written_in_c = trial_count() - ran;
    printf("%d trials, %d of them from scene files too\n", written_in_c, ran);
    return result == 0 && (ran == 0 || ran != written_in_c) ? 1 : result;
}
