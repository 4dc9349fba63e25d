// What the files of the model share.
#ifndef THUDI_MODEL_H
#define THUDI_MODEL_H

#include "core/memory.h"
#include "expression/expression_ranges.h"
#include "thud/model.h"

typedef struct thudi_wall_motion
{
    thud_model *model;
    int wall;
} thudi_wall_motion;

typedef struct thudi_model_obstacle
{
    thud_model *model;
    int index;
    thud_solid *solid;
    int first, keys, facets; // its surfaces, see thud/spheres.h: facets with `keys` of them each
} thudi_model_obstacle;

struct thud_model
{
    const thud_scene *scene;
    thud_allocator allocator;
    thud_inclusion problem;
    thud_state *state; // for spheres the world's
    double *room;      // scratch of expressions, long enough for each
    size_t room_size;
    double *gradient; // of one constraint
    size_t gradient_size;
    THUDI_ARRAY(thudi_kink) kink; // where the force is not smooth in time,
    thud_kinks kinks;             // as the problem has it
    // spheres
    thud_world *world;
    thud_start start;
    thudi_wall_motion *motions;
    thudi_model_obstacle *obstacles;
    thud_obstacle_def *added; // the obstacles as the world got them
    int sides_of_table;       // of the square `table`: one per material, and a last one for none
    double *table; // e or gamma_min by pair of materials; NULL if all contacts are inelastic
    int *material; // of every body, then of every wall, if there is a table
    struct thudi_crowd *crowd; // in first order, if bodies have wanted velocities
    // inclusions
    double *mass;
    thud_smoothness smooth;
    struct thudi_series *series; // made, used and freed by src/measure
};

// The problem of a scene, without its series. On failure there is no model.
thud_status thudi_model_build(const thud_scene *scene, const thud_allocator *allocator,
                              thud_model **out, thud_fault *fault);
// Free what thudi_model_build made.
void thudi_model_free(thud_model *model);

// Fill a fault that has no place yet (NULL: none is wanted). Returns the status.
thud_status thudi_fail_unplaced(thud_fault *fault, thud_status status, const char *hint,
                                const char *format, ...) __attribute__((format(printf, 4, 5)));

// Say where in the scene the fault is.
void thudi_fault_place(thud_fault *fault, const thud_place *place);

double thudi_model_value(const thud_model *model, const thud_varying *varying, double t);

// What is known of a number during the run; whether it is affine in time.
thud_varying_bounds thudi_model_bounds(const thud_model *model, const thud_varying *varying);
static inline bool thudi_model_is_affine(const thud_model *model, const thud_varying *varying)
{
    return thudi_model_bounds(model, varying).x_tt == 0;
}

// Are all forces and wanted velocities independent of time?
bool thudi_model_is_steady(const thud_model *model);

// Give the problem, which must exist, the times where its force is not smooth.
thud_status thudi_model_kinks(thud_model *model);

thud_status thudi_model_spheres(thud_model *model, thud_fault *fault);
void thudi_model_gravity(const thud_model *model, double t, double gravity[3]);
// Add the walls to the world.
thud_status thudi_model_walls(thud_model *model);

// The growth that was last evaluated, and its value: bodies with the same growth mostly follow each
// other. Begin with value 1.
typedef struct thudi_grown
{
    const thud_scene_growth *law;
    double value;
} thudi_grown;
double thudi_model_radius(const thud_model *model, double t, int body, thudi_grown *grown);

// The scene's table of contacts, and the material of each body and wall in it.
thud_status thudi_model_contacts(thud_model *model);
// The index of a scene's material in the table. Without a material (-1) it is the last index,
// without a table 0.
int thudi_model_material(const thud_model *model, int material);
void thudi_model_contacts_free(thud_model *model);

// The wanted velocities of a crowd, put into `def`; the paths to doors, when all walls are there.
thud_status thudi_model_crowd(thud_model *model, thud_world_def *def);
thud_status thudi_model_paths(thud_model *model, thud_fault *fault);
void thudi_model_crowd_free(thud_model *model);
// Name what a body wants that is no number, as thud_model_fault does.
bool thudi_crowd_fault(const thud_model *model, double t, const double *q, char *text, size_t size);
// thud_model_describe; user is the model.
thud_name_fn thudi_model_name;
// "7" or "'probe'".
void thudi_model_name_body(const thud_scene *scene, int body, char *text, size_t size);
// Pressures of a crowd: the sum of multipliers on a body, divided by its surface; the largest and
// the mean.
void thudi_crowd_pressures(const thud_model *model, const thud_view *view, double *most,
                           double *mean);

// A multiplier divided by this is a force. Multipliers are impulses in second order, forces (here:
// velocities) in first.
static inline double thudi_model_span(const thud_view *view)
{
    return view->problem->order == THUD_FIRST_ORDER ? 1 : view->state->h;
}

thud_status thudi_model_inclusion(thud_model *model, thud_fault *fault);

// Offsets of the images of what is in the periodic cell, or sticks out of it. The first is zero,
// and it is the only one where no axis is periodic.
enum
{
    THUDI_COPIES = 45
};
typedef struct thudi_copies
{
    int count;
    double shift[THUDI_COPIES][3];
} thudi_copies;
thudi_copies thudi_model_copies(const thud_model *model, double t);
// A contact moved by one of them.
thud_touch thudi_copies_move(const thudi_copies *copies, int which, const thud_touch *touch);
// The centre of body i in the cell.
void thudi_model_place(const thud_model *model, double t, const double *q, int i, double x[3]);

// " across x" for an image that is not the bodies' own, else "".
const char *thudi_model_across(const thud_model *model, thud_key key);
// See a contact in the cell: b by the image that the key names, then both with a.
void thudi_model_image(const thud_model *model, double t, thud_key key, thud_touch *touch);
void thudi_model_enter(const thud_model *model, double t, thud_touch *touch);

// Obstacles: add them to the world, free them, answer questions about them.
thud_status thudi_model_obstacles(thud_model *model, bool grows);
void thudi_model_obstacles_free(thud_model *model);
// The obstacle whose row has this key, and its facet; -1 for none.
int thudi_model_obstacle_of(const thud_model *model, thud_key key, int *facet);
// The nearest point of the facet to x at time t.
void thudi_model_foot(const thud_model *model, int obstacle, int facet, double t, const double x[3],
                      double foot[3]);
// How far an obstacle moves in the step that begins at t, at most, where bodies are at the start.
double thudi_model_obstacle_motion(const thud_model *model, int obstacle, double t);
// The force of all bodies on one obstacle; 0 at the start of a run.
void thudi_model_obstacle_force(const thud_model *model, int obstacle, const thud_view *view,
                                double force[3]);
// Name the part of its pose that is not finite.
bool thudi_model_pose_fault(const thud_model *model, int obstacle, double t, char *text,
                            size_t size);

// The bodies of a key in a world of spheres. b < 0 stands for wall or obstacle -1 - b; INT_MIN if
// there is no such constraint.
void thudi_model_key(const thud_model *model, thud_key key, int *a, int *b);

#endif
