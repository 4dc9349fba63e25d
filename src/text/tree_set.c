// Overrides such as time.end=2 or bodies.0.fill.count=100, applied to a tree.
#include "text/tree.h"
#include "thud/scene.h"

#include <string.h>

typedef struct override
{
    const char *text;
    int number;
    size_t value; // where the value begins
    thudi_arena *arena;
    thud_fault *fault;
} override;

static const char set_file[] = THUDI_SET_FILE;

#define fail_override(o, at, hint, ...)                                                            \
    thudi_fail_place((o)->fault, THUD_ERR_ARGUMENT, set_file, (o)->number, (int)(at) + 1, hint,    \
                     __VA_ARGS__)

static thudi_tree *node_make(const override *o, size_t at, thudi_tree_kind kind)
{
    thudi_tree *node = thudi_arena_allocate(o->arena, sizeof *node);
    if (!node)
        return NULL;
    node->kind = kind;
    node->file = set_file;
    node->line = o->number;
    node->column = (int)at + 1;
    return node;
}

// Add a member without a value to a map.
static thud_status member_make(const override *o, thudi_tree *map, size_t at, size_t length,
                               thudi_tree **out)
{
    thudi_tree *key = node_make(o, at, THUDI_STRING), *node = node_make(o, at, THUDI_MAP);
    if (key)
        key->text = thudi_arena_text(o->arena, o->text + at, length);
    if (!key || !node || !key->text)
        return thudi_fail_status(o->fault, THUD_ERR_MEMORY);
    key->length = length;
    node->key = key;
    thudi_tree_append(map, node);
    *out = node;
    return THUD_OK;
}

static thud_status item_find(const override *o, thudi_tree *list, size_t at, size_t length,
                             thudi_tree **out)
{
    char quote[THUDI_QUOTE_SIZE], path[THUDI_PATH_SIZE];
    int wanted = 0;
    for (size_t i = 0; i < length; i++)
    {
        char c = o->text[at + i];
        if (c < '0' || c > '9' || length > 9)
            return fail_override(o, at, "count the items of a list from 0",
                                 "%s is a list; '%s' is not the number of an item",
                                 thudi_tree_path(list, path),
                                 thudi_quote(quote, o->text + at, length));
        wanted = 10 * wanted + (c - '0');
    }
    thudi_tree *item = list->first;
    for (int i = 0; i < wanted && item; i++)
        item = item->next;
    if (!item)
        return fail_override(o, at, "count the items of a list from 0",
                             "%s has %d item%s; there is no item %d", thudi_tree_path(list, path),
                             list->count, list->count == 1 ? "" : "s", wanted);
    *out = item;
    return THUD_OK;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

// Go down by one part of the key. A missing map is created.
static thud_status descend(const override *o, thudi_tree *from, size_t at, size_t length,
                           thudi_tree **out)
{
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE];
    if (length == 0)
        return fail_override(o, at, "write KEY=VALUE, such as time.end=2",
                             "a part of the key is empty");
    if (from->kind == THUDI_LIST)
        return item_find(o, from, at, length, out);
    if (from->kind == THUDI_STRING)
        return fail_override(o, at, "", "%s is a value and has no keys",
                             thudi_tree_path(from, path));
    *out = thudi_tree_find(from, o->text + at, length);
    if (*out)
        return THUD_OK;
    if (is_space(o->text[at]) || is_space(o->text[at + length - 1]))
        return fail_override(o, at, "write KEY=VALUE without spaces around the key",
                             "'%s' has a space at its %s, which belongs to the key",
                             thudi_quote(quote, o->text + at, length),
                             is_space(o->text[at]) ? "start" : "end");
    if (from->count >= THUD_SCENE_KEYS)
        return thudi_fail_place(o->fault, THUD_ERR_LIMIT, set_file, o->number, (int)at + 1, "",
                                "a map with more than %d keys", THUD_SCENE_KEYS);
    return member_make(o, from, at, length, out);
}

static thud_status find_target(const override *o, thudi_tree *root, size_t *added,
                               thudi_tree **target)
{
    size_t at = 0, end = o->value - 1;
    int depth = 0;
    *target = root;
    while (true)
    {
        const char *dot = memchr(o->text + at, '.', end - at);
        size_t length = dot ? (size_t)(dot - o->text) - at : end - at;
        if (++depth > THUD_SCENE_DEPTH)
            return thudi_fail_place(o->fault, THUD_ERR_LIMIT, set_file, o->number, (int)at + 1, "",
                                    "the key has more than %d parts", THUD_SCENE_DEPTH);
        int before = (*target)->count;
        thudi_tree *from = *target;
        THUD_TRY(descend(o, from, at, length, target));
        if (from->count > before && *added == 0)
            *added = at + length;
        if (!dot)
            return THUD_OK;
        at += length + 1;
    }
}

// How deep maps and lists are nested, the node itself included.
static int depth_below(const thudi_tree *node)
{
    int depth = 0, deepest = 0;
    for (const thudi_tree *at = node;;)
    {
        int here = depth + (at->kind != THUDI_STRING);
        deepest = here > deepest ? here : deepest;
        if (at->first)
        {
            at = at->first;
            depth++;
            continue;
        }
        while (at != node && !at->next)
        {
            at = at->parent;
            depth--;
        }
        if (at == node)
            return deepest;
        at = at->next;
    }
}

static bool is_number(const thudi_tree *node)
{
    double x;
    return node->kind == THUDI_STRING && thud_number_read(node->text, node->length, &x);
}

thud_status thudi_tree_set(thudi_tree *root, const char *text, int number, thudi_arena *arena,
                           thudi_override_effect *effect, thud_fault *fault)
{
    override o = {text, number, 0, arena, fault};
    size_t length = strnlen(text, THUD_SCENE_FILE_SIZE);
    const char *equals = memchr(text, '=', length);
    if (!equals || equals == text)
        return fail_override(&o, 0, "write KEY=VALUE, such as time.end=2", "the override has no %s",
                             equals ? "key" : "'='");
    if (strncmp(text, "include=", 8) == 0)
        return fail_override(&o, 0, "write it in the scene", "'include' cannot be set");
    o.value = (size_t)(equals - text) + 1;
    thudi_source source = {.file = set_file,
                           .text = text + o.value,
                           .length = length - o.value,
                           .number = number,
                           .column_offset = (int)o.value,
                           .is_override = true};
    thudi_tree *value, *target;
    *effect = (thudi_override_effect){0};
    THUD_TRY(thudi_text_check(&(thudi_source){.file = set_file,
                                              .text = text,
                                              .length = length,
                                              .number = number,
                                              .is_override = true},
                              fault));
    THUD_TRY(thudi_tree_parse(&source, arena, &value, fault));
    THUD_TRY(find_target(&o, root, &effect->added, &target));
    effect->replaces = effect->added == 0 && !is_number(target);
    thudi_tree_replace(target, value);
    int depth = depth_below(target);
    for (const thudi_tree *node = target; node->parent; node = node->parent)
        depth++;
    if (depth > THUD_SCENE_DEPTH)
        return thudi_fail_place(fault, THUD_ERR_LIMIT, set_file, number, 1, "",
                                "maps and lists are nested more than %d deep", THUD_SCENE_DEPTH);
    return THUD_OK;
}
