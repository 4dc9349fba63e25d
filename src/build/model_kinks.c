// Where the force of a scene is not smooth in time: at zeros of arguments of step, abs, min, max
// and atan2 in its expressions.
#include "build/model.h"

#include "expression/expression_text.h"

#include <stdio.h>
#include <string.h>

static int write_range(int which, double t, double t_next, const double *q, thud_kink_range *range,
                       void *user)
{
    const thud_model *model = user;
    *range = thudi_kink_range(&model->kink.items[which], t, t_next, q, model->room);
    return 0;
}

typedef struct naming
{
    const thud_expression *wanted;
    char *text;
    size_t size;
} naming;

static int name_expression(const thud_scene_varying *number, void *user)
{
    const naming *n = user;
    if (number->varying->expression != n->wanted)
        return 0;
    thud_scene_varying_name(number, n->text, n->size);
    return 1;
}

// force.x, "step(sin(t))", column 1
static void describe(int which, char *text, size_t size, void *user)
{
    const thud_model *model = user;
    const thudi_kink *kink = &model->kink.items[which];
    const char *written = thud_expression_view(kink->expression)->text;
    const thudi_source source = {.text = written, .length = strlen(written)};
    char name[120] = "";
    naming n = {kink->expression, name, sizeof name};
    (void)thud_scene_each_varying(model->scene, name_expression, &n);
    (void)snprintf(text, size, "%s, \"%.100s\", column %d", name, written,
                   thudi_source_column(&source, kink->expression->nodes.items[kink->node].at));
}

// A wanted velocity may depend on the position of its body. The times of its kinks then differ from
// body to body, and they are not searched for. `thud check` warns of this.
static int add_kinks(const thud_scene_varying *number, void *user)
{
    thud_model *model = user;
    const thud_expression *expression = number->varying->expression;
    bool alone = model->scene->kind == THUD_SCENE_SPHERES;
    int more = number->is_force && expression ? thudi_expression_kinks(expression, alone, NULL) : 0;
    if (more == 0)
        return THUD_OK;
    THUD_TRY(thudi_array_reserve(&model->allocator, &model->kink,
                                 (size_t)model->kinks.count + (size_t)more));
    thudi_expression_kinks(expression, alone, model->kink.items + model->kinks.count);
    model->kinks.count += more;
    return THUD_OK;
}

static int moves(const thud_scene_varying *number, void *user)
{
    (void)user;
    return number->is_force && thud_varying_uses_time(number->varying);
}

bool thudi_model_is_steady(const thud_model *model)
{
    return thud_scene_each_varying(model->scene, moves, NULL) == 0;
}

thud_status thudi_model_kinks(thud_model *model)
{
    if (model->problem.force_is_steady || model->problem.impulse)
        return THUD_OK;
    THUD_TRY((thud_status)thud_scene_each_varying(model->scene, add_kinks, model));
    model->kinks.range = write_range;
    model->kinks.describe = describe;
    model->kinks.user = model;
    if (model->kinks.count > 0)
        model->problem.kinks = &model->kinks;
    return THUD_OK;
}
