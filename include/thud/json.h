/// JSON: one writer for all that Thud writes, and a reader that works on the text where it stands.
#ifndef THUD_JSON_H
#define THUD_JSON_H

#include "thud/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_json_layout
{
    THUD_JSON_LINES = 0,    ///< one value a line, two spaces a level
    THUD_JSON_ONE_LINE = 1, ///< everything in one line
    THUD_JSON_COMPACT = 2   ///< no blanks, and no character that HTML knows: <, > and & are escaped
} thud_json_layout;

/// A JSON text that grows; begin with {0}, or with a layout. Names and strings are escaped, what
/// controls a terminal too; numbers that are not finite become null.
typedef struct thud_json
{
    char *text;      ///< ended by a null byte; NULL while it is empty
    size_t length;   ///< bytes of text
    bool has_failed; ///< there was no memory: the text is not whole
    thud_json_layout layout;
    thud_allocator allocator; ///< all zero for the C library's
    size_t capacity;          ///< for the writer itself, as are the next two
    int depth;
    bool is_first;
} thud_json;

/// Begin and end an object; name: NULL in a list or on top.
THUD_API void thud_json_open(thud_json *json, const char *name);
THUD_API void thud_json_close(thud_json *json);
/// Begin and end a list.
THUD_API void thud_json_list(thud_json *json, const char *name);
THUD_API void thud_json_list_end(thud_json *json);

/// A value with its name; without one the next of a list.
THUD_API void thud_json_text(thud_json *json, const char *name, const char *value); ///< NULL: null
THUD_API void thud_json_number(thud_json *json, const char *name, double value);
THUD_API void thud_json_whole(thud_json *json, const char *name, long long value);
THUD_API void thud_json_flag(thud_json *json, const char *name, bool value);
THUD_API void thud_json_numbers(thud_json *json, const char *name, const double *values, int count);

/// A newline, at the end of a file.
THUD_API void thud_json_newline(thud_json *json);

THUD_API void thud_json_free(thud_json *json);

/// Is the whole text one object of JSON (RFC 8259), with blanks around it? Bytes of strings from
/// 128 on are not examined.
THUD_API bool thud_json_is_object(const char *text);
/// Past the text, number, true, false or null that begins here; NULL if none does.
THUD_API const char *thud_json_skip_scalar(const char *at);

/// Where a value begins in the text of an object; path: keys with dots between, such as
/// "steps.taken", as the text writes them. NULL if there is no such value.
THUD_API const char *thud_json_find(const char *object, const char *path);
/// That value as a number; NaN if it is none.
THUD_API double thud_json_find_number(const char *object, const char *path);
/// That value as a count, a whole number from 0 to 2^53; -1 if it is none.
THUD_API int64_t thud_json_find_count(const char *object, const char *path);
/// That value as a text; false if it is none, or does not fit: then the text holds what does.
THUD_API bool thud_json_find_text(const char *object, const char *path, char *text, size_t size);
/// Is that value true?
THUD_API bool thud_json_find_flag(const char *object, const char *path);

/// Where the first item of a list begins, and the item after another; NULL if there is none. A
/// value that is no list has none.
THUD_API const char *thud_json_first(const char *list);
THUD_API const char *thud_json_after(const char *item);

#ifdef __cplusplus
}
#endif

#endif
