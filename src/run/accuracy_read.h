// The object "accuracy" of run.json, read for a page or for a run that is resumed.
#ifndef THUDI_ACCURACY_READ_H
#define THUDI_ACCURACY_READ_H

#include <thud/page.h>

typedef struct thudi_accuracy
{
    thud_page_accuracy page;
    thud_page_halved *halved; // its list
    double seconds;           // of the second run
} thudi_accuracy;

// json: the text of run.json. What it does not say stays zero. False: there is no memory.
bool thudi_accuracy_read(const char *json, thudi_accuracy *accuracy);
void thudi_accuracy_free(thudi_accuracy *accuracy);

#endif
