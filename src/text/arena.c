// Memory taken piece by piece from blocks of growing size, given back all at once.
#include "text/arena.h"

#include <stdalign.h>
#include <string.h>

enum
{
    ALIGNMENT = alignof(max_align_t),
    SMALLEST_BLOCK = 4 << 10,
    LARGEST_BLOCK = 1 << 20 // a larger block holds a single piece
};

typedef struct thudi_block
{
    struct thudi_block *next;
    size_t size; // bytes of data
    alignas(ALIGNMENT) unsigned char data[];
} thudi_block;

static thudi_block *block_add(thudi_arena *arena, size_t wanted)
{
    size_t size = arena->blocks ? 2 * arena->blocks->size : (size_t)SMALLEST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    if (size < wanted)
        size = wanted;
    thudi_block *block = thudi_allocate_zeroed(&arena->allocator, sizeof *block + size);
    if (!block)
        return NULL;
    block->size = size;
    block->next = arena->blocks;
    arena->blocks = block;
    arena->used = 0;
    return block;
}

void *thudi_arena_allocate(thudi_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 4)
        return NULL;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    thudi_block *block = arena->blocks;
    if (!block || block->size - arena->used < size)
        block = block_add(arena, size);
    if (!block)
        return NULL;
    void *piece = block->data + arena->used;
    arena->used += size;
    return piece;
}

const char *thudi_arena_text(thudi_arena *arena, const char *text, size_t length)
{
    char *copy = thudi_arena_allocate(arena, length + 1);
    if (copy && length > 0)
        memcpy(copy, text, length);
    return copy;
}

void thudi_arena_free(thudi_arena *arena)
{
    while (arena->blocks)
    {
        thudi_block *block = arena->blocks;
        arena->blocks = block->next;
        thudi_free(&arena->allocator, block, sizeof *block + block->size);
    }
    arena->used = 0;
}
