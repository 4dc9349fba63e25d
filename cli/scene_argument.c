// Reads the scene of a command, and builds its model.
#include "scene_argument.h"

#include "report.h"

#include <string.h>
#include <thud/estimate.h>
#include <thud/warnings.h>

static int fail(thud_status status, thud_fault *fault, double wanted)
{
    char build[THUD_NUMBER_SIZE], run[THUD_NUMBER_SIZE], have[THUD_NUMBER_SIZE];
    if (status == THUD_ERR_LIMIT && wanted > 0 && wanted <= THUD_SCENE_BODIES)
        (void)snprintf(
            fault->hint, sizeof fault->hint,
            "building it takes about %s of memory and a run at least %s, but only %s is available",
            thud_words_bytes(build, thud_estimate_building(wanted)),
            thud_words_bytes(run, thud_estimate_bodies(wanted)),
            thud_words_bytes(have, thud_memory_available()));
    return cli_fail(status, fault);
}

// A title and labels of units do not change the run: adding them needs no note.
static bool is_label(const char *key)
{
    return strcmp(key, "title") == 0 || strcmp(key, "about") == 0 ||
           strncmp(key, "units", strlen("units")) == 0;
}

enum
{
    LONG_OVERRIDE = 60 // of a longer one only the key is shown
};

void cli_note_added_keys(const cli_call *call, const thud_scene *scene)
{
    const char *overrides[CLI_VALUES];
    int count = cli_has(call, "quiet") ? 0 : cli_values(call, "set", overrides);
    for (int i = 0; i < count && i < scene->set_count; i++)
    {
        bool is_long = strlen(overrides[i]) > LONG_OVERRIDE;
        int shown = (int)(is_long ? strcspn(overrides[i], "=") + 1 : LONG_OVERRIDE);
        if (scene->added[i] && !is_label(scene->added[i]))
            cli_note("--set %.*s%s adds '%.200s', which the scene does not have", shown,
                     overrides[i], is_long ? "..." : "", scene->added[i]);
    }
}

int cli_read_scene(const cli_call *call, thud_scene **scene)
{
    const char *overrides[CLI_VALUES];
    thud_fault fault = {0};
    double wanted = 0;
    thud_scene_def def = {.path = call->arguments[0],
                          .set = overrides,
                          .body_limit = cli_has(call, "force") ? 0 : thud_bodies_that_fit(),
                          .bodies_wanted = &wanted,
                          .set_count = cli_values(call, "set", overrides)};
    thud_status status = thud_scene_read(&def, scene, &fault);
    if (status < 0)
        return fail(status, &fault, wanted);
    cli_note_added_keys(call, *scene);
    return CLI_DONE;
}

int cli_create_model(const thud_scene *scene, thud_model **model)
{
    thud_fault fault = {0};
    thud_paths_warn(scene, cli_warn_text, NULL); // before the long work
    thud_status status = thud_model_create(scene, NULL, model, &fault);
    if (status < 0)
        return cli_fail(status, &fault);
    thud_model_warn(scene, *model, cli_warn_text, NULL);
    if (status == THUD_NEWS)
        cli_warn("there is no room at the start to open all gaps: bodies fit exactly");
    return CLI_DONE;
}
