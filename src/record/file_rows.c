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

bool thudi_multipliers_remember(const thud_multiplier *rows, size_t count)
{
    static const double none = 0; // -0 has other bits, so it is a memory
    for (size_t i = 0; i < count; i++)
        if (memcmp(&rows[i].memory, &none, sizeof none) != 0)
            return true;
    return false;
}

void thudi_impulses_pack(const thud_multiplier *from, size_t count, thud_key_space keys,
                         thudi_file_impulse *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (thudi_file_impulse){.key = pack(from[i].key, keys), .impulse = from[i].impulse};
}

bool thudi_impulses_unpack(const void *from, size_t count, thud_key_space keys, thud_multiplier *to)
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
