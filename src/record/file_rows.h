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

// Multipliers with the numbers that the law keeps beyond their memory: `width` by multiplier.
typedef struct thudi_row_list
{
    const thud_multiplier *rows;
    const double *more; // NULL while width is 0
    int count, width;
} thudi_row_list;

_Static_assert(sizeof(thudi_file_key) == THUDI_ITEM_KEY >> 8, "24 bytes");
_Static_assert(sizeof(thudi_file_multiplier) == THUDI_ITEM_MULTIPLIER >> 8, "40 bytes");
_Static_assert(sizeof(thudi_file_impulse) == THUDI_ITEM_IMPULSE >> 8, "32 bytes");
_Static_assert(sizeof(thudi_file_multiplier) + sizeof(double) * (THUD_KEPT_MAX - 1) < 256,
               "the size of an item is one byte of its type");
_Static_assert(sizeof(thudi_file_direction) == THUDI_ITEM_DIRECTION >> 8, "48 bytes");

// Convert rows between memory and file. "Unpack" returns false if a key in the file is impossible.
void thudi_multipliers_pack(const thud_multiplier *from, size_t count, thud_key_space keys,
                            thudi_file_multiplier *to);
bool thudi_multipliers_unpack(const void *from, size_t count, thud_key_space keys,
                              thud_multiplier *to);

// The item type in which a frame stores these rows, and their items. Rows of a law that keeps more
// than a memory are stored with all its numbers. Of others a list without any memory stores
// impulses only.
uint16_t thudi_rows_type(const thudi_row_list *list);
void thudi_rows_pack(const thudi_row_list *list, thud_key_space keys, void *to);

// Numbers beyond the memory in items of a type; -1 if the type does not hold rows.
int thudi_rows_width(uint16_t type);
// Read items of such a type. Rows with memories must hold at least one memory: the writer stores
// impulses otherwise.
bool thudi_rows_unpack(const void *from, uint16_t type, size_t count, thud_key_space keys,
                       thud_multiplier *to, double *more);

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
