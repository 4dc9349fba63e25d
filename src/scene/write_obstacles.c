// Obstacles of a scene as they were written, and the triangles of its meshes as a file.
#include "scene/scene_write_parts.h"

static const char *const openings[] = {
#define OBSTACLE_OPENING(name, word, solid, flat) "{" word ": ",
    THUDI_OBSTACLE_LIST(OBSTACLE_OPENING)
#undef OBSTACLE_OPENING
};

static void put_number(thudi_out *out, const char *key, double x)
{
    thudi_put(out, key);
    thudi_put_number(out, x);
}

static void put_vector(thudi_out *out, const char *key, const double x[3], int dim)
{
    thudi_put(out, key);
    thudi_put_vector(out, x, dim);
}

static void put_corners(thudi_out *out, const thud_solid_def *solid, int count, int dim)
{
    for (int i = 0; i < count; i++)
        put_vector(out, i == 0 ? "[" : ", ", solid->points[i], dim);
    thudi_put(out, "]");
}

static void put_long(thudi_out *out, const thud_solid_def *solid, int dim)
{
    bool is_cone = solid->kind == THUD_INSIDE_CONE;
    put_vector(out, is_cone ? "{apex: " : "{from: ", solid->points[0], dim);
    put_vector(out, is_cone ? ", lid: " : ", to: ", solid->points[1], dim);
    put_number(out, ", radius: ", solid->radius);
    if (is_cone || solid->kind == THUD_INSIDE_DRUM)
        thudi_put(out, solid->is_open ? ", open: true" : ", open: false");
    thudi_put(out, "}");
}

static bool is_mesh(const thudi_wall_entry *wall)
{
    return wall->obstacle && wall->obstacle->word == THUDI_OBSTACLE_MESH;
}

static void put_mesh(thudi_out *out, const thudi_scene *scene, const thudi_obstacle_entry *entry,
                     const thud_solid_def *solid, bool in_files)
{
    int first = in_files ? 0 : entry->first_triangle;
    for (int i = 0; in_files && scene->walls[i].obstacle != entry; i++)
        if (is_mesh(&scene->walls[i]))
            first += scene->view.obstacles[scene->walls[i].obstacle->index].solid.triangle_count;
    thudi_put(out, "{file: ");
    thudi_put_string(out, in_files ? THUD_SCENE_MESHES : entry->path);
    put_number(out, ", scale: ", in_files ? 1 : entry->scale);
    thudi_put(out, ", first: ");
    thudi_put_whole(out, first);
    thudi_put(out, ", count: ");
    thudi_put_whole(out, solid->triangle_count);
    thudi_put(out, "}");
}

static void put_hopper(thudi_out *out, const thudi_hopper *hopper)
{
    put_number(out, "{outlet: ", hopper->outlet);
    put_number(out, ", top: ", hopper->top);
    put_number(out, ", height: ", hopper->height);
    put_number(out, ", bin: ", hopper->bin);
    thudi_put(out, ", sides: ");
    thudi_put_whole(out, hopper->sides);
    thudi_put(out, "}");
}

static void put_shape(thudi_out *out, const thudi_scene *scene, const thudi_obstacle_entry *entry,
                      bool in_files)
{
    const thud_solid_def *solid = &scene->view.obstacles[entry->index].solid;
    int dim = scene->view.dim;
    switch (entry->word)
    {
    case THUDI_OBSTACLE_SOLID_BOX:
    case THUDI_OBSTACLE_MOVING_BOX:
        put_corners(out, solid, 2, dim);
        break;
    case THUDI_OBSTACLE_TRIANGLE:
        put_corners(out, solid, 3, dim);
        break;
    case THUDI_OBSTACLE_BALL:
    case THUDI_OBSTACLE_SHELL:
        put_vector(out, "{center: ", solid->points[0], dim);
        put_number(out, ", radius: ", solid->radius);
        thudi_put(out, "}");
        break;
    case THUDI_OBSTACLE_MESH:
        put_mesh(out, scene, entry, solid, in_files);
        break;
    case THUDI_OBSTACLE_HOPPER:
        put_hopper(out, &entry->hopper);
        break;
    default:
        put_long(out, solid, dim);
    }
}

void thudi_put_obstacle(thudi_out *out, const thudi_scene *scene, const thudi_obstacle_entry *entry,
                        bool in_files)
{
    const thud_scene_obstacle *obstacle = &scene->view.obstacles[entry->index];
    thudi_put(out, openings[entry->word]);
    put_shape(out, scene, entry, in_files);
    thudi_put(out, ", position: ");
    thudi_put_varyings(out, obstacle->position, scene->view.dim);
    thudi_put(out, ", rotation: ");
    if (scene->view.dim == 2)
        thudi_put_varying(out, &obstacle->rotation[2]);
    else
        thudi_put_varyings(out, obstacle->rotation, 3);
}

bool thud_scene_has_mesh(const thud_scene *scene)
{
    const thudi_scene *own = thudi_scene_of(scene);
    for (int i = 0; i < own->wall_count; i++)
        if (is_mesh(&own->walls[i]))
            return true;
    return false;
}

static void put_triangle(thudi_out *out, const double *corners)
{
    thudi_put(out, "facet normal 0 0 0\nouter loop\n");
    for (const double *at = corners; at < corners + 9; at += 3)
    {
        put_number(out, "vertex ", at[0]);
        put_number(out, " ", at[1]);
        put_number(out, " ", at[2]);
        thudi_put(out, "\n");
    }
    thudi_put(out, "endloop\nendfacet\n");
}

thud_status thud_scene_write_meshes(const thud_scene *scene, thud_sink_fn *sink, void *user)
{
    if (!scene || !sink)
        return THUD_ERR_ARGUMENT;
    const thudi_scene *own = thudi_scene_of(scene);
    thudi_out out = {.sink = sink, .user = user};
    thudi_put(&out, "solid meshes\n");
    for (int i = 0; i < own->wall_count; i++)
    {
        if (!is_mesh(&own->walls[i]))
            continue;
        const thud_solid_def *mesh = &scene->obstacles[own->walls[i].obstacle->index].solid;
        for (int k = 0; k < mesh->triangle_count; k++)
            put_triangle(&out, mesh->triangles + 9 * (size_t)k);
    }
    thudi_put(&out, "endsolid meshes\n");
    return thudi_out_end(&out);
}
