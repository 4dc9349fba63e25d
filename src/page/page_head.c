// What the page knows of a run besides arrays, as JSON. Names come from scenes and are not to be
// trusted: '<', '>' and '&' are escaped, so that no text can end the element it stands in.
#include "page/pager.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void put(thudi_pager *pager, const char *bytes, size_t length)
{
    thudi_page_text *head = &pager->head;
    if (head->status < 0)
        return;
    head->status = thudi_array_reserve(&pager->allocator, &head->bytes, head->length + length + 1);
    if (head->status < 0)
        return;
    memcpy(head->bytes.items + head->length, bytes, length);
    head->length += length;
}

static void put_text(thudi_pager *pager, const char *text)
{
    put(pager, text, strlen(text));
}

// The character at text if it is one beyond ASCII that breaks or controls lines or turns the
// direction of writing, else 0.
static unsigned read_hidden(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    unsigned code = 0;
    if (c[0] >= 0xc2 && c[0] < 0xe0)
        code = (c[0] & 0x1fu) << 6 | (c[1] & 0x3fu);
    else if (c[0] == 0xe2 && (c[1] & 0xfeu) == 0x80)
        code = 0x2000u | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
    bool is_hidden = (code >= 0x80 && code < 0xa0) || code == 0x61c || code == 0x200e ||
                     code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                     (code >= 0x2066 && code <= 0x206f);
    return is_hidden ? code : 0;
}

static void put_string(thudi_pager *pager, const char *text)
{
    put_text(pager, "\"");
    for (const char *c = text ? text : ""; *c; c++)
    {
        char escaped[12];
        unsigned char byte = (unsigned char)*c;
        unsigned hidden = read_hidden(c);
        if (hidden)
        {
            (void)snprintf(escaped, sizeof escaped, "\\u%04x", hidden);
            put_text(pager, escaped);
            c += hidden < 0x800 ? 1 : 2;
            continue;
        }
        if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != '<' && byte != '>' &&
            byte != '&' && byte != 0x7f)
        {
            put(pager, c, 1);
            continue;
        }
        (void)snprintf(escaped, sizeof escaped, "\\u%04x", byte);
        put_text(pager, escaped);
    }
    put_text(pager, "\"");
}

// A comma unless the text before opens something, then the name.
static void put_name(thudi_pager *pager, const char *name)
{
    const thudi_page_text *head = &pager->head;
    char last = head->length > 0 ? head->bytes.items[head->length - 1] : '{';
    if (last != '{' && last != '[')
        put_text(pager, ",");
    if (!name)
        return;
    put_string(pager, name);
    put_text(pager, ":");
}

static void put_open(thudi_pager *pager, const char *name, const char *bracket)
{
    put_name(pager, name);
    put_text(pager, bracket);
}

static void put_field(thudi_pager *pager, const char *name, const char *value)
{
    put_name(pager, name);
    put_string(pager, value);
}

static void put_number(thudi_pager *pager, const char *name, double x)
{
    char text[THUD_NUMBER_SIZE];
    put_name(pager, name);
    put_text(pager, isfinite(x) ? thud_number_write(text, x) : "null");
}

static void put_whole(thudi_pager *pager, const char *name, int64_t x)
{
    char text[32];
    put_name(pager, name);
    (void)snprintf(text, sizeof text, "%" PRId64, x);
    put_text(pager, text);
}

static void put_flag(thudi_pager *pager, const char *name, bool x)
{
    put_name(pager, name);
    put_text(pager, x ? "true" : "false");
}

static void put_numbers(thudi_pager *pager, const char *name, const double *x, int count)
{
    put_open(pager, name, "[");
    for (int i = 0; i < count; i++)
        put_number(pager, NULL, x[i]);
    put_text(pager, "]");
}

bool thudi_page_is_periodic(const thud_scene *scene)
{
    return scene->cell.is_periodic[0] || scene->cell.is_periodic[1] || scene->cell.is_periodic[2];
}

static void write_cell(thudi_pager *pager)
{
    thud_cell cell = thud_model_cell(pager->def->model);
    if (!thudi_page_is_periodic(pager->def->scene))
        return;
    put_open(pager, "cell", "{");
    put_numbers(pager, "low", cell.low, 3);
    put_numbers(pager, "period", cell.period, 3);
    put_text(pager, "}");
}

static void write_bodies(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    put_open(pager, "materials", "[");
    for (int i = 0; i < scene->material_count; i++)
        put_field(pager, NULL, scene->materials[i].name);
    put_text(pager, "]");
    put_number(pager, "laws", scene->growth_count);
    put_open(pager, "walls", "[");
    for (int i = 0; i < scene->wall_count; i++)
        put_field(pager, NULL, scene->walls[i].name);
    put_text(pager, "]");
    put_open(pager, "obstacles", "[");
    for (int i = 0; i < scene->obstacle_count; i++)
    {
        static const char *const kinds[] = {"solid", "container", "sheet"};
        const thudi_surface *surface = &pager->surfaces[i];
        double low[3], high[3];
        thudi_surface_bounds(&scene->obstacles[i].solid, low, high);
        put_open(pager, NULL, "{");
        put_field(pager, "name", scene->obstacles[i].name);
        put_field(pager, "kind", kinds[surface->kind]);
        put_whole(pager, "triangles", surface->triangle_count);
        put_whole(pager, "lines", surface->line_count);
        put_numbers(pager, "least", low, 3);
        put_numbers(pager, "most", high, 3);
        put_text(pager, "}");
    }
    put_text(pager, "]");
    write_cell(pager);
    put_open(pager, "names", "[");
    for (int i = 0; i < scene->body_count; i++)
    {
        if (!scene->bodies[i].name)
            continue;
        put_open(pager, NULL, "[");
        put_whole(pager, NULL, i);
        put_field(pager, NULL, scene->bodies[i].name);
        put_text(pager, "]");
    }
    put_text(pager, "]");
}

static void write_coordinates(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    put_open(pager, "coordinates", "[");
    for (int i = 0; i < scene->coordinate_count; i++)
        put_field(pager, NULL, scene->coordinates[i].name);
    put_text(pager, "]");
    put_open(pager, "constraints", "[");
    for (int i = 0; i < scene->constraint_count; i++)
    {
        const thud_expression_traits *gap = thud_expression_look(scene->constraints[i].gap);
        put_open(pager, NULL, "{");
        put_field(pager, "name", scene->constraints[i].name);
        put_field(pager, "gap", gap->text);
        put_flag(pager, "moves", gap->uses_time);
        put_text(pager, "}");
    }
    put_text(pager, "]");
    put_whole(pager, "order", scene->order == THUD_FIRST_ORDER ? 1 : 2);
    put_whole(pager, "grid", pager->grid);
}

// Gravity at the start, where the world's acceleration is a force over a mass.
static void write_gravity(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    double gravity[3] = {0};
    for (int k = 0; k < scene->dim && k < 3; k++)
    {
        const thud_expression *expression = scene->gravity[k];
        size_t room = expression ? (size_t)thud_expression_look(expression)->room : 0;
        if (!expression || pager->head.status < 0)
            continue;
        pager->head.status = thudi_array_reserve(&pager->allocator, &pager->numbers, room + 1);
        if (pager->head.status >= 0)
            gravity[k] =
                thud_expression_value(expression, scene->start, NULL, pager->numbers.items);
    }
    put_numbers(pager, "gravity", gravity, 3);
}

static void write_scene(thudi_pager *pager)
{
    const thud_scene *scene = pager->def->scene;
    bool spheres = scene->kind == THUD_SCENE_SPHERES;
    put_open(pager, "scene", "{");
    put_field(pager, "title", scene->title);
    put_field(pager, "about", scene->about);
    put_field(pager, "kind", spheres ? "spheres" : "inclusion");
    put_whole(pager, "dim", spheres ? scene->dim : scene->coordinate_count);
    put_whole(pager, "bodies", scene->body_count);
    put_field(pager, "unit_length", scene->unit_length);
    put_field(pager, "unit_time", scene->unit_time);
    put_field(pager, "unit_mass", scene->unit_mass);
    put_number(pager, "start", scene->start);
    put_number(pager, "end", scene->end);
    put_number(pager, "step", scene->step);
    put_number(pager, "tol", scene->tol);
    put_field(pager, "quality", scene->quality);
    write_gravity(pager);
    if (spheres)
        write_bodies(pager);
    else
        write_coordinates(pager);
    put_text(pager, "}");
}

static void write_run(thudi_pager *pager)
{
    const thud_page_run *run = &pager->def->run;
    put_open(pager, "run", "{");
    put_field(pager, "ending", run->ending);
    put_field(pager, "error", run->error);
    put_number(pager, "steps", run->steps);
    put_number(pager, "sweeps", run->sweeps);
    put_number(pager, "min_gap", run->min_gap);
    put_number(pager, "violation", run->violation);
    put_number(pager, "backward", run->backward);
    put_number(pager, "forward", run->forward);
    put_number(pager, "between", run->between);
    put_number(pager, "checked", run->checked);
    put_number(pager, "held", run->held);
    put_open(pager, "certificates", "[");
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        put_open(pager, NULL, "{");
        put_field(pager, "name", thud_certificate_title((thud_certificate_name)i));
        put_field(pager, "text", thud_certificate_text((thud_certificate_name)i));
        put_number(pager, "worst", run->worst[i]);
        put_text(pager, "}");
    }
    put_text(pager, "]}");
}

static void write_frames(thudi_pager *pager)
{
    thud_log_summary log = thud_log_look(pager->def->log);
    put_open(pager, "frames", "{");
    put_whole(pager, "count", pager->frame_count);
    put_whole(pager, "stride", pager->stride);
    put_whole(pager, "first", pager->def->first);
    put_whole(pager, "recorded", log.frame_count);
    put_whole(pager, "damaged", log.damaged_count);
    put_flag(pager, "is_cut", log.is_cut);
    put_numbers(pager, "low", pager->scale.low, 3);
    put_numbers(pager, "high", pager->scale.high, 3);
    put_number(pager, "speed", pager->scale.speed);
    put_text(pager, "}");
}

static void write_series(thudi_pager *pager)
{
    const thudi_series *series = &pager->series;
    const char *name = series->names.items;
    put_open(pager, "series", "{");
    put_whole(pager, "rows", (int64_t)series->row_count);
    put_whole(pager, "stride", pager->series_stride);
    put_open(pager, "columns", "[");
    for (int i = 0; i < series->column_count; i++, name += strlen(name) + 1)
        put_field(pager, NULL, name);
    put_text(pager, "]}");
}

thud_status thudi_page_write_head(thudi_pager *pager)
{
    pager->head.length = 0;
    put_text(pager, "{");
    put_whole(pager, "page", 1);
    put_field(pager, "version", thud_version());
    write_scene(pager);
    write_run(pager);
    write_frames(pager);
    write_series(pager);
    put_text(pager, "}");
    return pager->head.status < 0 ? thudi_record_memory(pager->fault) : THUD_OK;
}
