// The files of a jammed packing.
#ifndef THUDI_PACKING_FILES_H
#define THUDI_PACKING_FILES_H

#include "thud/packing.h"

#define THUDI_JAM_PACKING "packing.csv"
#define THUDI_JAM_NETWORK "network.csv"
#define THUDI_JAM_JSON "jam.json"

#endif
