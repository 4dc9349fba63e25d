// Growing arrays from the caller's allocator; used by every layer.
#ifndef THUDI_MEMORY_H
#define THUDI_MEMORY_H

#include "thud/base.h"

// Return from the calling function when a call fails.
#define THUD_TRY(call)                                                                             \
    do                                                                                             \
    {                                                                                              \
        thud_status try_status_ = (call);                                                          \
        if (try_status_ < 0)                                                                       \
            return try_status_;                                                                    \
    } while (0)

// The caller's allocator, or the C library's when it is NULL.
thud_allocator thudi_allocator_or_default(const thud_allocator *allocator);

// A block of count * size bytes set to zero, or NULL.
void *thudi_allocate_zeroed(const thud_allocator *allocator, size_t size);

void thudi_free(const thud_allocator *allocator, void *block, size_t size);

// Make room for `wanted` items of `size` bytes in *array, whose present room is *capacity items.
// Grows by half at least (by an eighth when it is large), never shrinks; on failure nothing has
// changed.
thud_status thudi_grow(const thud_allocator *allocator, void *array, size_t size, size_t wanted,
                       size_t *capacity);

// An array that grows. The type is that of `items`; release with thudi_array_free.
#define THUDI_ARRAY(type)                                                                          \
    struct                                                                                         \
    {                                                                                              \
        type *items;                                                                               \
        size_t capacity;                                                                           \
    }

#define thudi_array_reserve(allocator, array, wanted)                                              \
    thudi_grow(allocator, &(array)->items, sizeof *(array)->items, wanted, &(array)->capacity)

#define thudi_array_free(allocator, array)                                                         \
    thudi_free(allocator, (array)->items, (array)->capacity * sizeof *(array)->items)

#endif
