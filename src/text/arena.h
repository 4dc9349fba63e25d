// Memory that is taken piece by piece and given back all at once: trees and scenes live in one.
#ifndef THUDI_ARENA_H
#define THUDI_ARENA_H

#include "core/memory.h"

typedef struct thudi_arena
{
    thud_allocator allocator;
    struct thudi_block *blocks; // newest first
    size_t used;                // bytes taken from the newest
} thudi_arena;

// `size` bytes set to zero, aligned for anything; NULL when there is no memory.
void *thudi_arena_allocate(thudi_arena *arena, size_t size);

// A copy of text[0 .. length), ended by a null byte, or NULL.
const char *thudi_arena_text(thudi_arena *arena, const char *text, size_t length);

void thudi_arena_free(thudi_arena *arena);

#endif
