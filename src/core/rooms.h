// The stack of rooms that scratch memory comes from: see thud/rooms.h.
//
//     block 0   | head | near bodies | head | speeds | head | places |   free   |
//     block 1   | head |            found pairs              |       free       |
//
// A room that does not fit behind the last one begins a new block, so no room moves. When all rooms
// are closed, the blocks are replaced by one that holds the most there was. So a step like the one
// before it finds place for all its rooms, and allocates nothing.
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
    int parallel_level; // regions around the thread that opens rooms
    int count;          // rooms that are open
    struct thudi_room *last;
    struct thudi_room_block *block; // that of the last room, and the only one when all are closed
    size_t used;                    // bytes of the open rooms and their heads
    size_t peak;                    // the most there were
    bool was_short;                 // the block did not hold them
};

// Rooms that are zeroed need their allocator, and nothing else.
static inline void thudi_rooms_begin(thud_rooms *rooms, const thud_allocator *allocator)
{
    rooms->allocator = *allocator;
}

void thudi_rooms_free(thud_rooms *rooms);

// If no room is open, the calling thread opens them from here on. A parallel region that begins
// later must not open any.
void thudi_rooms_enter(thud_rooms *rooms);

// As many rooms must be open as there were: those that were opened since are closed.
void thudi_rooms_expect(const thud_rooms *rooms, int open);

// A room for an array: thudi_room(rooms, &array, count, "name"). The type is that of the array.
#define thudi_room(rooms, array, count, name)                                                      \
    thud_room_open(rooms, count, sizeof **(array), name, (void *)(array))

#endif
