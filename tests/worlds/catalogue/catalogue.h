/// The catalogue: test problems with exact answers, how they are run and how errors are measured.
///
/// Three layers, lowest first. A trial takes steps and has every one of them proved by the
/// independent checker. A scene is a small problem with its exact solution, whose errors a trial
/// measures. A case is one named test; the list of cases is made by the build.
///
/// The problems are written in C. In test_scene_catalogue each is also read from its scene file,
/// and must give the same.
#ifndef CATALOGUE_H
#define CATALOGUE_H

#include "catalogue_list.h"
#include "thud/thud.h"
#include "thud/verify.h"
#include "thud_test.h"

enum
{
    SCENE_DIM = 12,  // four spheres in space
    SCENE_ROWS = 10, // a column of ten
    SCENE_LEGS = 3,
    SCENE_EVENTS = 8
};

#define CATALOGUE_PI 3.14159265358979323846

// --- numbers (catalogue_numbers.c) ---------------------------------------------------------

typedef double number_fn(double x, void *user);
typedef void point_fn(double x, double weight, void *user);

/// Visit the 6 Gauss points of [a, b]; the weights sum to b - a.
void gauss_points(double a, double b, point_fn *visit, void *user);

/// The integral of f over [a, b] by Gauss points on equal panels.
double integrate(number_fn *f, double a, double b, int panels, void *user);

/// The root of f between a and b, where f has opposite signs.
double find_root(number_fn *f, double a, double b, void *user);

/// |a - b| in the Euclidean norm, which is the norm of all errors here.
double distance(const double *a, const double *b, int n);

// --- trials (catalogue_trial.c) ------------------------------------------------------------

/// One step of a trial, made or failed. On failure `after` is the state the step left behind.
typedef struct cat_trial_step
{
    int n;       ///< 1 for the first step
    double t, h; ///< its start and its length
    thud_status status;
    const thud_state *before, *after;
    const thud_report *report;
    const thud_verdict *verdict; ///< NULL if the step failed
} cat_trial_step;

typedef void look_fn(const cat_trial_step *step, void *user);

typedef struct cat_trial
{
    const char *file; ///< its scene file, scenes/FILE.yaml; NULL: `text` is the scene
    const char *text;
    thud_inclusion problem;
    const double *q, *u; ///< start
    double h;
    int steps;
    unsigned news;     ///< bits of thud_news that may occur; any other is a failure
    unsigned waived;   ///< certificates not asked for, as bits 1u << name
    thud_status fails; ///< the error that must end the trial, or THUD_OK
    look_fn *look;
    void *user;
} cat_trial;

/// Take the steps, check each by the independent checker, show each to look. Returns the steps
/// made and the news met in *news (NULL if not wanted).
int trial_take(const cat_trial *trial, unsigned *news);

/// The same, and then once more with problem and start from the scene file.
int trial_run(const cat_trial *trial, unsigned *news);

/// How often steps were taken so far.
int trial_count(void);

/// The impulse mu of constraint `number` in this step, 0 if it has no row.
double trial_impulse(const cat_trial_step *step, int number);

// --- scene files (catalogue_file.c; in test_catalogue, which has none, catalogue_no_file.c) -

typedef struct cat_file cat_file;

/// Put problem and start of its scene file into a trial. Returns what file_close is to be given;
/// NULL if there is nothing to run, which in test_scene_catalogue is a failure.
cat_file *file_open(cat_trial *trial);
void file_close(cat_file *file);

/// What main should return, `result` being that of the cases: says how many trials ran from files
/// and fails if any did not.
int file_finish(int result);

// --- scenes (catalogue_scene.c) ------------------------------------------------------------

/// g = offset + speed t + sign motion(t) + slope . q over the named coordinates.
typedef struct cat_plane
{
    int count, index[2];
    double slope[2], offset, speed, sign;
    double (*motion)(double t); ///< NULL for none
} cat_plane;

typedef enum cat_disc_shape
{
    OUTSIDE,         ///< |q - c| - R
    OUTSIDE_SQUARED, ///< |q - c|^2 - R^2
    INSIDE           ///< R - |q - c|, concave although declared convex
} cat_disc_shape;

typedef struct cat_disc
{
    double centre[2], radius;
    cat_disc_shape shape;
} cat_disc;

typedef struct cat_sphere_pair
{
    int first, second;
} cat_sphere_pair;

/// A stretch of straight motion: velocity u from `start` on, after impulses `atom` there.
typedef struct cat_leg
{
    double start, u[SCENE_DIM], atom[SCENE_ROWS];
} cat_leg;

typedef struct cat_scene cat_scene;

/// The exact position, velocity and cumulative mass of every multiplier on [0, t], t not an event.
typedef void exact_fn(const cat_scene *scene, double t, double *q, double *u, double *mass);

struct cat_scene
{
    const char *name; ///< also of its scene file
    /// What the fields below do not give; dim always. user NULL means the scene itself.
    thud_inclusion problem;
    double mass[SCENE_DIM]; ///< all 0 for 1
    double pull[SCENE_DIM]; ///< constant force, when problem has no other
    double q[SCENE_DIM], u[SCENE_DIM], end;
    thud_smoothness smooth;
    // Constraints in the order of their keys: planes, pairs of spheres, discs.
    int rows; ///< of them all; given when problem.gaps is, its keys being 0 .. rows - 1
    int plane_count;
    cat_plane planes[SCENE_ROWS];
    int width, pair_count; ///< spheres in this many dimensions
    cat_sphere_pair pairs[SCENE_ROWS];
    double radius[4][3]; ///< r(t) = radius[0] + radius[1] t + radius[2] t^2
    int disc_count;
    cat_disc discs[2];
    bool push_reversed, keys_reversed; ///< to see that neither matters
    // The answer: legs, or exact and the times where it is not smooth.
    int leg_count;
    cat_leg legs[SCENE_LEGS];
    exact_fn *exact;
    double events[SCENE_EVENTS];
    int event_count;
    /// Only sum combine_i lambda_i is measured, if any is not 0; then exact gives that one mass.
    double combine[SCENE_ROWS];
    // Errors are at most 1.5 of these times h; 0 asks for roundoff.
    double c_u, c_q, c_mass;
    unsigned news, waived; ///< as in trial
};

typedef struct cat_scene_errors
{
    double u;    ///< L1 of the velocity
    double q;    ///< Linf of the position
    double mass; ///< weak-* of the multipliers: int |L_h - L| dt + |L_h(T) - L(T)|, the worst one
} cat_scene_errors;

/// Fill in events, and for legs c_u and c_q: sums over impacts of |jump| / 2 and |jump| / 4, the
/// worst over where an impact falls in its step.
void scene_finish(cat_scene *scene);

/// Run with `steps` steps and measure; look may be NULL. Returns NAN where the run failed.
cat_scene_errors scene_measure(cat_scene *scene, int steps, look_fn *look, void *user,
                               unsigned *news);

/// Run with seven numbers of steps from 61 to 512, print the table of errors, check them all.
/// Returns all news met.
unsigned scene_table(cat_scene *scene, look_fn *look, void *user);

/// The exact solution of a scene at t; any of the outputs may be NULL.
void scene_exact(const cat_scene *scene, double t, double *q, double *u, double *mass);

/// Visit the Gauss points of [a, b], split at the scene's events.
void scene_points(const cat_scene *scene, double a, double b, point_fn *visit, void *user);

/// The problem of a scene, which it refers to.
thud_inclusion scene_problem(cat_scene *scene);

/// Number of multipliers measured, and the impulse h lambda of each in a step.
int scene_measured(const cat_scene *scene);
void scene_impulses(const cat_scene *scene, const cat_trial_step *step, double *impulses);

// --- scenes that several cases use ---------------------------------------------------------

/// A wall, then the vertex of a corner; straight into the vertex; one sphere hits two.
cat_scene scene_corner(const char *name, double degrees);
cat_scene scene_vertex(const char *name, double degrees);
cat_scene scene_cradle(const char *name, const double mass[3]);
cat_scene scene_masses(void);                ///< a wall in the mass metric
cat_scene scene_squeeze(void);               ///< two spheres hit one from both sides
cat_scene scene_three_discs(void);           ///< one disc hits two touching ones
cat_scene scene_growing_between_walls(void); ///< a growing sphere meets a wall
cat_scene scene_notch(void);                 ///< a ball lands between two discs
cat_scene scene_floor(void);                 ///< a ball falls on a floor

#endif
