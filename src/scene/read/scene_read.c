// Reads a scene into its struct: loads the tree, reads it and frees it.
#include "core/door.h"
#include "core/fault.h"
#include "scene/read/read_parts.h"
#include "text/scene_files.h"

#include <string.h>

// Tell the caller which keys overrides added; the texts are kept longer than the tree.
static thud_status keep_added(thudi_reader *r, const thud_scene_def *def)
{
    const char **added;
    if (def->set_count == 0)
        return THUD_OK;
    THUD_TRY(thudi_reader_allocate(r, (size_t)def->set_count * sizeof *added, &added));
    for (int i = 0; i < def->set_count; i++)
    {
        const char *key = r->origin->added[i];
        if (key)
            THUD_TRY(thudi_copy(r, key, strlen(key), &added[i]));
    }
    r->scene->view.added = added;
    r->scene->view.set_count = def->set_count;
    return THUD_OK;
}

static thud_status read_tree(const thud_scene_def *def, thudi_scene *scene, const thudi_tree *root,
                             const thudi_origin *origin, thud_fault *fault)
{
    thudi_reader r = {.allocator = scene->allocator,
                      .arena = &scene->arena,
                      .expressions = &scene->expressions,
                      .scene = scene,
                      .fault = fault,
                      .origin = origin,
                      .bodies_wanted = def->bodies_wanted,
                      .is_resolved = def->resolved,
                      .seed = {.sample = def->sample},
                      .body_limit = def->body_limit > 0 ? def->body_limit : THUD_SCENE_BODIES};
    thud_status status = thudi_read_common(&r, root);
    if (status >= 0)
        status = scene->view.kind == THUD_SCENE_SPHERES ? thudi_read_spheres(&r, root)
                                                        : thudi_read_inclusion(&r, root);
    if (status >= 0)
        status = thudi_check_parameters(&r, root);
    if (status >= 0)
        status = thudi_check_seed(&r);
    if (status >= 0)
        status = keep_added(&r, def);
    thudi_array_free(&r.allocator, &r.room);
    return status;
}

static thud_status read_into(const thud_scene_def *def, thudi_scene *scene, thud_fault *fault)
{
    thudi_arena tree = {.allocator = scene->allocator};
    thudi_tree *root = NULL;
    thudi_origin origin;
    thud_status status = thudi_scene_load(def, &tree, &root, &origin, fault);
    if (status >= 0)
        status = read_tree(def, scene, root, &origin, fault);
    thudi_folder_close(origin.folder);
    thudi_arena_free(&tree);
    return status;
}

THUDI_DOOR thud_status thud_scene_read(const thud_scene_def *def, thud_scene **out,
                                       thud_fault *fault)
{
    thud_fault unwanted; // so that readers need not test for NULL
    fault = fault ? fault : &unwanted;
    *fault = thudi_fault_none();
    if (!out)
        return THUD_ERR_ARGUMENT;
    *out = NULL;
    if (!def || (!def->path && !def->text && def->length > 0) || def->set_count < 0 ||
        (def->set_count > 0 && !def->set) || def->body_limit < 0)
        return thudi_fail_status(fault, THUD_ERR_ARGUMENT);
    if (thud_float_check() != THUD_OK) // numbers would be read differently
        return thudi_fail_status(fault, THUD_ERR_FLOAT);
    thud_allocator allocator = thudi_allocator_or_default(def->allocator);
    thudi_scene *scene = thudi_allocate_zeroed(&allocator, sizeof *scene);
    if (!scene)
        return thudi_fail_status(fault, THUD_ERR_MEMORY);
    scene->allocator = allocator;
    scene->arena.allocator = allocator;
    thud_status status = read_into(def, scene, fault);
    if (status < 0)
        thud_scene_destroy(&scene->view);
    else
        *out = &scene->view;
    return status;
}

void thud_scene_destroy(thud_scene *scene)
{
    thudi_scene *all = (thudi_scene *)scene;
    if (!all)
        return;
    thud_allocator allocator = all->allocator;
    for (thudi_made *made = all->expressions; made; made = made->next)
        thud_expression_destroy(made->expression);
    thudi_array_free(&allocator, &all->bodies);
    thudi_arena_free(&all->arena);
    thudi_free(&allocator, all, sizeof *all);
}
