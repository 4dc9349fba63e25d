// Trees put over one another, as `include` does: maps are joined key by key, all else replaced.
#include "text/names.h"
#include "text/tree.h"

// Where each key of a map is.
typedef struct directory
{
    thudi_names names;
    THUDI_ARRAY(thudi_tree *) members;
} directory;

static thud_status directory_make(directory *d, thudi_tree *map)
{
    int at = 0;
    THUD_TRY(thudi_array_reserve(&d->names.allocator, &d->members, (size_t)map->count + 1));
    for (thudi_tree *node = map->first; node; node = node->next, at++)
    {
        d->members.items[at] = node;
        THUD_TRY(thudi_names_add(&d->names, node->key->text, node->key->length, at));
    }
    return THUD_OK;
}

static thud_status overlay_members(thudi_tree *base, thudi_tree *over, const directory *d)
{
    thudi_tree *next;
    for (thudi_tree *node = over->first; node; node = next)
    {
        next = node->next;
        const thudi_name *name = thudi_names_find(&d->names, node->key->text, node->key->length);
        if (!name)
        {
            thudi_tree_append(base, node);
            continue;
        }
        thudi_tree *there = d->members.items[name->value];
        there->key = node->key;
        if (there->kind == THUDI_MAP && node->kind == THUDI_MAP)
            THUD_TRY(thudi_tree_overlay(there, node, &d->names.allocator));
        else
            thudi_tree_replace(there, node);
    }
    return THUD_OK;
}

thud_status thudi_tree_overlay(thudi_tree *base, thudi_tree *over, const thud_allocator *allocator)
{
    directory d = {.names = {.allocator = *allocator}};
    thud_status status = directory_make(&d, base);
    if (status >= 0)
        status = overlay_members(base, over, &d);
    thudi_array_free(allocator, &d.members);
    thudi_names_free(&d.names);
    base->file = over->file;
    base->line = over->line;
    base->column = over->column;
    return status;
}
