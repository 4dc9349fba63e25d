// What went wrong with a file, for people: in English whatever the locale, and short enough for a
// fault.
#define _GNU_SOURCE // strerrordesc_np: not translated, and no shared buffer
#include "record/record_fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void thudi_record_say(thud_fault *fault, const char *folder, const char *name, const char *hint,
                      const char *format, ...)
{
    if (!fault)
        return;
    memset(fault, 0, sizeof *fault);
    if (name)
        (void)snprintf(fault->file, sizeof fault->file, "%s/%s", folder, name);
    else
        (void)snprintf(fault->file, sizeof fault->file, "%s", folder);
    (void)snprintf(fault->hint, sizeof fault->hint, "%s", hint);
    va_list list;
    va_start(list, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, list);
    va_end(list);
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

thud_status thudi_record_io(thud_fault *fault, const char *folder, const char *name,
                            const char *doing, int error)
{
    if (error == ENOMEM)
        return thudi_record_memory(fault);
    const char *reason = strerrordesc_np(error);
    thudi_record_say(fault, folder, name, hint_of(error), "cannot %s: %s", doing,
                     reason ? reason : "unknown error");
    return THUD_ERR_IO;
}

thud_status thudi_record_memory(thud_fault *fault)
{
    thudi_record_say(fault, "", NULL, "", "out of memory");
    return THUD_ERR_MEMORY;
}
