// What the files of the model share.
#ifndef THUDI_MODEL_H
#define THUDI_MODEL_H

#include "core/memory.h"
#include "thud/model.h"

typedef struct thudi_wall_motion
{
    thud_model *model;
    int wall;
} thudi_wall_motion;

struct thud_model
{
    const thud_scene *scene;
    thud_allocator allocator;
    thud_inclusion problem;
    thud_state *state; // the world's, for spheres
    double *room;      // scratch memory of expressions, long enough for each
    size_t room_size;
    double *gradient; // of one constraint
    size_t gradient_size;
    // spheres
    thud_world *world;
    thud_start start;
    thudi_wall_motion *motions;
    int sides_of_table; // materials and one more, for bodies and walls without
    double *table;      // by pair of materials: e or gamma_min; NULL where all contacts are dry
    int *material;      // of every body, then of every wall, where there is a table
    // inclusions
    double *mass;
    thud_smoothness smooth;
    // series
    THUDI_ARRAY(char *) names; // each a block of its own
    int name_count;
    signed char *sides; // of every body and counting measure: the side it was on, 0 unknown
    double *crossed;    // by every measure so far
};

void thudi_fault_say(thud_fault *fault, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

double thudi_model_value(const thud_model *model, const thud_expression *expression, double t);

thud_status thudi_model_spheres(thud_model *model, thud_fault *fault);
// The table of contacts of the scene and who is of which material, for world and judge.
thud_status thudi_model_contacts(thud_model *model);
void thudi_model_contacts_free(thud_model *model);

thud_status thudi_model_inclusion(thud_model *model, thud_fault *fault);
thud_status thudi_model_name_series(thud_model *model, thud_fault *fault);

// " across x" for an image that is not the bodies' own, else "".
const char *thudi_model_across(const thud_model *model, uint64_t key);
// The key without the image that it has in a periodic cell.
uint64_t thudi_model_own(const thud_model *model, uint64_t key);
// See a contact in the cell: b by the image that the key names, then both with a.
void thudi_model_image(const thud_model *model, double t, uint64_t key, thud_touch *touch);
void thudi_model_enter(const thud_model *model, double t, thud_touch *touch);

// Whose constraint a key of a world of spheres is: b < 0 is wall -1 - b.
void thudi_model_key(uint64_t key, int *a, int *b);

#endif
