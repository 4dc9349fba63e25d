// Numbers in messages, the same whatever the locale.
#ifndef THUDI_TEXT_H
#define THUDI_TEXT_H

enum
{
    THUDI_NUMBER_SIZE = 40
};

// Write x with six significant digits and a decimal point into text; returns text.
const char *thudi_text_number(char text[THUDI_NUMBER_SIZE], double x);

#endif
