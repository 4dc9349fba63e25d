/// Scenes: what a text file says of a problem, read, checked and resolved. (library thud_scene)
///
/// The format is described in docs/scenes.md. Reading a scene checks everything that can be checked
/// without building the problem: names, types, ranges, expressions, files. All generators have run:
/// `bodies` lists every body. thud/model.h makes a problem of it.
#ifndef THUD_SCENE_H
#define THUD_SCENE_H

#include "thud/spheres.h"
#include "thud/varying.h"
#include "thud/words.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_scene_kind
{
    THUD_SCENE_SPHERES,
    THUD_SCENE_INCLUSION
} thud_scene_kind;

/// A function of time that radii are multiplied by.
typedef struct thud_scene_growth
{
    const char *name;    ///< of `growth.NAME`, or NULL; those of entries have one
    thud_varying factor; ///< positive
} thud_scene_growth;

typedef struct thud_scene_material
{
    const char *name;
    double density; ///< mass per volume, in two dimensions per area; 0: masses are 1
    const thud_scene_growth *growth; ///< of its bodies, unless they have their own; NULL for 1
    thud_place place;
} thud_scene_material;

/// A contact law and its numbers.
typedef struct thud_scene_law
{
    thud_law law;                     ///< 0 where no number is given
    double numbers[THUD_NUMBERS_MAX]; ///< as many as the law has
} thud_scene_law;

/// What happens where two materials meet; those that are not listed have inelastic contacts.
typedef struct thud_scene_contact
{
    int a, b;            ///< indices of materials, a <= b
    thud_scene_law rule; ///< the scene's law, or 0
    thud_place place;
} thud_scene_contact;

typedef struct thud_scene_body
{
    thud_sphere sphere; ///< at the start of the run; the radius before growth
    int material;       ///< index, or -1 when the mass was given
    const char *name;   ///< or NULL
    const char *origin; ///< the kind of entry that made it: "body", "lattice", "fill", "file"
    const thud_scene_growth *growth; ///< its own or that of its material; NULL for 1
} thud_scene_body;

/// A plane; the side that the normal points to is free.
typedef struct thud_scene_plane
{
    thud_varying point[3], normal[3]; ///< length dim
} thud_scene_plane;

/// How pictures and pages show a wall; bodies meet it in any case.
typedef enum thud_wall_show
{
    THUD_SHOW_SOLID,
    THUD_SHOW_OUTLINE, ///< its lines alone
    THUD_SHOW_HIDDEN
} thud_wall_show;

typedef struct thud_scene_wall
{
    const char *name; ///< of a box: NAME.x-low, NAME.x-high, NAME.y-low ...
    thud_scene_plane plane;
    bool moves;   ///< one of them uses t
    int material; ///< index, or -1 for none
    thud_wall_show show;
    thud_place place;
} thud_scene_wall;

/// What the bodies of a group want (order 1): a velocity by expressions, or the way to a door.
typedef struct thud_scene_group
{
    int material;             ///< index, or -1: all bodies that no other group names
    thud_varying velocity[3]; ///< of (t, own position), times the speed; not given: doors
    /// Segments to be crossed, x and y of both ends each: a person who walks out has the first end
    /// on the right hand, the second on the left.
    const double *doors;
    int door_count;
    double cell; ///< width of the grid on which distances to doors are found
    thud_place place;
} thud_scene_group;

/// The periodic cell, see thud/cell.h; all zero where no axis is periodic.
typedef struct thud_scene_cell
{
    bool is_periodic[3];
    double low[3], high[3];
    thud_varying shear; ///< S; not given: 0
    thud_place place;
} thud_scene_cell;

/// Something rigid that bodies cannot enter, or leave, see thud/solids.h.
typedef struct thud_scene_obstacle
{
    const char *name;
    thud_solid_def solid;     ///< in its own frame; triangles are the scene's
    thud_varying position[3]; ///< length dim
    thud_varying rotation[3]; ///< axis times angle; only the last is given if dim is 2
    bool moves;               ///< one of them uses t
    int material;             ///< index, or -1 for none
    thud_wall_show show;
    thud_place place;
} thud_scene_obstacle;

typedef enum thud_measure_kind
{
    THUD_MEASURE_FORCE_ON,      ///< force of the bodies on a wall, by component
    THUD_MEASURE_COUNT_THROUGH, ///< centres that crossed a plane along its normal, less those back
    THUD_MEASURE_TORQUE_ON,     ///< torque of the bodies on a wall about a point
    THUD_MEASURE_FLOW_THROUGH,  ///< centres that crossed a polygon: their number and mass
    THUD_MEASURE_PRESSURE_PROFILE, ///< mean normal stress of contacts in slabs of a box
    THUD_MEASURE_STRESS,           ///< stress of contacts in a box, by component
    THUD_MEASURE_PACKING_FRACTION, ///< volume of the bodies in a box, as a part of it
    THUD_MEASURE_COORDINATION,     ///< loaded contacts of a body, in the mean
    THUD_MEASURE_POSITION_OF,      ///< of a body, or of the centre of mass of several
    THUD_MEASURE_VELOCITY_OF,
    THUD_MEASURE_SPEED_OF,
    THUD_MEASURE_HEIGHT_OF, ///< along the direction opposite to gravity
    THUD_MEASURE_KINETIC_ENERGY_OF,
    THUD_MEASURE_TIME_WHEN, ///< when another column of the series comes to a value
} thud_measure_kind;

typedef struct thud_scene_measure
{
    const char *name;
    thud_measure_kind kind;
    int first_wall, wall_count; ///< force_on, torque_on: these walls together (a box has several)
    int obstacle;               ///< force_on, torque_on: this obstacle, where wall_count is 0
    thud_scene_plane plane;     ///< count_through
    thud_varying about[3];      ///< torque_on: a point
    const double *corners;      ///< flow_through: dim numbers each, around a convex polygon
    int corner_count;
    double normal[3];       ///< flow_through: unit, the way that counts as positive
    double low[3], high[3]; ///< the others: a box; infinite where coordination is of all bodies
    int axis, bins;         ///< pressure_profile: slabs across this axis, equally thick
    int body;               ///< position_of to kinetic_energy_of: an index, or -1: several bodies
    int material;           ///< those of this material; -1: all
    const char *column;     ///< time_when: the name of a column of the series
    double value;           ///< which it rises to, or falls to
    bool falls;
    thud_place place; ///< time_when: where the column is named
} thud_scene_measure;

typedef struct thud_scene_coordinate
{
    const char *name;
    double start, velocity, mass;
    thud_varying force;   ///< of (t, q); order 1: the wanted velocity
    thud_varying impulse; ///< replaces force: its antiderivative in t
} thud_scene_coordinate;

typedef struct thud_scene_constraint
{
    const char *name;
    thud_varying gap;    ///< g(t, q) >= 0
    double shift;        ///< see thud_row.shift
    thud_scene_law rule; ///< the scene's law, or 0
    thud_place place;
} thud_scene_constraint;

/// The exact solution on one stretch of time, which ends where the next begins.
typedef struct thud_scene_piece
{
    double until;   ///< INFINITY for the last
    thud_varying q; ///< of t
    thud_varying u; ///< of t; not given: the derivative of q
} thud_scene_piece;

typedef struct thud_scene_exact
{
    const thud_scene_piece *pieces;
    int count; ///< at least 1
} thud_scene_exact;

/// A scene. Read the fields; fields of the other kind are zero.
typedef struct thud_scene
{
    const char *file; ///< as given, "-" for a text without a file
    const char *title, *about;
    thud_scene_kind kind;
    const char *unit_length, *unit_time, *unit_mass; ///< labels, "" when not given
    // time
    double start, step, end; ///< step is resolved, never "auto"
    bool step_is_auto;
    int checkpoints; ///< how many over the run, at output times; 0: at the end only
    int frames;      ///< output times, equally spaced from start to end; 0: none but the end
    bool record_all; ///< every step is a frame
    thud_law law;    ///< that of all its contacts; inelastic if none has a number
    // spheres
    int dim;
    const char *quality; ///< "preview", "default", "study" or "custom"
    double tol, tol_a;
    bool tol_is_fixed; ///< tol was given by itself: gaps do not depend on the step
    double drag;
    thud_scene_cell cell;
    thud_overlap_rule overlaps;
    thud_varying gravity[3];
    bool gravity_moves;               ///< one of them uses t
    const thud_scene_growth *growths; ///< those with names
    const thud_scene_material *materials;
    const thud_scene_contact *contacts;
    const thud_scene_body *bodies; ///< ids of the world are indices here
    const thud_scene_wall *walls;
    const thud_scene_obstacle *obstacles;
    const thud_scene_measure *measures;
    int growth_count, material_count, contact_count, body_count, wall_count, obstacle_count,
        measure_count;
    // order 1
    const thud_scene_group *groups;
    int group_count;
    const int *group_of;  ///< by body: its wish, -1 for none; NULL without wishes
    const double *speeds; ///< by body; NULL without wishes
    // both kinds
    thud_order order;
    double noise;  ///< order 1: see thud_inclusion.noise
    uint64_t seed; ///< of the noise
    // inclusion
    const thud_scene_coordinate *coordinates;
    const thud_scene_constraint *constraints;
    const double *breaks;
    int coordinate_count, constraint_count, break_count;
    thud_smoothness smooth;        ///< NAN where not given
    const thud_scene_exact *exact; ///< of every coordinate; NULL: not given
    // overrides
    int set_count;            ///< as in thud_scene_def
    const char *const *added; ///< by override: the key that it added to the scene; NULL: it had it
} thud_scene;

/// Walls and obstacles share one numbering, obstacles after all walls: the name of one.
static inline const char *thud_scene_wall_name(const thud_scene *scene, int number)
{
    return number < scene->wall_count ? scene->walls[number].name
                                      : scene->obstacles[number - scene->wall_count].name;
}

/// Limits, checked before memory is taken. All but the first four can be lowered only here.
enum
{
    THUD_SCENE_FILE_SIZE = 64 << 20, ///< bytes of a scene or of a mesh
    THUD_SCENE_DEPTH = 64,           ///< nested maps and lists
    THUD_SCENE_STRING = 64 << 10,    ///< bytes of a string
    THUD_SCENE_KEYS = 100000,        ///< keys of a map, items of a list
    THUD_SCENE_INCLUDES = 4,         ///< depth of include
    THUD_SCENE_BODIES = 100000000,
    THUD_SCENE_TRIANGLES = 200000, ///< of all meshes together
    THUD_BODY_FILE_SIZE =
        0x7fffffff ///< bytes of a file of bodies; a run writes about 100 bytes per body
};

typedef struct thud_scene_def
{
    const char *path;       ///< of the scene file; NULL: `text` is the scene
    const char *text;       ///< the scene itself when path is NULL
    size_t length;          ///< bytes of text
    const char *name;       ///< what to call `text` in messages; NULL for "-"
    const char *folder;     ///< where files named in `text` are; NULL: it may name none
    const char *const *set; ///< overrides "time.end=2", in order
    int set_count;
    bool no_links; ///< for files in a run directory: the last part of a path must not be a link
    /// 0: seeds are as the scene gives them. Any other number draws another sample: all seeds,
    /// those that are given too, are mixed with it.
    uint64_t sample;
    int body_limit; ///< bodies at most, fewer than THUD_SCENE_BODIES; 0: that many
    bool resolved; ///< for run directories: parameters may stand unused, as with the key `resolved`
    double *bodies_wanted; ///< NULL, or gets how many there are (at least), when beyond the limit
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_scene_def;

/// Read a scene. THUD_ERR_SCENE for what is written in it, THUD_ERR_IO when a file cannot be read,
/// THUD_ERR_LIMIT, THUD_ERR_MEMORY, THUD_ERR_ARGUMENT for a malformed `set` (file "--set").
THUD_API thud_status thud_scene_read(const thud_scene_def *def, thud_scene **out,
                                     thud_fault *fault);
THUD_API void thud_scene_destroy(thud_scene *scene); ///< NULL is allowed

/// How to read the keys of its rows with thud_key_read.
THUD_API thud_key_space thud_scene_keys(const thud_scene *scene);

/// The constraint of an inclusion whose row has this key, -1 for none.
THUD_API int thud_scene_constraint_of(const thud_scene *scene, thud_key key);

/// The factor of a growth at t; 1 for NULL. room: as for thud_varying_at.
static inline double thud_scene_growth_at(const thud_scene_growth *growth, double t, double *room)
{
    return growth ? thud_varying_at(&growth->factor, t, room) : 1;
}

/// What a number of the scene is needed for.
typedef enum thud_varying_use
{
    THUD_VARYING_STEP,    ///< of t and all coordinates: a step cannot be taken without it
    THUD_VARYING_BODY,    ///< of t and the position of one body; a step needs it too
    THUD_VARYING_MEASURE, ///< of t: only the series needs it
    THUD_VARYING_EXACT    ///< of t: only studies need it
} thud_varying_use;

/// A number of the scene, with its name "walls.floor.point[1]" in parts. Parts that are NULL, and
/// an index below 0, are not in the name.
typedef struct thud_scene_varying
{
    const thud_varying *varying;
    thud_varying_use use;
    bool is_growth; ///< radii are multiplied by it
    bool is_force;  ///< of a force, an acceleration or a wanted velocity: a step takes its mean
    const char *group, *name, *field;
    int index;
} thud_scene_varying;

/// A number other than 0 ends the walk.
typedef int thud_varying_fn(const thud_scene_varying *number, void *user);

/// Visit every number of the scene that is given and may depend on time, constants too. A growth
/// with a name is visited once. Returns what ended the walk, 0 if all were visited.
THUD_API int thud_scene_each_varying(const thud_scene *scene, thud_varying_fn *visit, void *user);

/// Write its name: "walls.floor.point[1]".
THUD_API void thud_scene_varying_name(const thud_scene_varying *number, char *text, size_t size);

/// How many numbers of scratch memory are enough to evaluate each of them; at least 1.
THUD_API int thud_scene_varying_room(const thud_scene *scene);

/// Write the scene with all defaults, in table order; reading that gives the same scene,
/// bit for bit (except for step_is_auto: the step is written as a number). bodies_file: NULL to
/// keep generators as they were written (names of files too), or the name of the file that
/// thud_scene_write_bodies is written to: the text then depends on no other file but, if
/// thud_scene_has_mesh, on THUD_SCENE_MESHES, that thud_scene_write_meshes is written to.
THUD_API thud_status thud_scene_write(const thud_scene *scene, const char *bodies_file,
                                      thud_sink_fn *sink, void *user);

/// Write all bodies as CSV with the columns name, material, x, y[, z], vx, vy[, vz], radius, mass.
THUD_API thud_status thud_scene_write_bodies(const thud_scene *scene, thud_sink_fn *sink,
                                             void *user);

#define THUD_SCENE_MESHES "meshes.stl"

/// Does a wall of the scene come from a file of triangles?
THUD_API bool thud_scene_has_mesh(const thud_scene *scene);

/// Write the triangles of all such walls, one after the other, as ASCII STL, bit for bit.
THUD_API thud_status thud_scene_write_meshes(const thud_scene *scene, thud_sink_fn *sink,
                                             void *user);

#ifdef __cplusplus
}
#endif

#endif
