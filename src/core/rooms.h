// The stack of rooms, which scratch memory comes from: see thud/rooms.h.
//
//     block 0   | head | near bodies | head | speeds | head | places |   free   |
//     block 1   | head |            found pairs              |       free       |
//
// A room that does not fit behind the last one begins a new block, so no room moves. When all rooms
// are closed, one block replaces the others. It holds as many bytes as were ever in use at one
// time. So a step that needs no more memory than the steps before allocates nothing.
//
// Without NDEBUG a room is filled with NaN when it is opened and when it is closed. Under
// AddressSanitizer all of a block is poisoned except for its open rooms.
#ifndef THUDI_ROOMS_H
#define THUDI_ROOMS_H

#include "core/memory.h"
#include "thud/rooms.h"

struct thud_rooms
{
    thud_allocator allocator;
    int parallel_level; // OpenMP parallel regions that are active in the thread that opens rooms
    int count;          // of open rooms
    struct thudi_room *last;        // the room that was opened last, NULL if none is open
    struct thudi_room_block *block; // holds the last room; the only block when no room is open
    size_t used;                    // bytes of the open rooms and their heads
    size_t peak;                    // the largest `used` so far
    bool was_outgrown;              // a block was too small: join_blocks makes a larger one
};

// Set the allocator of a zeroed stack, which needs nothing else.
static inline void thudi_rooms_begin(thud_rooms *rooms, const thud_allocator *allocator)
{
    rooms->allocator = *allocator;
}

// Free all blocks. The stack can be used again.
void thudi_rooms_free(thud_rooms *rooms);

// Free the block while no room is open. The next room begins a block as large as the most that was
// ever in use, so that rooms lie in one block as before.
void thudi_rooms_release(thud_rooms *rooms);

// If no room is open, only the calling thread may open rooms from here on. Assertions refuse it in
// parallel regions that begin later.
void thudi_rooms_enter(thud_rooms *rooms);

// Assert that `open` rooms are open: a callee has closed all that it opened.
void thudi_rooms_expect(const thud_rooms *rooms, int open);

// Open a room for `count` items of an array: thudi_room(rooms, &array, count, "name").
#define thudi_room(rooms, array, count, name)                                                      \
    thud_room_open(rooms, count, sizeof **(array), name, (void *)(array))

#endif
