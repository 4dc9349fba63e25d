// What a run will need, before it is begun.
#ifndef THUDI_ESTIMATE_H
#define THUDI_ESTIMATE_H

#include <thud/scene.h>

typedef struct thudi_estimate
{
    double steps;
    double frames;
    double memory;           // bytes
    double disk;             // bytes
    double memory_available; // bytes, 0 if unknown
    double disk_available;   // bytes, 0 if unknown
} thudi_estimate;

// Bytes that packing `count` spheres (thud jam) takes at most.
double thudi_estimate_jam(double count);

// Bytes of memory that there are, or may be taken (ulimit -v); 0 if unknown. A program may take 80
// % of them.
double thudi_memory_available(void);
bool thudi_memory_is_too_much(double bytes);

// Bytes that reading a scene and building its model take, and a run at least, by bodies.
double thudi_estimate_building(double bodies);
double thudi_estimate_bodies(double bodies);

// How many bodies a scene may have so that building it takes no more than 80 % of the memory.
int thudi_bodies_that_fit(void);

// folder: where the run directory is to be, for the room there.
thudi_estimate thudi_estimate_run(const thud_scene *scene, const char *folder);

// Is there more needed than 80 % of what there is? Then *what is "memory" or "disk".
bool thudi_estimate_is_too_much(const thudi_estimate *estimate, const char **what);

#endif
