// An allocator that counts: how often memory was asked for, and how much was held at most.
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <thud/base.h>

typedef struct bench_memory
{
    long asked;        // times a block was made or made larger
    size_t held, most; // bytes
} bench_memory;

// It counts into memory, which must outlive what is allocated.
thud_allocator bench_allocator(bench_memory *memory);

#endif
