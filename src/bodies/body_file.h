// What the readers of files of bodies share: columns, values, complaints with a place.
#ifndef THUDI_BODY_FILE_H
#define THUDI_BODY_FILE_H

#include "bodies/generators.h"

// What a field of a row is.
typedef enum thudi_body_column
{
    THUDI_COLUMN_X,
    THUDI_COLUMN_Y,
    THUDI_COLUMN_Z,
    THUDI_COLUMN_VX,
    THUDI_COLUMN_VY,
    THUDI_COLUMN_VZ,
    THUDI_COLUMN_RADIUS,
    THUDI_COLUMN_MASS,
    THUDI_COLUMN_MATERIAL,
    THUDI_COLUMN_NAME,
    THUDI_COLUMN_GROWTH,
    THUDI_COLUMN_SPECIES, // ignored
    THUDI_COLUMNS
} thudi_body_column;

// A part of the file: text[at .. at + length).
typedef struct thudi_body_span
{
    size_t at, length;
} thudi_body_span;

// A field of a line. `value` still has its doubled quotes.
typedef struct thudi_body_field
{
    thudi_body_span value;
    bool has_doubled;
} thudi_body_field;

typedef struct thudi_body_reader
{
    int dim;
    const char *text; // after the byte order mark
    size_t length;
    size_t at; // where the next line starts
    int line;  // number of the line last taken
    const thud_allocator *allocator;
    thudi_body_row *rows;
    int count;   // rows that have memory
    char *words; // texts that differ from the file: their doubled quotes are single
    thud_fault *fault;
} thudi_body_reader;

// Fill the fault (if wanted) for the place text[at]; returns status.
thud_status thudi_body_fail(const thudi_body_reader *reader, thud_status status, size_t at,
                            const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

enum
{
    THUDI_BODY_QUOTE = 64
};

// The text of a span as a message can hold it: shortened, in one line. Returns quote.
const char *thudi_body_quote(const thudi_body_reader *reader, thudi_body_span span,
                             char quote[THUDI_BODY_QUOTE]);

// Fail because a name is not one of `names`; what: "column" or "property".
thud_status thudi_body_fail_name(const thudi_body_reader *reader, thudi_body_span name,
                                 const char *what, const char *const *names, int count);

// The next line without its end; false at the end of the file.
bool thudi_body_next_line(thudi_body_reader *reader, thudi_body_span *line);

// The span without spaces and tabs at both ends.
thudi_body_span thudi_body_trim(const thudi_body_reader *reader, thudi_body_span span);

bool thudi_body_is(const thudi_body_reader *reader, thudi_body_span span, const char *word);

// Take memory for `count` rows and for as many bytes of words as the file has, if has_words.
thud_status thudi_body_reserve(thudi_body_reader *reader, int count, bool has_words);

// Store a field of a row.
thud_status thudi_body_put(thudi_body_reader *reader, thudi_body_row *row, thudi_body_column column,
                           thudi_body_field field);

thud_status thudi_body_read_csv(thudi_body_reader *reader);
thud_status thudi_body_read_xyz(thudi_body_reader *reader);

#endif
