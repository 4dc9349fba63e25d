// The object "accuracy" of run.json, read for a page or for a run that is resumed.
#ifndef THUDI_ACCURACY_READ_H
#define THUDI_ACCURACY_READ_H

#include "thud/measured.h"

// json: the text of run.json. What it does not say stays zero. False: there is no memory. The
// caller frees the list `halved`.
bool thudi_accuracy_read(const char *json, thud_accuracy *accuracy);

#endif
