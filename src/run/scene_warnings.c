// What is worth a warning in a scene that is valid.
#include "run/scene_warnings.h"

#include "core/format.h"

#include <stdarg.h>
#include <string.h>

void thudi_warn(const thudi_warner *warner, const char *format, ...)
{
    char text[1000];
    va_list arguments;
    va_start(arguments, format);
    (void)thudi_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    warner->warn(text, warner->user);
}

typedef struct kinks
{
    const char *group; // of the numbers that are visited now
    const char *what;  // they are called so
    thud_kinks_fn *visit;
    void *user;
    int count;
} kinks;

static int visit_kink(const thud_scene_varying *number, void *user)
{
    kinks *k = user;
    if (strcmp(number->group, k->group) != 0 ||
        thud_varying_bound(number->varying, 0, 0, NULL).kink == 0)
        return 0;
    bool is_cell = strcmp(number->group, "cell") == 0;
    if (k->visit)
        k->visit(k->what, is_cell ? "cell" : number->name, number->varying->expression, k->user);
    k->count++;
    return 0;
}

int thud_scene_each_kink(const thud_scene *scene, thud_kinks_fn *visit, void *user)
{
    static const char *const groups[][2] = {{"constraints", "constraint"},
                                            {"walls", "wall"},
                                            {"materials", "growth of material"},
                                            {"growth", "growth"},
                                            {"cell", "shear of the"}};
    kinks k = {.visit = visit, .user = user};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    {
        k.group = groups[i][0];
        k.what = groups[i][1];
        (void)thud_scene_each_varying(scene, visit_kink, &k);
    }
    return k.count;
}

static void warn_of_kink(const char *what, const char *name, const thud_expression *expression,
                         void *user)
{
    const thud_expression_traits *traits = thud_expression_view(expression);
    const thudi_warner *warner = user;
    thudi_warn(
        warner,
        "%s '%s': \"%s\" has a kink in t (column %d); the convergence theorem assumes that it "
        "is smooth",
        what, name, traits->text, traits->kink_in_time);
}

// Of this part of a radius per step on, a wall's motion is sampled too coarsely to be followed.
static const double FAST_PART = 0.3;

static void warn_of_motion(const thud_scene *scene, const thud_model *model,
                           const thudi_warner *warner)
{
    int wall;
    double part = thud_model_largest_motion(model, &wall), shear = thud_model_shear_motion(model);
    if (shear >= FAST_PART)
        thudi_warn(
            warner,
            "the shear moves images by up to %.2g times the smallest radius in a step; use a "
            "smaller time.step to follow it",
            shear);
    int idle = thud_model_turning_in_place(model);
    if (idle >= 0)
        thudi_warn(
            warner,
            "wall '%s' only turns about its own axis, which moves nothing, because contacts have "
            "no friction; add a part that turns with it and carries bodies, as in 'thud new drum'",
            thud_scene_wall_name(scene, idle));
    if (part < FAST_PART)
        return;
    if (wall >= 0)
        thudi_warn(
            warner,
            "wall '%s' moves by up to %.2g times the smallest radius in a step; use a smaller "
            "time.step to follow it",
            thud_scene_wall_name(scene, wall), part);
    else
        thudi_warn(warner,
                   "radii grow by up to %.2g times the smallest radius in a step; use a smaller "
                   "time.step to follow them",
                   part);
}

// A step splits its mean velocity where the wanted velocity of all bodies jumps, but not of each.
static void warn_of_crowd(const thud_scene *scene, const thudi_warner *warner)
{
    for (int i = 0; i < scene->group_count; i++)
        for (int k = 0; k < 3; k++)
        {
            const thud_scene_group *group = &scene->groups[i];
            const thud_expression *velocity = group->velocity[k].expression;
            int column = velocity ? thud_expression_view(velocity)->kink_in_both : 0;
            if (column > 0)
                thudi_warn(warner,
                           "%s:%d:%d: crowd velocity \"%s\" jumps or bends (column %d) at times "
                           "that depend on where a body is; a change shorter than a step may be "
                           "missed",
                           group->place.file, group->place.line, group->place.column,
                           thud_expression_view(velocity)->text, column);
        }
}

void thud_model_warn(const thud_scene *scene, const thud_model *model, thud_warn_fn *warn,
                     void *user)
{
    thudi_warner warner = {warn, user};
    thudi_warn_of_units(scene, &warner);
    (void)thud_scene_each_kink(scene, warn_of_kink, &warner);
    warn_of_crowd(scene, &warner);
    int concave = thud_model_find_concave(model);
    if (concave >= 0)
        thudi_warn(&warner,
                   "constraint '%s' is not convex in the coordinates near the start: a step does "
                   "not ensure that it holds, and the run stops where it fails",
                   scene->constraints[concave].name);
    warn_of_motion(scene, model, &warner);
    thud_step_warn(scene, model, warn, user);
}
