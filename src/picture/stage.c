// A frame made ready for rays: everything is moved and scaled so that the bodies fill the unit
// ball, because the tree keeps floats and units are the scene's.
#include "picture/stage.h"

#include "colors/body_values.h"
#include "picture/cell_view.h"
#include "picture/obstacle_view.h"

static const double SIDES = 1.3;     // how far walls are drawn beyond the bodies, to the sides,
static const double ABOVE = 0.12;    // and upwards
static const double THICKEST = 0.42; // chains, in mean radii
static const double THINNEST = 0.03; // of the largest force; less is not drawn
static const double WIRE = 0.0021;   // radius of the lines of obstacles
static const double EDGE = 0.0022;   // of a periodic cell, in the size of the picture

typedef struct unit_map
{
    thudi_vec center;
    double scale;
} unit_map;

static thudi_vec put(const unit_map *map, thudi_vec p)
{
    return thudi_vec_scale(thudi_vec_sub(p, map->center), map->scale);
}

void thudi_stage_color(const thud_render_def *def, const thudi_survey *survey, const double *values,
                       int count, thudi_rgb *colors)
{
    thudi_theme theme = thudi_theme_of(def->theme);
    double low = survey->range.low, span = survey->range.high - low;
    for (int i = 0; i < count; i++)
    {
        if (def->color == THUD_COLOR_PLAIN || (def->color == THUD_COLOR_MATERIAL && values[i] < 0))
            colors[i] = theme.plain;
        else if (def->color == THUD_COLOR_MATERIAL)
            colors[i] = thudi_palette_choice((int)values[i]);
        else
            colors[i] = thudi_palette_map(span > 0 ? (values[i] - low) / span : 0.5);
    }
}

// The edges of a periodic cell, as thin rods.
static void add_edges(thudi_stage *stage, const thud_render_def *def, const thudi_survey *survey,
                      double t, const unit_map *map)
{
    thudi_vec ends[THUDI_CELL_EDGES][2];
    thudi_cell_view view = thudi_cell_view_at(def->model, t, survey->low, survey->high);
    int count = thudi_cell_edges(&view, def->scene->dim, ends);
    for (int i = 0; i < count; i++)
    {
        stage->colors.items[stage->body_count] = stage->theme.line;
        stage->bodies.items[stage->body_count++] =
            (thudi_solid){put(map, ends[i][0]), put(map, ends[i][1]), EDGE};
    }
}

static thud_status set_bodies(thudi_stage *stage, const thud_render_def *def,
                              const thud_allocator *allocator, const thudi_survey *survey,
                              const thud_snapshot *snapshot, const unit_map *map)
{
    size_t count = (size_t)snapshot->count;
    THUD_TRY(thudi_array_reserve(allocator, &stage->bodies, count + THUDI_CELL_EDGES));
    THUD_TRY(thudi_array_reserve(allocator, &stage->colors, count + THUDI_CELL_EDGES));
    thudi_values_find(def->color, def->scene, snapshot, survey->values.items);
    thudi_stage_color(def, survey, survey->values.items, snapshot->count, stage->colors.items);
    for (size_t i = 0; i < count; i++)
    {
        thudi_vec p = put(map, thudi_vec_of(snapshot->seen + 3 * i));
        stage->bodies.items[i] = (thudi_solid){p, p, snapshot->radius[i] * map->scale};
    }
    stage->body_count = stage->sphere_count = snapshot->count;
    add_edges(stage, def, survey, snapshot->t, map);
    return thudi_tree_build(&stage->tree, allocator, stage->bodies.items, stage->body_count);
}

static thud_status set_chains(thudi_stage *stage, const thud_allocator *allocator,
                              const thudi_survey *survey, const thud_snapshot *snapshot,
                              const unit_map *map)
{
    THUD_TRY(thudi_array_reserve(allocator, &stage->chains, (size_t)snapshot->touch_count));
    stage->chain_count = 0;
    for (int i = 0; i < snapshot->touch_count; i++)
    {
        double part = snapshot->force[i] / survey->force;
        part = part < 1 ? part : 1;
        if (!(part >= THINNEST))
            continue;
        stage->chains.items[stage->chain_count++] = (thudi_solid){
            put(map, thudi_vec_of(snapshot->ends + 6 * (size_t)i)),
            put(map, thudi_vec_of(snapshot->ends + 6 * (size_t)i + 3)), stage->thickest * part};
    }
    return thudi_tree_build(&stage->chain_tree, allocator, stage->chains.items, stage->chain_count);
}

static void add_limit(thudi_stage *stage, thudi_vec normal, double offset)
{
    stage->walls.items[stage->wall_count++] = (thudi_wall){.normal = normal, .offset = offset};
}

static thud_status set_walls(thudi_stage *stage, const thud_render_def *def,
                             const thud_allocator *allocator, double t, const unit_map *map)
{
    THUD_TRY(thudi_array_reserve(allocator, &stage->walls, (size_t)def->scene->wall_count + 6));
    stage->wall_count = 0;
    for (int i = 0; i < def->scene->wall_count; i++)
    {
        thud_plane plane;
        thud_model_wall(def->model, i, t, &plane);
        thudi_vec normal = thudi_vec_of(plane.normal);
        stage->walls.items[stage->wall_count++] =
            (thudi_wall){.normal = normal,
                         .offset = (plane.offset - thudi_vec_dot(normal, map->center)) * map->scale,
                         .is_floor = normal.z > 0.85,
                         .is_drawn = def->scene->walls[i].show != THUD_SHOW_HIDDEN,
                         .is_outline = def->scene->walls[i].show == THUD_SHOW_OUTLINE};
    }
    thudi_vec low = stage->low, high = stage->high;
    add_limit(stage, (thudi_vec){1, 0, 0}, low.x - SIDES);
    add_limit(stage, (thudi_vec){-1, 0, 0}, -high.x - SIDES);
    add_limit(stage, (thudi_vec){0, 1, 0}, low.y - SIDES);
    add_limit(stage, (thudi_vec){0, -1, 0}, -high.y - SIDES);
    add_limit(stage, (thudi_vec){0, 0, 1}, low.z - SIDES);
    add_limit(stage, (thudi_vec){0, 0, -1}, -high.z - ABOVE);
    return THUD_OK;
}

static thudi_vec placed(const thud_placement *at, const double x[3], const unit_map *map)
{
    double y[3];
    for (int k = 0; k < 3; k++)
        y[k] =
            at->origin[k] + at->turn[k][0] * x[0] + at->turn[k][1] * x[1] + at->turn[k][2] * x[2];
    return put(map, thudi_vec_of(y));
}

// What the surfaces of obstacles are added to.
typedef struct stage_surfaces
{
    thudi_stage *stage;
    const thud_allocator *allocator;
    const unit_map *map;
    double zoom;
} stage_surfaces;

static thud_status add_surface(const thud_surface *surface, const thud_placement *at, void *user)
{
    const stage_surfaces *to = user;
    thudi_stage *stage = to->stage;
    const thud_allocator *allocator = to->allocator;
    const unit_map *map = to->map;
    size_t lines = (size_t)surface->line_count;
    THUD_TRY(thudi_array_reserve(allocator, &stage->wires, (size_t)stage->wire_count + lines));
    for (int i = 0; i < surface->triangle_count; i++)
    {
        const double *c = surface->triangles + 9 * (size_t)i;
        thudi_vec corners[3] = {placed(at, c, map), placed(at, c + 3, map), placed(at, c + 6, map)};
        THUD_TRY(thudi_panes_add(&stage->panes, allocator, corners, surface->kind));
    }
    for (size_t i = 0; i < lines; i++)
    {
        const double *c = surface->lines + 6 * i;
        stage->wires.items[stage->wire_count++] =
            (thudi_solid){placed(at, c, map), placed(at, c + 3, map), WIRE / to->zoom};
    }
    return THUD_OK;
}

static thud_status set_obstacles(thudi_stage *stage, const thud_render_def *def,
                                 const thud_allocator *allocator, double t, const unit_map *map)
{
    stage->panes.count = stage->wire_count = 0;
    stage_surfaces to = {stage, allocator, map, def->zoom};
    THUD_TRY(thudi_obstacles_visit(def, t, allocator, add_surface, &to));
    THUD_TRY(thudi_panes_build(&stage->panes, allocator));
    return thudi_tree_build(&stage->wire_tree, allocator, stage->wires.items, stage->wire_count);
}

// From the upper left, behind the camera.
static thudi_vec sun_of(const thudi_axes *axes)
{
    thudi_vec sun = {0, 0, 1.1};
    sun = thudi_vec_along(sun, axes->right, -0.55);
    thudi_vec level = {axes->right.y, -axes->right.x, 0};
    return thudi_vec_unit(thudi_vec_along(sun, level, 0.6));
}

thud_status thudi_stage_set(thudi_stage *stage, const thud_render_def *def,
                            const thud_allocator *allocator, const thudi_survey *survey,
                            const thud_snapshot *snapshot)
{
    thudi_vec side = thudi_vec_sub(survey->high, survey->low);
    double length = thudi_vec_length(side) / 2;
    unit_map map = {thudi_vec_along(survey->low, side, 0.5), length > 0 ? 1 / length : 1};
    stage->theme = thudi_theme_of(def->theme);
    stage->camera = thudi_camera_of(survey, def->zoom);
    stage->camera.eye = put(&map, stage->camera.eye);
    stage->low = put(&map, survey->low);
    stage->high = put(&map, survey->high);
    stage->radius = survey->radius * map.scale;
    stage->thickest = THICKEST * stage->radius;
    stage->sun = sun_of(&survey->axes);
    stage->width = def->width;
    stage->height = def->height;
    stage->has_chains = def->chains;
    THUD_TRY(set_walls(stage, def, allocator, snapshot->t, &map));
    THUD_TRY(set_obstacles(stage, def, allocator, snapshot->t, &map));
    THUD_TRY(set_bodies(stage, def, allocator, survey, snapshot, &map));
    return def->chains ? set_chains(stage, allocator, survey, snapshot, &map) : THUD_OK;
}

void thudi_stage_free(thudi_stage *stage, const thud_allocator *allocator)
{
    thudi_tree_free(&stage->tree, allocator);
    thudi_tree_free(&stage->chain_tree, allocator);
    thudi_tree_free(&stage->wire_tree, allocator);
    thudi_panes_free(&stage->panes, allocator);
    thudi_array_free(allocator, &stage->wires);
    thudi_array_free(allocator, &stage->bodies);
    thudi_array_free(allocator, &stage->colors);
    thudi_array_free(allocator, &stage->chains);
    thudi_array_free(allocator, &stage->walls);
}
