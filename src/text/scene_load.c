// The tree of a whole scene: its file, what it includes (never from outside of its folder, never in
// a circle), then overrides.
#include "text/scene_load.h"
#include "text/scene_files.h"

#include <stdio.h>
#include <string.h>

// A file being loaded, and the one that includes it.
typedef struct level
{
    const struct level *above;
    thudi_origin origin;
    uint64_t device, number;
    bool is_file;
    int depth;
} level;

typedef struct loader
{
    thudi_arena *arena;
    thud_fault *fault;
} loader;

static thud_status load_level(loader *l, level *now, const char *text, size_t length,
                              thudi_tree **root);

static bool leads_up(const char *path)
{
    while (true)
    {
        size_t part = strcspn(path, "/");
        if (part == 2 && strncmp(path, "..", 2) == 0)
            return true;
        if (!path[part])
            return false;
        path += part + 1;
    }
}

thud_status thudi_path_check(const thudi_tree *node, const thudi_origin *origin, thud_fault *fault)
{
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE];
    thudi_tree_path(node, path);
    if (node->kind != THUDI_STRING)
        return thudi_fail_node(fault, THUD_ERR_SCENE, node, "",
                               "%s must be the name of a file, but is %s", path,
                               thudi_tree_kind_text(node));
    if (node->length == 0)
        return thudi_fail_node(fault, THUD_ERR_SCENE, node, "", "%s must be the name of a file",
                               path);
    thudi_quote(quote, node->text, node->length);
    if (node->text[0] == '/')
        return thudi_fail_node(fault, THUD_ERR_SCENE, node,
                               "write the path relative to the folder of the scene",
                               "%s: '%s' is an absolute path", path, quote);
    if (leads_up(node->text))
        return thudi_fail_node(fault, THUD_ERR_SCENE, node,
                               "move the file below the folder of the scene",
                               "%s: '%s' leads out of the folder with '..'", path, quote);
    if (origin->folder < 0)
        return thudi_fail_node(fault, THUD_ERR_SCENE, node, "read the scene from a file",
                               "%s: this scene has no folder to read '%s' from", path, quote);
    return THUD_OK;
}

// "dir/" of "dir/file", "" of "file".
static const char *prefix_of(thudi_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return thudi_arena_text(arena, path, slash ? (size_t)(slash - path) + 1 : 0);
}

static const char *join(thudi_arena *arena, const char *prefix, const char *path)
{
    size_t length = strlen(prefix) + strlen(path);
    char *text = thudi_arena_allocate(arena, length + 1);
    if (text)
        (void)snprintf(text, length + 1, "%s%s", prefix, path);
    return text;
}

static thud_status check_circle(loader *l, const level *now, const thudi_tree *node,
                                const thudi_file *file)
{
    char quote[THUDI_QUOTE_SIZE];
    for (const level *above = now; above; above = above->above)
        if (above->is_file && above->device == file->device && above->number == file->number)
            return thudi_fail_node(l->fault, THUD_ERR_SCENE, node, "remove one of the includes",
                                   "the includes form a circle: '%s' is already open",
                                   thudi_quote(quote, node->text, node->length));
    return THUD_OK;
}

static thud_status load_file(loader *l, const level *now, const thudi_tree *node,
                             const thudi_file *file, thudi_tree **root)
{
    const char *reason = "";
    const char *prefix = prefix_of(l->arena, node->text);
    THUD_TRY(check_circle(l, now, node, file));
    level next = {.above = now,
                  .is_file = true,
                  .device = file->device,
                  .number = file->number,
                  .depth = now->depth + 1,
                  .origin = {.file = join(l->arena, now->origin.folder_prefix, node->text),
                             .no_links = now->origin.no_links}};
    if (prefix)
        next.origin.folder_prefix = join(l->arena, now->origin.folder_prefix, prefix);
    if (!prefix || !next.origin.file || !next.origin.folder_prefix)
        return thudi_fail_status(l->fault, THUD_ERR_MEMORY);
    next.origin.folder = thudi_folder_below(now->origin.folder, *prefix ? prefix : ".", &reason);
    if (next.origin.folder < 0)
        return thudi_fail_node(l->fault, THUD_ERR_IO, node, "", "the folder of '%.200s' %s",
                               node->text, reason);
    thud_status status = load_level(l, &next, file->text, file->length, root);
    thudi_folder_close(next.origin.folder);
    return status;
}

static thud_status load_include(loader *l, const level *now, const thudi_tree *node,
                                thudi_tree **root)
{
    char quote[THUDI_QUOTE_SIZE];
    const char *reason = "";
    thudi_file file;
    THUD_TRY(thudi_path_check(node, &now->origin, l->fault));
    thudi_quote(quote, node->text, node->length);
    if (now->depth >= THUD_SCENE_INCLUDES)
        return thudi_fail_node(l->fault, THUD_ERR_LIMIT, node, "",
                               "'%s' is included more than %d levels deep", quote,
                               THUD_SCENE_INCLUDES);
    thud_status status =
        thudi_file_read(now->origin.folder, node->text, now->origin.no_links, THUD_SCENE_FILE_SIZE,
                        &l->arena->allocator, &file, &reason);
    if (status == THUD_ERR_MEMORY)
        return thudi_fail_status(l->fault, status);
    if (status < 0)
        return thudi_fail_file(
            &file, l->fault,
            thudi_fail_node(l->fault, status, node, "", "the file '%s' %s", quote, reason));
    status = load_file(l, now, node, &file, root);
    thudi_file_free(&l->arena->allocator, &file);
    return status;
}

// Take the member `include` out of a map.
static thudi_tree *take_include(thudi_tree *root)
{
    thudi_tree *before = NULL, *node = root->first;
    while (node && strcmp(node->key->text, "include") != 0)
    {
        before = node;
        node = node->next;
    }
    if (!node)
        return NULL;
    if (before)
        before->next = node->next;
    else
        root->first = node->next;
    if (root->last == node)
        root->last = before;
    root->count--;
    return node;
}

// Overlay `over` on the pile of all trees before it.
static thud_status add_overlay(loader *l, thudi_tree **pile, thudi_tree *over)
{
    if (*pile && thudi_tree_overlay(*pile, over, &l->arena->allocator) < 0)
        return thudi_fail_status(l->fault, THUD_ERR_MEMORY);
    if (!*pile)
        *pile = over;
    return THUD_OK;
}

static thud_status load_level(loader *l, level *now, const char *text, size_t length,
                              thudi_tree **root)
{
    thudi_source source = {.file = now->origin.file, .text = text, .length = length};
    thudi_tree *own, *pile = NULL;
    THUD_TRY(thudi_tree_parse(&source, l->arena, &own, l->fault));
    const thudi_tree *include = take_include(own);
    const thudi_tree *name = include && include->kind == THUDI_LIST ? include->first : include;
    for (; name; name = include->kind == THUDI_LIST ? name->next : NULL)
    {
        thudi_tree *other = NULL;
        THUD_TRY(load_include(l, now, name, &other));
        THUD_TRY(add_overlay(l, &pile, other));
    }
    THUD_TRY(add_overlay(l, &pile, own));
    *root = pile;
    return THUD_OK;
}

static thud_status load_path(loader *l, const char *path, thudi_origin *origin, thudi_tree **root)
{
    const char *reason = "";
    thudi_file file;
    origin->file = thudi_arena_text(l->arena, path, strlen(path));
    origin->folder_prefix = prefix_of(l->arena, path);
    if (!origin->file || !origin->folder_prefix)
        return thudi_fail_status(l->fault, THUD_ERR_MEMORY);
    thud_status status = thudi_file_read(-1, path, origin->no_links, THUD_SCENE_FILE_SIZE,
                                         &l->arena->allocator, &file, &reason);
    if (status == THUD_ERR_MEMORY)
        return thudi_fail_status(l->fault, status);
    if (status < 0)
        return thudi_fail_file(
            &file, l->fault,
            thudi_fail_place(l->fault, status, path, 0, 0, "", "the file %s", reason));
    origin->folder =
        thudi_folder_open(*origin->folder_prefix ? origin->folder_prefix : ".", &reason);
    level first = {
        .origin = *origin, .is_file = true, .device = file.device, .number = file.number};
    status = load_level(l, &first, file.text, file.length, root);
    thudi_file_free(&l->arena->allocator, &file);
    return status;
}

static thud_status load_text(loader *l, const thud_scene_def *def, thudi_origin *origin,
                             thudi_tree **root)
{
    const char *reason = "", *name = def->name ? def->name : "-";
    origin->file = thudi_arena_text(l->arena, name, strlen(name));
    origin->folder_prefix = "";
    if (!origin->file)
        return thudi_fail_status(l->fault, THUD_ERR_MEMORY);
    if (def->folder)
        origin->folder = thudi_folder_open(def->folder, &reason);
    if (def->folder && origin->folder < 0)
        return thudi_fail_place(l->fault, THUD_ERR_IO, def->folder, 0, 0, "", "the folder %s",
                                reason);
    level first = {.origin = *origin};
    return load_level(l, &first, def->text, def->length, root);
}

static thud_status apply_overrides(loader *l, const thud_scene_def *def, thudi_origin *origin,
                                   thudi_tree *root)
{
    origin->added = thudi_arena_allocate(l->arena, (size_t)def->set_count * sizeof *origin->added);
    if (!origin->added)
        return thudi_fail_status(l->fault, THUD_ERR_MEMORY);
    for (int i = 0; i < def->set_count; i++)
    {
        thudi_override_effect effect;
        THUD_TRY(thudi_tree_set(root, def->set[i], i + 1, l->arena, &effect, l->fault));
        origin->is_replaced = origin->is_replaced || effect.replaces;
        if (effect.added == 0)
            continue;
        origin->added[i] = thudi_arena_text(l->arena, def->set[i], effect.added);
        if (!origin->added[i])
            return thudi_fail_status(l->fault, THUD_ERR_MEMORY);
    }
    return THUD_OK;
}

thud_status thudi_scene_load(const thud_scene_def *def, thudi_arena *arena, thudi_tree **root,
                             thudi_origin *origin, thud_fault *fault)
{
    loader l = {arena, fault};
    *origin = (thudi_origin){.folder = -1, .no_links = def->no_links};
    thud_status status =
        def->path ? load_path(&l, def->path, origin, root) : load_text(&l, def, origin, root);
    return status >= 0 && def->set_count > 0 ? apply_overrides(&l, def, origin, *root) : status;
}
