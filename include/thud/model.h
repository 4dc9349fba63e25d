/// A scene made into a problem that can be run, checked and described. (library thud_scene)
#ifndef THUD_MODEL_H
#define THUD_MODEL_H

#include "thud/fields.h"
#include "thud/run.h"
#include "thud/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_model thud_model;

/// Build the problem of a scene (borrowed: it must outlive the model) and prepare its start.
/// THUD_ERR_OVERLAP, THUD_ERR_SCENE, THUD_ERR_LIMIT or THUD_ERR_MEMORY with a fault; THUD_NEWS when
/// a start had no room to open all gaps.
THUD_API thud_status thud_model_create(const thud_scene *scene, const thud_allocator *allocator,
                                       thud_model **out, thud_fault *fault);
THUD_API void thud_model_destroy(thud_model *model); ///< NULL is allowed

/// The problem, its state (at the start until steps are taken), and a work space that suits it.
THUD_API const thud_inclusion *thud_model_problem(const thud_model *model);
THUD_API thud_state *thud_model_state(thud_model *model);
THUD_API thud_work_def thud_model_work(const thud_model *model);

/// How the start was opened; zero for inclusions.
THUD_API thud_start thud_model_start(const thud_model *model);

/// A world of spheres as it was described to the solver, for code that finds its constraints again.
/// Views, as long as the model lives; all zero for inclusions.
typedef struct thud_model_world
{
    const thud_obstacle_def *obstacles; ///< as many as the scene has
    int material_count;                 ///< sides of the table, as in thud_world_def
    const double *numbers;              ///< of the scene's law, as in thud_world_def; or NULL
    const int *material;                ///< of every body; NULL for 0
    const int *wall_material;           ///< of every wall; NULL for 0
} thud_model_world;
THUD_API thud_model_world thud_model_world_of(const thud_model *model);

/// The scene that it was made of, and where its memory comes from.
THUD_API const thud_scene *thud_model_scene(const thud_model *model);
THUD_API const thud_allocator *thud_model_allocator(const thud_model *model);

/// The directions to be recorded of a step's rows: out has room for all rows. Returns how many.
THUD_API int thud_model_directions(const thud_model *model, const thud_rows *rows,
                                   thud_direction *out);

/// The largest speed that a body of a crowd wants at the start, without noise; 0 without a crowd.
THUD_API double thud_model_fastest_wanted(const thud_model *model);

/// The bodies of a model of spheres; zero count for inclusions. Radii at time t are written to
/// radius, length count.
THUD_API void thud_model_radii(const thud_model *model, double t, double *radius);
/// Wall i at time t, with a unit normal.
THUD_API void thud_model_wall(const thud_model *model, int wall, double t, thud_plane *plane);

/// Where obstacle i is at time t.
THUD_API void thud_model_pose(const thud_model *model, int obstacle, double t, thud_pose *pose);

/// The periodic cell of a model of spheres, its shear by the scene's expression; all zero for none.
/// Valid as long as the model.
THUD_API thud_cell thud_model_cell(const thud_model *model);
/// S at time t, 0 without a shear.
THUD_API double thud_model_shear(const thud_model *model, double t);
/// The largest part of the smallest radius by which the shear moves images in one step, looked at
/// 1,000 times of the run; 0 without one.
THUD_API double thud_model_shear_motion(const thud_model *model);
/// Move the centres of all bodies, `width` numbers each in x, at time t into the cell, for pictures
/// and files; states themselves are never wrapped. Nothing to do where no axis is periodic.
THUD_API void thud_model_wrap(const thud_model *model, double t, int width, double *x);

/// The smallest radius at the start; INFINITY without bodies.
THUD_API double thud_model_smallest_radius(const thud_model *model);

/// step_tol of the scene's world, see thud_step_tol: a length that gaps are kept above where it is
/// more than tol r. It follows from the scene alone: from the qualities' tol_a, the scene's step
/// and the largest gravity of its run. 0 where the scene gives a `tol`, in first order, and where
/// the gravity is not affine in time: then no bound of it is known.
THUD_API double thud_model_step_tol(const thud_model *model);

/// The part of the smallest radius that gaps are kept above: tol, or more because of the step.
THUD_API double thud_model_tol(const thud_model *model);

/// 0.1 sqrt(r / g) of the smallest radius and the gravity at the start: what `step: auto` aims at.
/// 0 when there is no gravity, or no body.
THUD_API double thud_model_suggested_step(const thud_model *model);

/// How far the step may put the height of a first rebound off, as a part of that height: the bound
/// (1 + 1/e) g h / v, v the speed at the impact, for the body and wall where it is smallest. Bodies
/// that fall freely onto a plane they bounce off are looked at; 0 where there is none.
THUD_API double thud_model_rebound_error(const thud_model *model);

/// How many nodes the grids have on which the ways of a crowd to its doors are found; 0 for none.
/// A node takes about a microsecond when a model is made, and 25 bytes.
THUD_API double thud_model_path_nodes(const thud_model *model);

/// The first constraint that is found not to be convex in the coordinates, by a few hundred
/// segments around the start; -1 if none is (which proves nothing). Worlds of spheres are convex.
THUD_API int thud_model_find_concave(const thud_model *model);

/// The largest part of the smallest radius that a wall's plane or an obstacle, where the bodies
/// are, or a radius moves within one step, looked at 1,000 times of the run; 0 for inclusions.
/// *wall: which wall or obstacle (thud_scene_wall_name), -1 if a radius.
/// Turning that leaves an obstacle's surface in place does not count.
THUD_API double thud_model_largest_motion(const thud_model *model, int *wall);

/// The first obstacle that does nothing but turn about its own axis, as a smooth drum may, if no
/// other wall or obstacle moves: without friction it moves nothing. As in thud_scene_wall_name; -1
/// if there is none.
THUD_API int thud_model_turning_in_place(const thud_model *model);

/// Say what a constraint is, such as "bodies 3 and 'probe'" or "body 7 and wall 'floor'"; "bodies 3
/// and 7 across x" where the image of the second is meant that is a period away from its own place.
THUD_API void thud_model_describe(const thud_model *model, thud_key key, char *text, size_t size);

/// Name what cannot be used at (t, q), by its keys in the scene: "constraints.plate is nan",
/// "gravity[1] is inf", "materials.cell.growth is -0.1". False, and "" in text, when there is no
/// such thing.
THUD_API bool thud_model_fault(const thud_model *model, double t, const double *q, char *text,
                               size_t size);

/// A contact as exporters want it: which bodies touch, and with what force.
typedef struct thud_touch
{
    int a, b;         ///< bodies, b = -1 - number for a wall or obstacle (thud_scene_wall_name)
    double from[3];   ///< centre of a, in the cell where axes are periodic
    double to[3];     ///< centre of b (of the image that touches), or the foot of a on the wall
    double normal[3]; ///< unit, from a to b
    double impulse;   ///< mu > 0
} thud_touch;

/// The contacts that carry load among `multipliers`, with positions q at time t, in their order.
/// touch: length count. Returns how many; 0 for inclusions.
THUD_API int thud_model_touches(const thud_model *model, double t, const double *q,
                                const thud_multiplier *multipliers, int count, thud_touch *touch);

/// The series: numbers that describe every step, by name; energies, wall forces, measures,
/// counters, certificates. Count and names stay as long as the model lives.
THUD_API int thud_model_series(const thud_model *model, const char *const **names);
/// Their values for a step just taken (or the start), from an observer that sees every step in
/// order. values: as many as there are names.
THUD_API void thud_model_measure(thud_model *model, const thud_view *view, double *values);

/// What a column of the series is, for charts and tables.
typedef struct thud_series_column
{
    const char *name;      ///< as in series.csv
    int measure;           ///< index of the scene's measure; -1: the column is not of a measure
    const char *component; ///< "x", "count", "pressure" ...; "" where the measure has one column
    char label[160];       ///< in words: "force on wall 'floor', x"
    char unit[40];         ///< "N", "m/s"; "" where the scene gives no units or there is none
    bool is_whole;         ///< counts
} thud_series_column;
/// Describe column 0 <= column < thud_model_series(). Names and component: valid as long as the
/// model.
THUD_API void thud_model_series_column(const thud_model *model, int column,
                                       thud_series_column *out);

/// What a column of the series follows from.
typedef enum thud_series_source
{
    THUD_SERIES_STATE,  ///< the state at that node alone
    THUD_SERIES_PAST,   ///< all states up to it: counts and flows
    THUD_SERIES_SOLVER, ///< what the step tells of itself: rows, sweeps, certificates
} thud_series_source;
THUD_API thud_series_source thud_model_series_source(const thud_model *model, int column);
/// The values of any node, NAN where they do not follow from its state alone (node 0: the start).
/// Not for a model whose steps are measured: what counts remember begins again.
THUD_API void thud_model_measure_state(thud_model *model, const thud_state *state, double *values);
/// Work out the columns that follow from other columns alone, in this line of the series and those
/// before it: the times of `time_when`. Called for every line in order; stage and time, a number
/// for every measure of the scene, are 0 to begin with and remember what was seen.
THUD_API void thud_model_follow(const thud_model *model, double *stage, double *time,
                                double *values);
/// Fill stage and time before the line of a series that begins later than the start: what the line
/// says of times before it is taken as remembered.
THUD_API void thud_model_follow_from(const thud_model *model, double *stage, double *time,
                                     const double *values);
/// Name what of a measure of the scene is not finite in these values: "measure 'turn' is not
/// finite: turn.z is inf". Means over no body and times that have not come, which are nan, are as
/// they should be. False, and "" in text, when all is well.
THUD_API bool thud_model_measure_fault(const thud_model *model, int measure, const double *values,
                                       char *text, size_t size);

enum
{
    THUD_MODEL_FIELDS = 3
};

/// What the measures remember from step to step, to be kept with the state: the side of every plane
/// or polygon that each body was on (-1, 1, or 0 when not seen yet), how many crossed it so far,
/// and their mass; of a time_when, instead of these two, its stage (0, -1 on the other side, 1 when
/// the value was reached) and the time.
THUD_API void thud_model_fields(thud_model *model, thud_field fields[THUD_MODEL_FIELDS]);

#ifdef __cplusplus
}
#endif

#endif
