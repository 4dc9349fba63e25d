/// A scene given as text.
#ifndef SCENE_TEXT_H
#define SCENE_TEXT_H

#include "thud_test.h"

#include <string.h>
#include <thud/scene.h>

/// The scene of a text that must be one; NULL and a failure if it is not.
static inline thud_scene *scene_of_text(const char *text)
{
    thud_scene *scene = NULL;
    thud_fault fault = {0};
    thud_scene_def def = {.text = text, .length = strlen(text)};
    if (thud_scene_read(&def, &scene, &fault) < 0)
        test_fail(__FILE__, __LINE__, "%d: %s", fault.line, fault.text);
    return scene;
}

#endif
