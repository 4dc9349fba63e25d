// The characters of a text in UTF-8, and which of them people cannot see.
#ifndef THUDI_CHARACTERS_H
#define THUDI_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>

// The character that begins at text[0], or -1 when the bytes there are not UTF-8; *size: its bytes.
// There is at least one.
long thudi_character_read(const char *text, size_t length, size_t *size);

// Control characters but tab, newline and carriage return.
bool thudi_character_is_control(long c);

// Does it turn the direction of writing? A text can look like another one by it.
bool thudi_character_turns(long c);

// Where the first character of a text is that output must not hold: control characters but tab and
// newline, marks that turn the direction of writing; with `strict`, for texts of one line, also
// those beyond ASCII that break or control lines. *code is the character; `length` if there is
// none. The one place where texts of scenes are judged.
size_t thudi_find_hidden(const char *text, size_t length, bool strict, unsigned long *code);

#endif
