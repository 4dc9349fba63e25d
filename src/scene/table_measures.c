// Tables of measures.
#include "scene/scene_write_parts.h"

static const char *const axes[] = {"x", "y", "z", NULL};
static const char *const all[] = {"all", NULL};

static const thudi_field through_fields[] = {
    {"plane", THUDI_A_PART, .of = &thudi_plane_thing, .flags = THUDI_BY_HAND,
     .hint = "write {plane: {point: [..], normal: [..]}}", .put = thudi_put_measured_plane,
     .help = "the plane that is crossed"},
};
const thudi_thing thudi_through_thing = {"count_through", THUDI_FIELDS(through_fields)};

#define TORQUE_HINT "write {wall: NAME, about: [..]}"
static const thudi_field torque_fields[] = {
    {"wall", THUDI_A_NAME, .of = "a wall", .written = "WALL", .flags = THUDI_BY_HAND,
     .hint = TORQUE_HINT, .put = thudi_put_measured_wall, .help = "the wall that is pushed"},
    {"about", THUDI_A_VARYING, .count = THUDI_DIM, .unit = "length", .hint = TORQUE_HINT,
     THUDI_MEMBER(thud_scene_measure, about), .help = "the point about which it is taken"},
};
const thudi_thing thudi_torque_thing = {"torque_on", THUDI_FIELDS(torque_fields)};

static const thudi_field corner = {.form = THUDI_A_NUMBER, .count = THUDI_DIM, .help = "a corner"};
static const thudi_field flow_fields[] = {
    {"polygon", THUDI_A_LIST, .of = &corner, .written = "`[[..], [..], ..]`", .low = 2,
     .high = 1000, .unit = "length", .flags = THUDI_BY_HAND,
     .hint = "write {polygon: [[..], [..], ..]}", .put = thudi_put_polygon,
     .help = "corners around a convex polygon in one plane, in 2D the ends of a segment"},
};
const thudi_thing thudi_flow_thing = {"flow_through", THUDI_FIELDS(flow_fields)};

#define BOX_FIELD                                                                                  \
    {                                                                                              \
        "box", THUDI_A_BOX, .unit = "length", .flags = THUDI_BY_HAND,                              \
                            .hint = "write {box: [[low..], [high..]]}",                            \
                            .put = thudi_put_measured_box, .help = "where to look"                 \
    }
#define PROFILE_HINT "write {box: [[low..], [high..]], axis: z, bins: 10}"
static const thudi_field profile_fields[] = {
    BOX_FIELD,
    {"axis", THUDI_A_WORD, .words = axes, .flags = THUDI_BY_HAND,
     THUDI_MEMBER(thud_scene_measure, axis),
     .help = "the slabs are across this axis; in 2D `x` or `y`"},
    {"bins", THUDI_A_WHOLE, THUDI_MEMBER(thud_scene_measure, bins), .low = 1, .high = 1000,
     .hint = PROFILE_HINT, .help = "how many slabs, equally thick"},
};
const thudi_thing thudi_profile_thing = {"pressure_profile", THUDI_FIELDS(profile_fields)};

static const thudi_field box_fields[] = {BOX_FIELD};
const thudi_thing thudi_box_thing = {"box", THUDI_FIELDS(box_fields)};

static const thudi_field of_fields[] = {
    {"material", THUDI_A_NAME, .of = "a material", .flags = THUDI_BY_HAND,
     .hint = "write {material: NAME}", .put = thudi_put_measured_material,
     .help = "all bodies of this material"},
};
const thudi_thing thudi_of_thing = {"of", THUDI_FIELDS(of_fields)};

static const char *const values[] = {"reaches", "falls_to", NULL};
static const thudi_field when_fields[] = {
    {"column", THUDI_A_LINE, .flags = THUDI_BY_HAND, .hint = "write {column: NAME, reaches: VALUE}",
     THUDI_MEMBER(thud_scene_measure, column),
     .help = "full name of a column of `series.csv`, such as `door.count` or `kinetic`; no other "
             "`time_when`"},
    {"reaches", THUDI_A_NUMBER, .otherwise = "this or `falls_to`", .flags = THUDI_BY_HAND,
     .put = thudi_put_reached, .help = "the value that it is first at least"},
    {"falls_to", THUDI_A_NUMBER, .otherwise = "this or `reaches`", .flags = THUDI_BY_HAND,
     .put = thudi_put_reached, .help = "the value that it is first at most"},
};
const thudi_thing thudi_when_thing = {"time_when", THUDI_FIELDS(when_fields), .one_of = values};

static const thudi_field coordination_forms[] = {
    {.form = THUDI_A_WORD, .words = all, .help = "all bodies"},
    {.form = THUDI_A_PART, .of = &thudi_box_thing, .help = "those in a box"},
    {.help = NULL},
};
static const thudi_field body_forms[] = {
    {.form = THUDI_A_NAME, .of = "a body", .written = "BODY", .help = "a body, or `all`"},
    {.form = THUDI_A_PART, .of = &thudi_of_thing, .help = "those of a material"},
    {.help = NULL},
};

#define MEASURE .otherwise = "one measure", .flags = THUDI_BY_HAND, .put = thudi_put_measure
#define OF THUDI_ONE_OF, .of = body_forms, MEASURE
#define TIME_WHEN                                                                                  \
    {                                                                                              \
        "time_when", THUDI_A_PART,                                                                 \
            .of = &thudi_when_thing, MEASURE, .unit = "time",                                      \
            .help = "column NAME: when another column first reaches a value, `nan` before"         \
    }
static const thudi_field measure_fields[] = {
    {"force_on", THUDI_A_NAME, .of = "a wall", .written = "WALL", MEASURE, .unit = "force",
     .help = "columns NAME.x, NAME.y, NAME.z: the force of the bodies on the wall (a weight on a "
             "floor is negative in z)"},
    {"count_through", THUDI_A_PART, .of = &thudi_through_thing, MEASURE,
     .help = "column NAME: centres that have crossed the plane along its normal, less those that "
             "came back"},
    {"torque_on", THUDI_A_PART, .of = &thudi_torque_thing, MEASURE, .unit = "force·length",
     .help = "columns NAME.x, NAME.y, NAME.z, in 2D NAME.z alone: the torque of the forces on a "
             "wall about a point"},
    {"flow_through", THUDI_A_PART, .of = &thudi_flow_thing, MEASURE,
     .help = "columns NAME.count and NAME.mass of the centres that have crossed the polygon, less "
             "those that came back"},
    {"pressure_profile", THUDI_A_PART, .of = &thudi_profile_thing, MEASURE, .unit = "pressure",
     .help = "columns NAME.0, NAME.1 ...: the pressure in equally thick slabs of a box, from low "
             "to high"},
    {"stress", THUDI_A_PART, .of = &thudi_box_thing, MEASURE, .unit = "pressure",
     .help = "columns NAME.pressure, NAME.xx, NAME.yy, NAME.zz, NAME.xy, NAME.xz, NAME.yz (2D: "
             "pressure, xx, yy, xy): the stress of contacts in a box; the pressure is its trace "
             "divided by `dim`"},
    {"packing_fraction", THUDI_A_PART, .of = &thudi_box_thing, MEASURE,
     .help = "column NAME: the volume (2D: area) of the bodies within a box, divided by that of "
             "the box"},
    {"coordination", THUDI_ONE_OF, .of = coordination_forms, MEASURE,
     .help = "columns NAME.mean: the mean number of contacts that carry load, walls included, "
             "over all bodies whose centre is in the box; NAME.loaded: the same over bodies with "
             "at least one; NAME.rattlers: how many bodies have none"},
    {"position_of", OF, .unit = "length",
     .help = "columns NAME.x, NAME.y, NAME.z: where the centre of a body is"},
    {"velocity_of", OF, .unit = "length/time",
     .help = "columns NAME.x, NAME.y, NAME.z: the velocity of a body"},
    {"speed_of", OF, .unit = "length/time", .help = "column NAME: the length of its velocity"},
    {"height_of", OF, .unit = "length",
     .help = "column NAME: how high its centre is above the origin"},
    {"kinetic_energy_of", OF, .unit = "energy",
     .help = "column NAME for one body; for several NAME.bodies, the sum of their energies, and "
             "NAME.center, the energy of their total mass at the velocity of the centre of mass"},
    TIME_WHEN,
};
const thudi_thing thudi_measure_thing = {"measures", THUDI_FIELDS(measure_fields),
                                         .has_one_key = true};

static const thudi_field column_fields[] = {TIME_WHEN};
const thudi_thing thudi_column_measure_thing = {"measures", THUDI_FIELDS(column_fields),
                                                .has_one_key = true};
