// thud new: a scene to start from.
#include "commands.h"
#include "report.h"
#include "shipped_scenes.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <thud/scene.h>
#include <unistd.h>

enum
{
    MODELINE_SIZE = PATH_MAX + 200 // a path, and the words before it
};

static const shipped_scene *find_scene(const char *name)
{
    for (int i = 0; i < shipped_scene_count; i++)
        if (strcmp(shipped_scenes[i].name, name) == 0)
            return &shipped_scenes[i];
    return NULL;
}

static int fail_name(const char *name)
{
    const char *names[64];
    char hint[120] = "run 'thud new' to list the names";
    int count = 0;
    for (; count < shipped_scene_count && count < 64; count++)
        names[count] = shipped_scenes[count].name;
    const char *near = thud_nearest(name, strlen(name), names, count);
    if (near)
        (void)snprintf(hint, sizeof hint, "did you mean '%s'?", near);
    return cli_fail_usage(hint, "no scene is called '%s'", name);
}

// The text after "title: ", to the end of the line.
static void print_title(const shipped_scene *scene)
{
    static const char key[] = "\ntitle: ";
    const char *title = strstr(scene->text, key);
    title = title ? title + sizeof key - 1 : "";
    (void)printf("%.*s", (int)strcspn(title, "\r\n"), title);
}

static int list_scenes(void)
{
    for (int i = 0; i < shipped_scene_count; i++)
    {
        (void)printf("  %-16s ", shipped_scenes[i].name);
        print_title(&shipped_scenes[i]);
        (void)putchar('\n');
    }
    return CLI_DONE;
}

static int fail_file(const char *path, const char *hint, const char *text)
{
    thud_fault fault = {0};
    (void)snprintf(fault.file, sizeof fault.file, "%.255s", path);
    (void)snprintf(fault.text, sizeof fault.text, "%s", text);
    (void)snprintf(fault.hint, sizeof fault.hint, "%s", hint);
    return cli_fail(THUD_ERR_IO, &fault);
}

// A line for the language servers of editors, which names the installed JSON Schema. The schema is
// looked up relative to the program; the line is empty if it is not there.
static void write_modeline(char line[MODELINE_SIZE])
{
    char program[PATH_MAX];
    line[0] = '\0';
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return;
    program[length] = '\0';
    char *slash = strrchr(program, '/'), schema[PATH_MAX + sizeof THUD_SCHEMA];
    (void)snprintf(schema, sizeof schema, "%.*s/%s", slash ? (int)(slash - program) : 0, program,
                   THUD_SCHEMA);
    if (slash && access(schema, R_OK) == 0)
        (void)snprintf(line, MODELINE_SIZE, "# yaml-language-server: $schema=%s\n", schema);
}

static int write_file(const char *path, const char *head, const char *text, size_t length,
                      bool replace)
{
    FILE *file = fopen(path, replace ? "w" : "wx");
    if (!file && errno == EEXIST)
        return fail_file(path, "choose another name, or use --replace", "the file already exists");
    if (!file)
        return fail_file(path, "", strerror(errno));
    bool written = fputs(head, file) >= 0 && fwrite(text, 1, length, file) == length;
    written = fclose(file) == 0 && written;
    if (!written)
    {
        int error = errno;
        (void)remove(path);
        return fail_file(path, "", strerror(error));
    }
    return CLI_DONE;
}

// Write the mesh first, into the folder of the scene that names it.
static int write_scene(const shipped_scene *scene, const char *path, bool replace)
{
    char mesh[1100], head[MODELINE_SIZE];
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    if (snprintf(mesh, sizeof mesh, "%.*s%s.stl", folder, path, scene->name) >= (int)sizeof mesh)
        return fail_file(path, "", strerror(ENAMETOOLONG));
    int code =
        scene->mesh ? write_file(mesh, "", scene->mesh, scene->mesh_length, replace) : CLI_DONE;
    write_modeline(head);
    if (code == CLI_DONE)
        code = write_file(path, head, scene->text, scene->length, replace);
    if (code != CLI_DONE)
        return code;
    (void)printf("%s: ", path);
    print_title(scene);
    (void)printf("\n  next: thud check %s, thud run %s\n", path, path);
    return CLI_DONE;
}

int command_new(const cli_call *call)
{
    if (call->argument_count == 0 || cli_has(call, "list"))
        return list_scenes();
    const char *name = call->arguments[0];
    const shipped_scene *scene = find_scene(name);
    if (!scene)
        return fail_name(name);
    char path[250];
    (void)snprintf(path, sizeof path, "%.200s.yaml", name);
    return write_scene(scene, call->argument_count > 1 ? call->arguments[1] : path,
                       cli_has(call, "replace"));
}
