// Keys of rows, made and taken apart.
#include "rows/key.h"

#include <limits.h>

static const int NO_SURFACE = INT_MAX; // the number that keys of whole obstacles have instead

thud_key_parts thud_key_read(thud_key key, thud_key_space space)
{
    int high = thudi_key_high(key), low = thudi_key_low(key, space);
    bool is_pair = thudi_key_is_pair(key);
    if (space == THUD_KEYS_NUMBERED || (is_pair && key.bits & THUDI_KEY_SURFACE))
        return (thud_key_parts){.kind = THUD_KEY_NUMBER, .a = (int64_t)key.bits};
    if (is_pair)
        return (thud_key_parts){.kind = THUD_KEY_PAIR,
                                .a = high,
                                .b = low,
                                .image = space == THUD_KEYS_PERIODIC ? thudi_key_image(key) : 0};
    if (thudi_key_is_wall(key))
        return (thud_key_parts){.kind = THUD_KEY_WALL, .a = high, .b = low};
    if (high == NO_SURFACE)
        return (thud_key_parts){.kind = THUD_KEY_OBSTACLE, .a = NO_SURFACE - low};
    return (thud_key_parts){.kind = THUD_KEY_SURFACE, .a = high, .b = low};
}

static bool is_same(const thud_key_parts *x, const thud_key_parts *y)
{
    return x->kind == y->kind && x->a == y->a && x->b == y->b && x->image == y->image;
}

// Parts that do not fit, or not into this space, are not read back.
bool thud_key_make(const thud_key_parts *parts, thud_key_space space, thud_key *key)
{
    thud_key made = thud_key_number(parts->a);
    bool fits = parts->a >= 0 && parts->a <= INT_MAX && parts->b >= 0 && parts->b <= INT_MAX &&
                parts->image >= 0 && parts->image < 64;
    if (parts->kind != THUD_KEY_NUMBER && !fits)
        return false;
    int a = fits ? (int)parts->a : 0, b = fits ? (int)parts->b : 0;
    if (parts->kind == THUD_KEY_PAIR)
        made = thudi_key_pair(a, b, parts->image);
    else if (parts->kind == THUD_KEY_WALL)
        made = thudi_key_wall(a, b);
    else if (parts->kind == THUD_KEY_SURFACE)
        made = thudi_key_surface(a, b);
    else if (parts->kind == THUD_KEY_OBSTACLE)
        made = thud_key_obstacle(a);
    thud_key_parts again = thud_key_read(made, space);
    if (!is_same(&again, parts))
        return false;
    *key = made;
    return true;
}

thud_key thud_key_number(int64_t number)
{
    return (thud_key){(uint64_t)number};
}

thud_key thud_key_pair(int a, int b, int image)
{
    return thudi_key_pair(a, b, image);
}

thud_key thud_key_wall(int wall, int body)
{
    return thudi_key_wall(wall, body);
}

thud_key thud_key_surface(int surface, int body)
{
    return thudi_key_surface(surface, body);
}

thud_key thud_key_obstacle(int obstacle)
{
    return thudi_key_surface(NO_SURFACE, NO_SURFACE - obstacle);
}
