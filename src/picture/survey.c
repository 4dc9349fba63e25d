// One look at all frames that will be drawn, for a camera that fits them all.
//
// A body at p with radius r is within the upper edge of the picture, whose plane through the eye
// rises with tangent T, if the eye is at least p.back + p.up / T + r / sin(atan T) behind the
// origin; the same for the other three edges.
#include "picture/survey.h"

#include "core/fault.h"
#include "core/math/elementary.h"
#include "picture/cell_view.h"
#include "thud/surface.h"

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
                             .first = NAN};
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

static thud_status add_bodies(thudi_survey *survey, const thud_snapshot *snapshot,
                              thud_fault *fault)
{
    double sum = 0;
    for (int i = 0; i < snapshot->count; i++)
    {
        thudi_vec p = thudi_vec_of(snapshot->seen + 3 * (size_t)i);
        double r = snapshot->radius[i];
        if (!(thudi_vec_length(p) < THUDI_FARTHEST) || !(r < THUDI_FARTHEST) || !(r > 0))
        {
            return thudi_fail(fault, THUD_ERR_NOT_FINITE, THUDI_NOWHERE, "",
                              "the position of body %d in frame %lld is not finite", i,
                              (long long)snapshot->frame);
        }
        add_bounds(survey, p, r);
        add_reach(survey, p, r);
        sum += r;
    }
    survey->radius = sum / snapshot->count;
    return THUD_OK;
}

// The corners of a periodic cell.
static void add_cell(thudi_survey *survey, const thud_render_def *def, double t)
{
    thudi_vec ends[THUDI_CELL_EDGES][2];
    thudi_cell_view view = thudi_cell_view_at(def->model, t, survey->low, survey->high);
    int count = thudi_cell_edges(&view, def->scene->dim, ends);
    for (int i = 0; i < 2 * count; i++)
    {
        add_bounds(survey, ends[i / 2][i % 2], 0);
        add_reach(survey, ends[i / 2][i % 2], 0);
    }
}

thud_status thudi_survey_add(thudi_survey *survey, const thud_render_def *def,
                             const thud_allocator *allocator, const thud_snapshot *snapshot,
                             thud_fault *fault)
{
    if (snapshot->count == 0)
        return THUD_OK;
    THUD_TRY(add_bodies(survey, snapshot, fault));
    survey->first = isnan(survey->first) ? snapshot->t : survey->first;
    survey->last = snapshot->t;
    add_cell(survey, def, snapshot->t);
    int most = snapshot->count > snapshot->touch_count ? snapshot->count : snapshot->touch_count;
    if (thudi_array_reserve(allocator, &survey->values, (size_t)most) < 0)
        return thudi_fail_memory(fault);
    return THUD_OK;
}

// A corner of the box around an obstacle, as it is at time t.
static thudi_vec corner_of(const thud_render_def *def, int obstacle, double t, int corner)
{
    double ends[2][3], y[3];
    thud_pose pose;
    thud_surface_bounds(&def->scene->obstacles[obstacle].solid, ends[0], ends[1]);
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

void thudi_survey_end(thudi_survey *survey, const thud_render_def *def)
{
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
