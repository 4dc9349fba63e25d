// Every expression and table of a scene, with its name, in the order of the file format.
#include "fields/varying.h"

#include <stdio.h>

typedef struct walk
{
    thudi_varying_fn *visit;
    void *user;
} walk;

void thudi_varying_name(const thudi_varying *varying, char *text, size_t size)
{
    const char *dot = varying->group && varying->name ? "." : "";
    const char *name = varying->name ? varying->name : "", *field = varying->field;
    char index[16] = "";
    if (varying->index >= 0)
        (void)snprintf(index, sizeof index, "[%d]", varying->index);
    (void)snprintf(text, size, "%s%s%s%s%s%s", varying->group ? varying->group : "", dot, name,
                   field ? "." : "", field ? field : "", index);
}

static bool visit_one(const walk *w, const thud_expression *expression, thudi_varying what)
{
    what.expression = expression;
    return expression && w->visit(&what, w->user);
}

static bool visit_vector(const walk *w, const thud_expression *const vector[3], thudi_varying what)
{
    for (what.index = 0; what.index < 3; what.index++)
        if (visit_one(w, vector[what.index], what))
            return true;
    return false;
}

static bool visit_plane(const walk *w, const thud_scene_plane *plane, thudi_varying what)
{
    what.field = "point";
    if (visit_vector(w, plane->point, what))
        return true;
    what.field = "normal";
    return visit_vector(w, plane->normal, what);
}

static bool visit_growth(const walk *w, const thud_scene_growth *growth, const char *group,
                         const char *name, const char *field)
{
    thudi_varying what = {.growth = growth,
                          .expression = growth ? growth->expression : NULL,
                          .group = group,
                          .name = name,
                          .field = field,
                          .index = -1};
    return growth && w->visit(&what, w->user);
}

// A growth with a name is visited once, under that name.
static bool visit_growths(const walk *w, const thud_scene *scene)
{
    for (int i = 0; i < scene->growth_count; i++)
        if (visit_growth(w, &scene->growths[i], "growth", scene->growths[i].name, NULL))
            return true;
    for (int i = 0; i < scene->material_count; i++)
    {
        const thud_scene_material *material = &scene->materials[i];
        bool own = material->growth && !material->growth->name;
        if (own && visit_growth(w, material->growth, "materials", material->name, "growth"))
            return true;
    }
    return false;
}

static bool visit_walls(const walk *w, const thud_scene *scene)
{
    for (int i = 0; i < scene->wall_count; i++)
    {
        thudi_varying what = {.group = "walls", .name = scene->walls[i].name};
        if (visit_plane(w, &scene->walls[i].plane, what))
            return true;
    }
    for (int i = 0; i < scene->obstacle_count; i++)
    {
        const thud_scene_obstacle *obstacle = &scene->obstacles[i];
        thudi_varying position = {.group = "walls", .name = obstacle->name, .field = "position"};
        thudi_varying rotation = {.group = "walls", .name = obstacle->name, .field = "rotation"};
        if (visit_vector(w, obstacle->position, position) ||
            visit_vector(w, obstacle->rotation, rotation))
            return true;
    }
    return false;
}

static bool visit_measures(const walk *w, const thud_scene *scene)
{
    for (int i = 0; i < scene->measure_count; i++)
    {
        thudi_varying what = {
            .use = THUDI_VARYING_MEASURE, .group = "measure", .name = scene->measures[i].name};
        if (visit_plane(w, &scene->measures[i].plane, what))
            return true;
        what.field = "about";
        if (visit_vector(w, scene->measures[i].about, what))
            return true;
    }
    return false;
}

static bool visit_crowd(const walk *w, const thud_scene *scene)
{
    for (int i = 0; i < scene->wish_count; i++)
    {
        const thud_scene_wish *wish = &scene->wishes[i];
        const char *name = wish->material >= 0 ? scene->materials[wish->material].name : "all";
        thudi_varying what = {
            .use = THUDI_VARYING_BODY, .group = "crowd", .name = name, .field = "velocity"};
        if (visit_vector(w, wish->velocity, what))
            return true;
    }
    return false;
}

static bool visit_inclusion(const walk *w, const thud_scene *scene)
{
    for (int i = 0; i < scene->constraint_count; i++)
    {
        const thud_scene_constraint *constraint = &scene->constraints[i];
        thudi_varying what = {.group = "constraints", .name = constraint->name, .index = -1};
        if (visit_one(w, constraint->gap, what))
            return true;
    }
    bool first = scene->order == THUD_FIRST_ORDER;
    for (int k = 0; k < scene->coordinate_count; k++)
    {
        const thud_scene_coordinate *coordinate = &scene->coordinates[k];
        thudi_varying what = {
            .group = first ? "velocity" : "force", .name = coordinate->name, .index = -1};
        if (visit_one(w, coordinate->force, what))
            return true;
        what.group = "impulse";
        if (visit_one(w, coordinate->impulse, what))
            return true;
    }
    return false;
}

static bool visit_exact(const walk *w, const thud_scene *scene)
{
    for (int k = 0; scene->exact && k < scene->coordinate_count; k++)
        for (int i = 0; i < scene->exact[k].count; i++)
        {
            const thud_scene_piece *piece = &scene->exact[k].pieces[i];
            thudi_varying what = {.use = THUDI_VARYING_EXACT,
                                  .group = "exact",
                                  .name = scene->coordinates[k].name,
                                  .field = "q",
                                  .index = i};
            if (visit_one(w, piece->q, what))
                return true;
            what.field = "u";
            if (visit_one(w, piece->u, what))
                return true;
        }
    return false;
}

bool thudi_scene_each_varying(const thud_scene *scene, thudi_varying_fn *visit, void *user)
{
    const walk w = {visit, user};
    return visit_vector(&w, scene->gravity, (thudi_varying){.group = "gravity"}) ||
           visit_one(&w, scene->cell.shear,
                     (thudi_varying){.group = "cell", .name = "shear", .index = -1}) ||
           visit_growths(&w, scene) || visit_walls(&w, scene) || visit_crowd(&w, scene) ||
           visit_inclusion(&w, scene) || visit_measures(&w, scene) || visit_exact(&w, scene);
}
