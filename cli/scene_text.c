// Two scenes compared by what they say: each is written out with all its defaults.
#include "scene_text.h"

#include "try.h"

#include <stdlib.h>
#include <string.h>

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

thud_status cli_scene_compare(const thud_scene *a, const thud_scene *b, bool *same)
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
