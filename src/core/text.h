// Numbers in messages are written with a decimal point in every locale.
#ifndef THUDI_TEXT_H
#define THUDI_TEXT_H

enum
{
    THUDI_TEXT_NUMBER_SIZE = 40 // bytes, enough for a decimal mark of many bytes
};

// Write x with six significant digits and a decimal point into text; returns text.
const char *thudi_text_number(char text[THUDI_TEXT_NUMBER_SIZE], double x);

#endif
