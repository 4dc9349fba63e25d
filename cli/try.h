// Return from the calling function when a call of the library fails.
#ifndef CLI_TRY_H
#define CLI_TRY_H

#include <thud/base.h>

#define THUD_TRY(call)                                                                             \
    do                                                                                             \
    {                                                                                              \
        thud_status try_status_ = (call);                                                          \
        if (try_status_ < 0)                                                                       \
            return try_status_;                                                                    \
    } while (0)

#endif
