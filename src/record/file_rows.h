// Rows in files: a key is written as its parts, never as its bits.
#ifndef THUDI_FILE_ROWS_H
#define THUDI_FILE_ROWS_H

#include "record/blocks.h"
#include "thud/inclusion.h"
#include "thud/key.h"

// The parts of a key, see thud_key_parts.
typedef struct thudi_file_key
{
    uint32_t kind;
    uint32_t image;
    int64_t a, b;
} thudi_file_key;

typedef struct thudi_file_multiplier
{
    thudi_file_key key;
    double impulse, memory;
} thudi_file_multiplier;

// A multiplier without a memory.
typedef struct thudi_file_impulse
{
    thudi_file_key key;
    double impulse;
} thudi_file_impulse;

typedef struct thudi_file_direction
{
    thudi_file_key key;
    double normal[3];
} thudi_file_direction;

_Static_assert(sizeof(thudi_file_key) == THUDI_ITEM_KEY >> 8, "24 bytes");
_Static_assert(sizeof(thudi_file_multiplier) == THUDI_ITEM_MULTIPLIER >> 8, "40 bytes");
_Static_assert(sizeof(thudi_file_impulse) == THUDI_ITEM_IMPULSE >> 8, "32 bytes");
_Static_assert(sizeof(thudi_file_direction) == THUDI_ITEM_DIRECTION >> 8, "48 bytes");

// Convert rows between memory and file. "Unpack" returns false if a key in the file is impossible.
void thudi_multipliers_pack(const thud_multiplier *from, size_t count, thud_key_space keys,
                            thudi_file_multiplier *to);
bool thudi_multipliers_unpack(const void *from, size_t count, thud_key_space keys,
                              thud_multiplier *to);

// Has any row a memory? A frame's block of rows without memories stores impulses only.
bool thudi_multipliers_remember(const thud_multiplier *rows, size_t count);
void thudi_impulses_pack(const thud_multiplier *from, size_t count, thud_key_space keys,
                         thudi_file_impulse *to);
bool thudi_impulses_unpack(const void *from, size_t count, thud_key_space keys,
                           thud_multiplier *to);

void thudi_directions_pack(const thud_direction *from, size_t count, thud_key_space keys,
                           thudi_file_direction *to);
bool thudi_directions_unpack(const void *from, size_t count, thud_key_space keys,
                             thud_direction *to);

// The same for fields that hold keys. All other fields are stored as they are in memory.
bool thudi_field_has_keys(thud_field_type type);
void thudi_field_pack(thud_field_type type, const void *from, size_t count, thud_key_space keys,
                      void *to);
bool thudi_field_unpack(thud_field_type type, const void *from, size_t count, thud_key_space keys,
                        void *to);

#endif
