// What went wrong, for people: the one function that fills a fault.
#ifndef THUDI_FAULT_H
#define THUDI_FAULT_H

#include "thud/text.h"

#include <stdarg.h>

// Where it went wrong; what is unknown is left out.
typedef struct thudi_at
{
    const char *folder; // of the file; NULL when `file` says all
    const char *file;   // NULL with a folder: the folder itself
    int line, column;   // from 1
    const char *path;   // of keys, such as "walls.floor.point[1]"
} thudi_at;

#define THUDI_NOWHERE ((thudi_at){0})
// Of a file in a folder, or of the folder itself.
#define THUDI_IN(folder_path, file_name) ((thudi_at){.folder = (folder_path), .file = (file_name)})

// The line and column of text[at], in characters of UTF-8.
thudi_at thudi_at_text(const char *text, size_t at);

// An empty fault: it names no row, body or wall, and has no words.
thud_fault thudi_fault_none(void);

// For the beginning of a public function. Returns the fault to fill: the caller's, or `own` if that
// is NULL. It is empty.
thud_fault *thudi_fault_begin(thud_fault *fault, thud_fault *own);

// Fill the fault (NULL: the caller does not want it) and return the status. It names no step, row,
// body or wall: a function that knows them sets them afterwards.
thud_status thudi_fail(thud_fault *fault, thud_status status, thudi_at at, const char *hint,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
thud_status thudi_fail_list(thud_fault *fault, thud_status status, thudi_at at, const char *hint,
                            const char *format, va_list list) __attribute__((format(printf, 5, 0)));

// The same for a failed system call: "cannot <doing>: <what errno says>". Returns THUD_ERR_IO, for
// error ENOMEM THUD_ERR_MEMORY.
thud_status thudi_fail_io(thud_fault *fault, thudi_at at, const char *doing, int error);

// The text of a number of errno, in English whatever the locale.
const char *thudi_error_text(int error);

// Fill the fault for missing memory; returns THUD_ERR_MEMORY.
thud_status thudi_fail_memory(thud_fault *fault);

// For the end of a public function: returns the status. On an error without a text, the fault
// (NULL: none) gets the words of the status. The fault must have been empty at the beginning.
thud_status thudi_fault_end(thud_fault *fault, thud_status status);

#endif
