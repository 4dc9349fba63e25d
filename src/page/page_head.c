// What the page knows of a run, apart from arrays.
#include "page/page_json.h"

#include <math.h>
#include <string.h>

bool thudi_page_is_periodic(const thud_scene *scene)
{
    return scene->cell.is_periodic[0] || scene->cell.is_periodic[1] || scene->cell.is_periodic[2];
}

static void write_cell(thudi_pager *pager)
{
    thud_cell cell = thud_model_cell(pager->def->model);
    if (!thudi_page_is_periodic(pager->def->scene))
        return;
    thudi_head_open(pager, "cell", "{");
    thudi_head_numbers(pager, "low", cell.low, 3);
    thudi_head_numbers(pager, "period", cell.period, 3);
    thudi_head_text(pager, "}");
}

static const char *const shows[] = {"solid", "outline", "hidden"}; // by thud_wall_show

// How walls are shown, unless all are solid.
static void write_shows(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    bool any = false;
    for (int i = 0; i < scene->wall_count; i++)
        any = any || scene->walls[i].show != THUD_SHOW_SOLID;
    if (!any)
        return;
    thudi_head_open(pager, "shows", "[");
    for (int i = 0; i < scene->wall_count; i++)
        thudi_head_field(pager, NULL, shows[scene->walls[i].show]);
    thudi_head_text(pager, "]");
}

static void write_bodies(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    thudi_head_open(pager, "materials", "[");
    for (int i = 0; i < scene->material_count; i++)
        thudi_head_field(pager, NULL, scene->materials[i].name);
    thudi_head_text(pager, "]");
    thudi_head_number(pager, "laws", scene->growth_count);
    thudi_head_open(pager, "walls", "[");
    for (int i = 0; i < scene->wall_count; i++)
        thudi_head_field(pager, NULL, scene->walls[i].name);
    thudi_head_text(pager, "]");
    write_shows(pager);
    thudi_head_open(pager, "obstacles", "[");
    for (int i = 0; i < scene->obstacle_count; i++)
    {
        static const char *const kinds[] = {"solid", "container", "sheet"};
        const thud_surface *surface = &pager->surfaces[i];
        double low[3], high[3];
        thud_surface_bounds(&scene->obstacles[i].solid, low, high);
        thudi_head_open(pager, NULL, "{");
        thudi_head_field(pager, "name", scene->obstacles[i].name);
        thudi_head_field(pager, "kind", kinds[surface->kind]);
        if (scene->obstacles[i].show != THUD_SHOW_SOLID)
            thudi_head_field(pager, "show", shows[scene->obstacles[i].show]);
        thudi_head_whole(pager, "triangles", surface->triangle_count);
        thudi_head_whole(pager, "lines", surface->line_count);
        thudi_head_numbers(pager, "least", low, 3);
        thudi_head_numbers(pager, "most", high, 3);
        thudi_head_text(pager, "}");
    }
    thudi_head_text(pager, "]");
    write_cell(pager);
    thudi_head_open(pager, "names", "[");
    for (int i = 0; i < scene->body_count; i++)
    {
        if (!scene->bodies[i].name)
            continue;
        thudi_head_open(pager, NULL, "[");
        thudi_head_whole(pager, NULL, i);
        thudi_head_field(pager, NULL, scene->bodies[i].name);
        thudi_head_text(pager, "]");
    }
    thudi_head_text(pager, "]");
}

static void write_coordinates(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    thudi_head_open(pager, "coordinates", "[");
    for (int i = 0; i < scene->coordinate_count; i++)
        thudi_head_field(pager, NULL, scene->coordinates[i].name);
    thudi_head_text(pager, "]");
    thudi_head_open(pager, "constraints", "[");
    for (int i = 0; i < scene->constraint_count; i++)
    {
        const thud_expression_traits *gap =
            thud_expression_look(scene->constraints[i].gap.expression);
        thudi_head_open(pager, NULL, "{");
        thudi_head_field(pager, "name", scene->constraints[i].name);
        thudi_head_field(pager, "gap", gap->text);
        thudi_head_flag(pager, "moves", gap->uses_time);
        thudi_head_text(pager, "}");
    }
    thudi_head_text(pager, "]");
    thudi_head_whole(pager, "order", scene->order == THUD_FIRST_ORDER ? 1 : 2);
    thudi_head_whole(pager, "grid", pager->grid);
}

// Gravity at the start, where the world's acceleration is a force over a mass.
static void write_gravity(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    double gravity[3] = {0};
    for (int k = 0; k < scene->dim && k < 3; k++)
    {
        const thud_varying *one = &scene->gravity[k];
        size_t room = (size_t)thud_varying_room(one);
        if (pager->head.status < 0)
            continue;
        pager->head.status = thudi_array_reserve(&pager->allocator, &pager->numbers, room + 1);
        if (pager->head.status >= 0)
            gravity[k] = thud_varying_at(one, scene->start, pager->numbers.items);
    }
    thudi_head_numbers(pager, "gravity", gravity, 3);
}

static void write_scene(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    bool spheres = scene->kind == THUD_SCENE_SPHERES;
    thudi_head_open(pager, "scene", "{");
    thudi_head_field(pager, "title", scene->title);
    thudi_head_field(pager, "about", scene->about);
    thudi_head_field(pager, "kind", spheres ? "spheres" : "inclusion");
    thudi_head_whole(pager, "dim", spheres ? scene->dim : scene->coordinate_count);
    thudi_head_whole(pager, "bodies", scene->body_count);
    thudi_head_field(pager, "unit_length", scene->unit_length);
    thudi_head_field(pager, "unit_time", scene->unit_time);
    thudi_head_field(pager, "unit_mass", scene->unit_mass);
    thudi_head_number(pager, "start", scene->start);
    thudi_head_number(pager, "end", scene->end);
    thudi_head_number(pager, "step", scene->step);
    thudi_head_number(pager, "tol", scene->tol);
    thudi_head_field(pager, "quality", scene->quality);
    write_gravity(pager);
    if (spheres)
        write_bodies(pager);
    else
        write_coordinates(pager);
    thudi_head_text(pager, "}");
}

// Figures of the tally by their names, and those that the panel shows with what they are.
static void write_figures(thudi_pager *pager)
{
    const double *values = pager->def->run.figures;
    const thud_figure *figures = thud_tally_figures();
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
        if (figures[i].show != THUD_FIGURE_HIDDEN)
            thudi_head_number(pager, figures[i].name, values[i]);
    thudi_head_open(pager, "said", "[");
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
    {
        if (figures[i].show != THUD_FIGURE_SAID || !(values[i] >= 0))
            continue;
        thudi_head_open(pager, NULL, "{");
        thudi_head_field(pager, "text", figures[i].text);
        thudi_head_number(pager, "value", values[i]);
        thudi_head_text(pager, "}");
    }
    thudi_head_text(pager, "]");
}

static void write_run(thudi_pager *pager)
{
    const thud_page_run *run = &pager->def->run;
    thudi_head_open(pager, "run", "{");
    thudi_head_field(pager, "ending", run->ending);
    thudi_head_field(pager, "error", run->error);
    write_figures(pager);
    thudi_head_number(pager, "checked", run->checked);
    thudi_head_number(pager, "held", run->held);
    thudi_head_open(pager, "certificates", "[");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        thudi_head_open(pager, NULL, "{");
        thudi_head_field(pager, "name", thud_certificate_title((thud_certificate_name)i));
        thudi_head_field(pager, "text", thud_certificate_text((thud_certificate_name)i));
        thudi_head_number(pager, "worst", run->worst[i]);
        thudi_head_text(pager, "}");
    }
    thudi_head_text(pager, "]}");
}

static void write_halved(thudi_pager *pager, const thud_halved *halved)
{
    thud_series_column column;
    const char *const *names;
    int count = thud_model_series(pager->def->model, &names);
    if (halved->column < 0 || halved->column >= count)
        return;
    thud_model_series_column(pager->def->model, halved->column, &column);
    thudi_head_open(pager, NULL, "{");
    thudi_head_field(pager, "name", column.name);
    thudi_head_field(pager, "label", column.label);
    thudi_head_field(pager, "unit", column.unit);
    thudi_head_number(pager, "end", halved->end);
    thudi_head_number(pager, "end_halved", halved->end_halved);
    thudi_head_field(pager, "end_change", halved->end_change);
    thudi_head_number(pager, "mean", halved->mean);
    thudi_head_number(pager, "mean_halved", halved->mean_halved);
    thudi_head_field(pager, "mean_change", halved->mean_change);
    thudi_head_number(pager, "largest", halved->largest);
    thudi_head_number(pager, "largest_halved", halved->largest_halved);
    thudi_head_field(pager, "largest_change", halved->largest_change);
    thudi_head_text(pager, "}");
}

static void write_accuracy(thudi_pager *pager)
{
    const thud_accuracy *accuracy = &pager->def->run.accuracy;
    bool has_step = accuracy->suggested_step > 0;
    thudi_head_open(pager, "accuracy", "{");
    thudi_head_number(pager, "suggested_step", has_step ? accuracy->suggested_step : NAN);
    thudi_head_number(pager, "ratio", has_step ? accuracy->ratio : NAN);
    if (accuracy->halved_count > 0)
    {
        thudi_head_open(pager, "halved", "{");
        thudi_head_number(pager, "step", accuracy->step);
        thudi_head_number(pager, "steps", accuracy->steps);
        thudi_head_open(pager, "measures", "[");
        for (int i = 0; i < accuracy->halved_count; i++)
            write_halved(pager, &accuracy->halved[i]);
        thudi_head_text(pager, "]}");
    }
    else
        thudi_head_number(pager, "halved", NAN);
    thudi_head_text(pager, "}");
}

static void write_frames(thudi_pager *pager)
{
    thud_log_summary log = thud_log_look(pager->def->log);
    thudi_head_open(pager, "frames", "{");
    thudi_head_whole(pager, "count", pager->frame_count);
    thudi_head_whole(pager, "stride", pager->stride);
    thudi_head_whole(pager, "first", pager->def->first);
    thudi_head_whole(pager, "recorded", log.frame_count);
    thudi_head_whole(pager, "damaged", log.damaged_count);
    thudi_head_flag(pager, "is_cut", log.is_cut);
    thudi_head_numbers(pager, "low", pager->scale.low, 3);
    thudi_head_numbers(pager, "high", pager->scale.high, 3);
    thudi_head_number(pager, "speed", pager->scale.speed);
    thudi_head_text(pager, "}");
}

// What the columns of the scene's measures are.
static void write_measures(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    const char *const *names;
    int count = thud_model_series(pager->def->model, &names);
    thudi_head_open(pager, "measures", "[");
    for (int i = 0; i < scene->measure_count; i++)
        thudi_head_field(pager, NULL, scene->measures[i].name);
    thudi_head_text(pager, "]");
    thudi_head_open(pager, "about", "[");
    for (int i = 0; i < count; i++)
    {
        thud_series_column column;
        thud_model_series_column(pager->def->model, i, &column);
        if (column.measure < 0)
            continue;
        thudi_head_open(pager, NULL, "{");
        thudi_head_field(pager, "name", column.name);
        thudi_head_whole(pager, "measure", column.measure);
        thudi_head_field(pager, "component", column.component);
        thudi_head_field(pager, "label", column.label);
        thudi_head_field(pager, "unit", column.unit);
        thudi_head_flag(pager, "is_whole", column.is_whole);
        thudi_head_text(pager, "}");
    }
    thudi_head_text(pager, "]");
}

static void write_series(thudi_pager *pager)
{
    const thud_series_table *series = pager->series;
    thudi_head_open(pager, "series", "{");
    thudi_head_whole(pager, "rows", (int64_t)series->row_count);
    thudi_head_whole(pager, "stride", pager->series_stride);
    thudi_head_open(pager, "columns", "[");
    for (int i = 0; i < series->column_count; i++)
        thudi_head_field(pager, NULL, series->names[i]);
    thudi_head_text(pager, "]");
    write_measures(pager);
    thudi_head_text(pager, "}");
}

thud_status thudi_page_write_head(thudi_pager *pager)
{
    pager->head.length = 0;
    thudi_head_text(pager, "{");
    thudi_head_whole(pager, "page", 2);
    thudi_head_field(pager, "version", thud_version());
    write_scene(pager);
    write_run(pager);
    write_accuracy(pager);
    write_frames(pager);
    write_series(pager);
    thudi_page_write_colors(pager);
    thudi_head_text(pager, "}");
    return pager->head.status < 0 ? thudi_fail_memory(pager->fault) : THUD_OK;
}
