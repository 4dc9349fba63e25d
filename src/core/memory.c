// Growing arrays from the caller's allocator.
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

enum
{
    LARGE = 1 << 17 // bytes: from here on an array grows by an eighth, to waste little
};

static void *resize_by_libc(void *block, size_t old_size, size_t new_size, void *user)
{
    (void)old_size;
    (void)user;
    if (new_size == 0)
    {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

thud_allocator thudi_allocator_or_default(const thud_allocator *allocator)
{
    if (allocator && allocator->resize)
        return *allocator;
    return (thud_allocator){resize_by_libc, NULL};
}

void *thudi_allocate_zeroed(const thud_allocator *allocator, size_t size)
{
    void *block = allocator->resize(NULL, 0, size, allocator->user);
    if (block)
        memset(block, 0, size);
    return block;
}

void thudi_free(const thud_allocator *allocator, void *block, size_t size)
{
    if (block)
        (void)allocator->resize(block, size, 0, allocator->user);
}

thud_status thudi_grow(const thud_allocator *allocator, void *array, size_t size, size_t wanted,
                       size_t *capacity)
{
    if (wanted <= *capacity)
        return THUD_OK;
    bool is_large = *capacity >= LARGE / size;
    size_t room = *capacity + *capacity / (is_large ? 8 : 2);
    if (room < wanted)
        room = wanted;
    if (room > SIZE_MAX / 2 / size)
        return THUD_ERR_LIMIT;
    void *old_block, *new_block;
    memcpy(&old_block, array, sizeof old_block); // `array` points to a pointer of unknown type
    new_block = allocator->resize(old_block, *capacity * size, room * size, allocator->user);
    if (!new_block)
        return THUD_ERR_MEMORY;
    memcpy(array, &new_block, sizeof new_block);
    *capacity = room;
    return THUD_OK;
}
