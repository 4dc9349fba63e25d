// What a scene may say, one table per kind of thing. docs/scenes.md, `thud help scene` and the JSON
// Schema are made from them.
#ifndef THUDI_TABLES_H
#define THUDI_TABLES_H

#include "fields/table.h"

// A whole scene, by kind. Both kinds begin and end with the fields that they share.
extern const thudi_thing thudi_spheres_thing, thudi_inclusion_thing;
extern const thudi_thing thudi_common_thing, thudi_closing_thing;
extern const thudi_thing thudi_units_thing, thudi_time_thing;

// Of spheres: tolerances, cell, materials and their contacts, the groups of a crowd.
extern const thudi_thing thudi_solver_thing, thudi_cell_thing, thudi_material_thing;
extern const thudi_thing thudi_table_thing, thudi_contact_thing, thudi_group_thing;
// A growth is a number of t or a table. The second list also allows the name of a growth. Both are
// forms of ONE_OF.
extern const thudi_field thudi_growth_forms[], thudi_growth_or_name[];

// The numbers of all contact laws, as keys of a contact and of a constraint.
thudi_make_fn thudi_make_contact_field, thudi_make_constraint_field;

// An entry of `bodies`, and what it may hold; radii, and the speeds of a crowd, by distribution.
extern const thudi_thing thudi_entry_thing, thudi_lattice_thing, thudi_fill_thing, thudi_file_thing;
extern const thudi_thing thudi_law_thing, thudi_normal_thing, thudi_lognormal_thing;
extern const thudi_thing thudi_region_thing, thudi_ball_thing;
extern const thudi_field thudi_law_forms[];

// A wall and its shapes; its fields are a plane, the words of THUDI_OBSTACLE_LIST, then the rest.
extern const thudi_thing thudi_wall_thing, thudi_plane_thing, thudi_round_thing,
    thudi_capsule_thing, thudi_cylinder_thing, thudi_drum_thing, thudi_cone_thing, thudi_mesh_thing,
    thudi_hopper_thing;

// A measure; its fields are in the order of thud_measure_kind. An inclusion can measure columns
// only.
extern const thudi_thing thudi_measure_thing, thudi_column_measure_thing;
extern const thudi_thing thudi_through_thing, thudi_torque_thing, thudi_flow_thing,
    thudi_profile_thing, thudi_box_thing, thudi_of_thing, thudi_when_thing;

// Of an inclusion.
extern const thudi_thing thudi_coordinate_thing, thudi_constraint_thing, thudi_piece_thing,
    thudi_smooth_thing, thudi_shift_thing;

#endif
