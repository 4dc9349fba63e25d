// thud scene: prints a scene as Thud understood it, or its bodies as CSV.
#include "commands.h"
#include "report.h"
#include "scene_argument.h"

// Write text to standard output, as a thud_sink_fn.
static int print_text(const char *text, size_t length, void *user)
{
    (void)user;
    return fwrite(text, 1, length, stdout) == length ? 0 : -1;
}

int command_scene(const cli_call *call)
{
    thud_scene *scene = NULL;
    int code = cli_read_scene(call, &scene);
    if (code != CLI_DONE)
        return code;
    if (!cli_has(call, "bodies"))
        (void)thud_scene_write(scene, NULL, print_text, NULL);
    else if (scene->kind == THUD_SCENE_SPHERES)
        (void)thud_scene_write_bodies(scene, print_text, NULL);
    else
        code = cli_fail_usage("leave out --bodies", "'%s' is not a scene of spheres", scene->file);
    thud_scene_destroy(scene);
    return code; // main reports a print that failed
}
