// Where the force of a scene is not smooth in time: at zeros of arguments of step, abs, min, max
// and atan2 in its expressions.
#include "build/model.h"

#include "expression/expression_text.h"
#include "fields/varying.h"

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

static bool name_expression(const thudi_varying *varying, void *user)
{
    const naming *n = user;
    if (varying->expression != n->wanted)
        return false;
    thudi_varying_name(varying, n->text, n->size);
    return true;
}

// force.x, "step(sin(t))", column 1
static void describe(int which, char *text, size_t size, void *user)
{
    const thud_model *model = user;
    const thudi_kink *kink = &model->kink.items[which];
    const char *written = thud_expression_look(kink->expression)->text;
    const thudi_source source = {.text = written, .length = strlen(written)};
    char name[120] = "";
    naming n = {kink->expression, name, sizeof name};
    (void)thudi_scene_each_varying(model->scene, name_expression, &n);
    (void)snprintf(text, size, "%s, \"%.100s\", column %d", name, written,
                   thudi_source_column(&source, kink->expression->nodes.items[kink->node].at));
}

static thud_status add_kinks(thud_model *model, const thud_expression *expression, bool alone)
{
    int more = expression ? thudi_expression_kinks(expression, alone, NULL) : 0;
    if (more == 0)
        return THUD_OK;
    THUD_TRY(thudi_array_reserve(&model->allocator, &model->kink,
                                 (size_t)model->kinks.count + (size_t)more));
    thudi_expression_kinks(expression, alone, model->kink.items + model->kinks.count);
    model->kinks.count += more;
    return THUD_OK;
}

// What bodies want may depend on where they are: then every body has zeros of its own, which are
// not looked for. `thud check` warns of it.
thud_status thudi_model_kinks(thud_model *model)
{
    const thud_scene *scene = model->scene;
    if (model->problem.force_is_steady || model->problem.impulse)
        return THUD_OK;
    for (int k = 0; k < 3; k++)
        THUD_TRY(add_kinks(model, scene->gravity[k], true));
    for (int k = 0; k < scene->coordinate_count; k++)
        THUD_TRY(add_kinks(model, scene->coordinates[k].force, false));
    for (int i = 0; i < scene->wish_count; i++)
        for (int k = 0; k < 3; k++)
            THUD_TRY(add_kinks(model, scene->wishes[i].velocity[k], true));
    model->kinks.range = write_range;
    model->kinks.describe = describe;
    model->kinks.user = model;
    if (model->kinks.count > 0)
        model->problem.kinks = &model->kinks;
    return THUD_OK;
}
