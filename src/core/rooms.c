// A stack of rooms in blocks that never move.
#include "core/rooms.h"

#include <assert.h>
#include <omp.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#endif
#ifdef POISONS
#include <sanitizer/asan_interface.h>
#endif

enum
{
    LINE = 64,          // bytes of a line of the cache: rooms and heads are whole lines
    LEAST_BLOCK = 4096, // bytes
    LARGE = 1 << 17     // bytes: from here on a block has a quarter to spare, else a half
};

// The head of a room, in a line of its own. The room itself follows. Under AddressSanitizer it
// guards the room before.
typedef struct thudi_room
{
    struct thudi_room *before; // the room that was opened before it, NULL for the first
    const char *name;
    size_t size; // bytes of head and room
} thudi_room;

// The head of a block. Its rooms follow.
typedef struct thudi_room_block
{
    struct thudi_room_block *before; // the block that was begun before it, NULL for the first
    size_t bytes;                    // as allocated
    size_t used, capacity;           // bytes from `start` on
    char *start;
} thudi_room_block;

// What a closed room holds, and an open one at first: NaN as doubles and floats, -1 as integers.
static void spoil(void *start, size_t size)
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
#ifdef POISONS
    ASAN_POISON_MEMORY_REGION(start, size);
#else
    (void)start;
    (void)size;
#endif
}

static void unpoison(const void *start, size_t size)
{
#ifdef POISONS
    ASAN_UNPOISON_MEMORY_REGION(start, size);
#else
    (void)start;
    (void)size;
#endif
}

static inline size_t in_lines(size_t size)
{
    return (size + LINE - 1) / LINE * LINE;
}

static size_t with_spare(size_t size)
{
    return size + size / (size >= LARGE ? 4 : 2);
}

static thud_status begin_block(thud_rooms *rooms, size_t capacity)
{
    // with the head and the alignment
    size_t bytes = (capacity > LEAST_BLOCK ? capacity : LEAST_BLOCK) + 3 * (size_t)LINE;
    thudi_room_block *block = rooms->allocator.resize(NULL, 0, bytes, rooms->allocator.user);
    if (!block)
        return THUD_ERR_MEMORY;
    size_t to_line = (LINE - (uintptr_t)block % LINE) % LINE;
    size_t head = in_lines(sizeof *block) + to_line;
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

// Have a block that holds `size` bytes behind the last room: there is none, or it is too small.
static __attribute__((noinline)) thud_status make_place(thud_rooms *rooms, size_t size)
{
    if (!rooms->block)
        return begin_block(rooms, size > rooms->peak ? size : rooms->peak);
    size_t spare = with_spare(rooms->used) - rooms->used;
    rooms->was_short = true;
    if (rooms->count == 0)
        end_block(rooms);
    return begin_block(rooms, size > spare ? size : spare);
}

// No room is open, and one block did not hold what was: make it as large as the most there was. If
// there is no memory for it, the next room that is opened asks again.
static void join_blocks(thud_rooms *rooms)
{
    end_block(rooms);
    rooms->was_short = false;
    (void)begin_block(rooms, with_spare(rooms->peak));
}

thud_status thud_room_open(thud_rooms *rooms, size_t count, size_t size, const char *name,
                           void *out)
{
    assert(omp_get_level() == rooms->parallel_level && "a room is opened in a parallel region");
    size_t wanted;
    if (__builtin_mul_overflow(count, size, &wanted) || wanted > SIZE_MAX / 4)
        return THUD_ERR_LIMIT;
    size_t bytes = in_lines(wanted) + LINE;
    thudi_room_block *block = rooms->block;
    if (!block || bytes > block->capacity - block->used)
    {
        THUD_TRY(make_place(rooms, bytes));
        block = rooms->block;
    }
    thudi_room *room = (thudi_room *)(block->start + block->used);
    unpoison(room, LINE + wanted);
    *room = (thudi_room){rooms->last, name, bytes};
    char *start = (char *)room + LINE;
    spoil(start, wanted);
    poison(room, LINE);
    block->used += bytes;
    rooms->used += bytes;
    rooms->peak = rooms->used > rooms->peak ? rooms->used : rooms->peak;
    rooms->last = room;
    rooms->count++;
    memcpy(out, &start, sizeof start); // `out` points to a pointer of unknown type
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
    spoil(room, size);
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
    if (rooms->count == 0 && rooms->was_short && rooms->block)
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

void thudi_rooms_free(thud_rooms *rooms)
{
    while (rooms->block)
        end_block(rooms);
    rooms->last = NULL;
    rooms->count = 0;
    rooms->used = rooms->peak = 0;
    rooms->was_short = false;
}
