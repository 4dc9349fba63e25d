// thud run: a scene in, a run directory out.
#include "commands.h"
#include "members.h"
#include "report.h"
#include "scene_argument.h"
#include "session.h"

#include <string.h>
#include <thud/estimate.h>

static int refuse_if_too_much(const cli_session *session, const thud_scene *scene)
{
    thud_fault fault = {0};
    thud_estimate estimate = thud_estimate_run(scene, session->def.folder);
    if (cli_has(session->call, "force") || thud_estimate_check(&estimate, scene, &fault) >= 0)
        return CLI_DONE;
    (void)snprintf(fault.hint, sizeof fault.hint,
                   "make the scene smaller, record less, or use --force");
    return cli_fail(THUD_ERR_LIMIT, &fault);
}

// Without --out the folder has the name of the scene.
static int choose_folder(cli_session *session, char folder[CLI_FOLDER_SIZE + 1])
{
    const char *path = session->call->arguments[0], *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    size_t length = strlen(name);
    if (length > 5 && strcmp(name + length - 5, ".yaml") == 0)
        length -= 5;
    (void)snprintf(folder, CLI_FOLDER_SIZE + 1, "%.*s.run", (int)length, name);
    return cli_session_folder(session, cli_value(session->call, "out", folder));
}

// The table of options has let through only what has such a name.
static thud_log_form choose_form(const cli_call *call)
{
    const char *name = cli_value(call, "log", "");
    for (int i = 0; thud_log_form_name((thud_log_form)i); i++)
        if (strcmp(name, thud_log_form_name((thud_log_form)i)) == 0)
            return (thud_log_form)i;
    return THUD_LOG_FILE;
}

static int run_and_record(cli_session *session)
{
    thud_fault fault = {0};
    cli_session_watch(session);
    if (!cli_is_first())
        return cli_session_follow(session);
    thud_status status = thud_recording_create(&session->def, &session->recording, &fault);
    return status < 0 ? cli_fail(status, &fault) : cli_session_run(session);
}

int command_run(const cli_call *call)
{
    cli_session session;
    thud_scene *scene = NULL;
    thud_model *model = NULL;
    char folder[CLI_FOLDER_SIZE + 1];
    int code = cli_session_begin(&session, call);
    if (code == CLI_DONE)
        code = choose_folder(&session, folder);
    if (code == CLI_DONE)
        code = cli_read_scene(call, &scene);
    if (code == CLI_DONE)
        code = refuse_if_too_much(&session, scene);
    if (code == CLI_DONE)
        code = cli_create_model(scene, &model);
    session.def.scene = scene;
    session.def.model = model;
    session.def.log = choose_form(call);
    if (code == CLI_DONE)
        code = run_and_record(&session);
    thud_model_destroy(model);
    thud_scene_destroy(scene);
    return code;
}
