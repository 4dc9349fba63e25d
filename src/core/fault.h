// Faults: messages for people, and the functions that fill them. All call thudi_fail_list.
#ifndef THUDI_FAULT_H
#define THUDI_FAULT_H

#include "thud/text.h"

#include <stdarg.h>

// Where it went wrong; what is unknown is 0 or NULL.
typedef struct thudi_at
{
    const char *folder; // of the file; NULL if `file` is the whole path
    const char *file;   // NULL with a folder: the folder itself
    int line, column;   // from 1
    const char *path;   // keys of a scene, such as "walls.floor.point[1]"
} thudi_at;

#define THUDI_NOWHERE ((thudi_at){0})
// A file in a folder, or the folder itself if file_name is NULL.
#define THUDI_IN(folder_path, file_name) ((thudi_at){.folder = (folder_path), .file = (file_name)})

// The line and column of text[at], in characters of UTF-8.
thudi_at thudi_at_text(const char *text, size_t at);

// An empty fault: it names no row, body or wall, and its texts are empty.
thud_fault thudi_fault_none(void);

// For the beginning of a public function. Empties and returns the fault to fill: `fault` of the
// caller, or `own` of the function if `fault` is NULL.
thud_fault *thudi_fault_begin(thud_fault *fault, thud_fault *own);

// Fill the fault (NULL: the caller does not want it) and return the status. It names no step, row,
// body or wall: a function that knows them sets them afterwards.
thud_status thudi_fail(thud_fault *fault, thud_status status, thudi_at at, const char *hint,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
thud_status thudi_fail_list(thud_fault *fault, thud_status status, thudi_at at, const char *hint,
                            const char *format, va_list list) __attribute__((format(printf, 5, 0)));

// The same for a failed system call: "cannot <doing>: <text of errno>". Returns THUD_ERR_IO, or
// THUD_ERR_MEMORY for ENOMEM.
thud_status thudi_fail_io(thud_fault *fault, thudi_at at, const char *doing, int error);

// The text of an errno value, in English in every locale.
const char *thudi_error_text(int error);

// The same for missing memory; returns THUD_ERR_MEMORY.
thud_status thudi_fail_memory(thud_fault *fault);

// For the end of a public function: returns the status. If it is an error and the fault has no text
// yet, the status's own text is written. thudi_fault_begin must have emptied the fault, or it is
// NULL.
thud_status thudi_fault_end(thud_fault *fault, thud_status status);

#endif
