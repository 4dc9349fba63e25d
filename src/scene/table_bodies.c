// Tables of the entries of `bodies`, and of distributions of radii and speeds.
#include "scene/scene_write_parts.h"

#include "core/whole.h"

#define LIMIT_HINT "give a limit; radii beyond it are drawn again"
static const thudi_field normal_fields[] = {
    {"mean", THUDI_A_NUMBER, THUDI_MEMBER(thudi_distribution, a), .range = THUDI_POSITIVE,
     .help = "mean of the normal distribution"},
    {"deviation", THUDI_A_NUMBER, THUDI_MEMBER(thudi_distribution, b), .range = THUDI_POSITIVE,
     .help = "its standard deviation"},
    {"min", THUDI_A_NUMBER, THUDI_MEMBER(thudi_distribution, min), .range = THUDI_POSITIVE,
     .hint = LIMIT_HINT, .help = "smaller values are drawn again"},
    {"max", THUDI_A_NUMBER, THUDI_MEMBER(thudi_distribution, max), .range = THUDI_POSITIVE,
     .hint = LIMIT_HINT, .help = "larger values are drawn again"},
};
const thudi_thing thudi_normal_thing = {"normal", THUDI_FIELDS(normal_fields)};

static const thudi_field lognormal_fields[] = {
    {"median", THUDI_A_NUMBER, THUDI_MEMBER(thudi_distribution, a), .range = THUDI_POSITIVE,
     .help = "median of the lognormal distribution"},
    {"sigma", THUDI_A_NUMBER, THUDI_MEMBER(thudi_distribution, b), .range = THUDI_POSITIVE,
     .help = "standard deviation of the logarithm"},
    {"min", THUDI_A_NUMBER, THUDI_MEMBER(thudi_distribution, min), .range = THUDI_POSITIVE,
     .hint = LIMIT_HINT, .help = "smaller values are drawn again"},
    {"max", THUDI_A_NUMBER, THUDI_MEMBER(thudi_distribution, max), .range = THUDI_POSITIVE,
     .hint = LIMIT_HINT, .help = "larger values are drawn again"},
};
const thudi_thing thudi_lognormal_thing = {"lognormal", THUDI_FIELDS(lognormal_fields)};

static const thudi_field a_choice = {
    .form = THUDI_A_NUMBER, .range = THUDI_POSITIVE, .help = "a value"};
static const thudi_field law_fields[] = {
    {"uniform", THUDI_A_NUMBER, .range = THUDI_POSITIVE, .count = 2, .otherwise = "one of these",
     .flags = THUDI_BY_HAND, .put = thudi_put_distribution_key,
     .help = "all values from the first to the second are equally likely"},
    {"normal", THUDI_A_PART, .of = &thudi_normal_thing, .otherwise = "one of these",
     .flags = THUDI_BY_HAND, .put = thudi_put_distribution_key,
     .help = "a normal distribution, cut off"},
    {"lognormal", THUDI_A_PART, .of = &thudi_lognormal_thing, .otherwise = "one of these",
     .flags = THUDI_BY_HAND, .put = thudi_put_distribution_key,
     .help = "a lognormal distribution, cut off"},
    {"choices", THUDI_A_LIST, .of = &a_choice, .written = "list of numbers > 0", .low = 1,
     .otherwise = "one of these", .flags = THUDI_BY_HAND, .put = thudi_put_distribution_key,
     .help = "each of them is equally likely"},
};
const thudi_thing thudi_law_thing = {"distribution", THUDI_FIELDS(law_fields), .has_one_key = true};
const thudi_field thudi_law_forms[] = {
    {.form = THUDI_A_NUMBER, .range = THUDI_POSITIVE, .help = "the same for all"},
    {.form = THUDI_A_PART, .of = &thudi_law_thing, .help = "a distribution"},
    {.help = NULL},
};

#define BALL_HINT "write a ball as {center: [..], radius: R}"
static const thudi_field ball_fields[] = {
    {"center", THUDI_A_NUMBER, THUDI_MEMBER(thudi_region, center), .count = THUDI_DIM,
     .unit = "length", .hint = BALL_HINT, .help = "its centre"},
    {"radius", THUDI_A_NUMBER, THUDI_MEMBER(thudi_region, radius), .range = THUDI_POSITIVE,
     .unit = "length", .hint = BALL_HINT, .help = "its radius"},
};
const thudi_thing thudi_ball_thing = {"ball", THUDI_FIELDS(ball_fields)};

static const thudi_field region_fields[] = {
    {"box", THUDI_A_BOX, .otherwise = "this or `ball`", .unit = "length", .flags = THUDI_BY_HAND,
     .put = thudi_put_region_box, .help = "the inside of a box"},
    {"ball", THUDI_A_PART, .of = &thudi_ball_thing, .otherwise = "this or `box`",
     .flags = THUDI_BY_HAND, .put = thudi_put_region_ball, .help = "the inside of a ball"},
};
const thudi_thing thudi_region_thing = {"region", THUDI_FIELDS(region_fields), .has_one_key = true};

#define MATERIAL_FIELD                                                                             \
    {                                                                                              \
        "material", THUDI_A_NAME,                                                                  \
            .of = "a material", .otherwise = "the only one, if there is just one",                 \
            .flags = THUDI_BY_HAND, .put = thudi_put_matter, .help = "what they are made of"       \
    }
#define MASS_FIELD                                                                                 \
    {                                                                                              \
        "mass", THUDI_A_NUMBER, .range = THUDI_POSITIVE,                                           \
                                .otherwise = "density × volume; order 1 without a density: 1",     \
                                .unit = "mass", .flags = THUDI_BY_HAND,                            \
                                THUDI_MEMBER(thudi_entry, mass), .put = thudi_put_positive,        \
                                .help = "mass of each body, instead of a material"                 \
    }
#define GROWTH_FIELD                                                                               \
    {                                                                                              \
        "growth", THUDI_ONE_OF, .of = thudi_growth_or_name, .otherwise = "the material's, else 1", \
                                .flags = THUDI_BY_HAND | THUDI_SEE_BELOW,                          \
                                .put = thudi_put_entry_growth,                                     \
                                .help = "radii are multiplied by it, instead of the material's"    \
    }

// What lattices and fills have in common.
static const thudi_field made_fields[] = {
    {"radius", THUDI_ONE_OF, .of = thudi_law_forms, .unit = "length",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_radius,
     .help = "of every body; drawn for each if it is a distribution"},
    {"velocity", THUDI_A_NUMBER, .count = THUDI_DIM, .otherwise = "zeros", .unit = "length/time",
     .flags = THUDI_BY_HAND, .put = thudi_put_velocity, .help = "at the start (order 2)"},
    MATERIAL_FIELD,
    MASS_FIELD,
    {"seed", THUDI_A_WHOLE, .high = THUDI_MOST_WHOLE, .otherwise = "follows the top `seed`, else 1",
     .flags = THUDI_BY_HAND, .put = thudi_put_entry_seed,
     .help = "of what is drawn at random; the same bodies on every machine"},
    GROWTH_FIELD,
};
static const thudi_thing made_thing = {"made", THUDI_FIELDS(made_fields)};

static const thudi_field spacing_forms[] = {
    {.form = THUDI_A_NUMBER, .range = THUDI_POSITIVE, .help = "along all axes"},
    {.form = THUDI_A_NUMBER, .range = THUDI_POSITIVE, .count = THUDI_DIM, .help = "along each"},
    {.help = NULL},
};
static const thudi_field lattice_fields[] = {
    {"origin", THUDI_A_NUMBER, THUDI_MEMBER(thudi_entry, lattice.origin), .count = THUDI_DIM,
     .unit = "length", .hint = "give the centre of the first body",
     .help = "centre of the first body"},
    {"count", THUDI_A_WHOLE, .low = 1, .high = THUD_SCENE_BODIES, .count = THUDI_DIM,
     .flags = THUDI_BY_HAND, .put = thudi_put_counts, .help = "number of bodies along each axis"},
    {"spacing", THUDI_ONE_OF, .of = spacing_forms, .unit = "length", .flags = THUDI_BY_HAND,
     .put = thudi_put_spacing, .help = "distance between centres"},
    {"jitter", THUDI_A_NUMBER, THUDI_MEMBER(thudi_entry, lattice.jitter),
     .range = THUDI_NOT_NEGATIVE, .initial = "0", .unit = "length",
     .help = "every centre is moved by up to this along each axis, at random"},
};
const thudi_thing thudi_lattice_thing = {"lattice", THUDI_FIELDS(lattice_fields),
                                         .after = &made_thing};

static const thudi_field fill_fields[] = {
    {"region", THUDI_A_PART, .of = &thudi_region_thing, .flags = THUDI_BY_HAND,
     THUDI_MEMBER(thudi_entry, fill.region),
     .help = "bodies are wholly inside. They may stick out along a periodic axis if the box has "
             "the length of the cell there. The region must be within `cell`"},
    {"count", THUDI_A_WHOLE, THUDI_MEMBER(thudi_entry, fill.count), .low = 1,
     .high = THUD_SCENE_BODIES, .hint = "give the number of bodies", .help = "number of bodies"},
    {"gap", THUDI_A_NUMBER, THUDI_MEMBER(thudi_entry, fill.gap), .range = THUDI_NOT_NEGATIVE,
     .initial = "0", .unit = "length",
     .help = "distance kept between bodies and to the region's border"},
    {"attempts", THUDI_A_WHOLE, THUDI_MEMBER(thudi_entry, fill.attempts), .low = 1, .high = 1000000,
     .initial = "10000", .help = "tries per body before giving up with an error"},
};
const thudi_thing thudi_fill_thing = {"fill", THUDI_FIELDS(fill_fields), .after = &made_thing};

static const thudi_field file_fields[] = {
    {"path", THUDI_A_LINE, .flags = THUDI_BY_HAND, THUDI_MEMBER(thudi_entry, path),
     .help = "CSV or XYZ, by its ending (`.csv`, `.xyz`, `.extxyz`), within the folder of the "
             "scene, also when an included file names it"},
    {"radius", THUDI_A_NUMBER, THUDI_MEMBER(thudi_entry, file_radius), .range = THUDI_POSITIVE,
     .otherwise = "none", .unit = "length", .put = thudi_put_positive,
     .help = "for files without radii"},
    MATERIAL_FIELD,
    MASS_FIELD,
    GROWTH_FIELD,
};
const thudi_thing thudi_file_thing = {"file", THUDI_FIELDS(file_fields)};

static const char *const entry_kinds[] = {"at", "lattice", "fill", "file", NULL};
static const thudi_field entry_fields[] = {
    {"name", THUDI_A_LINE, .otherwise = "none", .flags = THUDI_BY_HAND, .put = thudi_put_body_name,
     .help = "unique name of the body"},
    {"at", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene_body, sphere.center), .count = THUDI_DIM,
     .otherwise = "required for a single body", .unit = "length", .flags = THUDI_BY_HAND,
     .hint = "give the centre, a list of numbers", .put = thudi_put_of_body,
     .help = "centre of the body"},
    {"radius", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene_body, sphere.radius),
     .range = THUDI_POSITIVE, .otherwise = "required for a single body", .unit = "length",
     .flags = THUDI_BY_HAND, .put = thudi_put_of_body, .help = "of the body, before growth"},
    {"velocity", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene_body, sphere.velocity), .count = THUDI_DIM,
     .otherwise = "zeros", .unit = "length/time", .flags = THUDI_BY_HAND, .put = thudi_put_of_body,
     .help = "at the start (order 2)"},
    MATERIAL_FIELD,
    MASS_FIELD,
    {"lattice", THUDI_A_PART, .of = &thudi_lattice_thing, .otherwise = "a single body",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_nothing,
     .help = "bodies on a lattice; the only key of its entry"},
    {"fill", THUDI_A_PART, .of = &thudi_fill_thing, .otherwise = "a single body",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_nothing,
     .help = "bodies placed at random, the largest first, without overlaps; the only key of its "
             "entry"},
    {"file", THUDI_A_PART, .of = &thudi_file_thing, .otherwise = "a single body",
     .flags = THUDI_BY_HAND | THUDI_SEE_BELOW, .put = thudi_put_nothing,
     .help = "bodies of a file; the only key of its entry"},
    GROWTH_FIELD,
};
const thudi_thing thudi_entry_thing = {"bodies", THUDI_FIELDS(entry_fields), .one_of = entry_kinds};
