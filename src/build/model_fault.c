// Finds what of a scene cannot be used at some time, and names it as the scene does.
#include "build/model.h"

#include <math.h>
#include <stdio.h>

typedef struct search
{
    const thud_model *model;
    double t;
    const double *q;
    char *text;
    size_t size;
} search;

static void write_fault(const search *s, const thud_scene_varying *number, const char *what)
{
    char name[200];
    thud_scene_varying_name(number, name, sizeof name);
    (void)snprintf(s->text, s->size, "%s is %s", name, what);
}

// Every number must be finite, and radii must not vanish.
static int check_number(const thud_scene_varying *number, void *user)
{
    const search *s = user;
    char text[THUD_NUMBER_SIZE];
    if (number->use != THUD_VARYING_STEP)
        return 0;
    double value = thud_varying_at_point(number->varying, s->t, s->q, s->model->room);
    if (isfinite(value) && (!number->is_growth || value > 0))
        return 0;
    bool is_table = number->varying->kind == THUD_VARYING_TABLE;
    write_fault(s, number,
                is_table ? "unknown, because its table ends before"
                         : thud_number_write(text, value));
    return 1;
}

// Normals must not vanish.
static bool is_normal_faulty(const search *s, const thud_scene_wall *wall)
{
    double square = 0;
    for (int k = 0; k < s->model->scene->dim; k++)
    {
        double part = thudi_model_value(s->model, &wall->plane.normal[k], s->t);
        square += part * part;
    }
    if (square > 0)
        return false;
    write_fault(
        s,
        &(thud_scene_varying){.group = "walls", .name = wall->name, .field = "normal", .index = -1},
        "0");
    return true;
}

bool thud_model_fault(const thud_model *model, double t, const double *q, char *text, size_t size)
{
    const thud_scene *scene = model->scene;
    search s = {model, t, q, text, size};
    if (size > 0)
        text[0] = '\0';
    bool found = thud_scene_each_varying(scene, check_number, &s) != 0;
    for (int i = 0; i < scene->wall_count && !found; i++)
        found = is_normal_faulty(&s, &scene->walls[i]);
    // derivatives of the pose, which the walk over numbers does not visit
    for (int i = 0; i < scene->obstacle_count && !found; i++)
        found = thudi_model_pose_fault(model, i, t, text, size);
    return found || (scene->group_count > 0 && thudi_crowd_fault(model, t, q, text, size));
}
