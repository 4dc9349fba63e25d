/// The keys of rows: what names a constraint from one step to the next, and in files.
///
/// A key is opaque: make, read and compare keys with the functions below. Rows are sorted by key.
/// In files a key is written as its parts.
#ifndef THUD_KEY_H
#define THUD_KEY_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Copied by value. All zero is the key of number 0.
typedef struct thud_key
{
    uint64_t bits; ///< private
} thud_key;

/// No row has this key; it comes after all others.
#define THUD_NO_KEY thud_key_none()

/// What a constraint is between. Sorted by key, pairs come before all rows of walls and surfaces;
/// the rows of surface k stand between those of wall k and those of wall k + 1. The values are
/// written into files.
typedef enum thud_key_kind
{
    THUD_KEY_NUMBER = 0,  ///< constraint a of a problem that counts its constraints
    THUD_KEY_PAIR = 1,    ///< the bodies with the ids a < b, b as seen in an image of the cell
    THUD_KEY_WALL = 2,    ///< wall a and the body with the id b
    THUD_KEY_SURFACE = 3, ///< surface a, of an obstacle, and the body with the id b
    THUD_KEY_OBSTACLE = 4 ///< obstacle a as a whole: see thud_verify_spheres
} thud_key_kind;

/// Which problem a key belongs to: the same bits are read differently in each.
typedef enum thud_key_space
{
    THUD_KEYS_OPEN = 0,     ///< a world of spheres without a periodic cell: ids below 2^31
    THUD_KEYS_PERIODIC = 1, ///< a world of spheres with one: ids of pairs below 2^25
    THUD_KEYS_NUMBERED = 2  ///< any other: every key is a number
} thud_key_space;

/// A key taken apart.
typedef struct thud_key_parts
{
    thud_key_kind kind;
    int64_t a, b; ///< see thud_key_kind; b is 0 where a says all
    int image;    ///< of a pair in a periodic cell: sum of (m_k mod 4) << 2 k, see thud/cell.h
} thud_key_parts;

/// The parts of a key. A key that no row of a world has is a number there.
THUD_API thud_key_parts thud_key_read(thud_key key, thud_key_space space);

/// The key with these parts: the inverse of thud_key_read for every key. false, and *key is left
/// alone, if there is none.
THUD_API bool thud_key_make(const thud_key_parts *parts, thud_key_space space, thud_key *key);

/// Keys from parts. Nothing is checked: the caller must keep them in range.
THUD_API thud_key thud_key_number(int64_t number);
THUD_API thud_key thud_key_pair(int a, int b, int image); ///< image: 0 without a cell
THUD_API thud_key thud_key_wall(int wall, int body);
THUD_API thud_key thud_key_surface(int surface, int body);
THUD_API thud_key thud_key_obstacle(int obstacle); ///< that of obstacle 0 is THUD_NO_KEY

static inline thud_key thud_key_none(void)
{
    thud_key none = {UINT64_MAX};
    return none;
}

/// Is it the same constraint?
static inline bool thud_key_same(thud_key a, thud_key b)
{
    return a.bits == b.bits;
}

/// Does a come before b in the order of rows?
static inline bool thud_key_before(thud_key a, thud_key b)
{
    return a.bits < b.bits;
}

/// < 0, 0 or > 0 as a comes before b, is b, or comes after b.
static inline int thud_key_compare(thud_key a, thud_key b)
{
    return (a.bits > b.bits) - (a.bits < b.bits);
}

#ifdef __cplusplus
}
#endif

#endif
