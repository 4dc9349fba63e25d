// Tables of scenes of spheres, without bodies, walls and measures.
#include "scene/scene_write_parts.h"

#include "core/whole.h"

static const char *const overlap_rules[] = {"refuse", "project", NULL};
static const char *const qualities[] = {"preview", "default", "study", NULL};

#define TOLERANCE_HINT "give tol and tol_a, or quality instead"
static const thudi_field solver_fields[] = {
    {"quality", THUDI_A_WORD, .words = qualities, .initial = "default", .flags = THUDI_BY_HAND,
     .put = thudi_put_quality,
     .help = "both tolerances by one word: `preview` (tol 1e-3, tol_a 3e-2), `default` (1e-5, "
             "1e-3), `study` (1e-8, 1e-6)"},
    {"tol", THUDI_A_NUMBER, .range = THUDI_POSITIVE, .otherwise = "as `quality` says",
     .flags = THUDI_BY_HAND, THUDI_MEMBER(thud_scene, tol), .put = thudi_put_tolerance,
     .hint = TOLERANCE_HINT,
     .help = "sets the gap that the solver keeps open, as a part of the radius. Give `tol` and "
             "`tol_a` together, instead of `quality`; then a longer step does not enlarge gaps"},
    {"tol_a", THUDI_A_NUMBER, .range = THUDI_POSITIVE, .otherwise = "as `quality` says",
     .flags = THUDI_BY_HAND, THUDI_MEMBER(thud_scene, tol_a), .put = thudi_put_tolerance,
     .hint = TOLERANCE_HINT,
     .help = "the error of contact forces, as a part of gravity (order 1: of the wanted "
             "velocities)"},
};
const thudi_thing thudi_solver_thing = {"solver", THUDI_FIELDS(solver_fields)};

#define AXIS_HELP(axis) "low and high end along " axis ", which is then periodic"
static const thudi_field cell_fields[] = {
    {"x", THUDI_A_NUMBER, .count = 2, .otherwise = "not periodic", .unit = "length",
     .flags = THUDI_BY_HAND, .put = thudi_put_axis, .help = AXIS_HELP("x")},
    {"y", THUDI_A_NUMBER, .count = 2, .otherwise = "not periodic", .unit = "length",
     .flags = THUDI_BY_HAND, .put = thudi_put_axis, .help = AXIS_HELP("y")},
    {"z", THUDI_A_NUMBER, .count = 2, .otherwise = "not periodic", .unit = "length",
     .flags = THUDI_BY_HAND | THUDI_ONLY_3D, .put = thudi_put_axis, .help = AXIS_HELP("z")},
    {"shear", THUDI_A_VARYING, .initial = "0", .unit = "length", .flags = THUDI_BY_HAND,
     THUDI_MEMBER(thud_scene_cell, shear), .put = thudi_put_given,
     .help = "distance along x by which the images one period up along y are displaced. x and y "
             "must be periodic"},
};
const thudi_thing thudi_cell_thing = {"cell", THUDI_FIELDS(cell_fields)};

static const thudi_field knot = {.form = THUDI_A_NUMBER, .count = 2, .help = "[t, value]"};
static const thudi_field table_fields[] = {
    {"table", THUDI_A_LIST, .of = &knot, .written = "list of pairs `[t, value]`", .low = 2,
     .high = 100000, .flags = THUDI_BY_HAND, .hint = "a list of pairs [t, value]",
     .put = thudi_put_nothing,
     .help = "knots with increasing times and values > 0, joined by a natural cubic "
             "spline"},
};
const thudi_thing thudi_table_thing = {"growth", THUDI_FIELDS(table_fields)};

#define GROWTH_FORMS                                                                               \
    {.form = THUDI_A_VARYING, .range = THUDI_POSITIVE, .help = "a function of time"},              \
    {                                                                                              \
        .form = THUDI_A_PART, .of = &thudi_table_thing, .help = "a table"                          \
    }
const thudi_field thudi_growth_forms[] = {GROWTH_FORMS, {.help = NULL}};
const thudi_field thudi_growth_or_name[] = {
    GROWTH_FORMS,
    {.form = THUDI_A_NAME, .of = "a growth", .help = "one of `growth`"},
    {.help = NULL}};

static const thudi_field material_fields[] = {
    {"density", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene_material, density), .range = THUDI_POSITIVE,
     .otherwise = "required; order 1: masses are 1", .unit = "mass/volume", .flags = THUDI_BY_HAND,
     .put = thudi_put_positive, .hint = "give the mass per volume; in two dimensions, per area",
     .help = "mass per volume (2D: area)"},
    {"growth", THUDI_ONE_OF, .of = thudi_growth_or_name, .initial = "1",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_material_growth,
     .help = "radii are multiplied by it, masses do not change"},
    {"restitution", THUDI_A_NUMBER, .initial = "0", .flags = THUDI_BY_HAND,
     .put = thudi_put_initial,
     .help = "only 0: restitution belongs to a pair of materials, see `contacts`"},
    {"friction", THUDI_A_NUMBER, .initial = "0", .flags = THUDI_BY_HAND, .put = thudi_put_initial,
     .help = "only 0: there is no friction"},
};
const thudi_thing thudi_material_thing = {"material", THUDI_FIELDS(material_fields)};

static const thudi_field a_material = {
    .form = THUDI_A_NAME, .of = "a material", .help = "a material"};
static const thudi_field contact_fields[] = {
    {"between", THUDI_A_LIST, .of = &a_material, .written = "`[MATERIAL, MATERIAL]`", .low = 2,
     .high = 2, .flags = THUDI_BY_HAND, .put = thudi_put_between,
     .help = "the two materials that meet; their order does not matter"},
};
const thudi_thing thudi_contact_thing = {"contact", THUDI_FIELDS(contact_fields),
                                         .make = thudi_make_contact_field};

static const thudi_field door_end = {.form = THUDI_A_NUMBER, .count = 2, .help = "[x, y]"};
static const thudi_field door = {
    .form = THUDI_A_LIST, .of = &door_end, .low = 2, .high = 2, .help = "[[x, y], [x, y]]"};
static const char *const aims[] = {"velocity", "doors", NULL};
static const thudi_field group_fields[] = {
    {"material", THUDI_A_NAME, .of = "a material",
     .otherwise = "all bodies that no other group names", .flags = THUDI_BY_HAND,
     .put = thudi_put_group_material, .help = "the group has the bodies of this material"},
    {"velocity", THUDI_A_FUNCTION, .count = THUDI_DIM, .otherwise = "this or `doors`",
     .unit = "length/time", .flags = THUDI_BY_HAND, .put = thudi_put_group_velocity,
     .help = "wanted velocity, a function of t and the body's own position `x`, `y`[, `z`], times "
             "its speed"},
    {"doors", THUDI_A_LIST, .of = &door, .written = "list of segments `[[x, y], [x, y]]`", .low = 1,
     .high = 1000, .otherwise = "this or `velocity`", .unit = "length", .flags = THUDI_BY_HAND,
     .put = thudi_put_doors,
     .help = "for `dim: 2`: bodies walk the shortest path to the nearest "
             "door, around walls that do not move. A person who leaves has the first end on the "
             "right, and keeps walking straight"},
    {"cell", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene_group, cell), .range = THUDI_POSITIVE,
     .otherwise = "required with `doors`", .unit = "length", .flags = THUDI_BY_HAND,
     .put = thudi_put_positive,
     .hint = "give the spacing of the grid for the shortest paths, such as a quarter of a radius",
     .help = "with `doors`: spacing of the grid on which distances are computed, at most half of "
             "the smallest radius of the group. A node takes about a microsecond and 32 bytes. "
             "`thud check` prints how many there are, and warns from 2 million on; at most 16.8 "
             "million"},
    {"speed", THUDI_ONE_OF, .of = thudi_law_forms, .initial = "1", .unit = "length/time",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_speed,
     .help = "drawn for each body if it is a distribution"},
    {"seed", THUDI_A_WHOLE, .high = THUDI_MOST_WHOLE, .otherwise = "follows the top `seed`, else 1",
     .flags = THUDI_BY_HAND, .put = thudi_put_speed_seed, .help = "for the speeds"},
};
const thudi_thing thudi_group_thing = {"crowd", THUDI_FIELDS(group_fields), .one_of = aims};

static const thudi_field a_growth = {
    .form = THUDI_ONE_OF, .of = thudi_growth_forms, .help = "a growth"};
static const thudi_field a_material_map = {
    .form = THUDI_A_PART, .of = &thudi_material_thing, .help = "a material"};
static const thudi_field a_contact = {
    .form = THUDI_A_PART, .of = &thudi_contact_thing, .help = "a contact"};
static const thudi_field a_wall = {.form = THUDI_A_PART, .of = &thudi_wall_thing, .help = "a wall"};
static const thudi_field an_entry = {
    .form = THUDI_A_PART, .of = &thudi_entry_thing, .help = "an entry"};
static const thudi_field a_measure = {
    .form = THUDI_A_PART, .of = &thudi_measure_thing, .help = "a measure"};
static const thudi_field a_group = {
    .form = THUDI_A_PART, .of = &thudi_group_thing, .help = "a group"};

static const thudi_field spheres_fields[] = {
    {"dim", THUDI_A_WHOLE, THUDI_MEMBER(thud_scene, dim), .low = 2, .high = 3, .initial = "3",
     .flags = THUDI_APART, .help = "dimensions of space"},
    {"order", THUDI_A_WHOLE, .low = 1, .high = 2, .initial = "2",
     .flags = THUDI_BY_HAND | THUDI_ORDER_1, .put = thudi_put_order,
     .help = "of the equation: 1 for a crowd, whose bodies have wanted velocities (see `crowd`). "
             "Order 1 has "
             "no gravity, drag, contact laws or velocities at the start"},
    {"gravity", THUDI_A_VARYING, .count = THUDI_DIM, .otherwise = "zeros", .unit = "length/time²",
     .flags = THUDI_BY_HAND | THUDI_ORDER_2, THUDI_MEMBER(thud_scene, gravity),
     .help = "acceleration of all bodies (order 2)"},
    {"drag", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene, drag), .range = THUDI_NOT_NEGATIVE,
     .initial = "0", .unit = "1/time", .flags = THUDI_ORDER_2,
     .help = "a force -drag · mass · velocity (order 2)"},
    {"cell", THUDI_A_PART, .of = &thudi_cell_thing, .otherwise = "none", .flags = THUDI_BY_HAND,
     .put = thudi_put_cell,
     .help = "the periodic axes, all or some; bodies may be anywhere, see docs/periodic.md"},
    {"overlaps", THUDI_A_WORD, THUDI_MEMBER(thud_scene, overlaps), .words = overlap_rules,
     .initial = "refuse",
     .help = "what to do with bodies that overlap at the start: refuse them, or move them apart"},
    {"solver", THUDI_A_PART, .of = &thudi_solver_thing, .otherwise = "`{quality: default}`",
     .flags = THUDI_BY_HAND, .help = "how exactly contacts are solved"},
    {"materials", THUDI_A_MAP, .of = &a_material_map, .otherwise = "none", .flags = THUDI_BY_HAND,
     .put = thudi_put_materials, .help = "what bodies and walls are made of"},
    {"growth", THUDI_A_MAP, .of = &a_growth, .otherwise = "none",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_growths,
     .help = "growths with names: functions of time that radii are multiplied by, see below"},
    {"contacts", THUDI_A_LIST, .of = &a_contact, .otherwise = "inelastic contacts",
     .flags = THUDI_BY_HAND, .put = thudi_put_contacts,
     .help = "what happens where two materials meet, see below"},
    {"walls", THUDI_A_MAP, .of = &a_wall, .otherwise = "none",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_walls,
     .help = "planes, boxes, solids and containers"},
    {"bodies", THUDI_A_LIST, .of = &an_entry, .low = 1, .high = 0,
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_bodies,
     .help = "entries that make bodies; together they make at least one body"},
    {"measure", THUDI_A_MAP, .of = &a_measure, .otherwise = "none",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_measures,
     .help = "what is measured at every step, such as `{force_on: floor}`"},
    {"crowd", THUDI_A_LIST, .of = &a_group, .otherwise = "all bodies want to stand still",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_crowd,
     .help = "groups of bodies, and what they want (order 1)"},
    {"noise", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene, noise), .range = THUDI_NOT_NEGATIVE,
     .initial = "0", .unit = "length/√time", .put = thudi_put_noise,
     .help = "amplitude of the noise in every coordinate (order 1), docs/models.md"},
    {"seed", THUDI_A_WHOLE, .high = THUDI_MOST_WHOLE, .otherwise = "none", .flags = THUDI_BY_HAND,
     .put = thudi_put_seed, .help = "all other seeds follow from it, see below"},
};
const thudi_thing thudi_spheres_thing = {"spheres", THUDI_FIELDS(spheres_fields),
                                         .before = &thudi_common_thing,
                                         .after = &thudi_closing_thing};
