// run.json, compared with the one that log and series give.
#ifndef THUDI_VERIFY_JSON_LINES_H
#define THUDI_VERIFY_JSON_LINES_H

#include <stdbool.h>

// What run.json may say that follows from nothing in the folder.
typedef struct thudi_json_freedom
{
    bool has_enclosed; // a checkpoint has what was enclosed: no value of it is free
    bool has_failed;   // the run failed: the error is its own
    bool is_halved;    // figures of the second run are its own, a reason to have none is not
} thudi_json_freedom;

// The first line in which `told` differs from `own`, 0 if none does. Every line must be the same,
// except that a free value may be another text or number: one value, and nothing else. key: of the
// own line, "" if it has none.
int thudi_json_first_difference(const char *told, const char *own,
                                const thudi_json_freedom *freedom, char key[60]);

#endif
