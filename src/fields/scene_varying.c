// Visits every number of a scene that may depend on time, with its name. No other walk over them
// exists: a new number must be added here.
#include "thud/scene.h"

#include <stdio.h>

typedef struct walk
{
    thud_varying_fn *visit;
    void *user;
} walk;

void thud_scene_varying_name(const thud_scene_varying *number, char *text, size_t size)
{
    const char *dot = number->group && number->name ? "." : "";
    const char *name = number->name ? number->name : "", *field = number->field;
    char index[16] = "";
    if (number->index >= 0)
        (void)snprintf(index, sizeof index, "[%d]", number->index);
    (void)snprintf(text, size, "%s%s%s%s%s%s", number->group ? number->group : "", dot, name,
                   field ? "." : "", field ? field : "", index);
}

static int visit_one(const walk *w, const thud_varying *varying, thud_scene_varying what)
{
    what.varying = varying;
    return thud_varying_is_given(varying) ? w->visit(&what, w->user) : 0;
}

static int visit_vector(const walk *w, const thud_varying vector[3], thud_scene_varying what)
{
    int end = 0;
    for (what.index = 0; what.index < 3 && !end; what.index++)
        end = visit_one(w, &vector[what.index], what);
    return end;
}

static int visit_plane(const walk *w, const thud_scene_plane *plane, thud_scene_varying what)
{
    what.field = "point";
    int end = visit_vector(w, plane->point, what);
    what.field = "normal";
    return end ? end : visit_vector(w, plane->normal, what);
}

static int visit_growths(const walk *w, const thud_scene *scene)
{
    int end = 0;
    for (int i = 0; i < scene->growth_count && !end; i++)
    {
        const thud_scene_growth *growth = &scene->growths[i];
        end =
            visit_one(w, &growth->factor,
                      (thud_scene_varying){
                          .is_growth = true, .group = "growth", .name = growth->name, .index = -1});
    }
    for (int i = 0; i < scene->material_count && !end; i++)
    {
        const thud_scene_material *material = &scene->materials[i];
        thud_scene_varying what = {.is_growth = true,
                                   .group = "materials",
                                   .name = material->name,
                                   .field = "growth",
                                   .index = -1};
        if (material->growth && !material->growth->name)
            end = visit_one(w, &material->growth->factor, what);
    }
    return end;
}

static int visit_walls(const walk *w, const thud_scene *scene)
{
    int end = 0;
    for (int i = 0; i < scene->wall_count && !end; i++)
    {
        thud_scene_varying what = {.group = "walls", .name = scene->walls[i].name};
        end = visit_plane(w, &scene->walls[i].plane, what);
    }
    for (int i = 0; i < scene->obstacle_count && !end; i++)
    {
        const thud_scene_obstacle *obstacle = &scene->obstacles[i];
        thud_scene_varying what = {.group = "walls", .name = obstacle->name, .field = "position"};
        end = visit_vector(w, obstacle->position, what);
        what.field = "rotation";
        end = end ? end : visit_vector(w, obstacle->rotation, what);
    }
    return end;
}

static int visit_measures(const walk *w, const thud_scene *scene)
{
    int end = 0;
    for (int i = 0; i < scene->measure_count && !end; i++)
    {
        thud_scene_varying what = {
            .use = THUD_VARYING_MEASURE, .group = "measure", .name = scene->measures[i].name};
        end = visit_plane(w, &scene->measures[i].plane, what);
        what.field = "about";
        end = end ? end : visit_vector(w, scene->measures[i].about, what);
    }
    return end;
}

static int visit_crowd(const walk *w, const thud_scene *scene)
{
    int end = 0;
    for (int i = 0; i < scene->group_count && !end; i++)
    {
        const thud_scene_group *group = &scene->groups[i];
        const char *name = group->material >= 0 ? scene->materials[group->material].name : "all";
        thud_scene_varying what = {.use = THUD_VARYING_BODY,
                                   .is_force = true,
                                   .group = "crowd",
                                   .name = name,
                                   .field = "velocity"};
        end = visit_vector(w, group->velocity, what);
    }
    return end;
}

static int visit_inclusion(const walk *w, const thud_scene *scene)
{
    int end = 0;
    bool first = scene->order == THUD_FIRST_ORDER;
    for (int i = 0; i < scene->constraint_count && !end; i++)
    {
        const thud_scene_constraint *constraint = &scene->constraints[i];
        thud_scene_varying what = {.group = "constraints", .name = constraint->name, .index = -1};
        end = visit_one(w, &constraint->gap, what);
    }
    for (int k = 0; k < scene->coordinate_count && !end; k++)
    {
        const thud_scene_coordinate *coordinate = &scene->coordinates[k];
        thud_scene_varying what = {.is_force = true,
                                   .group = first ? "velocity" : "force",
                                   .name = coordinate->name,
                                   .index = -1};
        end = visit_one(w, &coordinate->force, what);
        what.is_force = false;
        what.group = "impulse";
        end = end ? end : visit_one(w, &coordinate->impulse, what);
    }
    return end;
}

static int visit_exact(const walk *w, const thud_scene *scene, int k)
{
    int end = 0;
    for (int i = 0; i < scene->exact[k].count && !end; i++)
    {
        const thud_scene_piece *piece = &scene->exact[k].pieces[i];
        thud_scene_varying what = {.use = THUD_VARYING_EXACT,
                                   .group = "exact",
                                   .name = scene->coordinates[k].name,
                                   .field = "q",
                                   .index = i};
        end = visit_one(w, &piece->q, what);
        what.field = "u";
        end = end ? end : visit_one(w, &piece->u, what);
    }
    return end;
}

// In the order of the file format.
int thud_scene_each_varying(const thud_scene *scene, thud_varying_fn *visit, void *user)
{
    const walk w = {visit, user};
    thud_scene_varying shear = {.group = "cell", .name = "shear", .index = -1};
    int end = visit_vector(&w, scene->gravity,
                           (thud_scene_varying){.is_force = true, .group = "gravity"});
    end = end ? end : visit_one(&w, &scene->cell.shear, shear);
    end = end ? end : visit_growths(&w, scene);
    end = end ? end : visit_walls(&w, scene);
    end = end ? end : visit_crowd(&w, scene);
    end = end ? end : visit_inclusion(&w, scene);
    end = end ? end : visit_measures(&w, scene);
    for (int k = 0; scene->exact && k < scene->coordinate_count && !end; k++)
        end = visit_exact(&w, scene, k);
    return end;
}

static int note_room(const thud_scene_varying *number, void *user)
{
    int *most = user, room = thud_varying_room(number->varying);
    *most = room > *most ? room : *most;
    return 0;
}

int thud_scene_varying_room(const thud_scene *scene)
{
    int most = 1;
    (void)thud_scene_each_varying(scene, note_room, &most);
    return most;
}
