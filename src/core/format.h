// Formatting that no locale changes.
#ifndef THUDI_FORMAT_H
#define THUDI_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

// vsnprintf in the C locale, whatever that of the thread is.
int thudi_format_list(char *text, size_t size, const char *format, va_list list)
    __attribute__((format(printf, 3, 0)));

#endif
