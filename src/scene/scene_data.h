// A scene and what its reader keeps with it: memory, and what is needed to write it again.
#ifndef THUDI_SCENE_DATA_H
#define THUDI_SCENE_DATA_H

#include "bodies/generators.h"
#include "fields/schema.h"
#include "shapes/obstacle_entry.h"
#include "text/arena.h"
#include "thud/scene.h"

// The step suggested for spheres is this part of sqrt(r / g), the time in which a body falls half
// its radius: contacts then open and close over several steps.
#define THUDI_STEP_PART 0.1

typedef enum thudi_entry_kind
{
    THUDI_ENTRY_BODY,
    THUDI_ENTRY_LATTICE,
    THUDI_ENTRY_FILL,
    THUDI_ENTRY_FILE
} thudi_entry_kind;

// An entry of `bodies` as it was written, with defaults.
typedef struct thudi_entry
{
    thudi_entry_kind kind;
    int first, count;                // its bodies
    int material;                    // or -1
    bool material_given;             // file: rows with a mass have this material too
    double mass;                     // or 0
    const thud_scene_growth *growth; // with a name, or NULL
    thudi_lattice lattice;
    thudi_fill fill;
    const char *path;   // file
    double file_radius; // file: or 0
} thudi_entry;

// A wall as it was written: a plane, a box that made several, or an obstacle.
typedef struct thudi_wall_entry
{
    const char *name;
    bool is_box;
    double low[3], high[3];
    int first, count;
    const thudi_obstacle_entry *obstacle; // NULL for planes
    thud_wall_show show;
} thudi_wall_entry;

// The speeds of a group of a crowd as they were written.
typedef struct thudi_speed_entry
{
    thudi_distribution law;
    uint64_t seed;
} thudi_speed_entry;

typedef struct thudi_scene
{
    thud_scene view; // first: a pointer to it is a pointer to all
    thud_allocator allocator;
    thudi_arena arena;
    thudi_made *expressions; // to be destroyed
    THUDI_ARRAY(thud_scene_body) bodies;
    const char **parameters;
    double *values;
    int parameter_count;
    thud_scene_growth *growths; // with room for one of every entry
    thudi_entry *entries;
    thudi_wall_entry *walls;
    thudi_speed_entry *speeds; // by wish
    int entry_count, wall_count;
} thudi_scene;

// What force_on or torque_on named: a wall as it was written, one wall of a box, or an obstacle.
const char *thudi_measured_wall(const thudi_scene *scene, const thud_scene_measure *measure);

static inline const thudi_scene *thudi_scene_of(const thud_scene *scene)
{
    return (const thudi_scene *)scene;
}

#endif
