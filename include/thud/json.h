/// JSON: a writer for all that Thud writes, and a reader that works on the text and copies nothing.
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
    /// No blanks between values. Strings can stand in an HTML page: <, >, &, " and \ in them are
    /// written as \u and four digits.
    THUD_JSON_COMPACT = 2
} thud_json_layout;

/// A JSON text that is being written. Begin with {0}, or with a layout, and end with
/// thud_json_free. Characters that control a terminal are escaped, and every byte that is not
/// UTF-8 becomes U+FFFD. Numbers that are not finite become null.
typedef struct thud_json
{
    char *text;      ///< ended by a null byte; NULL while it is empty
    size_t length;   ///< bytes of text, without the null byte
    bool has_failed; ///< there was no memory: the text is not complete, and no longer grows
    thud_json_layout layout;
    thud_allocator allocator; ///< all zero for the C library's
    // private to the writer
    size_t capacity; ///< bytes allocated
    int depth;       ///< objects and lists that are open
    bool is_first;   ///< the next value is the first of its object or list
} thud_json;

/// Begin and end an object. name: its key; NULL for an item of a list, or for the whole text.
THUD_API void thud_json_open(thud_json *json, const char *name);
THUD_API void thud_json_close(thud_json *json);
/// Begin and end a list.
THUD_API void thud_json_list(thud_json *json, const char *name);
THUD_API void thud_json_list_end(thud_json *json);

/// Write a value. name: its key in an object; NULL for an item of a list.
THUD_API void thud_json_text(thud_json *json, const char *name, const char *value); ///< NULL: null
THUD_API void thud_json_number(thud_json *json, const char *name, double value);
THUD_API void thud_json_whole(thud_json *json, const char *name, long long value);
THUD_API void thud_json_flag(thud_json *json, const char *name, bool value);
THUD_API void thud_json_numbers(thud_json *json, const char *name, const double *values, int count);

/// Write a newline, at the end of a file.
THUD_API void thud_json_newline(thud_json *json);

/// Free the text. The layout and the allocator are kept: a new text can begin.
THUD_API void thud_json_free(thud_json *json);

/// Is the whole text one JSON object (RFC 8259), with or without blanks around it? It does not
/// verify that strings are UTF-8. False also if a value is within 64 or more objects and lists.
THUD_API bool thud_json_is_object(const char *text);
/// Returns the end of the string, number, true, false or null that begins at `at`, or NULL if none
/// begins there.
THUD_API const char *thud_json_skip_scalar(const char *at);

/// Returns where a value begins in the text of an object, or NULL if there is no such value. path:
/// keys joined by dots, such as "steps.taken". Keys are compared byte by byte with the text, so an
/// escape does not match the character that it stands for. A key with a dot cannot be found.
THUD_API const char *thud_json_find(const char *object, const char *path);
/// Returns that value as a number, or NaN if it is not a number.
THUD_API double thud_json_find_number(const char *object, const char *path);
/// Returns that value if it is a whole number from 0 to 2^53, else -1.
THUD_API int64_t thud_json_find_count(const char *object, const char *path);
/// Copy that value, a string, to text[size], size > 0, with a null byte at the end. Returns false
/// if the value is not a string (the copy is then empty), or does not fit (the copy is then its
/// beginning).
THUD_API bool thud_json_find_text(const char *object, const char *path, char *text, size_t size);
/// Is that value true? False also if there is no such value.
THUD_API bool thud_json_find_flag(const char *object, const char *path);

/// Return where the first item of a list begins, and the item after another one. NULL if there is
/// none, or if the value is not a list.
THUD_API const char *thud_json_first(const char *list);
THUD_API const char *thud_json_after(const char *item);

#ifdef __cplusplus
}
#endif

#endif
