// The characters of a text in UTF-8, and which of them people cannot see.
#ifndef THUDI_CHARACTERS_H
#define THUDI_CHARACTERS_H

#include <stdbool.h>
#include <stddef.h>

// The character that begins at text[0], or -1 when the bytes there are not UTF-8; *size: its bytes.
// There is at least one.
long thudi_character_read(const char *text, size_t length, size_t *size);

// Control characters except tab, newline and carriage return.
bool thudi_character_is_control(long c);

// Does it turn the direction of writing? Such a mark can make a text look like another one.
bool thudi_character_turns(long c);

// The index of the first character that output must not hold, `length` if there is none; *code is
// the character. Output must not hold control characters, except tab and newline, nor marks that
// turn the direction of writing. With `strict`, for texts of one line, it must not hold characters
// beyond ASCII that break or control lines. All texts of scenes are checked here.
size_t thudi_find_hidden(const char *text, size_t length, bool strict, unsigned long *code);

#endif
