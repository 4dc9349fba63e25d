// Rows between memory and files.
#include "record/file_rows.h"

#include <limits.h>
#include <string.h>

static thudi_file_key pack(thud_key key, thud_key_space keys)
{
    thud_key_parts parts = thud_key_read(key, keys);
    return (thudi_file_key){
        .kind = (uint32_t)parts.kind, .image = (uint32_t)parts.image, .a = parts.a, .b = parts.b};
}

static bool unpack(const thudi_file_key *from, thud_key_space keys, thud_key *to)
{
    if (from->kind > THUD_KEY_OBSTACLE || from->image > INT_MAX)
        return false;
    thud_key_parts parts = {
        .kind = (thud_key_kind)from->kind, .image = (int)from->image, .a = from->a, .b = from->b};
    return thud_key_make(&parts, keys, to);
}

void thudi_multipliers_pack(const thud_multiplier *from, size_t count, thud_key_space keys,
                            thudi_file_multiplier *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (thudi_file_multiplier){
            .key = pack(from[i].key, keys), .impulse = from[i].impulse, .memory = from[i].memory};
}

bool thudi_multipliers_unpack(const void *from, size_t count, thud_key_space keys,
                              thud_multiplier *to)
{
    for (size_t i = 0; i < count; i++)
    {
        thudi_file_multiplier one;
        memcpy(&one, (const char *)from + i * sizeof one, sizeof one);
        to[i] = (thud_multiplier){.impulse = one.impulse, .memory = one.memory};
        if (!unpack(&one.key, keys, &to[i].key))
            return false;
    }
    return true;
}

// Has any row a memory?
static bool remember(const thud_multiplier *rows, size_t count)
{
    static const double none = 0; // -0 has other bits, so it is a memory
    for (size_t i = 0; i < count; i++)
        if (memcmp(&rows[i].memory, &none, sizeof none) != 0)
            return true;
    return false;
}

uint16_t thudi_rows_type(const thudi_row_list *list)
{
    size_t size = sizeof(thudi_file_multiplier) + (size_t)list->width * sizeof(double);
    if (list->width > 0)
        return (uint16_t)(size << 8 | THUDI_ITEM_KEPT);
    return remember(list->rows, (size_t)list->count) ? THUDI_ITEM_MULTIPLIER : THUDI_ITEM_IMPULSE;
}

int thudi_rows_width(uint16_t type)
{
    if (type == THUDI_ITEM_MULTIPLIER || type == THUDI_ITEM_IMPULSE)
        return 0;
    size_t size = thudi_item_size(type), least = sizeof(thudi_file_multiplier);
    if ((type & 0xff) != THUDI_ITEM_KEPT || size % sizeof(double) != 0 || size <= least ||
        size >= least + THUD_KEPT_MAX * sizeof(double))
        return -1;
    return (int)((size - least) / sizeof(double));
}

static void pack_impulses(const thud_multiplier *from, size_t count, thud_key_space keys,
                          thudi_file_impulse *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (thudi_file_impulse){.key = pack(from[i].key, keys), .impulse = from[i].impulse};
}

void thudi_rows_pack(const thudi_row_list *list, thud_key_space keys, void *to)
{
    uint16_t type = thudi_rows_type(list);
    size_t count = (size_t)list->count, width = (size_t)list->width, size = thudi_item_size(type);
    if (type == THUDI_ITEM_IMPULSE)
        pack_impulses(list->rows, count, keys, to);
    else if (type == THUDI_ITEM_MULTIPLIER)
        thudi_multipliers_pack(list->rows, count, keys, to);
    else
        for (size_t i = 0; i < count; i++)
        {
            char *item = (char *)to + i * size;
            thudi_multipliers_pack(&list->rows[i], 1, keys, (void *)item);
            memcpy(item + sizeof(thudi_file_multiplier), list->more + i * width,
                   width * sizeof *list->more);
        }
}

static bool unpack_impulses(const void *from, size_t count, thud_key_space keys,
                            thud_multiplier *to)
{
    for (size_t i = 0; i < count; i++)
    {
        thudi_file_impulse one;
        memcpy(&one, (const char *)from + i * sizeof one, sizeof one);
        to[i] = (thud_multiplier){.impulse = one.impulse};
        if (!unpack(&one.key, keys, &to[i].key))
            return false;
    }
    return true;
}

bool thudi_rows_unpack(const void *from, uint16_t type, size_t count, thud_key_space keys,
                       thud_multiplier *to, double *more)
{
    size_t width = (size_t)thudi_rows_width(type), size = thudi_item_size(type);
    if (type == THUDI_ITEM_IMPULSE)
        return unpack_impulses(from, count, keys, to);
    if (type == THUDI_ITEM_MULTIPLIER)
        return thudi_multipliers_unpack(from, count, keys, to) && remember(to, count);
    for (size_t i = 0; i < count; i++)
    {
        const char *item = (const char *)from + i * size;
        if (!thudi_multipliers_unpack(item, 1, keys, &to[i]))
            return false;
        memcpy(more + i * width, item + sizeof(thudi_file_multiplier), width * sizeof *more);
    }
    return true;
}

void thudi_directions_pack(const thud_direction *from, size_t count, thud_key_space keys,
                           thudi_file_direction *to)
{
    for (size_t i = 0; i < count; i++)
    {
        to[i].key = pack(from[i].key, keys);
        memcpy(to[i].normal, from[i].normal, sizeof to[i].normal);
    }
}

bool thudi_directions_unpack(const void *from, size_t count, thud_key_space keys,
                             thud_direction *to)
{
    for (size_t i = 0; i < count; i++)
    {
        thudi_file_direction one;
        memcpy(&one, (const char *)from + i * sizeof one, sizeof one);
        if (!unpack(&one.key, keys, &to[i].key))
            return false;
        memcpy(to[i].normal, one.normal, sizeof one.normal);
    }
    return true;
}

bool thudi_field_has_keys(thud_field_type type)
{
    return type == THUD_FIELD_MULTIPLIER || type == THUD_FIELD_KEY;
}

void thudi_field_pack(thud_field_type type, const void *from, size_t count, thud_key_space keys,
                      void *to)
{
    const thud_key *list = from;
    thudi_file_key *out = to;
    if (type == THUD_FIELD_MULTIPLIER)
        thudi_multipliers_pack(from, count, keys, to);
    else
        for (size_t i = 0; i < count; i++)
            out[i] = pack(list[i], keys);
}

bool thudi_field_unpack(thud_field_type type, const void *from, size_t count, thud_key_space keys,
                        void *to)
{
    thud_key *list = to;
    if (type == THUD_FIELD_MULTIPLIER)
        return thudi_multipliers_unpack(from, count, keys, to);
    for (size_t i = 0; i < count; i++)
    {
        thudi_file_key one;
        memcpy(&one, (const char *)from + i * sizeof one, sizeof one);
        if (!unpack(&one, keys, &list[i]))
            return false;
    }
    return true;
}
