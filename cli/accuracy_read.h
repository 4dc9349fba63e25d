// The object "accuracy" of run.json, read for a page or for a run that is resumed.
#ifndef CLI_ACCURACY_READ_H
#define CLI_ACCURACY_READ_H

#include <thud/page.h>

typedef struct cli_accuracy
{
    thud_page_accuracy page;
    thud_page_halved *halved; // its list
    double seconds;           // of the second run
} cli_accuracy;

// json: the text of run.json. What it does not say stays zero. False: there is no memory.
bool cli_accuracy_read(const char *json, cli_accuracy *accuracy);
void cli_accuracy_free(cli_accuracy *accuracy);

#endif
