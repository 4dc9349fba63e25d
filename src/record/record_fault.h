// What went wrong with a file, for people.
#ifndef THUDI_RECORD_FAULT_H
#define THUDI_RECORD_FAULT_H

#include "thud/text.h"

// Fill the fault (NULL: nobody wants to know): file is folder/name, or folder when name is NULL.
void thudi_record_say(thud_fault *fault, const char *folder, const char *name, const char *hint,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

// The same for a failed system call: "cannot <doing>: <what errno says>". Returns THUD_ERR_IO,
// for error ENOMEM THUD_ERR_MEMORY.
thud_status thudi_record_io(thud_fault *fault, const char *folder, const char *name,
                            const char *doing, int error);

// Returns THUD_ERR_MEMORY, and says so.
thud_status thudi_record_memory(thud_fault *fault);

#endif
