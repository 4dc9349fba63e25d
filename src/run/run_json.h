// run.json of a run directory; thud/json.h reads values of its text by their paths.
#ifndef THUDI_RUN_JSON_H
#define THUDI_RUN_JSON_H

#include <stddef.h>

enum
{
    THUDI_RUN_JSON = 1 << 18 // room for a run.json that Thud wrote
};

// The text of run.json in a run directory; "" when there is none.
void thudi_run_json_read(const char *folder, char text[THUDI_RUN_JSON]);

// What is wrong with run.json of that text: it is missing, empty or not JSON; NULL if nothing is.
const char *thudi_run_json_fault(const char *folder, const char *text);

#endif
