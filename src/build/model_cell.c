// The periodic cell of a model: its shear by an expression, and what is seen in it.
#include "build/model.h"
#include "core/math/geometry.h"

#include <math.h>
#include <string.h>

enum
{
    LOOKS = 1000 // at the run, for the fastest shear
};

static int shear_at(double t, double *shear, void *user)
{
    const thud_model *model = user;
    *shear = thudi_model_value(model, &model->scene->cell.shear, t);
    return 0;
}

// Without the bounds.
static thud_cell cell_of(const thud_model *model)
{
    const thud_scene_cell *from = &model->scene->cell;
    thud_cell cell = {.period = {0}};
    for (int k = 0; k < 3; k++)
    {
        cell.low[k] = from->is_periodic[k] ? from->low[k] : 0;
        cell.period[k] = from->is_periodic[k] ? from->high[k] - from->low[k] : 0;
    }
    cell.shear = thud_varying_is_given(&from->shear) ? shear_at : NULL;
    memcpy(&cell.user, &model, sizeof model);
    return cell;
}

thud_cell thud_model_cell(const thud_model *model)
{
    thud_cell cell = cell_of(model);
    if (!cell.shear)
        return cell;
    thud_varying_bounds bounds = thudi_model_bounds(model, &model->scene->cell.shear);
    cell.shear_t = bounds.x_t;
    cell.shear_tt = bounds.x_tt;
    return cell;
}

double thud_model_shear(const thud_model *model, double t)
{
    return thudi_model_value(model, &model->scene->cell.shear, t);
}

double thud_model_shear_motion(const thud_model *model)
{
    const thud_scene *scene = model->scene;
    double smallest = INFINITY, largest = 0;
    for (int i = 0; i < scene->body_count; i++)
        smallest = fmin(smallest, scene->bodies[i].sphere.radius);
    for (int i = 0; i < LOOKS && thud_varying_is_given(&scene->cell.shear); i++)
    {
        // not a whole part of the run, so that a period does not hide
        double t = scene->start + (scene->end - scene->start) * fmod(i * THUDI_GOLDEN, 1);
        double moved = thud_model_shear(model, t + scene->step) - thud_model_shear(model, t);
        largest = fmax(largest, fabs(moved));
    }
    return largest / smallest;
}

void thud_model_wrap(const thud_model *model, double t, int width, double *x)
{
    const thud_scene *scene = model->scene;
    thud_cell cell = cell_of(model);
    if (!thud_cell_is_periodic(&cell))
        return;
    double shear = thud_model_shear(model, t);
    for (int i = 0; i < scene->body_count; i++, x += width)
    {
        double in[3] = {0, 0, 0};
        memcpy(in, x, (size_t)scene->dim * sizeof *x);
        thud_cell_wrap(&cell, shear, in);
        memcpy(x, in, (size_t)scene->dim * sizeof *x);
    }
}

void thudi_model_place(const thud_model *model, double t, const double *q, int i, double x[3])
{
    thud_cell cell = cell_of(model);
    size_t dim = (size_t)model->scene->dim;
    x[0] = x[1] = x[2] = 0;
    memcpy(x, q + dim * (size_t)i, dim * sizeof *x);
    if (thud_cell_is_periodic(&cell))
        thud_cell_wrap(&cell, thud_model_shear(model, t), x);
}

thudi_copies thudi_model_copies(const thud_model *model, double t)
{
    thud_cell cell = cell_of(model);
    thudi_copies copies = {.count = 1};
    double shear = cell.shear ? remainder(thud_model_shear(model, t), cell.period[0]) : 0;
    int most[3];
    for (int k = 0; k < 3; k++)
        most[k] = cell.period[k] > 0;
    most[0] *= 2; // images along y may be half a period aside
    for (int z = -most[2]; z <= most[2]; z++)
        for (int y = -most[1]; y <= most[1]; y++)
            for (int x = -most[0]; x <= most[0]; x++)
            {
                if (x == 0 && y == 0 && z == 0)
                    continue;
                double *shift = copies.shift[copies.count++];
                shift[0] = x * cell.period[0] + y * shear;
                shift[1] = y * cell.period[1];
                shift[2] = z * cell.period[2];
            }
    return copies;
}

thud_touch thudi_copies_move(const thudi_copies *copies, int which, const thud_touch *touch)
{
    thud_touch moved = *touch;
    for (int k = 0; k < 3; k++)
    {
        moved.from[k] += copies->shift[which][k];
        moved.to[k] += copies->shift[which][k];
    }
    return moved;
}

const char *thudi_model_across(const thud_model *model, thud_key key)
{
    static const char *const texts[] = {
        "",          " across x",       " across y",       " across x and y",
        " across z", " across x and z", " across y and z", " across x, y and z"};
    unsigned image = (unsigned)thud_key_read(key, thud_scene_keys(model->scene)).image;
    return texts[((image & 3) != 0) | ((image >> 2 & 3) != 0) << 1 | (image >> 4 != 0) << 2];
}

void thudi_model_image(const thud_model *model, double t, thud_key key, thud_touch *touch)
{
    thud_key_space space = thud_scene_keys(model->scene);
    if (space != THUD_KEYS_PERIODIC || thud_key_read(key, space).kind != THUD_KEY_PAIR)
        return;
    thud_cell cell = cell_of(model);
    int image[3];
    double shift[3];
    thud_cell_image(&cell, thud_model_shear(model, t), key, touch->from, touch->to, image, shift);
    for (int k = 0; k < 3; k++)
        touch->to[k] -= shift[k];
}

void thudi_model_enter(const thud_model *model, double t, thud_touch *touch)
{
    thud_cell cell = cell_of(model);
    double from[3];
    if (!thud_cell_is_periodic(&cell))
        return;
    memcpy(from, touch->from, sizeof from);
    thud_cell_wrap(&cell, thud_model_shear(model, t), touch->from);
    for (int k = 0; k < 3; k++)
        touch->to[k] += touch->from[k] - from[k];
}
