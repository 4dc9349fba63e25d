// Loaded before the C library (LD_PRELOAD): counts the bytes that a program holds, and writes the
// most that it held at once to the file HEAP_FILE at the end.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

// The C library's own, under the names that stay when these here take their place.
extern void *__libc_malloc(size_t size);                 // NOLINT
extern void *__libc_calloc(size_t count, size_t size);   // NOLINT
extern void *__libc_realloc(void *block, size_t size);   // NOLINT
extern void *__libc_memalign(size_t align, size_t size); // NOLINT
extern void __libc_free(void *block);                    // NOLINT

#define SHOWN __attribute__((visibility("default")))

static long held, most;

static long size_of(void *block)
{
    return block ? (long)malloc_usable_size(block) : 0;
}

static void *count(void *block, long before)
{
    long now = __atomic_add_fetch(&held, size_of(block) - before, __ATOMIC_RELAXED);
    long old = __atomic_load_n(&most, __ATOMIC_RELAXED);
    while (now > old &&
           !__atomic_compare_exchange_n(&most, &old, now, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue; // old is what is there now
    return block;
}

SHOWN void *malloc(size_t size)
{
    return count(__libc_malloc(size), 0);
}

SHOWN void *calloc(size_t nmemb, size_t size)
{
    return count(__libc_calloc(nmemb, size), 0);
}

SHOWN void *realloc(void *ptr, size_t size)
{
    long before = size_of(ptr);
    void *block = __libc_realloc(ptr, size);
    return block || size == 0 ? count(block, before) : NULL;
}

SHOWN void *memalign(size_t alignment, size_t size)
{
    return count(__libc_memalign(alignment, size), 0);
}

SHOWN void *aligned_alloc(size_t alignment, size_t size)
{
    return count(__libc_memalign(alignment, size), 0);
}

SHOWN int posix_memalign(void **memptr, size_t alignment, size_t size)
{
    *memptr = count(__libc_memalign(alignment, size), 0);
    return *memptr ? 0 : ENOMEM;
}

SHOWN void free(void *ptr)
{
    long before = size_of(ptr);
    __libc_free(ptr);
    (void)count(NULL, before);
}

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("HEAP_FILE");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file)
    {
        (void)fprintf(file, "%ld\n", __atomic_load_n(&most, __ATOMIC_RELAXED));
        (void)fclose(file);
    }
}
