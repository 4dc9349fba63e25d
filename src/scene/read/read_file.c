// Entries of `bodies` that name a file, CSV or XYZ.
#include "scene/read/read_parts.h"
#include "scene/tables.h"
#include "text/scene_files.h"

#include <stdio.h>
#include <string.h>

typedef struct body_file
{
    thudi_body_reader *b;
    const thudi_tree *node; // the entry's map
    thudi_entry *entry;
    const char *name; // name of the file, for messages
} body_file;

static thud_status fail_row(const body_file *f, int line, const char *hint, const char *text)
{
    return thudi_fail_place(f->b->r->fault, THUD_ERR_SCENE, f->name, line, 0, hint, "%s", text);
}

static thud_status read_format(thudi_reader *r, const thudi_tree *path, thudi_body_format *format)
{
    char where[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE];
    const char *dot = strrchr(path->text, '.');
    *format = THUDI_BODY_CSV;
    if (dot && strcmp(dot, ".csv") == 0)
        return THUD_OK;
    *format = THUDI_BODY_XYZ;
    if (dot && (strcmp(dot, ".xyz") == 0 || strcmp(dot, ".extxyz") == 0))
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, path,
                           "use a name that ends in .csv, .xyz or .extxyz",
                           "%s: '%s' is not a known kind of file", thudi_tree_path(path, where),
                           thudi_quote(quote, path->text, path->length));
}

// Material and mass of a row: its own, else the entry's. A row with a mass needs no material.
static thud_status row_matter(const body_file *f, const thudi_body_row *row, thud_scene_body *body)
{
    const thudi_entry *entry = f->entry;
    thud_place place = {f->name, row->line, 0};
    body->material = -1;
    body->sphere.mass = row->sphere.mass > 0 ? row->sphere.mass : entry->mass;
    if (row->material)
        return thudi_material_find(f->b, row->material, row->material_length, &place,
                                   &body->material);
    if (entry->material_given || !(body->sphere.mass > 0))
        body->material = entry->material;
    if (body->material < 0 && !(body->sphere.mass > 0) &&
        f->b->r->scene->view.order != THUD_FIRST_ORDER)
        return fail_row(f, row->line, "add a column, or give one to the entry in the scene",
                        "this body has neither a material nor a mass");
    return THUD_OK;
}

// The growth of a row: its own, else the entry's.
static thud_status row_growth(const body_file *f, const thudi_body_row *row, thud_scene_body *body)
{
    char text[THUDI_QUOTE_SIZE + 40], quote[THUDI_QUOTE_SIZE];
    body->growth = f->entry->growth;
    if (!row->growth)
        return THUD_OK;
    body->growth = thudi_growth_find(f->b->r, row->growth, row->growth_length);
    if (body->growth)
        return THUD_OK;
    (void)snprintf(text, sizeof text, "there is no growth function '%s'",
                   thudi_quote(quote, row->growth, row->growth_length));
    return fail_row(f, row->line, "define it under 'growth' in the scene", text);
}

static thud_status add_row(const body_file *f, const thudi_body_row *row)
{
    thud_place place = {f->name, row->line, 0};
    thud_scene_body body = {.sphere = row->sphere, .origin = "file"};
    if (body.sphere.radius > 0 && f->entry->file_radius > 0)
        return fail_row(f, row->line, "remove 'radius' from the entry in the scene",
                        "the file already has radii");
    if (!(body.sphere.radius > 0))
        body.sphere.radius = f->entry->file_radius;
    if (!(body.sphere.radius > 0))
        return fail_row(f, row->line,
                        "add a column 'radius', or 'radius' to the entry in the scene",
                        "this body has no radius");
    THUD_TRY(row_matter(f, row, &body));
    THUD_TRY(row_growth(f, row, &body));
    if (row->name)
        THUD_TRY(thudi_body_name(f->b, row->name, row->name_length, &place, &body.name));
    return thudi_body_add(f->b, &body, &place);
}

static thud_status add_rows(const body_file *f, thudi_body_format format, const thudi_file *file)
{
    thudi_reader *r = f->b->r;
    thudi_body_row *rows = NULL;
    int count = 0;
    thud_status status = thudi_body_rows_read(format, r->scene->view.dim, file->text, file->length,
                                              &r->allocator, &rows, &count, r->fault);
    if (status == THUD_ERR_MEMORY)
        return thudi_fail_status(r->fault, status);
    if (status < 0)
    {
        (void)snprintf(r->fault->file, sizeof r->fault->file, "%s", f->name);
        return status;
    }
    status = thudi_bodies_reserve(f->b, f->node, count);
    for (int i = 0; i < count && status >= 0; i++)
        status = add_row(f, &rows[i]);
    thudi_body_rows_free(&r->allocator, rows, count);
    return status;
}

static thud_status load(body_file f, const thudi_tree *path, thudi_body_format format)
{
    thudi_reader *r = f.b->r;
    char where[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE], name[sizeof r->fault->file];
    const char *reason = "";
    thudi_file file;
    (void)snprintf(name, sizeof name, "%s%s", r->origin->folder_prefix, path->text);
    f.name = name;
    thud_status status = thudi_file_read(r->origin->folder, path->text, r->origin->no_links,
                                         THUD_BODY_FILE_SIZE, &r->allocator, &file, &reason);
    if (status == THUD_ERR_MEMORY)
        return thudi_fail_status(r->fault, status);
    if (status < 0)
        return thudi_fail_file(&file, r->fault,
                               thudi_fail_node(r->fault, status, path, "", "%s: the file '%s' %s",
                                               thudi_tree_path(path, where),
                                               thudi_quote(quote, path->text, path->length),
                                               reason));
    status = add_rows(&f, format, &file);
    thudi_file_free(&r->allocator, &file);
    return status;
}

thud_status thudi_read_file(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry)
{
    thudi_reader *r = b->r;
    const thudi_tree *path;
    thudi_body_format format;
    body_file f = {.b = b, .node = node, .entry = entry};
    THUD_TRY(thudi_thing_open(r, node, &thudi_file_thing));
    THUD_TRY(thudi_required(r, node, "path", "give the name of a file of bodies", &path));
    THUD_TRY(thudi_path_check(path, r->origin, r->fault));
    THUD_TRY(read_format(r, path, &format));
    THUD_TRY(thudi_copy(r, path->text, path->length, &entry->path));
    THUD_TRY(thudi_read_fields(r, node, &thudi_file_thing, entry));
    THUD_TRY(thudi_read_matter(b, node, entry));
    return load(f, path, format);
}
