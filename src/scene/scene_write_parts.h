// The parts of writing a scene.
#ifndef THUDI_SCENE_WRITE_PARTS_H
#define THUDI_SCENE_WRITE_PARTS_H

#include "fields/varying_write.h"
#include "scene/scene_data.h"

// The list `bodies`: entries as they were written, or one file that has them all.
void thudi_put_entries(thudi_out *out, const thudi_scene *scene, const char *bodies_file);

// Of a crowd: order, noise and seed; what its groups want.
void thudi_put_order(thudi_out *out, const thud_scene *scene);
void thudi_put_crowd(thudi_out *out, const thudi_scene *scene);
// ", KEY: LAW"; of radii, or of speeds.
void thudi_put_law(thudi_out *out, const char *key, const thudi_radius_law *law);

// `growth: 1 + t`, or a growth by its name, or a table. NULL for the constant 1 of a material.
void thudi_put_growth(thudi_out *out, const thud_scene_growth *growth);
// The map `growth` of those with names.
void thudi_put_growths(thudi_out *out, const thud_scene *scene);

// The line `cell`, if an axis is periodic.
void thudi_put_cell(thudi_out *out, const thud_scene *scene);

// The map of a wall that is an obstacle, but for its end; in_files: triangles are in
// THUD_SCENE_MESHES.
void thudi_put_obstacle(thudi_out *out, const thudi_scene *scene, const thudi_obstacle_entry *entry,
                        bool in_files);

// {plane: {point: [..], normal: [..]}, its last brace left to the caller.
void thudi_put_plane(thudi_out *out, const thud_scene_plane *plane, int dim);

// The map `measure`.
void thudi_put_measures(thudi_out *out, const thudi_scene *scene);

// The key `exact`, where there is one.
void thudi_put_exact(thudi_out *out, const thud_scene *scene);

#endif
