// Scenes of disks: flat and crisp, walls as hatched lines, chains on top.
#include "picture/render_parts.h"

#include "picture/cell_view.h"
#include "picture/obstacle_view.h"

static const double FILLED = 0.86; // part of the picture that bodies may fill

// From the scene to the picture: x right, y up.
typedef struct flat
{
    cairo_t *cairo;
    double scale, x, y; // of the middle
    double width, height, u;
    thudi_cell_view cell;
} flat;

static double across(const flat *f, double x)
{
    return f->width / 2 + (x - f->x) * f->scale;
}

static double down(const flat *f, double y)
{
    return f->height / 2 - (y - f->y) * f->scale;
}

static flat flat_of(cairo_t *cairo, const thud_render_def *def, const thudi_survey *survey)
{
    double wide = survey->high.x - survey->low.x, tall = survey->high.y - survey->low.y;
    double sx = def->width * FILLED / wide, sy = def->height * FILLED / tall;
    return (flat){.cairo = cairo,
                  .scale = (sx < sy ? sx : sy) * def->zoom,
                  .x = (survey->low.x + survey->high.x) / 2,
                  .y = (survey->low.y + survey->high.y) / 2,
                  .width = def->width,
                  .height = def->height,
                  .u = def->height / 720.0};
}

// A line along the wall across the whole picture, hatched on the side that is not free unless it is
// an outline.
static void draw_wall(const flat *f, const thud_plane *plane, bool is_outline)
{
    double nx = plane->normal[0], ny = plane->normal[1];
    double room = nx * f->x + ny * f->y - plane->offset;
    double x = across(f, f->x - room * nx), y = down(f, f->y - room * ny);
    double reach = f->width + f->height, gap = 7 * f->u, depth = 7 * f->u;
    if (room * f->scale > reach || room * f->scale < -reach)
        return;
    cairo_set_line_width(f->cairo, 1.6 * f->u);
    cairo_move_to(f->cairo, x - reach * ny, y - reach * nx);
    cairo_line_to(f->cairo, x + reach * ny, y + reach * nx);
    cairo_stroke(f->cairo);
    cairo_set_line_width(f->cairo, 0.8 * f->u);
    for (int i = (int)(-reach / gap); i * gap <= reach && !is_outline; i++)
    {
        double px = x + i * gap * ny, py = y + i * gap * nx;
        cairo_move_to(f->cairo, px, py);
        cairo_line_to(f->cairo, px - depth * nx + depth * ny, py + depth * ny + depth * nx);
    }
    cairo_stroke(f->cairo);
}

// The part of the picture that no other wall has behind it.
static void clip_others(const flat *f, const thud_render_def *def, double t, int wall)
{
    double reach = 4 * (f->width + f->height), edge = 0.8 * f->u;
    for (int i = 0; i < def->scene->wall_count; i++)
    {
        thud_plane plane;
        if (i == wall)
            continue;
        thud_model_wall(def->model, i, t, &plane);
        double nx = plane.normal[0], ny = plane.normal[1];
        double room = (nx * f->x + ny * f->y - plane.offset) * f->scale + edge;
        room = room > reach ? reach : (room < -reach ? -reach : room);
        double x = f->width / 2 - room * nx, y = f->height / 2 + room * ny;
        cairo_move_to(f->cairo, x - reach * ny, y - reach * nx);
        cairo_line_to(f->cairo, x + reach * ny, y + reach * nx);
        cairo_line_to(f->cairo, x + reach * (ny + 2 * nx), y + reach * (nx - 2 * ny));
        cairo_line_to(f->cairo, x - reach * (ny - 2 * nx), y - reach * (nx + 2 * ny));
        cairo_close_path(f->cairo);
        cairo_clip(f->cairo);
    }
}

static void draw_disk(const flat *f, thudi_vec p, double radius, thudi_rgb fill)
{
    const double turn = 6.283185307179586;
    double x = across(f, p.x), y = down(f, p.y), r = radius * f->scale, line = 0.9 * f->u;
    if (x + r < 0 || y + r < 0 || x - r > f->width || y - r > f->height)
        return;
    cairo_new_path(f->cairo);
    cairo_arc(f->cairo, x, y, r, 0, turn);
    thudi_ink(f->cairo, fill);
    cairo_fill(f->cairo);
    // the rim lies inside, so that disks that touch do not overlap
    double width = line < r / 4 ? line : r / 4;
    cairo_arc(f->cairo, x, y, r - width / 2, 0, turn);
    cairo_set_line_width(f->cairo, width);
    thudi_ink(f->cairo, (thudi_rgb){fill.r * 0.35, fill.g * 0.35, fill.b * 0.35});
    cairo_stroke(f->cairo);
}

static void draw_disks(const flat *f, const thud_render_def *def, const thud_snapshot *snapshot,
                       const thudi_rgb *colors)
{
    thudi_vec shift[THUDI_CELL_IMAGES];
    for (int i = 0; i < snapshot->count; i++)
    {
        thudi_vec p = thudi_vec_of(snapshot->seen + 3 * (size_t)i);
        thudi_rgb fill = colors[i];
        if (def->chains)
            fill = thudi_rgb_mix(thudi_theme_of(def->theme).background, fill, 0.45);
        int images = thudi_cell_images(&f->cell, p, snapshot->radius[i], shift);
        for (int m = 0; m < images; m++)
            draw_disk(f, thudi_vec_along(p, shift[m], 1), snapshot->radius[i], fill);
    }
}

// Nothing of the bodies is drawn beyond the periodic sides of the cell.
static void clip_cell(const flat *f)
{
    bool x = f->cell.cell.period[0] > 0, y = f->cell.cell.period[1] > 0;
    double left = x ? across(f, f->cell.low.x) : 0,
           right = x ? across(f, f->cell.high.x) : f->width;
    double top = y ? down(f, f->cell.high.y) : 0, low = y ? down(f, f->cell.low.y) : f->height;
    cairo_rectangle(f->cairo, left, top, right - left, low - top);
    cairo_clip(f->cairo);
}

// The periodic sides, dashed.
static void draw_cell(const flat *f)
{
    thudi_vec ends[THUDI_CELL_EDGES][2];
    double dash = 5 * f->u;
    int count = thudi_cell_edges(&f->cell, 2, ends);
    cairo_set_line_width(f->cairo, 1.2 * f->u);
    cairo_set_dash(f->cairo, &dash, 1, 0);
    for (int i = 0; i < count; i++)
    {
        // the first two run along x: they are sides of the axis y
        if (!(f->cell.cell.period[i < 2 ? 1 : 0] > 0))
            continue;
        cairo_move_to(f->cairo, across(f, ends[i][0].x), down(f, ends[i][0].y));
        cairo_line_to(f->cairo, across(f, ends[i][1].x), down(f, ends[i][1].y));
        cairo_stroke(f->cairo);
    }
    cairo_set_dash(f->cairo, NULL, 0, 0);
}

static void draw_chains(const flat *f, const thud_render_def *def, const thudi_survey *survey,
                        const thud_snapshot *snapshot)
{
    thudi_ink(f->cairo, thudi_theme_of(def->theme).chain);
    cairo_set_line_cap(f->cairo, CAIRO_LINE_CAP_ROUND);
    for (int i = 0; i < snapshot->touch_count; i++)
    {
        const double *ends = snapshot->ends + 6 * (size_t)i;
        double part = snapshot->force[i] / survey->force;
        part = part < 1 ? part : 1;
        if (!(part > 0.01))
            continue;
        cairo_set_line_width(f->cairo, 0.6 * survey->radius * part * f->scale);
        thudi_vec from = thudi_vec_of(ends), to = thudi_vec_of(ends + 3), shift[THUDI_CELL_IMAGES];
        thudi_vec middle = thudi_vec_scale(thudi_vec_along(from, to, 1), 0.5);
        double length = thudi_vec_length(thudi_vec_sub(to, from));
        int images = thudi_cell_images(&f->cell, middle, length, shift);
        for (int m = 0; m < images; m++)
        {
            cairo_move_to(f->cairo, across(f, from.x + shift[m].x), down(f, from.y + shift[m].y));
            cairo_line_to(f->cairo, across(f, to.x + shift[m].x), down(f, to.y + shift[m].y));
            cairo_stroke(f->cairo);
        }
    }
}

static void corner_at(const flat *f, const thud_placement *at, const double x[3], double out[2])
{
    out[0] = across(f, at->origin[0] + at->turn[0][0] * x[0] + at->turn[0][1] * x[1]);
    out[1] = down(f, at->origin[1] + at->turn[1][0] * x[0] + at->turn[1][1] * x[1]);
}

// Solids are filled, containers and sheets are lines.
static thud_status draw_surface(const thud_surface *surface, const thud_placement *at, void *user)
{
    const flat *f = user;
    double p[2];
    for (int i = 0; i < 3 * surface->triangle_count && surface->kind == THUD_SURFACE_SOLID; i++)
    {
        corner_at(f, at, surface->triangles + 3 * (size_t)i, p);
        if (i % 3 == 0)
            cairo_move_to(f->cairo, p[0], p[1]);
        else
            cairo_line_to(f->cairo, p[0], p[1]);
    }
    cairo_fill(f->cairo);
    for (int i = 0; i < surface->line_count; i++)
    {
        corner_at(f, at, surface->lines + 6 * (size_t)i, p);
        cairo_move_to(f->cairo, p[0], p[1]);
        corner_at(f, at, surface->lines + 6 * (size_t)i + 3, p);
        cairo_line_to(f->cairo, p[0], p[1]);
    }
    cairo_set_line_width(f->cairo, (surface->kind == THUD_SURFACE_SHEET ? 2.4 : 1.6) * f->u);
    cairo_set_line_cap(f->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_stroke(f->cairo);
    return THUD_OK;
}

thud_status thudi_flat_obstacles(cairo_t *cairo, const thud_render_def *def,
                                 const thudi_survey *survey, double t,
                                 const thud_allocator *allocator)
{
    flat f = flat_of(cairo, def, survey);
    thudi_ink(cairo, thudi_theme_of(def->theme).line);
    return thudi_obstacles_visit(def, t, allocator, draw_surface, &f);
}

void thudi_flat_draw(cairo_t *cairo, const thud_render_def *def, const thudi_survey *survey,
                     const thud_snapshot *snapshot, const thudi_rgb *colors)
{
    flat f = flat_of(cairo, def, survey);
    f.cell = thudi_cell_view_at(def->model, snapshot->t, survey->low, survey->high);
    thudi_theme theme = thudi_theme_of(def->theme);
    thudi_ink(cairo, theme.background);
    cairo_paint(cairo);
    thudi_ink(cairo, theme.line);
    for (int i = 0; i < def->scene->wall_count; i++)
    {
        thud_wall_show show = def->scene->walls[i].show;
        thud_plane plane;
        if (show == THUD_SHOW_HIDDEN)
            continue;
        thud_model_wall(def->model, i, snapshot->t, &plane);
        cairo_save(cairo);
        clip_others(&f, def, snapshot->t, i);
        draw_wall(&f, &plane, show == THUD_SHOW_OUTLINE);
        cairo_restore(cairo);
    }
    cairo_save(cairo);
    if (f.cell.is_periodic)
        clip_cell(&f);
    draw_disks(&f, def, snapshot, colors);
    if (def->chains)
        draw_chains(&f, def, survey, snapshot);
    cairo_restore(cairo);
    thudi_ink(cairo, theme.line);
    draw_cell(&f);
}
