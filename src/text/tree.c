// Nodes of the tree that a scene is read from: finding them, naming them, filling faults for them.
#include "text/tree.h"

#include "core/fault.h"
#include "core/format.h"
#include "thud/scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

thudi_tree *thudi_tree_find(const thudi_tree *map, const char *key, size_t length)
{
    for (thudi_tree *member = map->first; member; member = member->next)
        if (member->key && member->key->length == length &&
            memcmp(member->key->text, key, length) == 0)
            return member;
    return NULL;
}

void thudi_tree_append(thudi_tree *parent, thudi_tree *child)
{
    child->parent = parent;
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
}

void thudi_tree_replace(thudi_tree *node, const thudi_tree *value)
{
    thudi_tree *key = node->key, *parent = node->parent, *next = node->next;
    *node = *value;
    node->key = key;
    node->parent = parent;
    node->next = next;
    for (thudi_tree *child = node->first; child; child = child->next)
        child->parent = node;
}

static int index_of(const thudi_tree *item)
{
    int index = 0;
    for (const thudi_tree *other = item->parent->first; other != item; other = other->next)
        index++;
    return index;
}

const char *thudi_tree_path(const thudi_tree *node, char text[THUDI_PATH_SIZE])
{
    const thudi_tree *chain[THUD_SCENE_DEPTH + 2];
    int length = 0;
    size_t used = 0;
    for (; node->parent && length < THUD_SCENE_DEPTH + 2; node = node->parent)
        chain[length++] = node;
    (void)snprintf(text, THUDI_PATH_SIZE, "%s", length == 0 ? "the scene" : "");
    while (length-- > 0 && used < THUDI_PATH_SIZE - 1)
    {
        char name[THUDI_QUOTE_SIZE];
        const thudi_tree *part = chain[length];
        int wrote;
        if (part->key)
            wrote = snprintf(text + used, THUDI_PATH_SIZE - used, "%s%s", used ? "." : "",
                             thudi_quote(name, part->key->text, part->key->length));
        else
            wrote = snprintf(text + used, THUDI_PATH_SIZE - used, "[%d]", index_of(part));
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return text;
}

const char *thudi_tree_kind_text(const thudi_tree *node)
{
    static const char *const texts[] = {"a single value", "a list", "a map"};
    return texts[node->kind];
}

// Bytes of the UTF-8 character that begins with c.
static size_t character_size(unsigned char c)
{
    return c < 0x80 ? 1 : (c < 0xe0 ? 2 : (c < 0xf0 ? 3 : 4));
}

const char *thudi_quote(char text[THUDI_QUOTE_SIZE], const char *from, size_t length)
{
    static const char dots[] = "...";
    size_t used = 0, at = 0;
    while (at < length)
    {
        size_t size = character_size((unsigned char)from[at]);
        if (at + size > length)
            break;
        if (used + size + sizeof dots > THUDI_QUOTE_SIZE)
        {
            memcpy(text + used, dots, sizeof dots);
            return text;
        }
        if (size == 1 && ((unsigned char)from[at] < ' ' || from[at] == 0x7f))
            text[used] = ' ';
        else
            memcpy(text + used, from + at, size);
        used += size;
        at += size;
    }
    text[used] = '\0';
    return text;
}

// Cut a text that does not fit between two characters, never inside one.
static void copy_text(char *to, size_t size, const char *from)
{
    size_t used = 0;
    while (from[used])
    {
        size_t next = character_size((unsigned char)from[used]);
        if (used + next >= size || strnlen(from + used, next) < next)
            break;
        memcpy(to + used, from + used, next);
        used += next;
    }
    to[used] = '\0';
}

thud_status thudi_fail_in_file(thud_fault *fault, thud_status status, const char *file, int line,
                               int column, const char *hint, const char *format, ...)
{
    char text[2 * sizeof fault->text];
    va_list arguments;
    if (!fault)
        return status;
    va_start(arguments, format);
    (void)thudi_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    *fault = thudi_fault_none();
    fault->status = status;
    fault->line = line;
    fault->column = column;
    copy_text(fault->file, sizeof fault->file, file);
    copy_text(fault->text, sizeof fault->text, text);
    copy_text(fault->hint, sizeof fault->hint, hint);
    return status;
}

thud_status thudi_fault_path(thud_fault *fault, thud_status status, const thudi_tree *node)
{
    char path[THUDI_PATH_SIZE];
    if (fault && node->parent)
        copy_text(fault->path, sizeof fault->path, thudi_tree_path(node, path));
    return status;
}
