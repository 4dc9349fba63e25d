// A model: the problem of a scene, whatever its kind, and what can be asked of it.
#include "build/model.h"
#include "core/fault.h"
#include "core/text.h"
#include "core/whole.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Of the largest time: a double of that size moves in steps of 2e-16, and h must keep its digits.
static const double LEAST_STEP = 1e-12;

thud_status thudi_fail_unplaced(thud_fault *fault, thud_status status, const char *hint,
                                const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)thudi_fail_list(fault, status, THUDI_NOWHERE, hint, format, arguments);
    va_end(arguments);
    return status;
}

void thudi_fault_place(thud_fault *fault, const thud_place *place)
{
    if (!fault)
        return;
    (void)snprintf(fault->file, sizeof fault->file, "%s", place->file);
    fault->line = place->line;
    fault->column = place->column;
}

double thudi_model_value(const thud_model *model, const thud_varying *varying, double t)
{
    return thud_varying_at(varying, t, model->room);
}

thud_varying_bounds thudi_model_bounds(const thud_model *model, const thud_varying *varying)
{
    return thud_varying_bound(varying, model->scene->start, model->scene->end, model->room);
}

// The longest gradient of a gap.
static int longest_gradient(const thud_scene *scene)
{
    int most = 1;
    for (int i = 0; i < scene->constraint_count; i++)
    {
        const thud_expression *gap = scene->constraints[i].gap.expression;
        int count = gap ? thud_expression_view(gap)->coordinate_count : 0;
        most = count > most ? count : most;
    }
    return most;
}

// Scratch memory for every number of the scene, taken once.
static thud_status take_room(thud_model *model)
{
    model->room_size = (size_t)thud_scene_varying_room(model->scene) * sizeof *model->room;
    model->gradient_size = (size_t)longest_gradient(model->scene) * sizeof *model->gradient;
    model->room = thudi_allocate_zeroed(&model->allocator, model->room_size);
    model->gradient = thudi_allocate_zeroed(&model->allocator, model->gradient_size);
    return model->room && model->gradient ? THUD_OK : THUD_ERR_MEMORY;
}

// What no step could be taken with, said before anything is built.
static thud_status check_times(const thud_scene *scene, thud_fault *fault)
{
    double last = fabs(scene->start) > fabs(scene->end) ? fabs(scene->start) : fabs(scene->end);
    const char *hint = NULL;
    char text[160], step[THUD_NUMBER_SIZE], number[THUDI_TEXT_NUMBER_SIZE];
    (void)thud_number_write(step, scene->step);
    if (scene->drag * scene->step > 1)
    {
        hint = "make one of them smaller";
        (void)snprintf(text, sizeof text, "drag times step is %s; it must be at most 1",
                       thudi_text_number(number, scene->drag * scene->step));
    }
    else if (scene->step < LEAST_STEP * last)
    {
        hint = "begin at a smaller time, or use a larger step";
        (void)snprintf(text, sizeof text,
                       "the step %s is below 1e-12 of the largest time, %s; double precision "
                       "cannot resolve it",
                       step, thudi_text_number(number, last));
    }
    else if ((scene->end - scene->start) / scene->step > THUDI_MOST_COUNT)
    {
        hint = "use a larger step";
        (void)snprintf(text, sizeof text, "the run has %s steps; the limit is 1e15",
                       thudi_text_number(number, (scene->end - scene->start) / scene->step));
    }
    if (!hint)
        return THUD_OK;
    (void)thudi_fail_unplaced(fault, THUD_ERR_SCENE, hint, "%s", text);
    if (fault)
        (void)snprintf(fault->file, sizeof fault->file, "%s", scene->file);
    return THUD_ERR_SCENE;
}

static thud_status build(thud_model *model, thud_fault *fault)
{
    THUD_TRY(thud_float_check());
    THUD_TRY(check_times(model->scene, fault));
    THUD_TRY(take_room(model));
    bool is_world = model->scene->kind == THUD_SCENE_SPHERES;
    thud_status status =
        is_world ? thudi_model_spheres(model, fault) : thudi_model_inclusion(model, fault);
    THUD_TRY(status);
    THUD_TRY(thudi_model_kinks(model));
    return status; // with its news
}

thud_status thudi_model_build(const thud_scene *scene, const thud_allocator *allocator,
                              thud_model **out, thud_fault *fault)
{
    thud_allocator from = thudi_allocator_or_default(allocator);
    thud_model *model = thudi_allocate_zeroed(&from, sizeof *model);
    *out = NULL;
    if (!model)
        return THUD_ERR_MEMORY;
    model->allocator = from;
    model->scene = scene;
    thud_status status = build(model, fault);
    if (status < 0)
        thudi_model_free(model);
    else
        *out = model;
    return status;
}

void thudi_model_free(thud_model *model)
{
    const thud_scene *scene = model->scene;
    thud_allocator from = model->allocator;
    if (model->world)
        thud_world_destroy(model->world);
    else
        thud_state_destroy(model->state);
    thudi_model_contacts_free(model);
    thudi_model_crowd_free(model);
    thudi_model_obstacles_free(model);
    thudi_free(&from, model->motions, (size_t)scene->wall_count * sizeof *model->motions);
    thudi_free(&from, model->mass, (size_t)scene->coordinate_count * sizeof *model->mass);
    thudi_array_free(&from, &model->kink);
    thudi_free(&from, model->gradient, model->gradient_size);
    thudi_free(&from, model->room, model->room_size);
    thudi_free(&from, model, sizeof *model);
}

const thud_scene *thud_model_scene(const thud_model *model)
{
    return model->scene;
}

const thud_allocator *thud_model_allocator(const thud_model *model)
{
    return &model->allocator;
}

const thud_inclusion *thud_model_problem(const thud_model *model)
{
    return &model->problem;
}

thud_state *thud_model_state(thud_model *model)
{
    return model->state;
}

thud_work_def thud_model_work(const thud_model *model)
{
    thud_work_def def = {.allocator = &model->allocator};
    return model->world ? thud_world_work(model->world) : def;
}

thud_start thud_model_start(const thud_model *model)
{
    return model->start;
}

void thudi_model_key(const thud_model *model, thud_key key, int *a, int *b)
{
    thud_key_parts parts = thud_key_read(key, thud_scene_keys(model->scene));
    bool is_pair = parts.kind == THUD_KEY_PAIR, is_wall = parts.kind == THUD_KEY_WALL;
    int facet, obstacle = thudi_model_obstacle_of(model, key, &facet);
    *a = (int)(is_pair ? parts.a : parts.b);
    *b = INT_MIN;
    if (is_pair)
        *b = (int)parts.b;
    else if (is_wall && parts.a < model->scene->wall_count)
        *b = -1 - (int)parts.a;
    else if (obstacle >= 0)
        *b = -1 - (model->scene->wall_count + obstacle);
}

// "7" or "'probe'".
void thudi_model_name_body(const thud_scene *scene, int body, char *text, size_t size)
{
    if (body < scene->body_count && scene->bodies[body].name)
        (void)snprintf(text, size, "'%s'", scene->bodies[body].name);
    else
        (void)snprintf(text, size, "%d", body);
}

void thud_model_describe(const thud_model *model, thud_key key, char *text, size_t size)
{
    const thud_scene *scene = model->scene;
    char first[80], second[80];
    int a, b;
    if (!model->world)
    {
        int constraint = thud_scene_constraint_of(scene, key);
        (void)snprintf(text, size, "constraint '%s'",
                       constraint < 0 ? "?" : scene->constraints[constraint].name);
        return;
    }
    // see thud_verify_spheres
    thud_key_parts parts = thud_key_read(key, thud_scene_keys(model->scene));
    if (parts.kind == THUD_KEY_OBSTACLE && parts.a < scene->obstacle_count)
    {
        (void)snprintf(text, size, "wall '%s', which moves far in one step",
                       scene->obstacles[parts.a].name);
        return;
    }
    thudi_model_key(model, key, &a, &b);
    thudi_model_name_body(scene, a, first, sizeof first);
    if (b >= 0)
    {
        thudi_model_name_body(scene, b, second, sizeof second);
        (void)snprintf(text, size, "bodies %s and %s%s", first, second,
                       thudi_model_across(model, key));
        return;
    }
    (void)snprintf(text, size, "body %s and wall '%s'", first,
                   b == INT_MIN ? "?" : thud_scene_wall_name(scene, -1 - b));
}

void thudi_model_name(thud_key key, char *text, size_t size, void *user)
{
    thud_model_describe(user, key, text, size);
}
