// What both kinds of scenes have: version, title, units, parameters, times.
#include "core/characters.h"
#include "core/text.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const kinds[] = {"spheres", "inclusion", NULL};

static thud_status read_version(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node;
    char quote[THUDI_QUOTE_SIZE];
    THUD_TRY(thudi_required(r, root, "thud", "begin the scene with 'thud: 1'", &node));
    THUD_TRY(thudi_expect(r, node, THUDI_STRING, "1, the version of the format"));
    if (strcmp(node->text, "1") == 0)
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "write 'thud: 1', or use a newer Thud",
                           "this version of Thud reads scenes of version 1, not '%s'",
                           thudi_quote(quote, node->text, node->length));
}

// A key of the other kind gets a special hint.
static thud_status check_keys(thudi_reader *r, const thudi_tree *root, int kind)
{
    const thudi_thing *own = kind == 0 ? &thudi_spheres_thing : &thudi_inclusion_thing;
    const thudi_thing *other = kind == 0 ? &thudi_inclusion_thing : &thudi_spheres_thing;
    char hint[THUDI_HINT_SIZE];
    for (const thudi_tree *member = root->first; member; member = member->next)
    {
        const thudi_tree *key = member->key;
        thudi_field_room room;
        if (thudi_thing_find(own, key->text, &room) || !thudi_thing_find(other, key->text, &room))
            continue;
        (void)snprintf(hint, sizeof hint, "remove '%s', which belongs to 'kind: %s'", key->text,
                       kinds[1 - kind]);
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, key, hint,
                               "'%s' cannot be used in a scene of kind '%s'", key->text,
                               kinds[kind]);
    }
    return thudi_thing_open(r, root, own);
}

static thud_status read_kind(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node;
    int kind;
    THUD_TRY(thudi_required(r, root, "kind", "write 'kind: spheres' or 'kind: inclusion'", &node));
    THUD_TRY(thudi_word(r, node, kinds, &kind));
    r->scene->view.kind = kind == 0 ? THUD_SCENE_SPHERES : THUD_SCENE_INCLUSION;
    return check_keys(r, root, kind);
}

// The file's name without folder and ".yaml".
static thud_status default_title(thudi_reader *r)
{
    static const char ending[] = ".yaml";
    const char *file = r->origin->file, *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    size_t length = strlen(name), tail = sizeof ending - 1;
    if (length > tail && strcmp(name + length - tail, ending) == 0)
        length -= tail;
    unsigned long code;
    if (thudi_find_hidden(name, length, true, &code) < length)
        name = "scene", length = strlen(name); // the name of a file may hold anything
    return thudi_copy(r, name, length, &r->scene->view.title);
}

static thud_status read_texts(thudi_reader *r, const thudi_tree *root)
{
    thud_scene *scene = &r->scene->view;
    const thudi_tree *title = thudi_optional(root, "title");
    if (title)
        THUD_TRY(thudi_text(r, title, true, &scene->title));
    else
        THUD_TRY(default_title(r));
    THUD_TRY(thudi_read_field(r, root, &thudi_common_thing, "about", scene));
    return thudi_read_fields(r, thudi_optional(root, "units"), &thudi_units_thing, scene);
}

static thud_status read_step(thudi_reader *r, const thudi_tree *node, const thudi_tree *time)
{
    thud_scene *scene = &r->scene->view;
    char a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE];
    bool spheres = scene->kind == THUD_SCENE_SPHERES;
    if (!node && !spheres)
        return thudi_required(
            r, time, "step",
            "write a step, such as 'step: 1/128'; only spheres have an automatic step", &node);
    scene->step_is_auto = !node || (node->kind == THUDI_STRING && strcmp(node->text, "auto") == 0);
    if (scene->step_is_auto && !spheres)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "write a number, such as 1/128",
                               "time.step cannot be 'auto' in a scene of kind 'inclusion'");
    if (scene->step_is_auto)
        return THUD_OK;
    thud_status status = thudi_number(r, node, THUDI_POSITIVE, &scene->step);
    if (status == THUD_ERR_SCENE && spheres && r->fault->hint[0] == '\0')
        (void)snprintf(r->fault->hint, sizeof r->fault->hint, "write a number > 0, or auto");
    THUD_TRY(status);
    if (scene->step <= scene->end - scene->start)
        return THUD_OK;
    return thudi_fail_node(
        r->fault, THUD_ERR_SCENE, node, "", "time.step is %s, longer than the run of %s",
        thudi_text_number(a, scene->step), thudi_text_number(b, scene->end - scene->start));
}

static thud_status read_time(thudi_reader *r, const thudi_tree *root)
{
    thud_scene *scene = &r->scene->view;
    const thudi_tree *time;
    char a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE];
    THUD_TRY(thudi_required(r, root, "time", "write when the run ends, such as 'time: {end: 1}'",
                            &time));
    THUD_TRY(thudi_read_fields(r, time, &thudi_time_thing, scene));
    const thudi_tree *end = thudi_optional(time, "end");
    if (!(scene->end > scene->start))
        return thudi_fail_node(
            r->fault, THUD_ERR_SCENE, end, "", "time.end must be after time.start (%s), but is %s",
            thudi_text_number(a, scene->start), thudi_text_number(b, scene->end));
    if (!isfinite(scene->end - scene->start))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, end, "",
                               "time.end - time.start is not a finite number");
    return read_step(r, thudi_optional(time, "step"), time);
}

// `resolved: true`, as Thud writes it into scenes whose numbers are filled in.
static thud_status read_resolved(thudi_reader *r, const thudi_tree *root)
{
    static const char *const words[] = {"false", "true", NULL};
    const thudi_tree *node = thudi_optional(root, "resolved");
    int which = 0;
    if (node)
        THUD_TRY(thudi_word(r, node, words, &which));
    r->is_resolved = r->is_resolved || which == 1;
    return THUD_OK;
}

thud_status thudi_read_common(thudi_reader *r, const thudi_tree *root)
{
    thud_scene *scene = &r->scene->view;
    THUD_TRY(read_version(r, root));
    THUD_TRY(read_kind(r, root));
    THUD_TRY(thudi_copy(r, r->origin->file, strlen(r->origin->file), &scene->file));
    THUD_TRY(read_texts(r, root));
    THUD_TRY(read_resolved(r, root));
    THUD_TRY(thudi_read_parameters(r, root));
    THUD_TRY(read_time(r, root));
    THUD_TRY(thudi_read_field(r, root, &thudi_common_thing, "record", scene));
    return thudi_read_field(r, root, &thudi_common_thing, "checkpoints", scene);
}
