// A table of names by hashing.
#include "text/names.h"

#include <string.h>

enum
{
    FIRST_SLOTS = 16
};

static uint64_t hash(const char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u; // FNV-1a, finished so that low bits are good
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
    h ^= h >> 32;
    return h * 0x9e3779b97f4a7c15u >> 20;
}

// The slot that holds a name, or the free slot where it belongs.
static thudi_name *slot_of(const thudi_names *names, const char *text, size_t length)
{
    size_t mask = names->slots.capacity - 1, at = (size_t)hash(text, length) & mask;
    while (names->slots.items[at].text && (names->slots.items[at].length != length ||
                                           memcmp(names->slots.items[at].text, text, length) != 0))
        at = (at + 1) & mask;
    return &names->slots.items[at];
}

const thudi_name *thudi_names_find(const thudi_names *names, const char *text, size_t length)
{
    if (names->count == 0)
        return NULL;
    const thudi_name *slot = slot_of(names, text, length);
    return slot->text ? slot : NULL;
}

static thud_status grow(thudi_names *names)
{
    thudi_names larger = {.allocator = names->allocator};
    size_t room = names->slots.capacity ? 2 * names->slots.capacity : (size_t)FIRST_SLOTS;
    THUD_TRY(thudi_array_reserve(&larger.allocator, &larger.slots, room));
    memset(larger.slots.items, 0, room * sizeof *larger.slots.items);
    larger.count = names->count;
    for (size_t i = 0; i < names->slots.capacity; i++)
    {
        const thudi_name *name = &names->slots.items[i];
        if (name->text)
            *slot_of(&larger, name->text, name->length) = *name;
    }
    thudi_names_free(names);
    *names = larger;
    return THUD_OK;
}

thud_status thudi_names_add(thudi_names *names, const char *text, size_t length, int value)
{
    if (2 * (names->count + 1) > names->slots.capacity)
        THUD_TRY(grow(names));
    *slot_of(names, text, length) = (thudi_name){text, length, value};
    names->count++;
    return THUD_OK;
}

void thudi_names_free(thudi_names *names)
{
    thudi_array_free(&names->allocator, &names->slots);
    names->slots.items = NULL;
    names->slots.capacity = 0;
    names->count = 0;
}
