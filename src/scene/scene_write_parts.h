// How fields are written that tables cannot write alone, by the struct of their thing.
#ifndef THUDI_SCENE_WRITE_PARTS_H
#define THUDI_SCENE_WRITE_PARTS_H

#include "fields/varying_write.h"
#include "scene/scene_data.h"
#include "scene/tables.h"

// Helpers: "KEY:" in a line of its own, after a blank line; "  NAME: "; the name of a material.
void thudi_put_heading(thudi_putter *p, const thudi_field *field);
void thudi_put_entry_name(thudi_putter *p, const char *name);
void thudi_put_material_name(thudi_putter *p, int material);
// [[low..], [high..]]
void thudi_put_box(thudi_putter *p, const double *low, const double *high);
// A distribution of radii, or of speeds, or one number.
void thudi_put_distribution(thudi_putter *p, const thudi_distribution *law);

// thud_scene
thudi_put_fn thudi_put_version, thudi_put_parameters, thudi_put_time, thudi_put_step,
    thudi_put_resolved;
thudi_put_fn thudi_put_order, thudi_put_noise, thudi_put_seed;
thudi_put_fn thudi_put_cell, thudi_put_quality, thudi_put_tolerance;
thudi_put_fn thudi_put_materials, thudi_put_growths, thudi_put_contacts, thudi_put_walls,
    thudi_put_bodies, thudi_put_measures, thudi_put_crowd;
thudi_put_fn thudi_put_coordinates, thudi_put_forces, thudi_put_breaks, thudi_put_constraints,
    thudi_put_smooth, thudi_put_exact;

// thud_scene_cell, thud_scene_material, thud_scene_contact, thud_scene_group
thudi_put_fn thudi_put_axis, thudi_put_material_growth, thudi_put_between, thudi_put_number_or_none,
    thudi_put_number_of_law;
thudi_put_fn thudi_put_group_material, thudi_put_group_velocity, thudi_put_doors, thudi_put_speed,
    thudi_put_speed_seed;

// thudi_entry
thudi_put_fn thudi_put_body_name, thudi_put_of_body, thudi_put_velocity, thudi_put_matter,
    thudi_put_entry_growth, thudi_put_entry_seed, thudi_put_counts, thudi_put_spacing,
    thudi_put_radius;
// thudi_region, thudi_distribution
thudi_put_fn thudi_put_region_box, thudi_put_region_ball, thudi_put_distribution_key;

// thudi_wall_entry, thudi_obstacle_entry
thudi_put_fn thudi_put_plane, thudi_put_shape, thudi_put_wall_material, thudi_put_position,
    thudi_put_rotation;
thudi_put_fn thudi_put_mesh_file, thudi_put_mesh_scale, thudi_put_mesh_first, thudi_put_mesh_count;

// thud_scene_measure
thudi_put_fn thudi_put_measure, thudi_put_measured_plane, thudi_put_measured_wall,
    thudi_put_polygon, thudi_put_measured_box, thudi_put_measured_material, thudi_put_reached;

// thud_scene_piece, thud_smoothness
thudi_put_fn thudi_put_until, thudi_put_known;

#endif
