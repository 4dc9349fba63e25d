// An allocator that counts.
#include "bench_memory.h"

#include <stdlib.h>

static void *resize(void *block, size_t old_size, size_t new_size, void *user)
{
    bench_memory *memory = user;
    if (new_size == 0)
    {
        memory->held -= block ? old_size : 0;
        free(block);
        return NULL;
    }
    void *resized = realloc(block, new_size);
    if (!resized)
        return NULL;
    memory->asked += !block || new_size > old_size;
    memory->held += new_size - (block ? old_size : 0);
    if (memory->held > memory->most)
        memory->most = memory->held;
    return resized;
}

thud_allocator bench_allocator(bench_memory *memory)
{
    return (thud_allocator){resize, memory};
}
