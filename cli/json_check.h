// Is a text JSON?
#ifndef CLI_JSON_CHECK_H
#define CLI_JSON_CHECK_H

#include <stdbool.h>

// Is the whole text one object of JSON (RFC 8259), with blanks around it? Bytes of strings from 128
// on are not looked at.
bool cli_json_is_object(const char *text);

// Past the text, number, true, false or null that begins here; NULL if none does.
const char *cli_json_skip_scalar(const char *at);

#endif
