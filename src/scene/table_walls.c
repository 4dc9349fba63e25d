// Tables of walls: planes, boxes, solids, containers.
#include "scene/scene_write_parts.h"

#define PLANE_HINT "write a plane as {point: [..], normal: [..]}"
static const thudi_field plane_fields[] = {
    {"point", THUDI_A_VARYING, .count = THUDI_DIM, .unit = "length", .hint = PLANE_HINT,
     THUDI_MEMBER(thud_scene_plane, point), .help = "a point of the plane"},
    {"normal", THUDI_A_VARYING, .count = THUDI_DIM, .hint = PLANE_HINT,
     THUDI_MEMBER(thud_scene_plane, normal),
     .help = "points to the free side, and need not be a unit vector"},
};
const thudi_thing thudi_plane_thing = {"plane", THUDI_FIELDS(plane_fields)};

#define POINT(k) (offsetof(thud_solid_def, points) + (k) * sizeof(double[3]))
static const thudi_field round_fields[] = {
    {"center", THUDI_A_NUMBER, .offset = POINT(0), .count = THUDI_DIM, .unit = "length",
     .help = "its centre"},
    {"radius", THUDI_A_NUMBER, THUDI_MEMBER(thud_solid_def, radius), .range = THUDI_POSITIVE,
     .unit = "length", .help = "its radius"},
};
const thudi_thing thudi_round_thing = {"round", THUDI_FIELDS(round_fields)};

static const thudi_field capsule_fields[] = {
    {"from", THUDI_A_NUMBER, .offset = POINT(0), .count = THUDI_DIM, .unit = "length",
     .help = "one end of the segment"},
    {"to", THUDI_A_NUMBER, .offset = POINT(1), .count = THUDI_DIM, .unit = "length",
     .help = "the other end"},
    {"radius", THUDI_A_NUMBER, THUDI_MEMBER(thud_solid_def, radius), .range = THUDI_NOT_NEGATIVE,
     .unit = "length", .help = "all points within this distance of the segment belong to it"},
};
const thudi_thing thudi_capsule_thing = {"capsule", THUDI_FIELDS(capsule_fields)};

#define CYLINDER_FIELDS                                                                            \
    {"from",                                                                                       \
     THUDI_A_NUMBER,                                                                               \
     .offset = POINT(0),                                                                           \
     .count = THUDI_DIM,                                                                           \
     .unit = "length",                                                                             \
     .help = "centre of one end"},                                                                 \
        {"to",                                                                                     \
         THUDI_A_NUMBER,                                                                           \
         .offset = POINT(1),                                                                       \
         .count = THUDI_DIM,                                                                       \
         .unit = "length",                                                                         \
         .help = "centre of the other end"},                                                       \
    {                                                                                              \
        "radius", THUDI_A_NUMBER, THUDI_MEMBER(thud_solid_def, radius),                            \
            .range = THUDI_POSITIVE, .unit = "length", .help = "its radius"                        \
    }
static const thudi_field cylinder_fields[] = {CYLINDER_FIELDS};
const thudi_thing thudi_cylinder_thing = {"cylinder", THUDI_FIELDS(cylinder_fields)};

static const thudi_field drum_fields[] = {
    CYLINDER_FIELDS,
    {"open", THUDI_A_FLAG, THUDI_MEMBER(thud_solid_def, is_open), .initial = "false",
     .help = "`true` makes it endless in both directions"},
};
const thudi_thing thudi_drum_thing = {"drum", THUDI_FIELDS(drum_fields)};

static const thudi_field cone_fields[] = {
    {"apex", THUDI_A_NUMBER, .offset = POINT(0), .count = THUDI_DIM, .unit = "length",
     .help = "its tip"},
    {"lid", THUDI_A_NUMBER, .offset = POINT(1), .count = THUDI_DIM, .unit = "length",
     .help = "centre of its lid"},
    {"radius", THUDI_A_NUMBER, THUDI_MEMBER(thud_solid_def, radius), .range = THUDI_POSITIVE,
     .unit = "length", .help = "at the lid"},
    {"open", THUDI_A_FLAG, THUDI_MEMBER(thud_solid_def, is_open), .initial = "false",
     .help = "`true` leaves out the lid, and the cone goes on without end"},
};
const thudi_thing thudi_cone_thing = {"cone", THUDI_FIELDS(cone_fields)};

static const thudi_field mesh_fields[] = {
    {"file", THUDI_A_LINE, .flags = THUDI_BY_HAND, .put = thudi_put_mesh_file,
     .help = "an STL file, binary or ASCII, within the folder of the scene"},
    {"scale", THUDI_A_NUMBER, THUDI_MEMBER(thudi_obstacle_entry, scale), .range = THUDI_POSITIVE,
     .initial = "1", .put = thudi_put_mesh_scale,
     .help = "all coordinates of the file are multiplied by it"},
    {"first", THUDI_A_WHOLE, .initial = "0", .flags = THUDI_BY_HAND, .put = thudi_put_mesh_first,
     .help = "the first triangle of the file that is used, from 0"},
    {"count", THUDI_A_WHOLE, .low = 1, .high = THUD_SCENE_TRIANGLES,
     .otherwise = "all from the first on", .flags = THUDI_BY_HAND, .put = thudi_put_mesh_count,
     .help = "how many are used"},
};
const thudi_thing thudi_mesh_thing = {"mesh", THUDI_FIELDS(mesh_fields)};

static const thudi_field hopper_fields[] = {
    {"outlet", THUDI_A_NUMBER, THUDI_MEMBER(thudi_hopper, outlet), .range = THUDI_POSITIVE,
     .unit = "length", .help = "radius of the circle inscribed in the outlet, at height 0"},
    {"top", THUDI_A_NUMBER, THUDI_MEMBER(thudi_hopper, top), .range = THUDI_POSITIVE,
     .unit = "length", .help = "the same at the top of the funnel; larger than the outlet"},
    {"height", THUDI_A_NUMBER, THUDI_MEMBER(thudi_hopper, height), .range = THUDI_NOT_NEGATIVE,
     .unit = "length", .help = "of the funnel"},
    {"bin", THUDI_A_NUMBER, THUDI_MEMBER(thudi_hopper, bin), .range = THUDI_NOT_NEGATIVE,
     .initial = "0", .unit = "length", .help = "height of the bin on top of the funnel"},
    {"sides", THUDI_A_WHOLE, THUDI_MEMBER(thudi_hopper, sides), .low = 3, .high = 1000,
     .initial = "24", .help = "number of flat sides; in 2D there are two"},
};
const thudi_thing thudi_hopper_thing = {"hopper", THUDI_FIELDS(hopper_fields)};

static const thudi_field corner = {.form = THUDI_A_NUMBER, .count = THUDI_DIM, .help = "a corner"};

static const thudi_field rotation_forms[] = {
    {.form = THUDI_A_VARYING, .count = 3, .help = "axis times angle"},
    {.form = THUDI_A_VARYING, .help = "in 2D: the angle"},
    {.help = NULL},
};

static const char *const shows[] = {"solid", "outline", "hidden", NULL}; // by thud_wall_show

#define SHAPE .otherwise = "one shape", .flags = THUDI_BY_HAND, .put = thudi_put_shape
static const char *const shapes[] = {"plane",
#define WALL_WORD(name, word, solid, flat) word,
                                     THUDI_OBSTACLE_LIST(WALL_WORD)
#undef WALL_WORD
                                         NULL};
// The shapes are in the order of the words above; test_tables proves it.
static const thudi_field wall_fields[] = {
    {"plane", THUDI_A_PART, .of = &thudi_plane_thing, .otherwise = "one shape",
     .flags = THUDI_BY_HAND, .put = thudi_put_plane,
     .help = "a half space; its point and normal may be *of t*"},
    {"solid_box", THUDI_A_BOX, SHAPE, .unit = "length", .help = "a box, seen from outside"},
    {"ball", THUDI_A_PART, .of = &thudi_round_thing, SHAPE, .help = "a ball, seen from outside"},
    {"capsule", THUDI_A_PART, .of = &thudi_capsule_thing, SHAPE,
     .help = "all points near a segment, seen from outside"},
    {"cylinder", THUDI_A_PART, .of = &thudi_cylinder_thing, SHAPE,
     .help = "a cylinder, seen from outside; not in 2D"},
    {"triangle", THUDI_A_LIST, .of = &corner, .written = "`[[..], [..], [..]]`", .low = 3,
     .high = 3, SHAPE, .unit = "length", .help = "its three corners; thin, both sides free"},
    {"mesh", THUDI_A_PART, .of = &thudi_mesh_thing, SHAPE,
     .help = "triangles of an STL file; not in 2D"},
    {"hopper", THUDI_A_PART, .of = &thudi_hopper_thing, SHAPE,
     .help = "a funnel of flat sides about the z axis (in 2D the y axis), and on it a bin"},
    {"box", THUDI_A_BOX, SHAPE, .unit = "length",
     .help = "the inside of a box: walls NAME.x-low, NAME.x-high, NAME.y-low ... With `position` "
             "or `rotation` it is a single wall, NAME, that moves as a whole"},
    {"drum", THUDI_A_PART, .of = &thudi_drum_thing, SHAPE,
     .help = "the inside of a cylinder; not in 2D"},
    {"cone", THUDI_A_PART, .of = &thudi_cone_thing, SHAPE,
     .help = "the inside of a cone; not in 2D"},
    {"shell", THUDI_A_PART, .of = &thudi_round_thing, SHAPE, .help = "the inside of a ball"},
    {"material", THUDI_A_NAME, .of = "a material",
     .otherwise = "the only one, if there is just one, else none", .flags = THUDI_BY_HAND,
     .put = thudi_put_wall_material, .help = "what the wall is made of, for `contacts`"},
    {"position", THUDI_A_VARYING, .count = THUDI_DIM, .otherwise = "zeros", .unit = "length",
     .flags = THUDI_BY_HAND, .put = thudi_put_position,
     .help = "where the frame of a solid or container is"},
    {"rotation", THUDI_ONE_OF, .of = rotation_forms, .otherwise = "zeros", .unit = "radian",
     .flags = THUDI_BY_HAND, .put = thudi_put_rotation,
     .help = "axis times angle, about the origin of its frame; any number of turns; in 2D one "
             "number"},
    {"show", THUDI_A_WORD, THUDI_MEMBER(thudi_wall_entry, show), .words = shows, .initial = "solid",
     .help = "how `thud render` and the page draw it: `outline` draws its lines alone, `hidden` "
             "nothing; bodies meet it in any case"},
};
const thudi_thing thudi_wall_thing = {"walls", THUDI_FIELDS(wall_fields), .one_of = shapes};
