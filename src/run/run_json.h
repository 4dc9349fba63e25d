// What run.json says: Thud writes one value a line, so that lines are all there is to read.
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
const char *thudi_run_json_trouble(const char *folder, const char *text);

// The value of "name" as it is written, without quotes and comma; "" if there is none.
void thudi_run_json_value(const char *json, const char *name, char *value, size_t size);
// NAN if there is none.
double thudi_run_json_number(const char *json, const char *name);

#endif
