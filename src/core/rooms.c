// A stack of rooms in blocks of memory. Neither rooms nor blocks move.
#include "core/rooms.h"

#include "core/threads.h"

#include <assert.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef HAS_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

enum
{
    LINE = 64,          // bytes of a cache line; rooms and heads take whole lines
    LEAST_BLOCK = 4096, // bytes
    LARGE = 1 << 17     // bytes: smaller blocks get half of their size as reserve, others an eighth
};

// The head of a room fills one cache line, and the room follows it. AddressSanitizer reports access
// to a head, so that a room cannot be written beyond its end.
typedef struct thudi_room
{
    struct thudi_room *before; // the room that was opened before this one, or NULL
    const char *name;
    size_t size; // bytes of head and room
} thudi_room;

// The head of a block. The block's rooms follow it.
typedef struct thudi_room_block
{
    struct thudi_room_block *before; // the block that was added before this one, or NULL
    size_t bytes;                    // of the allocation
    size_t used, capacity;           // bytes from `start` on, for rooms
    char *start;                     // of the first room's head
} thudi_room_block;

// Without NDEBUG: fill memory with bits that are NaN as doubles and floats, and -1 as integers. So
// results show when a room is read before it is written, or after it was closed.
static void fill_with_nan(void *start, size_t size)
{
#ifndef NDEBUG
    memset(start, 0xff, size);
#else
    (void)start;
    (void)size;
#endif
}

static void poison(const void *start, size_t size)
{
#ifdef HAS_ADDRESS_SANITIZER
    ASAN_POISON_MEMORY_REGION(start, size);
#else
    (void)start;
    (void)size;
#endif
}

static void unpoison(const void *start, size_t size)
{
#ifdef HAS_ADDRESS_SANITIZER
    ASAN_UNPOISON_MEMORY_REGION(start, size);
#else
    (void)start;
    (void)size;
#endif
}

static inline size_t round_up_to_lines(size_t size)
{
    return (size + LINE - 1) / LINE * LINE;
}

// A size in bytes with a reserve, so that a problem that grows slowly needs few new blocks.
static size_t with_spare(size_t size)
{
    return size + size / (size >= LARGE ? 8 : 2);
}

static thud_status begin_block(thud_rooms *rooms, size_t capacity)
{
    // one line for the head, less than one for the alignment; the third is not needed
    size_t bytes = (capacity > LEAST_BLOCK ? capacity : LEAST_BLOCK) + 3 * (size_t)LINE;
    thudi_room_block *block = rooms->allocator.resize(NULL, 0, bytes, rooms->allocator.user);
    if (!block)
        return THUD_ERR_MEMORY;
    size_t to_line = (LINE - (uintptr_t)block % LINE) % LINE;
    size_t head = round_up_to_lines(sizeof *block) + to_line;
    *block = (thudi_room_block){
        .before = rooms->block,
        .bytes = bytes,
        .capacity = bytes - head,
        .start = (char *)block + head,
    };
    poison(block->start, block->capacity);
    rooms->block = block;
    return THUD_OK;
}

static void end_block(thud_rooms *rooms)
{
    thudi_room_block *block = rooms->block;
    rooms->block = block->before;
    unpoison(block->start, block->capacity);
    thudi_free(&rooms->allocator, block, block->bytes);
}

// Begin a block with at least `size` free bytes: there is no block, or the last one has fewer. This
// happens seldom; noinline keeps thud_room_open short.
static __attribute__((noinline)) thud_status add_block(thud_rooms *rooms, size_t size)
{
    if (!rooms->block)
        return begin_block(rooms, size > rooms->peak ? size : rooms->peak);
    size_t spare = with_spare(rooms->used) - rooms->used;
    rooms->was_outgrown = true;
    if (rooms->count == 0)
        end_block(rooms);
    return begin_block(rooms, size > spare ? size : spare);
}

// Replace the only block by one that holds `peak` bytes. No room is open. If memory is missing, no
// block is left, and the next room to be opened tries again.
static void join_blocks(thud_rooms *rooms)
{
    end_block(rooms);
    rooms->was_outgrown = false;
    (void)begin_block(rooms, with_spare(rooms->peak));
}

thud_status thud_room_open(thud_rooms *rooms, size_t count, size_t size, const char *name,
                           void *out)
{
    assert(omp_get_level() == rooms->parallel_level && "a room is opened in a parallel region");
    size_t wanted;
    // the quarter keeps the sums of sizes below from overflowing
    if (__builtin_mul_overflow(count, size, &wanted) || wanted > SIZE_MAX / 4)
        return THUD_ERR_LIMIT;
    size_t bytes = round_up_to_lines(wanted) + LINE;
    thudi_room_block *block = rooms->block;
    if (!block || bytes > block->capacity - block->used)
    {
        THUD_TRY(add_block(rooms, bytes));
        block = rooms->block;
    }
    thudi_room *room = (thudi_room *)(block->start + block->used);
    unpoison(room, LINE + wanted);
    *room = (thudi_room){rooms->last, name, bytes};
    char *start = (char *)room + LINE;
    fill_with_nan(start, wanted);
    poison(room, LINE);
    block->used += bytes;
    rooms->used += bytes;
    rooms->peak = rooms->used > rooms->peak ? rooms->used : rooms->peak;
    rooms->last = room;
    rooms->count++;
    memcpy(out, &start, sizeof start); // the type of the pointer at `out` is not known here
    return THUD_OK;
}

int thud_rooms_count(const thud_rooms *rooms)
{
    return rooms->count;
}

static void close_last(thud_rooms *rooms)
{
    thudi_room *room = rooms->last;
    unpoison(room, sizeof *room);
    size_t size = room->size;
    rooms->last = room->before;
    unpoison(room, size);
    fill_with_nan(room, size);
    poison(room, size);
    rooms->block->used -= size;
    rooms->used -= size;
    rooms->count--;
    if (rooms->block->used == 0 && rooms->block->before)
        end_block(rooms);
}

void thud_rooms_close(thud_rooms *rooms, int count)
{
    assert(count >= 0 && count <= rooms->count && "more rooms are closed than are open");
    assert((count == rooms->count || omp_get_level() == rooms->parallel_level) &&
           "a room is closed in a parallel region");
    while (rooms->count > count)
        close_last(rooms);
    // there is no block if memory for a larger one was missing
    if (rooms->count == 0 && rooms->was_outgrown && rooms->block)
        join_blocks(rooms);
}

void thudi_rooms_enter(thud_rooms *rooms)
{
    if (rooms->count == 0)
        rooms->parallel_level = omp_get_level();
}

void thudi_rooms_expect(const thud_rooms *rooms, int open)
{
    assert(rooms->count == open && "a room is still open");
    (void)rooms;
    (void)open;
}

void thudi_rooms_release(thud_rooms *rooms)
{
    assert(rooms->count == 0 && "memory is released while a room is open");
    while (rooms->block)
        end_block(rooms);
}

void thudi_rooms_free(thud_rooms *rooms)
{
    while (rooms->block)
        end_block(rooms);
    rooms->last = NULL;
    rooms->count = 0;
    rooms->used = rooms->peak = 0;
    rooms->was_outgrown = false;
}
