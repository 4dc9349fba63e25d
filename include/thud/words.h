/// Text for people: numbers, counts and lines, the same in every locale.
///
/// Libraries never print. What has something to say takes a thud_writer, and writes there.
#ifndef THUD_WORDS_H
#define THUD_WORDS_H

#include "thud/text.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where text goes: called with pieces of it, in order. Return 0; anything else ends the writing.
typedef int thud_sink_fn(const char *text, size_t length, void *user);

/// A text being written. Set sink and user; the first call of the sink that fails is the last.
typedef struct thud_writer
{
    thud_sink_fn *sink;
    void *user;      ///< handed back to sink
    bool has_failed; ///< the sink returned an error
} thud_writer;

/// Write as printf does, up to 4,000 bytes at a time.
THUD_API void thud_write(thud_writer *writer, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Write text from a scene, a file or a command line: what a terminal would obey becomes '?'.
THUD_API void thud_write_safe(thud_writer *writer, const char *text);

/// Write text in lines of 80 columns, all but the first indented, and a newline; at: the column in
/// which the first begins.
THUD_API void thud_write_wrapped(thud_writer *writer, const char *text, int indent, int at);

/// Write a line of at most 1,000 bytes, indented. If it is too long for 80 columns, it goes on in
/// lines that are indented by two more, or not at all for 0.
THUD_API void thud_write_line(thud_writer *writer, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Format as snprintf does, in the C locale.
THUD_API int thud_format(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

enum
{
    THUD_COUNT_SIZE = 64 ///< room for a count with its noun, or a unit
};

/// x in three significant digits. These functions return text.
THUD_API const char *thud_words_short(char text[THUD_NUMBER_SIZE], double x);
/// A part of 1 as a change in per cent: "+52 %", "-1.4 %", "below 0.01 %".
THUD_API const char *thud_words_percent(char text[THUD_NUMBER_SIZE], double part);
/// A whole number with commas: 10,000.
THUD_API const char *thud_words_grouped(char text[THUD_NUMBER_SIZE], long long n);
/// "1 wall", "2 walls", "10,000 spheres"; noun in the singular.
THUD_API const char *thud_words_count(char text[THUD_COUNT_SIZE], long long n, const char *noun);
/// " m" for a unit "m", "" for none.
THUD_API const char *thud_words_unit(char text[THUD_COUNT_SIZE], const char *unit);
/// Bytes as "1.5 MB".
THUD_API const char *thud_words_bytes(char text[THUD_NUMBER_SIZE], double bytes);
/// Seconds as "12 s", "3 min 5 s", "2 h 10 min", "3 d 4 h"; "unknown" for what is no time.
THUD_API const char *thud_words_duration(char text[THUD_NUMBER_SIZE], double seconds);
/// Blanks that fill a text up to a width; none if it is longer.
THUD_API int thud_words_filling(int width, const char *text);

/// Bytes of the character at text, its code, and whether a terminal would obey it rather than show
/// it: controls of both sets, broken bytes, line and paragraph separators, and those that turn the
/// direction of writing.
THUD_API size_t thud_character_read(const char *text, unsigned *code, bool *is_control);

#ifdef __cplusplus
}
#endif

#endif
