// Fields of things: found by number or by key, and walked over.
#include "fields/table.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum
{
    PATH_SIZE = 160
};

static int count_made(const thudi_thing *thing)
{
    thudi_field_room room;
    int count = 0;
    while (thing->make && thing->make(count, &room))
        count++;
    return count;
}

static int count_fields(const thudi_thing *thing)
{
    return thing ? count_fields(thing->before) + thing->count + count_made(thing) +
                       count_fields(thing->after)
                 : 0;
}

const thudi_field *thudi_thing_field(const thudi_thing *thing, int i, thudi_field_room *room)
{
    if (!thing)
        return NULL;
    int before = count_fields(thing->before);
    if (i < before)
        return thudi_thing_field(thing->before, i, room);
    i -= before;
    if (i < thing->count)
        return &thing->fields[i];
    i -= thing->count;
    int made = count_made(thing);
    return i < made ? thing->make(i, room) : thudi_thing_field(thing->after, i - made, room);
}

const thudi_field *thudi_thing_find(const thudi_thing *thing, const char *key,
                                    thudi_field_room *room)
{
    const thudi_field *field = thudi_thing_field(thing, 0, room);
    for (int i = 0; field && strcmp(field->key, key) != 0;
         field = thudi_thing_field(thing, i, room))
        i++;
    return field;
}

bool thudi_field_is_required(const thudi_field *field)
{
    return !field->initial && !field->otherwise;
}

void thudi_thing_keys(const thudi_thing *thing, int dim, const char *keys[THUDI_MOST_KEYS + 1])
{
    int used = 0;
    const thudi_field *field;
    thudi_field_room room;
    for (int i = 0; (field = thudi_thing_field(thing, i, &room)) != NULL; i++)
    {
        assert(used < THUDI_MOST_KEYS);
        if (dim != 2 || !(field->flags & THUDI_ONLY_3D))
            keys[used++] = field->key;
    }
    keys[used] = NULL;
}

thud_status thudi_thing_open(thudi_reader *r, const thudi_tree *node, const thudi_thing *thing)
{
    const char *keys[THUDI_MOST_KEYS + 1];
    thudi_thing_keys(thing, r->dim, keys);
    return thudi_map_open(r, node, keys);
}

// State of a walk: the path, and where its part begins that is local to a table.
typedef struct walk
{
    char path[PATH_SIZE];
    size_t local;
    const char *table;
    thudi_field_fn *visit;
    void *user;
} walk;

static bool walk_thing(walk *w, const thudi_thing *thing, size_t length);

// Visit what is in a field whose path has this length.
static bool walk_into(walk *w, const thudi_field *field, size_t length)
{
    const thudi_field *part = field->of;
    switch (field->form)
    {
    case THUDI_A_PART:
        return walk_thing(w, field->of, length);
    case THUDI_A_LIST:
    case THUDI_A_MAP:
    {
        int added = snprintf(w->path + length, PATH_SIZE - length, "%s",
                             field->form == THUDI_A_LIST ? ".N" : ".NAME");
        return walk_into(w, part, length + (size_t)added);
    }
    case THUDI_ONE_OF:
        for (; part->help; part++)
            if (walk_into(w, part, length))
                return true;
        return false;
    default:
        return false;
    }
}

static bool walk_field(walk *w, const thudi_field *field, size_t length)
{
    int added =
        snprintf(w->path + length, PATH_SIZE - length, "%s%s", length > 0 ? "." : "", field->key);
    thudi_field_place place = {w->path, w->table, w->path + w->local + (w->local > 0)};
    if (w->visit(field, &place, w->user))
        return true;
    size_t local = w->local;
    const char *table = w->table;
    if (field->flags & THUDI_SEE_BELOW)
        w->table = NULL; // the first thing in it sets it
    bool ends = walk_into(w, field, length + (size_t)added);
    w->table = table;
    w->local = local;
    return ends;
}

static bool walk_thing(walk *w, const thudi_thing *thing, size_t length)
{
    const thudi_field *field;
    thudi_field_room room;
    bool ends = false, is_table = !w->table;
    if (is_table)
    {
        w->table = thing->name;
        w->local = length;
    }
    for (int i = 0; !ends && (field = thudi_thing_field(thing, i, &room)) != NULL; i++)
        ends = walk_field(w, field, length);
    if (is_table)
        w->table = NULL; // another form of the same field has its own table
    return ends;
}

bool thudi_each_field(const thudi_thing *thing, thudi_field_fn *visit, void *user)
{
    walk w = {.visit = visit, .user = user};
    return walk_thing(&w, thing, 0);
}
