// The scene of a run directory; two scenes compared by what they say: each is written out with all
// its defaults.
#include "run/recorded/recorded.h"

#include "core/fault.h"
#include "core/memory.h"
#include "record/digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define WAS_CHANGED "restore the file: it was changed after the run, or belongs to another version"

// A scene in a run directory was written by Thud: whatever is wrong with it, the run is damaged.
static thud_status fail_scene(const char *folder, thud_status status, thud_fault *fault)
{
    bool is_missing = status == THUD_ERR_IO && fault->is_missing;
    if (!is_missing && status != THUD_ERR_SCENE && status != THUD_ERR_OVERLAP)
        return status;
    if (is_missing && fault->line == 0)
        (void)thudi_fail(fault, status, THUDI_IN(folder, NULL), "", "scene.yaml is missing");
    fault->status = THUD_ERR_RECORD;
    (void)snprintf(fault->hint, sizeof fault->hint,
                   is_missing ? "restore the file from a copy of the run: the other files cannot "
                                "be read without it"
                              : WAS_CHANGED);
    return THUD_ERR_RECORD;
}

thud_status thudi_run_read_scene(const char *folder, thud_scene **scene, thud_fault *fault)
{
    char path[1100];
    if (snprintf(path, sizeof path, "%s/scene.yaml", folder) >= (int)sizeof path)
        return thudi_fail(fault, THUD_ERR_ARGUMENT, THUDI_NOWHERE,
                          "run thud from a folder nearer to it", "the path of the run is too long");
    thud_status status = thud_scene_read(
        &(thud_scene_def){.path = path, .no_links = true, .resolved = true}, scene, fault);
    return status < 0 ? fail_scene(folder, status, fault) : status;
}

thud_status thudi_run_read_model(const char *folder, thud_scene **scene, thud_model **model,
                                 thud_fault *fault)
{
    THUD_TRY(thudi_run_read_scene(folder, scene, fault));
    thud_status status = thud_model_create(*scene, NULL, model, fault);
    return status < 0 ? fail_scene(folder, status, fault) : status;
}

bool thudi_run_has_file(const char *folder, const char *name)
{
    char path[1100];
    struct stat look;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return lstat(path, &look) == 0;
}

typedef struct text
{
    char *bytes;
    size_t length, room;
} text;

static int take(const char *bytes, size_t length, void *user)
{
    text *to = user;
    if (to->length + length > to->room)
    {
        size_t room = 2 * (to->length + length);
        char *grown = realloc(to->bytes, room);
        if (!grown)
            return 1;
        to->bytes = grown;
        to->room = room;
    }
    if (length > 0)
        memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
    return 0;
}

static thud_status write_all(const thud_scene *scene, text *to)
{
    bool has_bodies = scene->kind == THUD_SCENE_SPHERES;
    THUD_TRY(thud_scene_write(scene, has_bodies ? "bodies.csv" : NULL, take, to));
    if (has_bodies)
        THUD_TRY(thud_scene_write_bodies(scene, take, to));
    return thud_scene_has_mesh(scene) ? thud_scene_write_meshes(scene, take, to) : THUD_OK;
}

thud_status thudi_scene_compare(const thud_scene *a, const thud_scene *b, bool *same)
{
    text one = {0}, two = {0};
    thud_status status = write_all(a, &one);
    if (status >= 0)
        status = write_all(b, &two);
    *same = status >= 0 && one.length == two.length &&
            (one.length == 0 || memcmp(one.bytes, two.bytes, one.length) == 0);
    free(one.bytes);
    free(two.bytes);
    return status < 0 ? THUD_ERR_MEMORY : THUD_OK; // a sink fails for want of memory only
}

thud_status thudi_scene_digest(const thud_scene *scene, thud_digest *digest)
{
    text all = {0};
    thud_status status = write_all(scene, &all);
    *digest = (thud_digest){0};
    if (status >= 0)
        thudi_digest_add(digest, &(struct iovec){all.bytes, all.length}, 1);
    free(all.bytes);
    return status < 0 ? THUD_ERR_MEMORY : THUD_OK; // a sink fails for want of memory only
}
