/// Numbers and messages as text, the same in every locale.
#ifndef THUD_TEXT_H
#define THUD_TEXT_H

#include "thud/key.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What was wrong, where, and what to do about it. The caller owns it; functions that take one fill
/// it when they fail (NULL: the caller does not want to know). Its words are for people; its
/// numbers are for programs, which never need to read the words.
typedef struct thud_fault
{
    thud_status status; ///< what the function returned
    char file[256];     ///< "" when no file is to blame
    int line, column;   ///< from 1, column in characters; 0: unknown
    char path[256];     ///< of the keys of a scene, such as "walls.floor.point[1]"; "" if unknown
    char text[512];     ///< one sentence without a full stop, no newline
    char hint[256];     ///< what to do, or ""
    int64_t step;       ///< the step that failed, counted from 1; 0 if none did
    thud_key row;       ///< key of the row that is to blame; THUD_NO_KEY for none
    int64_t body;       ///< number of the body that is to blame; -1 for none
    int wall;           ///< number of the wall that is to blame; -1 for none
    char name[80];      ///< the name that is unknown, or the file that a run lacks; "" for none
    bool is_missing;    ///< a file that a scene names does not exist
    bool is_record;     ///< a record of a log is damaged: the log can be read without it
} thud_fault;

enum
{
    THUD_NUMBER_SIZE = 32 ///< room for any number that thud_number_write writes
};

/// Write x so that it is read back as x, in 15 digits, or 16 or 17 where it takes them; returns
/// text. "nan", "inf", "-inf" are written so, and not read back.
THUD_API const char *thud_number_write(char text[THUD_NUMBER_SIZE], double x);

/// Read the decimal number that makes up all of text[0 .. length): [+-] digits [. digits]
/// [e [+-] digits], at least one digit before the exponent, at most 1,000 characters. False when it
/// is anything else, or too large for a double; what is too small is rounded to 0.
THUD_API bool thud_number_read(const char *text, size_t length, double *x);

/// The name nearest to word[0 .. length) by the edits that turn one into the other (insert, delete,
/// replace, exchange neighbours), if they are at most a third of its length; the first of equals.
/// NULL if none is near, or the word is a single letter, which would be near any other.
THUD_API const char *thud_nearest(const char *word, size_t length, const char *const *names,
                                  int count);

#ifdef __cplusplus
}
#endif

#endif
