// The text of an expression while it is read: characters, words, and faults that point into it.
#ifndef THUDI_EXPRESSION_TEXT_H
#define THUDI_EXPRESSION_TEXT_H

#include "thud/text.h"

typedef struct thudi_source
{
    const char *text;
    size_t length, at; // in bytes
    thud_fault *fault; // may be NULL
} thudi_source;

enum
{
    THUDI_WORD_SIZE = 48 // room for a word as it is quoted in messages
};

// The next byte after blanks, which are skipped; -1 at the end.
int thudi_source_next(thudi_source *source);

// Bytes of the name, of the number, or of anything that looks like one, that begins at `at`;
// 0: none does.
size_t thudi_source_name(const thudi_source *source, size_t at);
size_t thudi_source_number(const thudi_source *source, size_t at);
size_t thudi_source_figure(const thudi_source *source, size_t at);

// Bytes of the UTF-8 character that begins at `at` (inside of the text); 0: it is none.
size_t thudi_source_character(const thudi_source *source, size_t at);

// The column of byte `at`, from 1, in characters. A byte outside of any counts as one.
int thudi_source_column(const thudi_source *source, size_t at);

// text[at .. at + length), shortened where it is long; it must be printable.
const char *thudi_source_quote(const thudi_source *source, size_t at, size_t length,
                               char word[THUDI_WORD_SIZE]);

// Fill the fault, with the column of byte `at`, and return the status. hint: may be "".
thud_status thudi_source_fail(const thudi_source *source, thud_status status, size_t at,
                              const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// Say what is wrong with the character at `at`, which may not stand where it is.
thud_status thudi_source_unexpected(const thudi_source *source, size_t at);

#endif
