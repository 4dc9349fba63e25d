// The bodies of a scene: entries as they were written, and all bodies as a CSV file.
#include "scene/scene_write_parts.h"

static void put_key_number(thudi_out *out, const char *key, double x)
{
    thudi_put(out, key);
    thudi_put_number(out, x);
}

static void put_key_vector(thudi_out *out, const char *key, const double *x, int dim)
{
    thudi_put(out, key);
    thudi_put_vector(out, x, dim);
}

static void put_matter(thudi_out *out, const thudi_scene *scene, const thudi_entry *entry)
{
    if (entry->mass > 0)
        put_key_number(out, ", mass: ", entry->mass);
    // of a file, a material that was not given is not that of rows with masses
    else if (entry->material >= 0 && (entry->kind != THUDI_ENTRY_FILE || entry->material_given))
    {
        thudi_put(out, ", material: ");
        thudi_put_string(out, scene->view.materials[entry->material].name);
    }
    if (entry->growth)
    {
        thudi_put(out, ", growth: ");
        thudi_put_growth(out, entry->growth);
    }
}

void thudi_put_law(thudi_out *out, const char *key, const thudi_radius_law *law)
{
    thudi_put(out, key);
    switch (law->kind)
    {
    case THUDI_RADIUS_FIXED:
        thudi_put_number(out, law->a);
        return;
    case THUDI_RADIUS_UNIFORM:
        put_key_vector(out, "{uniform: ", (double[]){law->a, law->b}, 2);
        break;
    case THUDI_RADIUS_CHOICES:
        put_key_vector(out, "{choices: ", law->choices, law->choice_count);
        break;
    default:
    {
        bool normal = law->kind == THUDI_RADIUS_NORMAL;
        put_key_number(out, normal ? "{normal: {mean: " : "{lognormal: {median: ", law->a);
        put_key_number(out, normal ? ", deviation: " : ", sigma: ", law->b);
        put_key_number(out, ", min: ", law->min);
        put_key_number(out, ", max: ", law->max);
        thudi_put(out, "}");
    }
    }
    thudi_put(out, "}");
}

static void put_body(thudi_out *out, const thudi_scene *scene, const thudi_entry *entry)
{
    const thud_scene_body *body = &scene->view.bodies[entry->first];
    int dim = scene->view.dim;
    thudi_put(out, "{");
    if (body->name)
    {
        thudi_put(out, "name: ");
        thudi_put_string(out, body->name);
        thudi_put(out, ", ");
    }
    put_key_vector(out, "at: ", body->sphere.center, dim);
    put_key_vector(out, ", velocity: ", body->sphere.velocity, dim);
    put_key_number(out, ", radius: ", body->sphere.radius);
    put_matter(out, scene, entry);
    thudi_put(out, "}\n");
}

static void put_seed(thudi_out *out, uint64_t seed)
{
    thudi_put(out, ", seed: ");
    thudi_put_whole(out, (double)seed);
    thudi_put(out, "}\n");
}

static void put_lattice(thudi_out *out, const thudi_scene *scene, const thudi_entry *entry)
{
    const thudi_lattice *lattice = &entry->lattice;
    int dim = scene->view.dim;
    put_key_vector(out, "lattice: {origin: ", lattice->origin, dim);
    put_key_vector(out, ", velocity: ", lattice->velocity, dim);
    thudi_put_law(out, ", radius: ", &lattice->radius);
    put_matter(out, scene, entry);
    for (int k = 0; k < dim; k++)
    {
        thudi_put(out, k == 0 ? ", count: [" : ", ");
        thudi_put_whole(out, lattice->count[k]);
    }
    put_key_vector(out, "], spacing: ", lattice->spacing, dim);
    put_key_number(out, ", jitter: ", lattice->jitter);
    put_seed(out, lattice->seed);
}

static void put_fill(thudi_out *out, const thudi_scene *scene, const thudi_entry *entry)
{
    const thudi_fill *fill = &entry->fill;
    int dim = scene->view.dim;
    if (fill->region.is_ball)
    {
        put_key_vector(out, "fill: {region: {ball: {center: ", fill->region.center, dim);
        put_key_number(out, ", radius: ", fill->region.radius);
        thudi_put(out, "}}");
    }
    else
    {
        put_key_vector(out, "fill: {region: {box: [", fill->region.low, dim);
        put_key_vector(out, ", ", fill->region.high, dim);
        thudi_put(out, "]}");
    }
    thudi_put(out, ", count: ");
    thudi_put_whole(out, fill->count);
    put_key_number(out, ", gap: ", fill->gap);
    thudi_put(out, ", attempts: ");
    thudi_put_whole(out, fill->attempts);
    put_key_vector(out, ", velocity: ", fill->velocity, dim);
    thudi_put_law(out, ", radius: ", &fill->radius);
    put_matter(out, scene, entry);
    put_seed(out, fill->seed);
}

static void put_file(thudi_out *out, const thudi_scene *scene, const thudi_entry *entry)
{
    thudi_put(out, "file: {path: ");
    thudi_put_string(out, entry->path);
    if (entry->file_radius > 0)
        put_key_number(out, ", radius: ", entry->file_radius);
    put_matter(out, scene, entry);
    thudi_put(out, "}\n");
}

void thudi_put_entries(thudi_out *out, const thudi_scene *scene, const char *bodies_file)
{
    static void (*const writers[])(thudi_out *, const thudi_scene *, const thudi_entry *) = {
        put_body, put_lattice, put_fill, put_file};
    thudi_put(out, "\nbodies:\n");
    if (bodies_file)
    {
        thudi_put(out, "  - file: {path: ");
        thudi_put_string(out, bodies_file);
        thudi_put(out, "}\n");
        return;
    }
    for (int i = 0; i < scene->entry_count; i++)
    {
        thudi_put(out, "  - ");
        writers[scene->entries[i].kind](out, scene, &scene->entries[i]);
    }
}

static void put_cells(thudi_out *out, const double *x, int dim)
{
    for (int k = 0; k < dim; k++)
        put_key_number(out, ",", x[k]);
}

// Names hold no commas and no quotes; in quotes a first # begins no comment.
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
