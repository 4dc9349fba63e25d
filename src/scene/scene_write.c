// A scene written with all its defaults, in the order of its tables, so that reading it gives the
// same scene.
#include "scene/scene_write_parts.h"

#include <math.h>
#include <string.h>

void thudi_put_heading(thudi_putter *p, const thudi_field *field)
{
    thudi_put(p->out, "\n");
    thudi_put(p->out, field->key);
    thudi_put(p->out, ":\n");
}

void thudi_put_entry_name(thudi_putter *p, const char *name)
{
    thudi_put(p->out, "  ");
    thudi_put_string(p->out, name);
    thudi_put(p->out, ": ");
}

void thudi_put_material_name(thudi_putter *p, int material)
{
    thudi_put_string(p->out, p->scene->view.materials[material].name);
}

void thudi_put_box(thudi_putter *p, const double *low, const double *high)
{
    thudi_put(p->out, "[");
    thudi_put_vector(p->out, low, p->dim);
    thudi_put(p->out, ", ");
    thudi_put_vector(p->out, high, p->dim);
    thudi_put(p->out, "]");
}

void thudi_put_version(thudi_putter *p, const thudi_field *field, const void *from)
{
    (void)from;
    thudi_put_key(p, field);
    thudi_put(p->out, "1\n");
}

void thudi_put_parameters(thudi_putter *p, const thudi_field *field, const void *from)
{
    (void)from;
    if (p->scene->parameter_count > 0)
        thudi_put_heading(p, field);
    for (int i = 0; i < p->scene->parameter_count; i++)
    {
        thudi_put_entry_name(p, p->scene->parameters[i]);
        thudi_put_number(p->out, p->scene->values[i]);
        thudi_put(p->out, "\n");
    }
}

// What parameters stood for may be written as numbers.
void thudi_put_resolved(thudi_putter *p, const thudi_field *field, const void *from)
{
    (void)from;
    if (p->scene->parameter_count == 0)
        return;
    thudi_put(p->out, "\n");
    thudi_put_key(p, field);
    thudi_put(p->out, "true\n");
}

void thudi_put_time(thudi_putter *p, const thudi_field *field, const void *from)
{
    thudi_putter inner = *p;
    inner.indent = 2;
    thudi_put_heading(p, field);
    thudi_put_fields(&inner, &thudi_time_thing, from);
}

void thudi_put_step(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    thudi_put_key(p, field);
    thudi_put_number(p->out, scene->step);
    thudi_put(p->out, scene->step_is_auto ? " # auto\n" : "\n");
}

void thudi_put_order(thudi_putter *p, const thudi_field *field, const void *from)
{
    (void)from;
    thudi_put_key(p, field);
    thudi_put(p->out, p->is_first_order ? "1\n" : "2\n");
}

void thudi_put_noise(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (!(scene->noise > 0))
        return;
    thudi_put(p->out, "\n");
    thudi_put_key(p, field);
    thudi_put_number(p->out, scene->noise);
    thudi_put(p->out, "\n");
}

// Of the noise: those of entries are theirs.
void thudi_put_seed(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (!(scene->noise > 0))
        return;
    thudi_put_key(p, field);
    thudi_put_whole(p->out, (double)scene->seed);
    thudi_put(p->out, "\n");
}

void thudi_put_axis(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_cell *cell = from;
    int k = field->key[0] - 'x';
    if (k >= p->dim || !cell->is_periodic[k])
        return;
    thudi_put_key(p, field);
    thudi_put_vector(p->out, (double[]){cell->low[k], cell->high[k]}, 2);
}

void thudi_put_cell(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_cell *cell = &((const thud_scene *)from)->cell;
    if (!cell->is_periodic[0] && !cell->is_periodic[1] && !cell->is_periodic[2])
        return;
    thudi_put_key(p, field);
    thudi_put_flow(p, &thudi_cell_thing, cell);
    thudi_put(p->out, "\n");
}

void thudi_put_quality(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (strcmp(scene->quality, "custom") == 0)
        return;
    thudi_put_key(p, field);
    thudi_put(p->out, scene->quality);
}

void thudi_put_tolerance(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (strcmp(scene->quality, "custom") != 0)
        return;
    thudi_put_key(p, field);
    thudi_put_value(p, field, (const char *)from + field->offset);
}

static void put_growth(thudi_putter *p, const thud_scene_growth *growth)
{
    if (!growth)
        thudi_put(p->out, "1");
    else if (growth->name)
        thudi_put_string(p->out, growth->name);
    else
        thudi_put_varying(p->out, &growth->factor);
}

void thudi_put_material_growth(thudi_putter *p, const thudi_field *field, const void *from)
{
    thudi_put_key(p, field);
    put_growth(p, ((const thud_scene_material *)from)->growth);
}

void thudi_put_entry_growth(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thudi_entry *entry = from;
    if (!entry->growth)
        return;
    thudi_put_key(p, field);
    put_growth(p, entry->growth);
}

void thudi_put_materials(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (scene->material_count > 0)
        thudi_put_heading(p, field);
    for (int i = 0; i < scene->material_count; i++)
    {
        thudi_put_entry_name(p, scene->materials[i].name);
        thudi_put_flow(p, &thudi_material_thing, &scene->materials[i]);
        thudi_put(p->out, "\n");
    }
}

void thudi_put_growths(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (scene->growth_count > 0)
        thudi_put_heading(p, field);
    for (int i = 0; i < scene->growth_count; i++)
    {
        thudi_put_entry_name(p, scene->growths[i].name);
        thudi_put_varying(p->out, &scene->growths[i].factor);
        thudi_put(p->out, "\n");
    }
}

void thudi_put_between(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_contact *contact = from;
    thudi_put_key(p, field);
    thudi_put(p->out, "[");
    thudi_put_material_name(p, contact->a);
    thudi_put(p->out, ", ");
    thudi_put_material_name(p, contact->b);
    thudi_put(p->out, "]");
}

// The number of a law that the key names, -1 for none.
static int number_named(const thud_law_info *law, const char *key)
{
    for (int k = 0; k < law->number_count; k++)
        if (strcmp(law->numbers[k].key, key) == 0)
            return k;
    return -1;
}

// A number of the law that the contact has. What is kept below 0 is written without its sign.
void thudi_put_number_of_law(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_law *rule =
        (const thud_scene_law *)(const void *)((const char *)from + field->offset);
    const thud_law_info *law = thud_law_find((int)rule->law);
    int k = number_named(law, field->key);
    if (k < 0 || rule->numbers[k] == law->numbers[k].none)
        return;
    thudi_put_key(p, field);
    if (isinf(rule->numbers[k]))
        thudi_put(p->out, "unlimited");
    else
        thudi_put_number(p->out, fabs(rule->numbers[k]));
}

// The same, or its default where the contact has no law with numbers.
void thudi_put_number_or_none(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene_law *rule =
        (const thud_scene_law *)(const void *)((const char *)from + field->offset);
    if (thud_law_find((int)rule->law)->number_count > 0)
        thudi_put_number_of_law(p, field, from);
    else
        thudi_put_initial(p, field, from);
}

void thudi_put_contacts(thudi_putter *p, const thudi_field *field, const void *from)
{
    const thud_scene *scene = from;
    if (scene->contact_count > 0)
        thudi_put_heading(p, field);
    for (int i = 0; i < scene->contact_count; i++)
    {
        thudi_put(p->out, "  - ");
        thudi_put_flow(p, &thudi_contact_thing, &scene->contacts[i]);
        thudi_put(p->out, "\n");
    }
}

thud_status thud_scene_write(const thud_scene *scene, const char *bodies_file, thud_sink_fn *sink,
                             void *user)
{
    if (!scene || !sink)
        return THUD_ERR_ARGUMENT;
    bool is_spheres = scene->kind == THUD_SCENE_SPHERES;
    thudi_out out = {.sink = sink, .user = user};
    thudi_putter p = {.out = &out,
                      .scene = thudi_scene_of(scene),
                      .bodies_file = bodies_file,
                      .dim = scene->dim,
                      .is_first_order = scene->order == THUD_FIRST_ORDER,
                      .is_block = true};
    thudi_put_fields(&p, is_spheres ? &thudi_spheres_thing : &thudi_inclusion_thing, scene);
    return thudi_out_end(&out);
}
