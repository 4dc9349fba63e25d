// The keys of rows in a world of spheres: the one place that knows how they are made.
//
//     bits      63   62 .. 32       31   30 .. 0
//     pair       0   id of a         0   image of b, id of b
//     wall       1   wall            0   id of the body
//     surface    1   surface         1   id of the body
//
// Sorted, the rows of surface k stand between those of wall k and those of wall k + 1.
#ifndef THUDI_ROW_KEYS_H
#define THUDI_ROW_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#define THUDI_KEY_WALL (UINT64_C(1) << 63)    // of a wall or a surface
#define THUDI_KEY_SURFACE (UINT64_C(1) << 31) // of a surface, if that of a wall is set too
#define THUDI_KEY_LOW UINT64_C(0x7fffffff)

// All keys with first <= key < behind.
typedef struct thudi_key_range
{
    uint64_t first, behind;
} thudi_key_range;

static inline uint64_t thudi_world_wall_key(int wall, int id)
{
    return THUDI_KEY_WALL | (uint64_t)wall << 32 | (uint64_t)id;
}

static inline uint64_t thudi_world_surface_key(int surface, int id)
{
    return THUDI_KEY_WALL | (uint64_t)surface << 32 | THUDI_KEY_SURFACE | (uint64_t)id;
}

// The keys that a wall has with any body: they end where those of the surface of its number begin.
static inline thudi_key_range thudi_world_wall_keys(int wall)
{
    return (thudi_key_range){thudi_world_wall_key(wall, 0), thudi_world_surface_key(wall, 0)};
}

static inline bool thudi_key_is_pair(uint64_t key)
{
    return !(key & THUDI_KEY_WALL);
}

static inline bool thudi_key_is_wall(uint64_t key)
{
    return key & THUDI_KEY_WALL && !(key & THUDI_KEY_SURFACE);
}

static inline bool thudi_key_is_surface(uint64_t key)
{
    return key & THUDI_KEY_WALL && key & THUDI_KEY_SURFACE;
}

// Of a pair the id of a; else the wall or the surface.
static inline int thudi_key_high(uint64_t key)
{
    return (int)(key >> 32 & THUDI_KEY_LOW);
}

// Of a pair the id of b, with its image in a periodic world; else the id of the body.
static inline int thudi_key_low(uint64_t key)
{
    return (int)(key & THUDI_KEY_LOW);
}

#endif
