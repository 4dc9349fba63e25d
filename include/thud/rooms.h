/// Scratch memory in rooms: opened by size and name, closed in the reverse order.
///
/// A step has one stack of rooms, for itself and for the callbacks that it asks. Rooms never move
/// while they are open. When a step needs no more memory than the steps before, no room allocates.
#ifndef THUD_ROOMS_H
#define THUD_ROOMS_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A stack of rooms. Opaque; thud_rows_rooms gives that of a callback.
typedef struct thud_rooms thud_rooms;

/// Open a room for `count` items of `size` bytes. The pointer that `out` points to becomes the
/// room's address, a multiple of 64. The room's content is undefined. name: a text that lives as
/// long as the room, for debuggers. Rooms are opened and closed by one thread, outside of its
/// parallel regions; all threads may use what is in them. THUD_ERR_MEMORY, or THUD_ERR_LIMIT for
/// a size that no memory has.
THUD_API thud_status thud_room_open(thud_rooms *rooms, size_t count, size_t size, const char *name,
                                    void *out);

/// How many rooms are open.
THUD_API int thud_rooms_count(const thud_rooms *rooms);

/// Close the rooms that were opened last, until only `count` are left. To be called with what
/// thud_rooms_count returned before.
THUD_API void thud_rooms_close(thud_rooms *rooms, int count);

#ifdef __cplusplus
}
#endif

#endif
