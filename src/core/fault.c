// Faults: messages for people. They are English in every locale, and are cut to fit their fields.
#define _GNU_SOURCE // strerrordesc_np: not translated, and no shared buffer
#include "core/fault.h"

#include "core/format.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

thud_fault thudi_fault_none(void)
{
    return (thud_fault){.row = THUD_NO_KEY, .body = -1, .wall = -1};
}

thud_fault *thudi_fault_begin(thud_fault *fault, thud_fault *own)
{
    thud_fault *filled = fault ? fault : own;
    *filled = thudi_fault_none();
    return filled;
}

thudi_at thudi_at_text(const char *text, size_t at)
{
    thudi_at place = {.line = 1, .column = 1};
    for (size_t i = 0; i < at; i++)
    {
        bool ends_line = text[i] == '\n';
        bool starts_character = ((unsigned char)text[i] & 0xC0) != 0x80; // in UTF-8
        place.line += ends_line;
        place.column = ends_line ? 1 : place.column + starts_character;
    }
    return place;
}

thud_status thudi_fail_list(thud_fault *fault, thud_status status, thudi_at at, const char *hint,
                            const char *format, va_list list)
{
    if (!fault)
        return status;
    thud_fault filled = thudi_fault_none();
    filled.status = status;
    filled.line = at.line;
    filled.column = at.column;
    if (at.folder && at.file) // at most 230 of 255 bytes for a folder, the rest for the name
        (void)snprintf(filled.file, sizeof filled.file, "%.230s/%s", at.folder, at.file);
    else
        (void)snprintf(filled.file, sizeof filled.file, "%s%s", or_empty(at.folder),
                       or_empty(at.file));
    (void)snprintf(filled.path, sizeof filled.path, "%s", or_empty(at.path));
    (void)snprintf(filled.hint, sizeof filled.hint, "%s", hint);
    (void)thudi_format_list(filled.text, sizeof filled.text, format, list);
    *fault = filled; // last, because an argument may be a text in `fault`
    return status;
}

thud_status thudi_fail(thud_fault *fault, thud_status status, thudi_at at, const char *hint,
                       const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)thudi_fail_list(fault, status, at, hint, format, list);
    va_end(list);
    return status;
}

static const char *hint_of(int error)
{
    switch (error)
    {
    case ENOSPC:
    case EDQUOT:
        return "free some space; what was written before is kept";
    case EFBIG:
        return "raise the limit of file sizes (ulimit -f)";
    case EACCES:
    case EPERM:
    case EROFS:
        return "choose a folder that you may write to";
    case ENOENT:
        return "check the path";
    default:
        return "";
    }
}

const char *thudi_error_text(int error)
{
#ifdef __GLIBC__
    const char *text = strerrordesc_np(error);
#else
    const char *text = strerror(error);
#endif
    return text ? text : "unknown error";
}

thud_status thudi_fail_io(thud_fault *fault, thudi_at at, const char *doing, int error)
{
    if (error == ENOMEM)
        return thudi_fail_memory(fault);
    return thudi_fail(fault, THUD_ERR_IO, at, hint_of(error), "cannot %s: %s", doing,
                      thudi_error_text(error));
}

thud_status thudi_fail_memory(thud_fault *fault)
{
    return thudi_fail(fault, THUD_ERR_MEMORY, THUDI_NOWHERE, "", "out of memory");
}

thud_status thudi_fault_end(thud_fault *fault, thud_status status)
{
    if (status < 0 && fault && fault->text[0] == '\0')
        return thudi_fail(fault, status, THUDI_NOWHERE, "", "%s", thud_status_text(status));
    if (status < 0 && fault)
        fault->status = status;
    return status;
}
