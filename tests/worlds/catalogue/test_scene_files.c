// The scene files of the catalogue as they are written: each says what it shows and runs to its
// end.
#include "thud/model.h"
#include "thud_test.h"

#include <string.h>

static const char *const files[] = {CATALOGUE_FILES};

/// V09c is there to run out of room.
static thud_status wanted_end(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    if (strcmp(name, "V09c.yaml") == 0)
        return THUD_ERR_INFEASIBLE;
    bool has_news = strncmp(name, "V11", 3) == 0 || strncmp(name, "V20", 3) == 0;
    return has_news ? THUD_NEWS : THUD_OK;
}

static void run_scene(const char *path, const thud_scene *scene)
{
    thud_model *model = NULL;
    thud_work *work = NULL;
    thud_fault fault = {0};
    CHECK(scene->kind == THUD_SCENE_INCLUSION);
    CHECK(scene->about[0] != '\0' && strstr(path, scene->title) == NULL);
    CHECK(thud_model_create(scene, NULL, &model, &fault) == THUD_OK);
    if (model)
    {
        thud_work_def def = thud_model_work(model);
        CHECK(thud_work_create(&def, &work) == THUD_OK);
    }
    if (work)
    {
        thud_run_def def = {.end = scene->end};
        thud_status status =
            thud_run(thud_model_problem(model), thud_model_state(model), work, &def, NULL);
        if (status != wanted_end(path))
            test_fail(__FILE__, __LINE__, "%s: %s: %s", path, thud_status_name(status),
                      thud_work_message(work));
    }
    thud_work_destroy(work);
    thud_model_destroy(model);
}

static void as_written(void)
{
    int count = (int)(sizeof files / sizeof *files);
    for (int i = 0; i < count; i++)
    {
        thud_scene *scene = NULL;
        thud_fault fault = {0};
        thud_scene_def def = {.path = files[i]};
        if (thud_scene_read(&def, &scene, &fault) == THUD_OK)
            run_scene(files[i], scene);
        else
            test_fail(__FILE__, __LINE__, "%s:%d:%d: %s", fault.file, fault.line, fault.column,
                      fault.text);
        thud_scene_destroy(scene);
    }
    printf("%d scene files\n", count);
    CHECK(count == 47);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"as-written", as_written}};
    return test_main(argc, argv, cases, 1);
}
