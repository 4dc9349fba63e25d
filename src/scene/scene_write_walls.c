// Walls of a scene as they were written, and the triangles of its meshes as a file.
#include "scene/scene_write_parts.h"

#include <string.h>

static const thud_scene_obstacle *obstacle_of(const thudi_putter *p, const thudi_wall_entry *wall)
{
    return wall->obstacle ? &p->scene->view.obstacles[wall->obstacle->index] : NULL;
}

static const thud_scene_wall *wall_of(const thudi_putter *p, const thudi_wall_entry *wall)
{
    return &p->scene->view.walls[wall->first];
}

static bool is_mesh(const thudi_wall_entry *wall)
{
    return wall->obstacle && wall->obstacle->word == THUDI_OBSTACLE_MESH;
}

void thudi_put_plane(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_wall_entry *wall = from;
    if (wall->obstacle || wall->is_box)
        return;
    thudi_put_key(p, field);
    thudi_put_flow(p, field->of, &wall_of(p, wall)->plane);
}

static void put_solid(thudi_putter *p, const thudi_field *field, const thudi_obstacle_entry *entry)
{
    const thud_solid_def *solid = &p->scene->view.obstacles[entry->index].solid;
    if (field->form == THUDI_A_BOX)
        thudi_put_box(p, solid->points[0], solid->points[1]);
    else if (entry->word == THUDI_OBSTACLE_MESH)
        thudi_put_flow(p, field->of, entry);
    else if (entry->word == THUDI_OBSTACLE_HOPPER)
        thudi_put_flow(p, field->of, &entry->hopper);
    else if (field->form == THUDI_A_PART)
        thudi_put_flow(p, field->of, solid);
    else
        for (int i = 0; i < 3; i++)
        {
            thudi_put(p->out, i == 0 ? "[" : ", ");
            thudi_put_vector(p->out, solid->points[i], p->dim);
        }
    thudi_put(p->out, field->form == THUDI_A_LIST ? "]" : "");
}

// Write the field of the wall's shape. A box that does not move is not an obstacle.
void thudi_put_shape(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_wall_entry *wall = from;
    int word = wall->obstacle ? (int)wall->obstacle->word : THUDI_OBSTACLE_MOVING_BOX;
    if (field != &thudi_wall_thing.fields[1 + word] || (!wall->obstacle && !wall->is_box))
        return;
    thudi_put_key(p, field);
    if (wall->obstacle)
        put_solid(p, field, wall->obstacle);
    else
        thudi_put_box(p, wall->low, wall->high);
}

// Write the wall's material, unless the scene has only one.
void thudi_put_wall_material(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_wall_entry *wall = from;
    int material = wall->obstacle ? obstacle_of(p, wall)->material : wall_of(p, wall)->material;
    if (material < 0 || p->scene->view.material_count <= 1)
        return;
    thudi_put_key(p, field);
    thudi_put_material_name(p, material);
}

void thudi_put_position(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_obstacle *obstacle = obstacle_of(p, from);
    if (!obstacle)
        return;
    thudi_put_key(p, field);
    thudi_put_varyings(p->out, obstacle->position, p->dim);
}

void thudi_put_rotation(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_obstacle *obstacle = obstacle_of(p, from);
    if (!obstacle)
        return;
    thudi_put_key(p, field);
    if (p->dim == 2)
        thudi_put_varying(p->out, &obstacle->rotation[2]);
    else
        thudi_put_varyings(p->out, obstacle->rotation, 3);
}

void thudi_put_walls(thudi_putter *p, const thudi_field *field, const void *from)
{
    (void)from;
    if (p->scene->wall_count > 0)
        thudi_put_heading(p, field);
    for (int i = 0; i < p->scene->wall_count; i++)
    {
        thudi_put_entry_name(p, p->scene->walls[i].name);
        thudi_put_flow(p, &thudi_wall_thing, &p->scene->walls[i]);
        thudi_put(p->out, "\n");
    }
}

void thudi_put_mesh_file(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_obstacle_entry *entry = from;
    thudi_put_key(p, field);
    thudi_put_string(p->out, p->bodies_file ? THUD_SCENE_MESHES : entry->path);
}

void thudi_put_mesh_scale(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_obstacle_entry *entry = from;
    thudi_put_key(p, field);
    thudi_put_number(p->out, p->bodies_file ? 1 : entry->scale);
}

// The file of all meshes holds one mesh after the other.
void thudi_put_mesh_first(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_obstacle_entry *entry = from;
    const thudi_wall_entry *walls = p->scene->walls;
    int first = p->bodies_file ? 0 : entry->first_triangle;
    for (int i = 0; p->bodies_file && walls[i].obstacle != entry; i++)
        if (is_mesh(&walls[i]))
            first += obstacle_of(p, &walls[i])->solid.triangle_count;
    thudi_put_key(p, field);
    thudi_put_whole(p->out, first);
}

void thudi_put_mesh_count(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_obstacle_entry *entry = from;
    thudi_put_key(p, field);
    thudi_put_whole(p->out, p->scene->view.obstacles[entry->index].solid.triangle_count);
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
        thudi_put(out, "vertex");
        for (int k = 0; k < 3; k++)
        {
            thudi_put(out, " ");
            thudi_put_number(out, at[k]);
        }
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
