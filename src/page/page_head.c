// What the page knows of a run, apart from arrays.
#include "page/pager.h"

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
    thud_json_open(&pager->head, "cell");
    thud_json_numbers(&pager->head, "low", cell.low, 3);
    thud_json_numbers(&pager->head, "period", cell.period, 3);
    thud_json_close(&pager->head);
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
    thud_json_list(&pager->head, "shows");
    for (int i = 0; i < scene->wall_count; i++)
        thudi_head_text(pager, NULL, shows[scene->walls[i].show]);
    thud_json_list_end(&pager->head);
}

static void write_bodies(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    thud_json_list(&pager->head, "materials");
    for (int i = 0; i < scene->material_count; i++)
        thudi_head_text(pager, NULL, scene->materials[i].name);
    thud_json_list_end(&pager->head);
    thud_json_number(&pager->head, "laws", scene->growth_count);
    thud_json_list(&pager->head, "walls");
    for (int i = 0; i < scene->wall_count; i++)
        thudi_head_text(pager, NULL, scene->walls[i].name);
    thud_json_list_end(&pager->head);
    write_shows(pager);
    thud_json_list(&pager->head, "obstacles");
    for (int i = 0; i < scene->obstacle_count; i++)
    {
        static const char *const kinds[] = {"solid", "container", "sheet"};
        const thud_surface *surface = &pager->surfaces[i];
        double low[3], high[3];
        thud_surface_bounds(&scene->obstacles[i].solid, low, high);
        thud_json_open(&pager->head, NULL);
        thudi_head_text(pager, "name", scene->obstacles[i].name);
        thudi_head_text(pager, "kind", kinds[surface->kind]);
        if (scene->obstacles[i].show != THUD_SHOW_SOLID)
            thudi_head_text(pager, "show", shows[scene->obstacles[i].show]);
        thud_json_whole(&pager->head, "triangles", surface->triangle_count);
        thud_json_whole(&pager->head, "lines", surface->line_count);
        thud_json_numbers(&pager->head, "least", low, 3);
        thud_json_numbers(&pager->head, "most", high, 3);
        thud_json_close(&pager->head);
    }
    thud_json_list_end(&pager->head);
    write_cell(pager);
    thud_json_list(&pager->head, "names");
    for (int i = 0; i < scene->body_count; i++)
    {
        if (!scene->bodies[i].name)
            continue;
        thud_json_list(&pager->head, NULL);
        thud_json_whole(&pager->head, NULL, i);
        thudi_head_text(pager, NULL, scene->bodies[i].name);
        thud_json_list_end(&pager->head);
    }
    thud_json_list_end(&pager->head);
}

static void write_coordinates(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    thud_json_list(&pager->head, "coordinates");
    for (int i = 0; i < scene->coordinate_count; i++)
        thudi_head_text(pager, NULL, scene->coordinates[i].name);
    thud_json_list_end(&pager->head);
    thud_json_list(&pager->head, "constraints");
    for (int i = 0; i < scene->constraint_count; i++)
    {
        const thud_expression_traits *gap =
            thud_expression_view(scene->constraints[i].gap.expression);
        thud_json_open(&pager->head, NULL);
        thudi_head_text(pager, "name", scene->constraints[i].name);
        thudi_head_text(pager, "gap", gap->text);
        thud_json_flag(&pager->head, "moves", gap->uses_time);
        thud_json_close(&pager->head);
    }
    thud_json_list_end(&pager->head);
    thud_json_whole(&pager->head, "order", scene->order == THUD_FIRST_ORDER ? 1 : 2);
    thud_json_whole(&pager->head, "grid", pager->grid);
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
        if (thudi_array_reserve(&pager->allocator, &pager->numbers, room + 1) < 0)
            pager->head.has_failed = true;
        else
            gravity[k] = thud_varying_at(one, scene->start, pager->numbers.items);
    }
    thud_json_numbers(&pager->head, "gravity", gravity, 3);
}

static void write_scene(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    bool spheres = scene->kind == THUD_SCENE_SPHERES;
    thud_json_open(&pager->head, "scene");
    thudi_head_text(pager, "title", scene->title);
    thudi_head_text(pager, "about", scene->about);
    thudi_head_text(pager, "kind", spheres ? "spheres" : "inclusion");
    thud_json_whole(&pager->head, "dim", spheres ? scene->dim : scene->coordinate_count);
    thud_json_whole(&pager->head, "bodies", scene->body_count);
    thudi_head_text(pager, "unit_length", scene->unit_length);
    thudi_head_text(pager, "unit_time", scene->unit_time);
    thudi_head_text(pager, "unit_mass", scene->unit_mass);
    thud_json_number(&pager->head, "start", scene->start);
    thud_json_number(&pager->head, "end", scene->end);
    thud_json_number(&pager->head, "step", scene->step);
    thud_json_number(&pager->head, "tol", scene->tol);
    thudi_head_text(pager, "quality", scene->quality);
    write_gravity(pager);
    if (spheres)
        write_bodies(pager);
    else
        write_coordinates(pager);
    thud_json_close(&pager->head);
}

// Figures of the tally by their names, and those that the panel shows with what they are.
static void write_figures(thudi_pager *pager)
{
    const double *values = pager->def->run.figures;
    const thud_figure *figures = thud_tally_figures();
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
        if (figures[i].show != THUD_FIGURE_HIDDEN)
            thud_json_number(&pager->head, figures[i].name, values[i]);
    thud_json_list(&pager->head, "said");
    for (int i = 0; i < THUD_TALLY_COUNT; i++)
    {
        if (figures[i].show != THUD_FIGURE_SAID || !(values[i] >= 0))
            continue;
        thud_json_open(&pager->head, NULL);
        thudi_head_text(pager, "text", figures[i].text);
        thud_json_number(&pager->head, "value", values[i]);
        thud_json_close(&pager->head);
    }
    thud_json_list_end(&pager->head);
}

static void write_run(thudi_pager *pager)
{
    const thud_page_run *run = &pager->def->run;
    thud_json_open(&pager->head, "run");
    thudi_head_text(pager, "ending", run->ending);
    thudi_head_text(pager, "error", run->error);
    write_figures(pager);
    thud_json_number(&pager->head, "checked", run->checked);
    thud_json_number(&pager->head, "held", run->held);
    thud_json_list(&pager->head, "certificates");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        thud_json_open(&pager->head, NULL);
        thudi_head_text(pager, "name", thud_certificate_title((thud_certificate_name)i));
        thudi_head_text(pager, "text", thud_certificate_text((thud_certificate_name)i));
        thud_json_number(&pager->head, "worst", run->worst[i]);
        thud_json_close(&pager->head);
    }
    thud_json_list_end(&pager->head);
    thud_json_close(&pager->head);
}

static void write_halved(thudi_pager *pager, const thud_halved *halved)
{
    thud_series_column column;
    const char *const *names;
    int count = thud_model_series(pager->def->model, &names);
    if (halved->column < 0 || halved->column >= count)
        return;
    thud_model_series_column(pager->def->model, halved->column, &column);
    thud_json_open(&pager->head, NULL);
    thudi_head_text(pager, "name", column.name);
    thudi_head_text(pager, "label", column.label);
    thudi_head_text(pager, "unit", column.unit);
    thud_json_number(&pager->head, "end", halved->end);
    thud_json_number(&pager->head, "end_halved", halved->end_halved);
    thudi_head_text(pager, "end_change", halved->end_change);
    thud_json_number(&pager->head, "mean", halved->mean);
    thud_json_number(&pager->head, "mean_halved", halved->mean_halved);
    thudi_head_text(pager, "mean_change", halved->mean_change);
    thud_json_number(&pager->head, "largest", halved->largest);
    thud_json_number(&pager->head, "largest_halved", halved->largest_halved);
    thudi_head_text(pager, "largest_change", halved->largest_change);
    thud_json_close(&pager->head);
}

static void write_accuracy(thudi_pager *pager)
{
    const thud_accuracy *accuracy = &pager->def->run.accuracy;
    bool has_step = accuracy->suggested_step > 0;
    thud_json_open(&pager->head, "accuracy");
    thud_json_number(&pager->head, "suggested_step", has_step ? accuracy->suggested_step : NAN);
    thud_json_number(&pager->head, "ratio", has_step ? accuracy->ratio : NAN);
    if (accuracy->halved_count > 0)
    {
        thud_json_open(&pager->head, "halved");
        thud_json_number(&pager->head, "step", accuracy->step);
        thud_json_number(&pager->head, "steps", accuracy->steps);
        thud_json_list(&pager->head, "measures");
        for (int i = 0; i < accuracy->halved_count; i++)
            write_halved(pager, &accuracy->halved[i]);
        thud_json_list_end(&pager->head);
        thud_json_close(&pager->head);
    }
    else
        thud_json_number(&pager->head, "halved", NAN);
    thud_json_close(&pager->head);
}

static void write_frames(thudi_pager *pager)
{
    thud_log_summary log = thud_log_view(pager->def->log);
    thud_json_open(&pager->head, "frames");
    thud_json_whole(&pager->head, "count", pager->frame_count);
    thud_json_whole(&pager->head, "stride", pager->stride);
    thud_json_whole(&pager->head, "first", pager->def->first);
    thud_json_whole(&pager->head, "recorded", log.frame_count);
    thud_json_whole(&pager->head, "damaged", log.damaged_count);
    thud_json_flag(&pager->head, "is_cut", log.is_cut);
    thud_json_numbers(&pager->head, "low", pager->scale.low, 3);
    thud_json_numbers(&pager->head, "high", pager->scale.high, 3);
    thud_json_number(&pager->head, "speed", pager->scale.speed);
    thud_json_close(&pager->head);
}

// What the columns of the scene's measures are.
static void write_measures(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    const char *const *names;
    int count = thud_model_series(pager->def->model, &names);
    thud_json_list(&pager->head, "measures");
    for (int i = 0; i < scene->measure_count; i++)
        thudi_head_text(pager, NULL, scene->measures[i].name);
    thud_json_list_end(&pager->head);
    thud_json_list(&pager->head, "about");
    for (int i = 0; i < count; i++)
    {
        thud_series_column column;
        thud_model_series_column(pager->def->model, i, &column);
        if (column.measure < 0)
            continue;
        thud_json_open(&pager->head, NULL);
        thudi_head_text(pager, "name", column.name);
        thud_json_whole(&pager->head, "measure", column.measure);
        thudi_head_text(pager, "component", column.component);
        thudi_head_text(pager, "label", column.label);
        thudi_head_text(pager, "unit", column.unit);
        thud_json_flag(&pager->head, "is_whole", column.is_whole);
        thud_json_close(&pager->head);
    }
    thud_json_list_end(&pager->head);
}

static void write_series(thudi_pager *pager)
{
    const thud_series_table *series = pager->series;
    thud_json_open(&pager->head, "series");
    thud_json_whole(&pager->head, "rows", (int64_t)series->row_count);
    thud_json_whole(&pager->head, "stride", pager->series_stride);
    thud_json_list(&pager->head, "columns");
    for (int i = 0; i < series->column_count; i++)
        thudi_head_text(pager, NULL, series->names[i]);
    thud_json_list_end(&pager->head);
    write_measures(pager);
    thud_json_close(&pager->head);
}

thud_status thudi_page_write_head(thudi_pager *pager)
{
    thud_json_free(&pager->head); // of an attempt with more frames
    pager->head = (thud_json){.layout = THUD_JSON_COMPACT, .allocator = pager->allocator};
    thud_json_open(&pager->head, NULL);
    thud_json_whole(&pager->head, "page", 2);
    thudi_head_text(pager, "version", thud_version());
    write_scene(pager);
    write_run(pager);
    write_accuracy(pager);
    write_frames(pager);
    write_series(pager);
    thudi_page_write_colors(pager);
    thud_json_close(&pager->head);
    return pager->head.has_failed ? thudi_fail_memory(pager->fault) : THUD_OK;
}
