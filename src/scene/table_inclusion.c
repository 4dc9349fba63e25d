// Tables of scenes of kind inclusion: coordinates, forces, constraints.
#include "scene/scene_write_parts.h"

#include "core/whole.h"

static const thudi_field coordinate_fields[] = {
    {"start", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene_coordinate, start),
     .hint = "give its value at the start", .help = "its value at the start"},
    {"velocity", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene_coordinate, velocity), .initial = "0",
     .flags = THUDI_BY_HAND | THUDI_ORDER_2, .help = "its velocity at the start (order 2)"},
    {"mass", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene_coordinate, mass), .range = THUDI_POSITIVE,
     .initial = "1", .help = "its mass"},
};
const thudi_thing thudi_coordinate_thing = {"coordinate", THUDI_FIELDS(coordinate_fields)};

static const thudi_field constraint_fields[] = {
    {"gap", THUDI_A_FUNCTION, .flags = THUDI_BY_HAND,
     .hint = "give the expression that must stay >= 0", THUDI_MEMBER(thud_scene_constraint, gap),
     .help = "must stay >= 0"},
    {"shift", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene_constraint, shift),
     .range = THUDI_NOT_NEGATIVE, .otherwise = "`solver.shift`",
     .help = "it is kept this much above 0"},
};
const thudi_thing thudi_constraint_thing = {"constraint", THUDI_FIELDS(constraint_fields),
                                            .make = thudi_make_constraint_field};

static const thudi_field piece_fields[] = {
    {"until", THUDI_A_NUMBER, .otherwise = "required but in the last piece", .unit = "time",
     .flags = THUDI_BY_HAND, .put = thudi_put_until, .help = "when the next piece begins"},
    {"q", THUDI_A_VARYING, .hint = "give the coordinate as a function of t",
     THUDI_MEMBER(thud_scene_piece, q), .help = "the coordinate"},
    {"u", THUDI_A_VARYING, .otherwise = "the derivative of q", THUDI_MEMBER(thud_scene_piece, u),
     .put = thudi_put_given, .help = "its velocity"},
};
const thudi_thing thudi_piece_thing = {"piece", THUDI_FIELDS(piece_fields)};

static const thudi_field smooth_fields[] = {
    {"gap_tt", THUDI_A_NUMBER, THUDI_MEMBER(thud_smoothness, gap_tt), .range = THUDI_NOT_NEGATIVE,
     .otherwise = "exact where all constraints are affine in t, else unknown",
     .put = thudi_put_known, .help = "bound of the second time derivative of every constraint"},
    {"gap_tq", THUDI_A_NUMBER, THUDI_MEMBER(thud_smoothness, gap_tq), .range = THUDI_NOT_NEGATIVE,
     .otherwise = "exact where all constraints are affine in t, else unknown",
     .put = thudi_put_known, .help = "bound of the first time derivative of its gradient"},
};
const thudi_thing thudi_smooth_thing = {"smooth", THUDI_FIELDS(smooth_fields)};

static const thudi_field shift_fields[] = {
    {"shift", THUDI_A_NUMBER, .range = THUDI_NOT_NEGATIVE, .initial = "0", .put = thudi_put_nothing,
     .help = "constraints are kept this much above 0"},
};
const thudi_thing thudi_shift_thing = {"solver", THUDI_FIELDS(shift_fields)};

static const thudi_field a_coordinate = {
    .form = THUDI_A_PART, .of = &thudi_coordinate_thing, .help = "a coordinate"};
static const thudi_field a_function = {.form = THUDI_A_FUNCTION, .help = "a function"};
static const thudi_field a_time = {.form = THUDI_A_NUMBER, .help = "a time"};
static const thudi_field constraint_forms[] = {
    {.form = THUDI_A_FUNCTION, .help = "its gap"},
    {.form = THUDI_A_PART, .of = &thudi_constraint_thing, .help = "a constraint"},
    {.help = NULL},
};
static const thudi_field a_constraint = {
    .form = THUDI_ONE_OF, .of = constraint_forms, .help = "a constraint"};
static const thudi_field a_piece = {
    .form = THUDI_A_PART, .of = &thudi_piece_thing, .help = "a piece"};
static const thudi_field exact_forms[] = {
    {.form = THUDI_A_PART, .of = &thudi_piece_thing, .help = "one formula"},
    {.form = THUDI_A_LIST, .of = &a_piece, .low = 1, .high = 10000, .help = "pieces"},
    {.help = NULL},
};
static const thudi_field an_exact = {
    .form = THUDI_ONE_OF, .of = exact_forms, .help = "an exact solution"};
static const thudi_field a_measure = {
    .form = THUDI_A_PART, .of = &thudi_column_measure_thing, .help = "a measure"};

static const thudi_field inclusion_fields[] = {
    {"order", THUDI_A_WHOLE, .low = 1, .high = 2, .initial = "2",
     .flags = THUDI_BY_HAND | THUDI_APART, .put = thudi_put_order,
     .help = "of the equation: 1 for a sweeping process"},
    {"coordinates", THUDI_A_MAP, .of = &a_coordinate, .flags = THUDI_BY_HAND,
     .put = thudi_put_coordinates, .help = "what moves, at most 10,000, in the order of the file"},
    {"force", THUDI_A_MAP, .of = &a_function, .otherwise = "0",
     .flags = THUDI_BY_HAND | THUDI_ORDER_2, THUDI_MEMBER(thud_scene_coordinate, force),
     .put = thudi_put_forces, .help = "the forces on coordinates, by name (order 2)"},
    {"velocity", THUDI_A_MAP, .of = &a_function, .otherwise = "0",
     .flags = THUDI_BY_HAND | THUDI_ORDER_1, THUDI_MEMBER(thud_scene_coordinate, force),
     .put = thudi_put_forces, .help = "the wanted velocities of coordinates, by name (order 1)"},
    {"impulse", THUDI_A_MAP, .of = &a_function, .otherwise = "none", .flags = THUDI_BY_HAND,
     THUDI_MEMBER(thud_scene_coordinate, impulse), .put = thudi_put_forces,
     .help = "antiderivatives in t of the forces (or wanted velocities), for those that are hard "
             "to integrate. If one coordinate with a force has an impulse, all must have one"},
    {"breaks", THUDI_A_LIST, .of = &a_time, .written = "list of numbers", .otherwise = "none",
     .unit = "time", .flags = THUDI_BY_HAND | THUDI_APART, .put = thudi_put_breaks,
     .help = "increasing times where the force jumps or is singular"},
    {"drag", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene, drag), .range = THUDI_NOT_NEGATIVE,
     .initial = "0", .unit = "1/time", .flags = THUDI_ORDER_2,
     .help = "a force -drag · mass · velocity (order 2)"},
    {"constraints", THUDI_A_MAP, .of = &a_constraint, .otherwise = "none", .flags = THUDI_BY_HAND,
     .put = thudi_put_constraints,
     .help = "functions that must stay >= 0 and be convex in the coordinates"},
    {"solver", THUDI_A_PART, .of = &thudi_shift_thing, .otherwise = "no shift",
     .flags = THUDI_BY_HAND, .put = thudi_put_nothing, .help = "how far constraints are kept open"},
    {"smooth", THUDI_A_PART, .of = &thudi_smooth_thing, .otherwise = "none", .flags = THUDI_BY_HAND,
     .put = thudi_put_smooth,
     .help = "bounds of derivatives. With them each step bounds how far a constraint can be "
             "violated within it"},
    {"noise", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene, noise), .range = THUDI_NOT_NEGATIVE,
     .initial = "0", .put = thudi_put_noise,
     .help = "amplitude of the noise in every coordinate (order 1), docs/models.md"},
    {"seed", THUDI_A_WHOLE, .high = THUDI_MOST_WHOLE, .initial = "1", .flags = THUDI_BY_HAND,
     .put = thudi_put_seed, .help = "of the noise (order 1): another one makes another path"},
    {"measure", THUDI_A_MAP, .of = &a_measure, .otherwise = "none",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_measures,
     .help = "`time_when` alone, see the measures of spheres"},
    {"exact", THUDI_A_MAP, .of = &an_exact,
     .written = "map of names to `{until, q, u}` or lists of them", .otherwise = "none",
     .flags = THUDI_BY_HAND, .put = thudi_put_exact,
     .help = "the solution of each coordinate, if it is known, as one formula or as a list of "
             "pieces. Give it for all coordinates or none. Runs ignore it; `thud converge` "
             "compares with it"},
};
const thudi_thing thudi_inclusion_thing = {"inclusion", THUDI_FIELDS(inclusion_fields),
                                           .before = &thudi_common_thing,
                                           .after = &thudi_closing_thing};
