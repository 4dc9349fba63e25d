// A run for the exporters: a scene made by hand, a model that is a fake of rules simple enough to
// be written twice (here and in check_export.py), and a record of random numbers.
#ifndef EXPORT_RIG_H
#define EXPORT_RIG_H

#include "record_rig.h"

#include "thud/export.h"

typedef enum export_rig_kind
{
    EXPORT_SPHERES_3D,
    EXPORT_SPHERES_2D,
    EXPORT_INCLUSION,
    EXPORT_INCLUSION_FIRST // of first order
} export_rig_kind;

typedef struct export_rig
{
    char folder[RIG_PATH]; // holds the folders "run" and those of exports, and expected.json
    char run[RIG_PATH];
    thud_scene scene;
    thud_scene_body bodies[8];
    thud_model *model;
    thud_log *log;
    int frame_count;
} export_rig;

// Make the run, and write what was put into it to expected.json, in exact numbers.
bool export_rig_make(export_rig *rig, export_rig_kind kind, uint64_t seed);
void export_rig_free(export_rig *rig);

// Everything about the export but format and folder.
thud_export_def export_rig_def(const export_rig *rig);

#endif
