/// Rigid obstacles and containers: how far a point is from them, in which direction, and how fast
/// that changes when they move.
///
/// The words, here and everywhere: in a scene a *wall* is anything that bounds where bodies can be.
/// In a world (thud/spheres.h) a wall is a *plane*, and everything else is an *obstacle*: a solid
/// with a pose and a material. A *solid* is a shape, without place; a *container* is a solid with
/// the bodies inside of it (THUD_INSIDE_...). A *facet* is a part of a solid with one distance. A
/// *surface* is the number in keys of a facet of an obstacle; concave facets have several
/// (thud/spheres.h). The surfaces of thud/surface.h are another thing: triangles to draw.
///
/// A solid is made once, in a frame of its own, and never changes; a pose says where that frame is
/// at a time. It consists of facets, and every facet has a distance of its own that is convex or
/// concave as a function of the point, so that it can be a row of a step (thud/rows.h): the gap of
/// a sphere of radius r is distance - r, its gradient the unit vector `normal`.
///
///     kind                points                           facets
///     THUD_BOX            low and high corner              1, convex; bounds may be infinite
///     THUD_BALL           centre                           1, convex
///     THUD_CAPSULE        both ends of its axis            1, convex; radius 0: a thin rod
///     THUD_CYLINDER       centres of its two ends          1, convex
///     THUD_TRIANGLE       its corners                      1, convex, thin
///     THUD_MESH           triangles                        one per triangle, convex, thin
///     THUD_INSIDE_BOX     low and high corner              6 planes: low x, high x, low y ...
///     THUD_INSIDE_DRUM    centres of its two ends          lateral surface, concave; two planes
///     THUD_INSIDE_CONE    apex, centre of its lid          lateral surface, concave; the lid
///     THUD_INSIDE_BALL    centre                           1, concave
///
/// Distances are signed: positive where a point is free, negative inside of a body or outside of a
/// container, so that depth is known too. What is thin has no inside: its distance is never
/// negative, and it has no gradient where it is zero. An open drum or cone has its lateral surface
/// alone, without end. The lateral surface of a cone is continued beyond its apex by the same
/// formula, which is concave, but no distance there.
///
/// In two dimensions the world is the plane z = 0: give what should look like a rectangle infinite
/// bounds in z, and let things turn about z.
///
/// A step takes obstacles at its end. What is thin, or moves far in a step, could change sides
/// unseen; thud_pose_sweep and thud_solid_depth are what tells: nothing was passed if
/// thud_sweep_at(sweep, x) < distance of x before the step + depth.
#ifndef THUD_SOLIDS_H
#define THUD_SOLIDS_H

#include "thud/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Every kind of solid: X(name, text).
#define THUD_SOLID_LIST(X)                                                                         \
    X(BOX, "box")                                                                                  \
    X(BALL, "ball")                                                                                \
    X(CAPSULE, "capsule")                                                                          \
    X(CYLINDER, "cylinder")                                                                        \
    X(TRIANGLE, "triangle")                                                                        \
    X(MESH, "mesh")                                                                                \
    X(INSIDE_BOX, "inside of a box")                                                               \
    X(INSIDE_DRUM, "inside of a drum")                                                             \
    X(INSIDE_CONE, "inside of a cone")                                                             \
    X(INSIDE_BALL, "inside of a ball")

typedef enum thud_solid_kind
{
#define THUD_SOLID_ENUM(name, text) THUD_##name,
    THUD_SOLID_LIST(THUD_SOLID_ENUM)
#undef THUD_SOLID_ENUM
        THUD_SOLID_KINDS
} thud_solid_kind;

typedef struct thud_solid thud_solid; ///< immutable: many threads may look at one

typedef struct thud_solid_def
{
    thud_solid_kind kind;
    double points[3][3];             ///< by kind, see above
    double radius;                   ///< of a ball, capsule, cylinder or drum; of a cone at its lid
    bool is_open;                    ///< a drum or cone without end planes
    const double *triangles;         ///< of a mesh: 9 numbers each, the corners one after the other
    int triangle_count;              ///< >= 1 for a mesh, at most THUD_SOLID_TRIANGLES
    const thud_allocator *allocator; ///< NULL for the C library's
} thud_solid_def;

enum
{
    THUD_SOLID_TRIANGLES = 1 << 24
};

/// Make a solid. Triangles may be degenerate. On THUD_ERR_ARGUMENT or THUD_ERR_NOT_FINITE *why (if
/// wanted) is what is wrong, a sentence without a full stop.
THUD_API thud_status thud_solid_create(const thud_solid_def *def, thud_solid **out,
                                       const char **why);
THUD_API void thud_solid_destroy(thud_solid *solid); ///< NULL is allowed

THUD_API thud_solid_kind thud_solid_kind_of(const thud_solid *solid);
THUD_API const char *thud_solid_name(thud_solid_kind kind); ///< as in THUD_SOLID_LIST
THUD_API int thud_solid_facets(const thud_solid *solid);
THUD_API thud_row_kind thud_solid_curving(const thud_solid *solid, int facet);

/// The largest distance of a point of its surface from the origin of its frame; may be INFINITY.
THUD_API double thud_solid_size(const thud_solid *solid);

/// How deep a point may be inside and still be nearer to where it came in than to the other side:
/// 0 for what is thin, INFINITY for a container, whose outside has no other side.
THUD_API double thud_solid_depth(const thud_solid *solid);

/// One facet as a point sees it.
typedef struct thud_facing
{
    int facet;
    double distance;  ///< signed; INFINITY if there is no such surface (an infinite bound)
    double normal[3]; ///< the gradient of distance, a unit vector; 0 where there is none
    double point[3];  ///< the nearest point of the facet
    double rate;      ///< the partial derivative of distance in time
} thud_facing;

/// The facet seen from x, both in the frame of the solid; rate is 0.
THUD_API thud_facing thud_solid_facing(const thud_solid *solid, int facet, const double x[3]);

/// The facet with the smallest distance, the first of equals. A mesh uses its tree.
THUD_API thud_facing thud_solid_nearest(const thud_solid *solid, const double x[3]);

/// A list of facings that grows. Zero is an empty one, with the C library's memory.
typedef struct thud_facings
{
    thud_facing *items;
    int count;
    size_t capacity;
    const thud_allocator *allocator; ///< NULL for the C library's (borrowed)
} thud_facings;
THUD_API void thud_facings_free(thud_facings *list);

/// All facets with distance <= reach, nearest first, equals by number. With slack >= 0 a triangle
/// is left out that lies behind the plane through the nearest point of another one in the list, at
/// right angles to that one's normal, but for `slack`: a centre that keeps the distance r from that
/// plane keeps r - slack from the triangle too, all the way. So a floor of many triangles in one
/// plane gives one row and the motion of a plane, and a convex body made of triangles gives the one
/// row of its distance. slack < 0: leave out none.
///
/// Any plane with the triangle behind it makes such a row. aim (NULL for none) is where the centre
/// is going: triangles of the list but the first then face it along the normal that they have from
/// there, or one between, so that x keeps aim->keep from the plane; distance is the one from the
/// plane, point the corner that touches it. Seen from x, triangles ahead in a valley would lean
/// towards the body, more than their slope, and brake it.
typedef struct thud_aim
{
    double at[3], keep;
} thud_aim;
THUD_API thud_status thud_solid_find(const thud_solid *solid, const double x[3], double reach,
                                     double slack, const thud_aim *aim, thud_facings *list);

/// Where the frame of a solid is, and how it moves.
typedef struct thud_pose
{
    double position[3]; ///< of its origin
    double rotation[3]; ///< about its origin: axis times angle in radians, any number of turns
    double velocity[3]; ///< the time derivative of position
    double turning[3];  ///< the time derivative of rotation (the spin, if the axis is fixed)
} thud_pose;

/// Write the pose at time t, all of it. Return 0, or anything else to fail the step.
typedef int thud_pose_fn(double t, thud_pose *pose, void *user);

/// A pose made ready for use.
typedef struct thud_placement
{
    double origin[3], turn[3][3]; ///< x = origin + turn y, y in the frame of the solid
    double velocity[3], spin[3];  ///< of its origin; angular velocity
} thud_placement;

THUD_API thud_placement thud_pose_place(const thud_pose *pose);

/// y: the point x of the world in the frame of the solid.
THUD_API void thud_placement_enter(const thud_placement *placement, const double x[3], double y[3]);

/// Turn a facing, seen from x of the world, into the world's coordinates, with its rate:
/// distance_t = - normal . (velocity + spin x (x - origin)).
THUD_API void thud_placement_leave(const thud_placement *placement, const double x[3],
                                   thud_facing *facing);

/// Does turning as in this pose leave the surface where it is: about the axis of a capsule,
/// cylinder, drum or cone, or of a ball about any line through its centre, through the origin of
/// its frame?
THUD_API bool thud_solid_hides_turning(const thud_solid *solid, const thud_pose *pose);

/// A bound of how far a solid goes in a step, except for turning that it hides.
typedef struct thud_sweep
{
    double shift;     ///< of its origin
    double angle;     ///< in radians
    double origin[3]; ///< where it started
    double size;      ///< thud_solid_size
} thud_sweep;

/// The sweep of poses at increasing times, count >= 2, spread evenly over a time h: between them
/// the motion is taken to be no faster than at them. A motion whose slopes are right can only hide
/// more than that by changing within a fraction of a step.
THUD_API thud_sweep thud_pose_sweep(const thud_solid *solid, const thud_pose *poses, int count,
                                    double h);

/// A bound of the displacement of any point of the solid's surface.
THUD_API double thud_sweep_most(const thud_sweep *sweep);

/// A bound of the way of the fixed point x in the frame of the solid.
THUD_API double thud_sweep_at(const thud_sweep *sweep, const double x[3]);

#ifdef __cplusplus
}
#endif

#endif
