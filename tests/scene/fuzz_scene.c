// Any bytes as a scene: reading must survive them, and what is read must survive being written.
#include "thud/scene.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct text
{
    char bytes[1 << 18];
    size_t length;
} text;

static int keep(const char *bytes, size_t length, void *user)
{
    text *to = user;
    if (length > sizeof to->bytes - to->length)
        return 1;
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
    return 0;
}

static thud_status read_text(const char *bytes, size_t length, thud_scene **scene)
{
    thud_fault fault;
    thud_scene_def def = {.text = bytes, .length = length, .body_limit = 2000};
    thud_status status = thud_scene_read(&def, scene, &fault);
    // a failure always says what it is, in one line
    if (status < 0 && (fault.text[0] == '\0' || strchr(fault.text, '\n') || *scene))
        abort();
    return status;
}

// Write a scene; false when it has more text than there is room for.
static bool write_text(const thud_scene *scene, text *to)
{
    to->length = 0;
    return thud_scene_write(scene, NULL, keep, to) >= 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static text first, second;
    thud_scene *scene, *again;
    if (read_text((const char *)data, size, &scene) < 0)
        return 0;
    scene->step_is_auto = false; // the step is a number from now on
    if (write_text(scene, &first))
    {
        if (read_text(first.bytes, first.length, &again) < 0 || !write_text(again, &second) ||
            first.length != second.length || again->body_count != scene->body_count ||
            memcmp(first.bytes, second.bytes, first.length) != 0)
            abort();
        for (int i = 0; i < scene->body_count; i++)
            if (memcmp(&scene->bodies[i].sphere, &again->bodies[i].sphere, sizeof(thud_sphere)) !=
                0)
                abort();
        thud_scene_destroy(again);
    }
    thud_scene_destroy(scene);
    return 0;
}
