// One look at all frames that will be drawn, for a camera and colours that fit them all.
//
// A body at p with radius r is within the upper edge of the picture, whose plane through the eye
// rises with tangent T, if the eye is at least p.back + p.up / T + r / sin(atan T) behind the
// origin; the same for the other three edges.
#include "show/survey.h"

#include "core/elementary.h"
#include "record/record_fault.h"
#include "scene/obstacle_surface.h"
#include "show/body_values.h"
#include "show/cell_view.h"
#include "show/ticks.h"

static const double TAN_Y = 0.25;  // half of the height of the picture: a lens that distorts little
static const double FILLED = 0.86; // part of the picture that bodies may fill
static const double DEGREE = 0.017453292519943295;

void thudi_survey_start(thudi_survey *survey, const thud_render_def *def)
{
    double azimuth = (def->has_view ? def->azimuth : 25) * DEGREE;
    double elevation = (def->has_view ? def->elevation : 18) * DEGREE;
    double ca = thudi_cos(azimuth), sa = thudi_sin(azimuth);
    double ce = thudi_cos(elevation), se = thudi_sin(elevation);
    *survey = (thudi_survey){.axes = {.right = {ca, sa, 0},
                                      .up = {-sa * se, ca * se, ce},
                                      .back = {sa * ce, -ca * ce, se}},
                             .tan_x = TAN_Y * def->width / def->height,
                             .tan_y = TAN_Y,
                             .low = {INFINITY, INFINITY, INFINITY},
                             .high = {-INFINITY, -INFINITY, -INFINITY},
                             .first = NAN,
                             .value_low = INFINITY,
                             .value_high = -INFINITY};
    for (int k = 0; k < 4; k++)
        survey->reach[k] = -INFINITY;
}

static void raise(double *most, double x)
{
    *most = x > *most ? x : *most;
}

static void lower(double *least, double x)
{
    *least = x < *least ? x : *least;
}

static void add_bounds(thudi_survey *survey, thudi_vec p, double r)
{
    lower(&survey->low.x, p.x - r);
    lower(&survey->low.y, p.y - r);
    lower(&survey->low.z, p.z - r);
    raise(&survey->high.x, p.x + r);
    raise(&survey->high.y, p.y + r);
    raise(&survey->high.z, p.z + r);
}

static void add_reach(thudi_survey *survey, thudi_vec p, double r)
{
    double tx = FILLED * survey->tan_x, ty = FILLED * survey->tan_y;
    double back = thudi_vec_dot(p, survey->axes.back);
    double x = thudi_vec_dot(p, survey->axes.right), y = thudi_vec_dot(p, survey->axes.up);
    double side = r * sqrt(1 + tx * tx), height = r * sqrt(1 + ty * ty);
    raise(&survey->reach[0], back + (side - x) / tx);
    raise(&survey->reach[1], back + (side + x) / tx);
    raise(&survey->reach[2], back + (height - y) / ty);
    raise(&survey->reach[3], back + (height + y) / ty);
}

// Single bodies must not take all the contrast: the fastest hundredth is beyond the range.
static void add_values(thudi_survey *survey, thud_color color, int count)
{
    double *value = survey->values.items;
    bool is_open = color == THUD_COLOR_SPEED || color == THUD_COLOR_PRESSURE;
    double most = thudi_values_most(value, count, is_open ? 100 : count + 1);
    raise(&survey->value_high, most);
    lower(&survey->value_low, is_open || color == THUD_COLOR_CONTACTS ? 0 : value[0]);
    survey->value_is_cut = survey->value_is_cut || value[count - 1] > most;
}

static thud_status add_forces(thudi_survey *survey, const thud_allocator *allocator,
                              const thudi_shot *shot)
{
    THUD_TRY(thudi_array_reserve(allocator, &survey->values, (size_t)shot->touch_count));
    for (int i = 0; i < shot->touch_count; i++)
        survey->values.items[i] = shot->force[i];
    raise(&survey->force, thudi_values_most(survey->values.items, shot->touch_count, 100));
    return THUD_OK;
}

static thud_status add_bodies(thudi_survey *survey, const thudi_shot *shot, thud_fault *fault)
{
    double sum = 0;
    for (int i = 0; i < shot->count; i++)
    {
        thudi_vec p = thudi_vec_of(shot->seen + 3 * (size_t)i);
        double r = shot->radius[i];
        // 1e100: squares and differences of these are finite, too
        if (!(thudi_vec_length(p) < 1e100) || !(r < 1e100) || !(r > 0))
        {
            thudi_record_say(fault, "", NULL, "",
                             "the position of body %d in frame %lld is not finite", i,
                             (long long)shot->frame);
            return THUD_ERR_NOT_FINITE;
        }
        add_bounds(survey, p, r);
        add_reach(survey, p, r);
        sum += r;
    }
    survey->radius = sum / shot->count;
    return THUD_OK;
}

// The corners of a periodic cell.
static void add_cell(thudi_survey *survey, const thud_render_def *def, double t)
{
    thudi_vec ends[THUDI_CELL_EDGES][2];
    thudi_cell_view view = thudi_cell_see(def->model, t, survey->low, survey->high);
    int count = thudi_cell_edges(&view, def->scene->dim, ends);
    for (int i = 0; i < 2 * count; i++)
    {
        add_bounds(survey, ends[i / 2][i % 2], 0);
        add_reach(survey, ends[i / 2][i % 2], 0);
    }
}

thud_status thudi_survey_add(thudi_survey *survey, const thud_render_def *def,
                             const thud_allocator *allocator, const thudi_shot *shot,
                             thud_fault *fault)
{
    if (shot->count == 0)
        return THUD_OK;
    THUD_TRY(add_bodies(survey, shot, fault));
    survey->first = isnan(survey->first) ? shot->t : survey->first;
    survey->last = shot->t;
    add_cell(survey, def, shot->t);
    if (thudi_array_reserve(allocator, &survey->values, (size_t)shot->count) < 0)
        return thudi_record_memory(fault);
    thudi_values_find(def->color, def->scene, shot, survey->values.items);
    add_values(survey, def->color, shot->count);
    if (def->chains && add_forces(survey, allocator, shot) < 0)
        return thudi_record_memory(fault);
    return THUD_OK;
}

// A corner of the box around an obstacle, as it is at time t.
static thudi_vec corner_of(const thud_render_def *def, int obstacle, double t, int corner)
{
    double ends[2][3], y[3];
    thud_pose pose;
    thudi_surface_bounds(&def->scene->obstacles[obstacle].solid, ends[0], ends[1]);
    thud_model_pose(def->model, obstacle, t, &pose);
    thud_placement at = thud_pose_place(&pose);
    for (int k = 0; k < 3; k++)
        y[k] = at.origin[k] + at.turn[k][0] * ends[corner & 1][0] +
               at.turn[k][1] * ends[corner >> 1 & 1][1] + at.turn[k][2] * ends[corner >> 2][2];
    return thudi_vec_of(y);
}

// Obstacles are shown whole unless they go far beyond the bodies.
static void add_obstacles(thudi_survey *survey, const thud_render_def *def)
{
    thudi_vec low = survey->low, high = survey->high, side = thudi_vec_sub(high, low);
    double far = 2 * thudi_vec_length(side);
    for (int i = 0; i < 2 * def->scene->obstacle_count; i++)
    {
        double t = i % 2 ? survey->last : survey->first;
        bool is_near = true;
        for (int k = 0; k < 8; k++)
        {
            thudi_vec p = corner_of(def, i / 2, t, k);
            is_near = is_near && p.x > low.x - far && p.x < high.x + far && p.y > low.y - far &&
                      p.y < high.y + far && p.z > low.z - far && p.z < high.z + far;
        }
        for (int k = 0; k < 8 && is_near; k++)
        {
            thudi_vec p = corner_of(def, i / 2, t, k);
            add_bounds(survey, p, 0);
            add_reach(survey, p, 0);
        }
    }
}

// The next multiple of the step that ticks up to x would have: the scale ends at a tick.
static double round_up(double x)
{
    thudi_ticks ticks = thudi_ticks_linear(0, x, THUDI_SCALE_TICKS);
    if (ticks.count < 2)
        return x;
    double last = ticks.at[ticks.count - 1];
    return last >= x * (1 - 1e-9) ? last : last + ticks.at[1];
}

void thudi_survey_end(thudi_survey *survey, const thud_render_def *def)
{
    if (!(survey->value_low <= survey->value_high)) // no bodies
        survey->value_low = survey->value_high = 0;
    if (def->color == THUD_COLOR_SPEED || def->color == THUD_COLOR_PRESSURE)
        survey->value_high = round_up(survey->value_high);
    survey->force = round_up(survey->force);
    // at rest: the scale must not be empty
    if (def->color <= THUD_COLOR_CONTACTS && survey->value_high == 0)
        survey->value_high = 1;
    if (!(survey->low.x <= survey->high.x))
        survey->low = survey->high = (thudi_vec){0, 0, 0};
    else
        add_obstacles(survey, def);
}

void thudi_survey_free(thudi_survey *survey, const thud_allocator *allocator)
{
    thudi_array_free(allocator, &survey->values);
}

thudi_camera thudi_camera_of(const thudi_survey *survey, double zoom)
{
    const double *reach = survey->reach;
    const thudi_axes *axes = &survey->axes;
    thudi_camera camera = {
        .axes = *axes, .tan_x = survey->tan_x / zoom, .tan_y = survey->tan_y / zoom};
    double tx = FILLED * survey->tan_x, ty = FILLED * survey->tan_y;
    double back = (reach[0] + reach[1]) / 2, tall = (reach[2] + reach[3]) / 2;
    thudi_vec eye = thudi_vec_scale(axes->right, (reach[1] - reach[0]) * tx / 2);
    eye = thudi_vec_along(eye, axes->up, (reach[3] - reach[2]) * ty / 2);
    camera.eye = thudi_vec_along(eye, axes->back, back > tall ? back : tall);
    return camera;
}
