// What a model knows of its crowd.
#ifndef THUDI_CROWD_H
#define THUDI_CROWD_H

#include "build/model.h"
#include "build/ways.h"

struct thudi_crowd
{
    thudi_ways *ways; // by wish; zero for a wish without doors
    double *pressure; // by body
};

#endif
