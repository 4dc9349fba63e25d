/// A world of spheres (disks in two dimensions), walls and obstacles; contacts are inelastic unless
/// it is told otherwise.
///
/// It is one way to make a thud_inclusion: the step and the solvers never learn that the rows came
/// from spheres, and the world uses nothing of them that is not public.
///
///     thud_world_create, thud_world_add, thud_world_add_wall ...     describe it
///     thud_world_prepare                                             check and open the start
///     problem = thud_world_inclusion(world), state = thud_world_state(world)
///     thud_step(&problem, state, work) or thud_run                   as for any inclusion
///
/// Coordinates: body i (in the order of thud_world_bodies) has q[dim*i .. dim*(i+1)). Pairs keep
/// |q_j - q_i| >= r_i + r_j, walls keep normal . q_i >= offset + r_i. Radii and walls may depend on
/// time; the step uses them at its end. A body has an id that stays when others are removed.
///
/// Obstacles are the solids of thud/solids.h: bodies keep distance >= r_i from every facet, those
/// of a container included. A concave facet takes several rows, tangents where the step looked.
///
/// A world may be periodic, and sheared: thud/cell.h.
///
/// Keys of the rows are those of pairs, walls and surfaces in thud/key.h, made of the ids of
/// bodies. Surfaces are numbered through all obstacles in the order they were added: one for each
/// facet, but eight in a row for each facet of a solid that has a concave one (for its tangents, by
/// the rounds of the step).
#ifndef THUD_SPHERES_H
#define THUD_SPHERES_H

#include "thud/cell.h"
#include "thud/solids.h"
#include "thud/step.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_world thud_world;

/// A body to add. In two dimensions the third components are not looked at.
typedef struct thud_sphere
{
    double center[3], velocity[3];
    double radius; ///< > 0
    double mass;   ///< > 0
} thud_sphere;

/// The mass of a sphere of that density, mass per volume; for dim 2 of a disk, mass per area. For
/// example .mass = thud_sphere_mass(3, 0.005, 2500): glass, in metres and kilograms.
THUD_API double thud_sphere_mass(int dim, double radius, double density);

/// The half space normal . x >= offset is free.
typedef struct thud_plane
{
    double normal[3]; ///< need not be a unit vector; it is made one, offset with it
    double offset;
} thud_plane;

/// Write the plane at time t. Return 0, or anything else to fail the step.
typedef int thud_plane_fn(double t, thud_plane *plane, void *user);

/// Write radius[i] of body id[i] at time t for all i < count.
typedef int thud_radii_fn(double t, int count, const int *id, double *radius, void *user);

/// Write the acceleration of gravity at time t.
typedef int thud_gravity_fn(double t, double gravity[3], void *user);

/// Add to force[dim*i ..) the force on body id[i] at time t, positions q as in the state; with
/// THUD_FIRST_ORDER the velocity that it wants.
typedef int thud_bodies_fn(double t, int count, const int *id, const double *q, double *force,
                           void *user);

typedef struct thud_wall_def
{
    thud_plane plane;      ///< where it is, if it does not move
    thud_plane_fn *motion; ///< NULL: it does not
    /// How it moves, for the bound between nodes: |offset''| and |normal''| |q| together in gap_tt,
    /// |normal'| in gap_tq. NAN: not known.
    thud_smoothness smooth;
    int material; ///< 0 <= material < material_count of the world; 0 in a world without
    void *user;   ///< handed to motion
} thud_wall_def;

/// The largest part of a radius that step_tol of a world may be.
#define THUD_MOST_TOL 1e-2

typedef struct thud_world_def
{
    int dim;      ///< 2 or 3; 0 means 3
    double t0, h; ///< start time and step, h > 0
    /// THUD_FIRST_ORDER: a crowd, q' + N(Q, q) ∋ U(t, q) + noise, U from `force`. Masses are the
    /// weights of the projection. Gravity, drag, restitution, glue and velocities of bodies have no
    /// meaning then: thud_world_prepare and thud_world_add refuse them.
    thud_order order;
    double noise;                 ///< THUD_FIRST_ORDER only, see thud_inclusion.noise
    uint64_t seed;                ///< of the noise
    double gravity[3];            ///< constant, unless gravity_law is given
    thud_gravity_fn *gravity_law; ///< gravity that depends on time
    double drag;                  ///< see thud_inclusion.drag
    thud_bodies_fn *force;        ///< further forces, NULL for none
    bool force_is_steady;         ///< they do not depend on time
    thud_radii_fn *radii;         ///< radii that depend on time; NULL: as given in thud_sphere
    double radius_tt;             ///< bound of |r''|; NAN: not known
    thud_name_fn *name;           ///< of constraints in messages; NULL: by ids and numbers
    void *user;                   ///< handed to gravity_law, force, radii and name
    thud_cell cell;               ///< periodic axes; all zero for none
    /// Contacts by the materials a and b that meet: the law, and its numbers from entry
    /// (a * material_count + b) * thud_law_info.number_count of a table that is symmetric and
    /// copied. A table of thud_law_number.none, or NULL, makes the world inelastic.
    int material_count;
    thud_law law;
    const double *numbers;
    double tol; ///< gaps are kept above tol r of the smaller radius r; default 1e-5
    /// A length that gaps are kept above too, where it is more than tol r: but not more than
    /// THUD_MOST_TOL r. Sweeps that would keep them smaller make no force more accurate.
    /// thud_step_tol says how large it may be. It stays what it is when the state's h changes.
    double step_tol;
    /// Accuracy of contact forces relative to gravity, in first order relative to the velocities
    /// wanted: gaps are met to tol_a h |U|, noise included. Default 1e-3.
    double tol_a;
    /// An edge of the bricks into which large clusters are cut, see thud_bricks. 0: chosen by
    /// thud_world_prepare, 12 diameters in three dimensions, 40 in two. The diameter is the
    /// smallest, doubled until at most one body in 1,024 is larger than 8 of it.
    double brick_side;
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_world_def;

/// tol_a h^2 gravity, a length: by so much an accuracy tol_a of forces may leave a gap off in one
/// step. For step_tol of a world. gravity: the largest |gravity| of the run. 0 where the length is
/// not above tol least_radius by more than a millionth of it: then no rounding decides what sigma
/// is where h makes both the same.
THUD_API double thud_step_tol(double tol, double tol_a, double h, double gravity,
                              double least_radius);

THUD_API thud_status thud_world_create(const thud_world_def *def, thud_world **out);
THUD_API void thud_world_destroy(thud_world *world); ///< NULL is allowed

/// Add count bodies, all or none. Their ids are *first .. *first + count - 1 (first may be NULL).
/// After any change of bodies, walls or obstacles call thud_world_prepare before the next step. It
/// moves no body that was there before.
THUD_API thud_status thud_world_add(thud_world *world, const thud_sphere *spheres, int count,
                                    int *first);

/// Remove bodies by id, all or none. What glue held of them is forgotten, and so is what any law
/// keeps of them beyond one number.
THUD_API thud_status thud_world_remove(thud_world *world, const int *ids, int count);

/// Replace centre, velocity, radius and mass of one body. What glue held of it is forgotten, and so
/// is what any law keeps of it beyond one number.
THUD_API thud_status thud_world_set(thud_world *world, int id, const thud_sphere *sphere);

/// Make bodies of a material, all or none; they begin as material 0. No need to prepare again.
THUD_API thud_status thud_world_set_material(thud_world *world, const int *ids, int count,
                                             int material);

/// Change the drag, see thud_inclusion.drag. Take the inclusion again afterwards.
THUD_API thud_status thud_world_set_drag(thud_world *world, double drag);

/// Add a wall; walls are numbered from 0 (wall may be NULL).
THUD_API thud_status thud_world_add_wall(thud_world *world, const thud_wall_def *def, int *wall);

/// Add the inside of a box, low[k] <= x[k] <= high[k]: two walls per axis whose bounds are finite,
/// low before high, x before y before z.
THUD_API thud_status thud_world_add_box(thud_world *world, const double low[3],
                                        const double high[3], int *first);

/// Something rigid that bodies cannot enter, or leave.
typedef struct thud_obstacle_def
{
    thud_solid_def solid; ///< in its own frame; copied, its allocator not looked at
    thud_pose pose;       ///< where it is, if it does not move
    thud_pose_fn *motion; ///< NULL: it does not
    /// How it moves, for the bound between nodes. With the speed V and the acceleration A of its
    /// points near bodies, its angular velocity W, and the smallest radius r: V^2 / r + A in
    /// gap_tt, V / r + W in gap_tq; A and W alone for a container. NAN: not known.
    thud_smoothness smooth;
    int material; ///< as that of a wall
    void *user;   ///< handed to motion
} thud_obstacle_def;

/// Add an obstacle; they are numbered from 0 (obstacle may be NULL). A step in which one that moves
/// could have gone through a body, or could do so unseen, is refused: THUD_ERR_STEP, with a message
/// that names an h that is short enough. One that does not move cannot be crossed, however thin.
///
/// Contacts with obstacles follow the tables of materials. thud_world_prepare refuses what has no
/// meaning yet: solids with a concave facet and meshes with glue (what it remembers would belong to
/// a tangent or triangle that the body leaves), and with restitution solids with a concave facet
/// and, if they move, meshes. Without an entry for their material none is refused,
/// and its contacts are inelastic, except for those that move in a world with restitution.
THUD_API thud_status thud_world_add_obstacle(thud_world *world, const thud_obstacle_def *def,
                                             int *obstacle);

/// How overlaps and contacts name obstacle k in place of a body or wall: b <= THUD_OBSTACLE(0), and
/// THUD_OBSTACLE(b) is k again.
#define THUD_OBSTACLE(k) (-(1 << 30) - (k))

typedef enum thud_overlap_rule
{
    THUD_REFUSE_OVERLAP = 0, ///< more than 1e-12 of the smaller radius is an error
    THUD_PROJECT_OVERLAP = 1 ///< new bodies are moved to the nearest positions without overlap
} thud_overlap_rule;

/// Two bodies, or a body and a wall or obstacle, that overlap.
typedef struct thud_overlap
{
    int a;        ///< id of a body
    int b;        ///< id of a body, -1 - wall, or THUD_OBSTACLE(obstacle)
    double depth; ///< > 0
} thud_overlap;

/// What thud_world_prepare found and did. The list is a view, deepest first.
typedef struct thud_start
{
    const thud_overlap *overlaps;
    int overlap_count;
    double largest_shift; ///< how far a centre was moved at most
    /// Smallest gap afterwards. Pairs farther apart than a hundredth of their radii are not looked
    /// at: a larger value, or INFINITY, says no more than that.
    double min_gap;
} thud_start;

/// Make the world ready for the next step: find overlaps, refuse or remove them, and open gaps that
/// are smaller than the solver keeps to 1.25 sigma, by one projection of the positions; velocities
/// stay as they are. sigma = 2 max(tol r, min(step_tol, THUD_MOST_TOL r)), r the smaller radius.
///
/// Bodies are moved only if they are new: added, or set, since the world was prepared last. All are
/// new the first time. Later all others keep every bit of their positions, also after bodies were
/// removed, and what a step has left of their gaps stays (sigma / 2 or more). If new bodies cannot
/// make room by moving alone, or a body that was there is closer than sigma / 2 to a new wall or
/// obstacle, the world is refused: THUD_ERR_OVERLAP, whatever the rule, with a message that names
/// the pair. Nothing has moved then: remove or set the new body, and prepare again.
///
/// In a periodic world walls must be parallel to the periodic axes, and obstacles fixed, not
/// turned and endless along them (boxes, open drums): THUD_ERR_ARGUMENT. Periods must be longer
/// than two radii, now and later: THUD_ERR_LIMIT. THUD_NEWS when all bodies are new and there was
/// no room to open all gaps (an exact fit: the steps will say THUD_NEWS_NO_ROOM). THUD_ERR_OVERLAP
/// when refused, and always for coincident centres; nothing has moved then.
THUD_API thud_status thud_world_prepare(thud_world *world, thud_overlap_rule rule,
                                        thud_start *start);

/// The problem that the world poses. Valid until bodies or walls change; one step at a time.
THUD_API thud_inclusion thud_world_inclusion(thud_world *world);

/// The state it holds: positions and velocities of all bodies, time, multipliers.
THUD_API thud_state *thud_world_state(thud_world *world);

/// A description of the work space that suits the world: its tolerances, and no second evaluation
/// of gaps that are known to be convex.
THUD_API thud_work_def thud_world_work(const thud_world *world);

/// The bodies. Views, valid until they change.
typedef struct thud_bodies
{
    int count, dim;
    const int *id;
    const double *radius; ///< at the time last looked at
    const double *mass;   ///< by coordinate, length dim * count
    const double *q, *u;  ///< length dim * count
} thud_bodies;
THUD_API thud_bodies thud_world_bodies(const thud_world *world);

/// The contacts of the step that a report tells of: every row of its projection, sorted by key.
/// Views, valid until the next call.
typedef struct thud_contacts
{
    int count;
    const int *a;          ///< id of a body
    const int *b;          ///< id of a body, -1 - wall, or THUD_OBSTACLE(obstacle)
    const double *gap;     ///< at (t_n+1, q_n)
    const double *lin;     ///< gap + h (relative normal velocity): what is left at the end
    const double *normal;  ///< 3 each: the direction in which b (for b < 0: a) is pushed
    const double *impulse; ///< h lambda; >= 0 but for glue that pulls; in first order lambda
    const double *force;   ///< lambda: impulse / h, in first order impulse
    const int *image;      ///< 3 each: m of b seen from a, see thud/cell.h; 0 without a cell
} thud_contacts;
THUD_API thud_status thud_world_contacts(thud_world *world, const thud_report *report,
                                         thud_contacts *contacts);

/// One sentence on the last error of a world function, "" if none.
THUD_API const char *thud_world_message(const thud_world *world);
/// The obstacle that the message is about; -1 for none.
THUD_API int thud_world_fault_obstacle(const thud_world *world);

#ifdef __cplusplus
}
#endif

#endif
