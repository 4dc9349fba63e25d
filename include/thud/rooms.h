/// Scratch memory. A room is a block of it, and rooms form a stack: the last one opened is the
/// first one closed.
///
/// A step has one stack of rooms, for itself and for the callbacks that it calls. Open rooms never
/// move. A step that needs no more memory than earlier steps allocates none.
#ifndef THUD_ROOMS_H
#define THUD_ROOMS_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A stack of rooms. Opaque. Callbacks get it from thud_rows_rooms.
typedef struct thud_rooms thud_rooms;

/// Open a room for `count` items of `size` bytes. out: address of a pointer, which is set to the
/// room, a multiple of 64 bytes. The room's content is undefined. name: shown by debuggers; it must
/// exist as long as the room. One thread opens and closes rooms, outside of parallel regions. All
/// threads may read and write them. THUD_ERR_MEMORY, or THUD_ERR_LIMIT for more than SIZE_MAX / 4
/// bytes.
THUD_API thud_status thud_room_open(thud_rooms *rooms, size_t count, size_t size, const char *name,
                                    void *out);

/// Returns the number of open rooms.
THUD_API int thud_rooms_count(const thud_rooms *rooms);

/// Close the rooms that were opened last, until `count` are left. count: what thud_rooms_count
/// returned before these were opened.
THUD_API void thud_rooms_close(thud_rooms *rooms, int count);

#ifdef __cplusplus
}
#endif

#endif
