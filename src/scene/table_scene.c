// Tables of what every scene has: version, title, units, parameters, times.
#include "scene/scene_write_parts.h"

static const char *const kinds[] = {"spheres", "inclusion", NULL};
static const char *const records[] = {"frames", "all", NULL};
static const char *const automatic[] = {"auto", NULL};

static const thudi_field a_line = {.form = THUDI_A_LINE, .help = "a file"};
static const thudi_field a_number = {.form = THUDI_A_NUMBER, .help = "a number"};
static const thudi_field files[] = {
    {.form = THUDI_A_LINE, .help = "a file"},
    {.form = THUDI_A_LIST, .of = &a_line, .help = "files"},
    {.help = NULL},
};

static const thudi_field unit_fields[] = {
    {"length", THUDI_A_LINE, THUDI_MEMBER(thud_scene, unit_length), .initial = "",
     .help = "label of the unit of length, such as `m` or `mm`"},
    {"time", THUDI_A_LINE, THUDI_MEMBER(thud_scene, unit_time), .initial = "",
     .help = "label of the unit of time, such as `s`"},
    {"mass", THUDI_A_LINE, THUDI_MEMBER(thud_scene, unit_mass), .initial = "",
     .help = "label of the unit of mass, such as `kg`"},
};
const thudi_thing thudi_units_thing = {"units", THUDI_FIELDS(unit_fields)};

static const thudi_field time_fields[] = {
    {"start", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene, start), .initial = "0", .unit = "time",
     .help = "when the run begins"},
    {"step", THUDI_A_NUMBER, .range = THUDI_POSITIVE, .words = automatic,
     .otherwise = "`auto` for spheres, else required", .unit = "time", .flags = THUDI_BY_HAND,
     .put = thudi_put_step,
     .help = "the step, not longer than the run. `auto` (spheres) is 0.1 √(r/g), with the smallest "
             "radius r and the gravity g at the start, shortened so that it divides the run. "
             "docs/accuracy.md says how short a step must be"},
    {"end", THUDI_A_NUMBER, THUDI_MEMBER(thud_scene, end), .unit = "time",
     .hint = "write when the run ends, such as 'end: 1'",
     .help = "when the run ends, after the start: at the first step that reaches it. If `step` "
             "does not divide the run it ends later, and `thud check` says so"},
    {"frames", THUDI_A_WHOLE, THUDI_MEMBER(thud_scene, frames), .low = 1, .high = 1000000,
     .initial = "100",
     .help = "number of output times, equally spaced, the last at the end. The step that reaches "
             "an output time is recorded, so frames lie on steps"},
};
const thudi_thing thudi_time_thing = {"time", THUDI_FIELDS(time_fields)};

static const thudi_field common_fields[] = {
    {"thud", THUDI_A_WHOLE, .low = 1, .high = 1, .written = "`1`", .flags = THUDI_BY_HAND,
     .put = thudi_put_version, .help = "the version of this format"},
    {"title", THUDI_A_LINE, .otherwise = "the file's name without `.yaml`", .flags = THUDI_BY_HAND,
     THUDI_MEMBER(thud_scene, title), .help = "what the scene is called"},
    {"about", THUDI_A_TEXT, THUDI_MEMBER(thud_scene, about), .initial = "",
     .help = "what the scene shows"},
    {"kind", THUDI_A_WORD, .words = kinds, .flags = THUDI_BY_HAND, THUDI_MEMBER(thud_scene, kind),
     .help = "spheres and disks, or your own equations of motion"},
    {"units", THUDI_A_PART, .of = &thudi_units_thing, .otherwise = "empty", .flags = THUDI_BY_HAND,
     .help = "labels only, nothing is converted. Thud warns if they do not fit a gravity of 9.81, "
             "see below"},
    {"parameters", THUDI_A_MAP, .of = &a_number, .written = "map of names to numbers",
     .otherwise = "none", .flags = THUDI_BY_HAND, .put = thudi_put_parameters,
     .help = "constants that expressions may use, at most 10,000. A later one may use earlier "
             "ones. Every parameter must be used, see below"},
    {"time", THUDI_A_PART, .of = &thudi_time_thing, .flags = THUDI_BY_HAND, .put = thudi_put_time,
     .help = "when the run begins and ends, and its step"},
    {"record", THUDI_A_FLAG, THUDI_MEMBER(thud_scene, record_all), .words = records,
     .initial = "frames", .help = "what is kept: the steps at output times, or every step"},
    {"checkpoints", THUDI_A_WHOLE, THUDI_MEMBER(thud_scene, checkpoints), .low = 0, .high = 1000000,
     .initial = "20",
     .help = "how many are written during the run, each at an output time. One is always written "
             "at the end, and when the run is stopped"},
};
const thudi_thing thudi_common_thing = {"both", THUDI_FIELDS(common_fields)};

static const thudi_field closing_fields[] = {
    {"resolved", THUDI_A_FLAG, .initial = "false", .flags = THUDI_BY_HAND,
     .put = thudi_put_resolved,
     .help = "`true` in scenes that Thud has written: their parameters need not be used, because "
             "numbers are already filled in"},
    {"include", THUDI_ONE_OF, .of = files, .written = "a file or a list of files",
     .otherwise = "none", .flags = THUDI_BY_HAND, .put = thudi_put_nothing,
     .help = "their keys are added; they are within the folder of the file that names them, see "
             "below"},
};
const thudi_thing thudi_closing_thing = {"both", THUDI_FIELDS(closing_fields)};
