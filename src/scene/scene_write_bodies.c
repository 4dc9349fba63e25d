// The bodies of a scene: entries as they were written, and all bodies as a CSV file.
#include "scene/scene_write_parts.h"

static const thud_scene_body *body_of(const thudi_putter *p, const thudi_entry *entry)
{
    return &p->scene->view.bodies[entry->first];
}

void thudi_put_body_name(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_entry *entry = from;
    if (!body_of(p, entry)->name)
        return;
    thudi_put_key(p, field);
    thudi_put_string(p->out, body_of(p, entry)->name);
}

// A number or vector of a single body, where its field says.
void thudi_put_of_body(thudi_putter *p, const thudi_field *field, const void *from)
{
    thudi_put_key(p, field);
    thudi_put_value(p, field, (const char *)body_of(p, from) + field->offset);
}

void thudi_put_matter(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_entry *entry = from;
    // the default material of a file does not apply to its rows with masses, so it is not written
    bool is_known = entry->kind != THUDI_ENTRY_FILE || entry->material_given;
    if (entry->mass > 0 || entry->material < 0 || !is_known)
        return;
    thudi_put_key(p, field);
    thudi_put_material_name(p, entry->material);
}

static void put_bell(thudi_putter *p, const thudi_field *field, const thudi_distribution *law)
{
    thudi_put_key(p, field);
    thudi_put_flow(p, field->of, law);
}

// Write the one key that a distribution of radii has.
void thudi_put_distribution_key(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_distribution *law = from;
    if (field != &thudi_law_thing.fields[law->kind - THUDI_DRAW_UNIFORM])
        return;
    if (field->form == THUDI_A_PART)
    {
        put_bell(p, field, law);
        return;
    }
    thudi_put_key(p, field);
    if (law->kind == THUDI_DRAW_UNIFORM)
        thudi_put_vector(p->out, (double[]){law->a, law->b}, 2);
    else
        thudi_put_vector(p->out, law->choices, law->choice_count);
}

void thudi_put_distribution(thudi_putter *p, const thudi_distribution *law)
{
    if (law->kind == THUDI_DRAW_FIXED)
        thudi_put_number(p->out, law->a);
    else
        thudi_put_flow(p, &thudi_law_thing, law);
}

void thudi_put_radius(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_entry *entry = from;
    thudi_put_key(p, field);
    thudi_put_distribution(p, entry->kind == THUDI_ENTRY_FILL ? &entry->fill.radius
                                                              : &entry->lattice.radius);
}

void thudi_put_velocity(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_entry *entry = from;
    thudi_put_key(p, field);
    thudi_put_numbers(
        p, field, entry->kind == THUDI_ENTRY_FILL ? entry->fill.velocity : entry->lattice.velocity);
}

void thudi_put_entry_seed(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_entry *entry = from;
    thudi_put_key(p, field);
    thudi_put_whole(
        p->out, (double)(entry->kind == THUDI_ENTRY_FILL ? entry->fill.seed : entry->lattice.seed));
}

void thudi_put_counts(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_entry *entry = from;
    thudi_put_key(p, field);
    for (int k = 0; k < p->dim; k++)
    {
        thudi_put(p->out, k == 0 ? "[" : ", ");
        thudi_put_whole(p->out, entry->lattice.count[k]);
    }
    thudi_put(p->out, "]");
}

void thudi_put_spacing(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_entry *entry = from;
    thudi_put_key(p, field);
    thudi_put_vector(p->out, entry->lattice.spacing, p->dim);
}

void thudi_put_region_box(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_region *region = from;
    if (region->is_ball)
        return;
    thudi_put_key(p, field);
    thudi_put_box(p, region->low, region->high);
}

void thudi_put_region_ball(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_region *region = from;
    if (!region->is_ball)
        return;
    thudi_put_key(p, field);
    thudi_put_flow(p, &thudi_ball_thing, region);
}

// lattice, fill or file: the only key of its entry, without braces.
static void put_generator(thudi_putter *p, const thudi_entry *entry)
{
    static const char *const keys[] = {"", "lattice", "fill", "file"};
    thudi_field_room room;
    const thudi_field *field = thudi_thing_find(&thudi_entry_thing, keys[entry->kind], &room);
    thudi_put(p->out, field->key);
    thudi_put(p->out, ": ");
    thudi_put_flow(p, field->of, entry);
}

void thudi_put_bodies(thudi_putter *p, const thudi_field *field, const void *from)
{
    (void)from;
    thudi_put_heading(p, field);
    if (p->bodies_file)
    {
        thudi_put(p->out, "  - file: {path: ");
        thudi_put_string(p->out, p->bodies_file);
        thudi_put(p->out, "}\n");
        return;
    }
    for (int i = 0; i < p->scene->entry_count; i++)
    {
        const thudi_entry *entry = &p->scene->entries[i];
        thudi_put(p->out, "  - ");
        if (entry->kind == THUDI_ENTRY_BODY)
            thudi_put_flow(p, &thudi_entry_thing, entry);
        else
            put_generator(p, entry);
        thudi_put(p->out, "\n");
    }
}

static void put_cells(thudi_out *out, const double *x, int dim)
{
    for (int k = 0; k < dim; k++)
    {
        thudi_put(out, ",");
        thudi_put_number(out, x[k]);
    }
}

// Names hold no commas and no quotes. In quotes, a # at the start does not begin a comment.
static void put_name(thudi_out *out, const char *name)
{
    const char *quote = name[0] == '#' ? "\"" : "";
    thudi_put(out, quote);
    thudi_put(out, name);
    thudi_put(out, quote);
}

thud_status thud_scene_write_bodies(const thud_scene *scene, thud_sink_fn *sink, void *user)
{
    if (!scene || !sink)
        return THUD_ERR_ARGUMENT;
    thudi_out out = {.sink = sink, .user = user};
    thudi_put(&out, scene->dim == 2 ? "name,material,x,y,vx,vy,radius,mass"
                                    : "name,material,x,y,z,vx,vy,vz,radius,mass");
    thudi_put(&out, scene->growth_count > 0 ? ",growth\n" : "\n");
    for (int i = 0; i < scene->body_count && out.status >= 0; i++)
    {
        const thud_scene_body *body = &scene->bodies[i];
        put_name(&out, body->name ? body->name : "");
        thudi_put(&out, ",");
        thudi_put(&out, body->material < 0 ? "" : scene->materials[body->material].name);
        put_cells(&out, body->sphere.center, scene->dim);
        put_cells(&out, body->sphere.velocity, scene->dim);
        put_cells(&out, &body->sphere.radius, 1);
        put_cells(&out, &body->sphere.mass, 1);
        thudi_put(&out, scene->growth_count > 0 ? "," : "");
        thudi_put(&out, body->growth && body->growth->name ? body->growth->name : "");
        thudi_put(&out, "\n");
    }
    return thudi_out_end(&out);
}
