// The grid on which the paths of a crowd to its doors are found: how large it is, before it is
// made.
#include "run/path_grid.h"

#include "thud/estimate.h"

#include <math.h>

// A node takes about a microsecond and 32 bytes, more with many walls: so many take seconds.
static const double QUICK_NODES = 2e6;
static const double MOST_NODES = 0x1p24; // above, the scene is refused

typedef struct extent
{
    double low[2], high[2];
} extent;

static void widen(extent *all, const double *x, double margin)
{
    for (int k = 0; k < 2; k++)
    {
        if (!isfinite(x[k]))
            continue;
        all->low[k] = fmin(all->low[k], x[k] - margin);
        all->high[k] = fmax(all->high[k], x[k] + margin);
    }
}

enum
{
    ROOM = 256 // for an expression; longer ones count as 0
};

static double value_of(const thud_scene *scene, const thud_varying *varying)
{
    double room[ROOM];
    if (thud_varying_room(varying) > ROOM)
        return 0;
    return thud_varying_at(varying, scene->start, room);
}

// Its extent without its rotation: a turned obstacle is about as wide.
static void widen_by_obstacle(extent *all, const thud_scene *scene, int k, double margin)
{
    static const int points[THUD_SOLID_KINDS] = {
        [THUD_BOX] = 2, [THUD_BALL] = 1, [THUD_CAPSULE] = 2, [THUD_TRIANGLE] = 3};
    const thud_scene_obstacle *obstacle = &scene->obstacles[k];
    const thud_solid_def *solid = &obstacle->solid;
    double at[2] = {value_of(scene, &obstacle->position[0]),
                    value_of(scene, &obstacle->position[1])};
    int count = solid->kind == THUD_MESH ? 3 * solid->triangle_count : points[solid->kind];
    for (int i = 0; i < count; i++)
    {
        const double *p =
            solid->kind == THUD_MESH ? solid->triangles + 3 * (size_t)i : solid->points[i % 3];
        const double x[2] = {at[0] + p[0], at[1] + p[1]};
        widen(all, x, margin + solid->radius);
    }
}

static double smallest_of(const thud_scene *scene, int group, double *largest)
{
    double smallest = INFINITY;
    *largest = 0;
    for (int i = 0; i < scene->body_count; i++)
    {
        if (scene->group_of[i] != group)
            continue;
        smallest = fmin(smallest, scene->bodies[i].sphere.radius);
        *largest = fmax(*largest, scene->bodies[i].sphere.radius);
    }
    return smallest;
}

static double nodes_of(const thud_scene *scene, int group, double *smallest)
{
    const thud_scene_group *own = &scene->groups[group];
    extent all = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    double largest, nodes = 1;
    *smallest = smallest_of(scene, group, &largest);
    if (own->door_count == 0)
        return 0;
    for (int i = 0; i < scene->body_count; i++)
        widen(&all, scene->bodies[i].sphere.center, 4 * largest);
    for (int i = 0; i < 2 * own->door_count; i++)
        widen(&all, own->doors + 2 * (size_t)i, 4 * largest);
    for (int i = 0; i < scene->obstacle_count; i++)
        widen_by_obstacle(&all, scene, i, 4 * largest);
    for (int k = 0; k < 2; k++)
        nodes *= floor((all.high[k] - all.low[k]) / own->cell) + 7;
    return nodes;
}

double thudi_path_nodes(const thud_scene *scene)
{
    double sum = 0, smallest;
    for (int i = 0; i < scene->group_count; i++)
        sum += nodes_of(scene, i, &smallest);
    return sum;
}

void thud_paths_warn(const thud_scene *scene, thud_warn_fn *warn, void *user)
{
    for (int i = 0; i < scene->group_count; i++)
    {
        char text[400], count[THUD_NUMBER_SIZE], hint[120] = "";
        double cell = scene->groups[i].cell, smallest, nodes = nodes_of(scene, i, &smallest);
        double quick = fmin(cell * sqrt(2 * nodes / QUICK_NODES), smallest / 2);
        if (!(nodes > QUICK_NODES) || nodes > MOST_NODES)
            continue;
        if (quick > 1.4 * cell)
            (void)thud_format(hint, sizeof hint, "; with 'cell' %.2g it would be %.0f times faster",
                              quick, quick / cell * (quick / cell));
        (void)thud_format(
            text, sizeof text,
            "crowd %d: the paths to its doors are computed on a grid of %s nodes with spacing "
            "%.3g, which takes a while%s",
            i, thud_words_grouped(count, (long long)nodes), cell, hint);
        warn(text, user);
    }
}
