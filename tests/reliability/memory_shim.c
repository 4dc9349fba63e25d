// Loaded before the C library (LD_PRELOAD): fails the allocation number OOM_AT, and with
// OOM_PERSIST=1 all that follow, and says on standard error at the end that it did. Counted from
// the start of the program itself: what libraries do before is theirs.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *malloc_fn(size_t);
typedef void *calloc_fn(size_t, size_t);
typedef void *realloc_fn(void *, size_t);

static malloc_fn *real_malloc;
static calloc_fn *real_calloc;
static realloc_fn *real_realloc;
static long count, fail_at;
static int persists, fired, is_busy, has_begun;
static char early[1 << 16]; // what dlsym takes before there is anything else
static size_t early_used;

static void find(const char *name, void *function)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(function, &found, sizeof found);
}

static int is_ready(void)
{
    if (real_realloc || is_busy)
        return !is_busy;
    is_busy = 1;
    find("malloc", &real_malloc);
    find("calloc", &real_calloc);
    find("realloc", &real_realloc);
    const char *at = getenv("OOM_AT"), *persist = getenv("OOM_PERSIST");
    fail_at = at ? strtol(at, NULL, 10) : 0;
    persists = persist && persist[0] == '1';
    is_busy = 0;
    return 1;
}

static void *take_early(size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;
    if (early_used + rounded > sizeof early)
        _exit(99);
    early_used += rounded;
    return early + early_used - rounded;
}

static int fails(void)
{
    if (!has_begun)
        return 0;
    count++;
    if (fail_at <= 0 || (persists ? count < fail_at : count != fail_at))
        return 0;
    fired = 1;
    errno = ENOMEM;
    return 1;
}

#define SHOWN __attribute__((visibility("default")))

SHOWN void *malloc(size_t size)
{
    if (!is_ready())
        return take_early(size);
    return fails() ? NULL : real_malloc(size);
}

SHOWN void *calloc(size_t nmemb, size_t size)
{
    if (!is_ready())
        return take_early(nmemb * size);
    return fails() ? NULL : real_calloc(nmemb, size);
}

SHOWN void *realloc(void *ptr, size_t size)
{
    if (!is_ready() || ((char *)ptr >= early && (char *)ptr < early + sizeof early))
        _exit(98); // nobody does
    return fails() ? NULL : real_realloc(ptr, size);
}

typedef int main_fn(int, char **, char **);
typedef int start_fn(main_fn *, int, char **, main_fn *, void (*)(void), void (*)(void), void *);

SHOWN int __libc_start_main(main_fn *, int, char **, main_fn *, void (*)(void), // NOLINT
                            void (*)(void), void *);
SHOWN int __libc_start_main(main_fn *program, int argc, char **argv, main_fn *init, // NOLINT
                            void (*fini)(void), void (*unload)(void), void *stack)
{
    start_fn *real;
    (void)is_ready();
    find("__libc_start_main", &real);
    has_begun = 1;
    return real(program, argc, argv, init, fini, unload, stack);
}

__attribute__((destructor)) static void tell(void)
{
    static const char text[] = "OOM_FIRED\n";
    if (fired && write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(97);
}
