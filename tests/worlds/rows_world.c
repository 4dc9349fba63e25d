// Worlds drawn at random: see rows_world.h.
#include "rows_world.h"

#include <math.h>
#include <string.h>

static double draw(test_random *random, double low, double high)
{
    return test_random_uniform(random, low, high);
}

double rows_world_offset(const rows_wall *wall, double t)
{
    return wall->offset + wall->sway * sin(20 * t);
}

static int sway(double t, thud_plane *plane, void *user)
{
    const rows_wall *wall = user;
    memcpy(plane->normal, wall->normal, sizeof plane->normal);
    plane->offset = rows_world_offset(wall, t);
    return 0;
}

// Bodies on a grid above the obstacles, some of them much smaller: those fly many radii in a step.
static void draw_bodies(rows_world *w, test_random *random)
{
    int side = w->dim == 2 ? 6 : 4;
    w->count = w->dim == 2 ? 36 : ROWS_BODIES;
    for (int i = 0; i < w->count; i++)
    {
        int at[3] = {i % side, i / side % side, i / side / side};
        thud_sphere *s = &w->spheres[i];
        bool is_small = test_random_int(random, 0, 3) == 0;
        *s = (thud_sphere){.radius = draw(random, 0.06, 0.12) * (is_small ? 0.1 : 1)};
        s->mass = pow(s->radius / 0.1, w->dim);
        for (int k = 0; k < 3 && k < w->dim; k++)
        {
            bool up = k == w->dim - 1;
            s->center[k] = (up ? 0.1 : -0.13 * (side - 1)) + 0.26 * at[k] +
                           draw(random, -1, 1) * (0.129 - s->radius);
            s->velocity[k] = draw(random, -3, 3) * (is_small ? 8 : 1) - (up ? 3 : 0);
        }
        w->radius[i] = s->radius;
        w->material[i] = test_random_int(random, 0, 1);
    }
}

// A floor, and other planes that lean over it. Periodic: none leans, and there is a lid.
static void draw_walls(rows_world *w, test_random *random, bool periodic)
{
    w->wall_count = periodic ? 2 : test_random_int(random, 2, ROWS_WALLS);
    for (int i = 0; i < w->wall_count; i++)
    {
        rows_wall *wall = &w->walls[i];
        double square = 0;
        *wall = (rows_wall){.offset = periodic && i == 1 ? -2 : -draw(random, 0.7, 1.1),
                            .sway = test_random_int(random, 0, 3) == 0 ? 0.02 : 0,
                            .material = test_random_int(random, 0, ROWS_MATERIALS - 1)};
        for (int k = 0; k < w->dim; k++)
            wall->normal[k] = k == w->dim - 1 ? 1 : periodic || i == 0 ? 0 : draw(random, -1, 1);
        wall->normal[w->dim - 1] = periodic && i == 1 ? -1 : 1;
        for (int k = 0; k < 3; k++)
            square += wall->normal[k] * wall->normal[k];
        for (int k = 0; k < 3; k++)
            wall->normal[k] /= sqrt(square);
    }
}

// A floor of triangles whose heights are drawn; in two dimensions of lines.
static void draw_mesh(rows_world *w, test_random *random, int k)
{
    thud_solid_def *solid = &w->obstacles[k].solid;
    double *out = w->triangles[k], z[5][5];
    for (int i = 0; i < 25; i++)
        z[i / 5][i % 5] = draw(random, -0.9, -0.5);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < (w->dim == 2 ? 1 : 4); j++)
        {
            double x[2] = {-1.2 + 0.6 * i, -0.6 + 0.6 * i};
            double y[2] = {-1.2 + 0.6 * j, -0.6 + 0.6 * j};
            double line[9] = {x[0], z[i][0], 0, x[1], z[i + 1][0], 0, x[1], z[i + 1][0], 0};
            double low[9] = {x[0],        y[0], z[i][j], x[1],           y[0],
                             z[i + 1][j], x[1], y[1],    z[i + 1][j + 1]};
            double high[9] = {x[0], y[0], z[i][j],    x[1], y[1], z[i + 1][j + 1],
                              x[0], y[1], z[i][j + 1]};
            memcpy(out, w->dim == 2 ? line : low, sizeof line);
            if (w->dim == 3)
                memcpy(out + 9, high, sizeof high);
            out += w->dim == 2 ? 9 : 18;
        }
    solid->triangles = w->triangles[k];
    solid->triangle_count = w->dim == 2 ? 4 : 32;
}

// One solid below the bodies, or a container around them all.
static void draw_solid(rows_world *w, test_random *random, int k, thud_solid_kind kind)
{
    thud_obstacle_def *def = &w->obstacles[k];
    thud_solid_def *solid = &def->solid;
    bool is_inside = kind >= THUD_INSIDE_BOX;
    bool is_box = kind == THUD_BOX || kind == THUD_INSIDE_BOX;
    double size = is_inside ? 2.2 : 0.12, far = w->dim == 3 ? size : is_box ? INFINITY : 0;
    *def = (thud_obstacle_def){.solid = {.kind = kind, .radius = is_inside ? 2 : 0.1}};
    for (int c = 0; c < w->dim; c++)
        def->pose.position[c] = is_inside ? 0 : draw(random, -0.7, 0.7);
    if (!is_inside)
        def->pose.position[w->dim - 1] = draw(random, -0.6, -0.4);
    def->pose.rotation[2] = draw(random, -3, 3);
    if (w->dim == 3)
        def->pose.rotation[0] = draw(random, -3, 3);
    for (int c = 0; c < 3; c++)
    {
        solid->points[0][c] = kind == THUD_BALL || kind == THUD_INSIDE_BALL ? 0
                              : c == 2                                      ? -far
                                                                            : -size;
        solid->points[1][c] = c == 2 ? far : size;
        solid->points[2][c] = c == 0 ? size : 0;
    }
    if (kind == THUD_INSIDE_CONE) // its apex below, wide enough for all
    {
        double ends[2][3] = {{0, 0, -3}, {0, 0, 4}};
        memcpy(solid->points, ends, sizeof ends);
        def->pose = (thud_pose){0};
        solid->radius = 9;
    }
    if (kind == THUD_MESH)
    {
        def->pose = (thud_pose){0};
        draw_mesh(w, random, k);
    }
    // glue has no meaning on meshes, and no law but the inelastic one on what is concave
    bool is_bare =
        is_inside ? kind != THUD_INSIDE_BOX : kind == THUD_MESH && w->law == THUD_LAW_GLUE;
    def->material = is_bare ? 2 : test_random_int(random, 0, 2);
}

static void draw_obstacles(rows_world *w, test_random *random, bool periodic)
{
    static const thud_solid_kind flat[] = {THUD_BOX,  THUD_BALL,       THUD_CAPSULE,
                                           THUD_MESH, THUD_INSIDE_BOX, THUD_INSIDE_BALL};
    static const thud_solid_kind deep[] = {
        THUD_BOX,  THUD_BALL,       THUD_CAPSULE,     THUD_CYLINDER,    THUD_TRIANGLE,
        THUD_MESH, THUD_INSIDE_BOX, THUD_INSIDE_DRUM, THUD_INSIDE_CONE, THUD_INSIDE_BALL};
    int count = w->dim == 2 ? 6 : 10;
    w->obstacle_count = periodic ? 1 : test_random_int(random, 2, ROWS_OBSTACLES);
    for (int k = 0; k < w->obstacle_count; k++)
    {
        int kind = test_random_int(random, 0, count - 1);
        draw_solid(w, random, k, periodic ? THUD_BOX : (w->dim == 2 ? flat : deep)[kind]);
    }
    if (!periodic)
        return;
    thud_obstacle_def *slab = &w->obstacles[0]; // without end along what is periodic
    double low = test_random_int(random, 0, 1) ? -0.9 : -2;
    slab->pose = (thud_pose){0};
    for (int k = 0; k < w->dim; k++)
    {
        slab->solid.points[0][k] = k == w->dim - 1 ? low : -INFINITY;
        slab->solid.points[1][k] = k == w->dim - 1 ? low + 0.3 : INFINITY;
    }
}

static void draw_table(rows_world *w, test_random *random)
{
    for (int a = 0; a < 2; a++)
        for (int b = 0; b <= a; b++)
        {
            double e = draw(random, 0, 1);
            double value = w->law == THUD_LAW_INELASTIC ? 0
                           : w->law == THUD_LAW_GLUE    ? (e < 0.5 ? -INFINITY : -0.01 * e)
                                                        : e;
            w->table[a * ROWS_MATERIALS + b] = w->table[b * ROWS_MATERIALS + a] = value;
        }
}

static thud_status fill(rows_world *w)
{
    thud_status status = thud_world_add(w->world, w->spheres, w->count, NULL);
    for (int i = 0; i < w->count && status >= 0; i++)
        status = thud_world_set_material(w->world, &i, 1, w->material[i]);
    for (int i = 0; i < w->wall_count && status >= 0; i++)
    {
        rows_wall *wall = &w->walls[i];
        thud_wall_def def = {.motion = wall->sway != 0 ? sway : NULL,
                             .material = wall->material,
                             .smooth = {NAN, NAN},
                             .user = wall};
        (void)sway(0, &def.plane, wall);
        status = thud_world_add_wall(w->world, &def, NULL);
    }
    for (int k = 0; k < w->obstacle_count && status >= 0; k++)
        status = thud_world_add_obstacle(w->world, &w->obstacles[k], NULL);
    return status < 0 ? status : thud_world_prepare(w->world, THUD_PROJECT_OVERLAP, NULL);
}

bool rows_world_draw(rows_world *w, test_random *random, int dim, thud_law law, bool periodic)
{
    *w = (rows_world){.dim = dim, .law = law, .h = 0.01, .tol = 1e-5};
    draw_bodies(w, random);
    draw_walls(w, random, periodic);
    draw_obstacles(w, random, periodic);
    draw_table(w, random);
    thud_world_def def = {.dim = dim,
                          .h = w->h,
                          .tol = w->tol,
                          .gravity = {draw(random, -2, 2), dim == 2 ? -10 : 0, dim == 2 ? 0 : -10},
                          .material_count = ROWS_MATERIALS,
                          .law = law,
                          .numbers = w->table};
    for (int k = 0; k < dim - 1 && periodic; k++)
        def.cell.period[k] = w->period[k] = 1.7;
    thud_status status = thud_world_create(&def, &w->world);
    if (status >= 0)
        status = fill(w);
    if (status >= 0)
        return true;
    test_fail(__FILE__, __LINE__, "%s: %s", thud_status_name(status),
              w->world ? thud_world_message(w->world) : "no world");
    rows_world_drop(w);
    return false;
}

void rows_world_drop(rows_world *w)
{
    thud_world_destroy(w->world);
    w->world = NULL;
}

int rows_world_keys(const thud_solid_def *solid)
{
    return brute_is_concave(solid, 0) ? 8 : 1;
}

int rows_world_first(const rows_world *w, int obstacle)
{
    int first = 0;
    for (int k = 0; k < obstacle; k++)
        first += brute_facets(&w->obstacles[k].solid) * rows_world_keys(&w->obstacles[k].solid);
    return first;
}

static int spy_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    rows_world *w = user;
    int code = w->inner.gaps(at, rows, w->inner.user);
    if (code != 0 || thud_rows_status(rows) < 0)
        return code;
    thud_rows_sort(rows);
    rows_brute_compare(w, at, rows);
    return 0;
}

static int spy_force(double t, const double *q, double *f, void *user)
{
    const rows_world *w = user;
    return w->inner.force(t, q, f, w->inner.user);
}

thud_inclusion rows_world_spy(rows_world *w)
{
    w->inner = thud_world_inclusion(w->world);
    thud_inclusion spied = w->inner;
    spied.gaps = spy_gaps;
    spied.force = w->inner.force ? spy_force : NULL;
    spied.user = w;
    return spied;
}
