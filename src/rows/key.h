// The bits of keys, for loops over many rows: with key.c the one place that knows them.
//
//     bits      63   62 .. 32       31   30 .. 0
//     pair       0   id of a         0   image of b, id of b
//     wall       1   wall            0   id of the body
//     surface    1   surface         1   id of the body
//     obstacle   1   all set         1   all set, less the obstacle
//
// An image takes the bits 30 .. 25 in a periodic cell, and none without one.
#ifndef THUDI_KEY_H
#define THUDI_KEY_H

#include "thud/key.h"

#define THUDI_KEY_WALL (UINT64_C(1) << 63)    // of a wall or a surface
#define THUDI_KEY_SURFACE (UINT64_C(1) << 31) // of a surface, if that of a wall is set too
#define THUDI_KEY_LOW UINT64_C(0x7fffffff)

enum
{
    THUDI_KEY_HIGH_AT = 32,
    THUDI_KEY_IMAGE_AT = 25
};

// All keys with first <= key < behind.
typedef struct thudi_key_range
{
    thud_key first, behind;
} thudi_key_range;

static inline thud_key thudi_key_pair(int a, int b, int image)
{
    return (thud_key){(uint64_t)a << THUDI_KEY_HIGH_AT | (uint64_t)image << THUDI_KEY_IMAGE_AT |
                      (uint64_t)b};
}

static inline thud_key thudi_key_wall(int wall, int id)
{
    return (thud_key){THUDI_KEY_WALL | (uint64_t)wall << THUDI_KEY_HIGH_AT | (uint64_t)id};
}

static inline thud_key thudi_key_surface(int surface, int id)
{
    return (thud_key){THUDI_KEY_WALL | (uint64_t)surface << THUDI_KEY_HIGH_AT | THUDI_KEY_SURFACE |
                      (uint64_t)id};
}

// The keys that a wall has with any body: they end where those of the surface of its number begin.
static inline thudi_key_range thudi_key_of_wall(int wall)
{
    return (thudi_key_range){thudi_key_wall(wall, 0), thudi_key_surface(wall, 0)};
}

static inline bool thudi_key_is_pair(thud_key key)
{
    return !(key.bits & THUDI_KEY_WALL);
}

static inline bool thudi_key_is_wall(thud_key key)
{
    return key.bits & THUDI_KEY_WALL && !(key.bits & THUDI_KEY_SURFACE);
}

static inline bool thudi_key_is_surface(thud_key key)
{
    return key.bits & THUDI_KEY_WALL && key.bits & THUDI_KEY_SURFACE;
}

// Of a pair the id of a; else the wall or the surface.
static inline int thudi_key_high(thud_key key)
{
    return (int)(key.bits >> THUDI_KEY_HIGH_AT & THUDI_KEY_LOW);
}

// The id of the body of a wall or a surface; of a pair that of b.
static inline int thudi_key_low(thud_key key, thud_key_space space)
{
    bool has_image = space == THUD_KEYS_PERIODIC && thudi_key_is_pair(key);
    return (int)(key.bits & (has_image ? (UINT64_C(1) << THUDI_KEY_IMAGE_AT) - 1 : THUDI_KEY_LOW));
}

// Of a pair in a periodic cell.
static inline int thudi_key_image(thud_key key)
{
    return (int)(key.bits >> THUDI_KEY_IMAGE_AT & 63);
}

#endif
