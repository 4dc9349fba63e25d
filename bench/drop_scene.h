// The drop scene: equal spheres on a jittered lattice above the floor of a box.
//
// Radius 0.01, density 2500, gravity 9.81; 19 x 19 per layer with 5 % gaps, jitter of 2 % of a
// diameter per coordinate; the lowest 0.05 above the floor of a box 0.4 wide without lid.
#ifndef DROP_SCENE_H
#define DROP_SCENE_H

#include <thud/spheres.h>

#ifdef __cplusplus
extern "C" {
#endif

static const double DROP_RADIUS = 0.01, DROP_GRAVITY = 9.81, DROP_WIDTH = 0.4;

// Tolerances of a run, by name.
typedef struct drop_quality
{
    const char *name;
    double tol, tol_a;
    bool tol_is_fixed; // gaps do not depend on the step: step_tol is 0
} drop_quality;
static const drop_quality DROP_PREVIEW = {"preview", 1e-3, 3e-2, false};
static const drop_quality DROP_DEFAULT = {"default", 1e-5, 1e-3, false};

enum
{
    DROP_LAYERS = 28
};

// step_tol of a world with this step.
double drop_step_tol(const drop_quality *quality, double h);

// Where count spheres are, at rest. box: its width, DROP_WIDTH for the standard one.
void drop_fill(thud_sphere *spheres, int count, double box);

// A world with these spheres in the box, prepared; NULL when that failed.
thud_world *drop_world(const thud_world_def *def, const thud_sphere *spheres, int count,
                       double box);

// The width of a box in which a heap of so many spheres has DROP_LAYERS layers.
double drop_box_of(int count);

// A world with count spheres as above, prepared; the second form takes memory as it is told.
thud_world *drop_scene(int count, double box, double h, const drop_quality *quality, double drag);
thud_world *drop_scene_in(int count, double box, double h, const drop_quality *quality,
                          const thud_allocator *allocator);

// The drop scene without the drop: the lowest spheres stand on the floor of a box that gives the
// heap so many layers; 0: as high as wide. *given receives how many there are.
thud_world *drop_heap(int count, int layers, double h, const drop_quality *quality,
                      const thud_allocator *allocator, int *given);

// Mass of one sphere.
double drop_mass(void);

#ifdef __cplusplus
}
#endif

#endif
