// What a model knows of its crowd.
#ifndef THUDI_CROWD_H
#define THUDI_CROWD_H

#include "build/model.h"
#include "build/paths.h"

struct thudi_crowd
{
    thudi_paths *paths; // by wish; zero for a wish without doors
    double *pressure;   // by body
};

#endif
