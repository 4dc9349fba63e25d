// Entries of `bodies` that make many: lattices and fills, and the distributions of their radii.
#include "bodies/distribution.h"
#include "core/text.h"
#include "fields/slips.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <stdio.h>
#include <string.h>

// Two numbers a <= b, or the keys min and max.
static thud_status check_order(thudi_reader *r, const thudi_tree *node, double low, double high)
{
    char path[THUDI_PATH_SIZE], a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE];
    if (low <= high)
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "write the smaller number first",
                           "%s goes from %s down to %s", thudi_tree_path(node, path),
                           thudi_text_number(a, low), thudi_text_number(b, high));
}

// {normal: {mean, deviation, min, max}} or {lognormal: {median, sigma, min, max}}
static thud_status read_bell(thudi_reader *r, const thudi_tree *node, thudi_distribution *law)
{
    THUD_TRY(thudi_read_fields(
        r, node, law->kind == THUDI_DRAW_NORMAL ? &thudi_normal_thing : &thudi_lognormal_thing,
        law));
    return check_order(r, node, law->min, law->max);
}

static thud_status read_choices(thudi_reader *r, const thudi_tree *node, thudi_distribution *law)
{
    double *choices;
    char path[THUDI_PATH_SIZE];
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of radii"));
    THUD_TRY(thudi_slip_check_list(r, node));
    if (node->count == 0)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "%s is an empty list",
                               thudi_tree_path(node, path));
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *choices, &choices));
    law->choices = choices;
    for (const thudi_tree *item = node->first; item; item = item->next)
    {
        double *x = &choices[law->choice_count++];
        THUD_TRY(thudi_number(r, item, THUDI_POSITIVE, x));
        law->min = law->choice_count == 1 || *x < law->min ? *x : law->min;
        law->max = law->choice_count == 1 || *x > law->max ? *x : law->max;
    }
    return THUD_OK;
}

static thud_status read_uniform(thudi_reader *r, const thudi_tree *node, thudi_distribution *law)
{
    double ends[3];
    THUD_TRY(thudi_expect_list(r, node, 2, "give the smallest and the largest radius"));
    THUD_TRY(thudi_vector(r, node, 2, THUDI_POSITIVE, ends));
    law->a = law->min = ends[0];
    law->b = law->max = ends[1];
    return check_order(r, node, law->min, law->max);
}

thud_status thudi_read_distribution(thudi_reader *r, const thudi_tree *node,
                                    thudi_distribution *law)
{
    char path[THUDI_PATH_SIZE];
    *law = (thudi_distribution){.kind = THUDI_DRAW_FIXED};
    if (node->kind != THUDI_MAP)
    {
        THUD_TRY(thudi_expect(r, node, THUDI_STRING, "a number or a distribution of radii"));
        THUD_TRY(thudi_number(r, node, THUDI_POSITIVE, &law->a));
        law->min = law->max = law->a;
        return THUD_OK;
    }
    THUD_TRY(thudi_thing_open(r, node, &thudi_law_thing));
    if (node->count != 1)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "",
                               "%s needs exactly one of uniform, normal, lognormal, choices",
                               thudi_tree_path(node, path));
    int which = 0;
    while (strcmp(thudi_law_thing.fields[which].key, node->first->key->text) != 0)
        which++;
    law->kind = (thudi_distribution_kind)(THUDI_DRAW_UNIFORM + which);
    if (law->kind == THUDI_DRAW_UNIFORM)
        return read_uniform(r, node->first, law);
    if (law->kind == THUDI_DRAW_CHOICES)
        return read_choices(r, node->first, law);
    return read_bell(r, node->first, law);
}

// What lattices and fills have in common.
typedef struct common
{
    thudi_distribution *radius;
    double *velocity;
    uint64_t *seed;
    bool places; // draws positions at random, whatever the radii are
} common;

static thud_status read_shared(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry,
                               const common *to)
{
    thudi_reader *r = b->r;
    const thudi_tree *radius, *velocity = thudi_optional(node, "velocity");
    THUD_TRY(thudi_required(r, node, "radius", "", &radius));
    THUD_TRY(thudi_read_distribution(r, radius, to->radius));
    if (velocity)
        THUD_TRY(thudi_vector(r, velocity, r->scene->view.dim, THUDI_ANY, to->velocity));
    bool draws = to->places || to->radius->kind != THUDI_DRAW_FIXED;
    THUD_TRY(thudi_read_seed(r, node, draws, to->seed));
    return thudi_read_matter(b, node, entry);
}

// Add the spheres that a generator made to the scene.
static thud_status add_all(thudi_body_reader *b, const thudi_tree *node, const thudi_entry *entry,
                           const thud_sphere *spheres, int count, const char *origin)
{
    thud_place place = {node->file, node->line, node->column};
    thud_scene_body body = {.material = entry->material, .origin = origin, .growth = entry->growth};
    for (int i = 0; i < count; i++)
    {
        body.sphere = spheres[i];
        body.sphere.mass = entry->mass;
        THUD_TRY(thudi_body_add(b, &body, &place));
    }
    return THUD_OK;
}

static thud_status fail_distribution(thudi_reader *r, const thudi_tree *node)
{
    char path[THUDI_PATH_SIZE];
    const thudi_tree *radius = thudi_optional(node, "radius");
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, radius, "widen min and max",
                           "%s: a million draws gave no radius between min and max",
                           thudi_tree_path(radius, path));
}

static thud_status make_lattice(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry)
{
    thudi_reader *r = b->r;
    const thudi_lattice *lattice = &entry->lattice;
    double product = (double)lattice->count[0] * lattice->count[1] * lattice->count[2];
    struct
    {
        thud_sphere *items;
        size_t capacity;
    } made = {0};
    THUD_TRY(thudi_bodies_reserve(b, node, product));
    if (thudi_array_reserve(&r->allocator, &made, (size_t)product) < 0)
        return thudi_fail_status(r->fault, THUD_ERR_MEMORY);
    thud_status status = thudi_lattice_make(lattice, made.items);
    if (status >= 0)
        status = add_all(b, node, entry, made.items, (int)product, "lattice");
    else
        status = fail_distribution(r, node);
    thudi_array_free(&r->allocator, &made);
    return status;
}

thud_status thudi_read_lattice(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry)
{
    thudi_reader *r = b->r;
    thudi_lattice *lattice = &entry->lattice;
    const thudi_tree *count, *spacing;
    int dim = r->scene->view.dim;
    double counts[3];
    lattice->dim = dim;
    THUD_TRY(thudi_read_fields(r, node, &thudi_lattice_thing, entry));
    THUD_TRY(thudi_required(r, node, "count", "give the number of bodies along each axis", &count));
    THUD_TRY(thudi_vector(r, count, dim, THUDI_ANY, counts));
    const thudi_tree *item = count->first;
    lattice->count[2] = 1;
    for (int k = 0; k < dim; k++, item = item->next)
    {
        THUD_TRY(thudi_whole(r, item, 1, THUD_SCENE_BODIES, &counts[k]));
        lattice->count[k] = (int)counts[k];
    }
    THUD_TRY(thudi_required(r, node, "spacing",
                            "give the distance between centres, or one distance for each axis",
                            &spacing));
    if (spacing->kind == THUDI_LIST)
        THUD_TRY(thudi_vector(r, spacing, dim, THUDI_POSITIVE, lattice->spacing));
    else
        THUD_TRY(thudi_number(r, spacing, THUDI_POSITIVE, &lattice->spacing[0]));
    for (int k = 1; k < dim && spacing->kind != THUDI_LIST; k++)
        lattice->spacing[k] = lattice->spacing[0];
    THUD_TRY(read_shared(
        b, node, entry,
        &(common){&lattice->radius, lattice->velocity, &lattice->seed, lattice->jitter > 0}));
    return make_lattice(b, node, entry);
}

static thud_status read_region(thudi_reader *r, const thudi_tree *node, thudi_region *region)
{
    static const char *const keys[] = {"box", "ball"};
    const thudi_tree *found[2];
    THUD_TRY(thudi_thing_open(r, node, &thudi_region_thing));
    THUD_TRY(thudi_exactly_one(r, node, keys, found));
    if (found[0])
        return thudi_read_box(r, found[0], r->dim, region->low, region->high);
    region->is_ball = true;
    return thudi_read_fields(r, found[1], &thudi_ball_thing, region);
}

// Is the cell too short for the largest body?
static bool is_cell_short(const thudi_reader *r, const thudi_fill *fill)
{
    const thud_scene_cell *cell = &r->scene->view.cell;
    thudi_random random = thudi_random_start(fill->seed);
    double radius, largest = 0;
    for (int i = 0; i < fill->count; i++)
        if (thudi_distribution_draw(&fill->radius, &random, &radius) >= 0 && radius > largest)
            largest = radius;
    for (int k = 0; k < r->scene->view.dim; k++)
        if (cell->is_periodic[k] && cell->high[k] - cell->low[k] <= 2 * largest)
            return true;
    return false;
}

static thud_status fail_fill(thudi_reader *r, const thudi_tree *node, const thudi_fill *fill,
                             int placed)
{
    char path[THUDI_PATH_SIZE];
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node,
                           is_cell_short(r, fill)
                               ? "make the periods of the cell longer than two radii"
                               : "use fewer or smaller bodies, a larger region, or more attempts",
                           "%s: only %d of %d bodies found a free place within %d tries",
                           thudi_tree_path(node, path), placed, fill->count, fill->attempts);
}

// Repeat the draws of thudi_fill_make, to tell whether the radii failed or the places.
static bool radii_fail(const thudi_fill *fill)
{
    thudi_random random = thudi_random_start(fill->seed);
    double radius;
    for (int i = 0; i < fill->count; i++)
        if (thudi_distribution_draw(&fill->radius, &random, &radius) < 0)
            return true;
    return false;
}

static thud_status make_fill(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry)
{
    thudi_reader *r = b->r;
    const thudi_fill *fill = &entry->fill;
    int before = r->scene->view.body_count, placed = 0;
    struct
    {
        thud_sphere *items;
        size_t capacity;
    } all = {0}; // existing bodies, then new ones
    THUD_TRY(thudi_bodies_reserve(b, node, fill->count));
    if (thudi_array_reserve(&r->allocator, &all, (size_t)before + (size_t)fill->count) < 0)
        return thudi_fail_status(r->fault, THUD_ERR_MEMORY);
    for (int i = 0; i < before; i++)
    {
        all.items[i] = r->scene->bodies.items[i].sphere;
        thud_cell_wrap(&fill->cell, fill->shear, all.items[i].center);
    }
    thud_sphere *made = all.items + before;
    thud_status status = thudi_fill_make(fill, all.items, before, &r->allocator, made, &placed);
    if (status >= 0)
        status = add_all(b, node, entry, made, fill->count, "fill");
    else if (status == THUD_ERR_MEMORY)
        status = thudi_fail_status(r->fault, status);
    else
        status = placed == 0 && radii_fail(fill) ? fail_distribution(r, node)
                                                 : fail_fill(r, node, fill, placed);
    thudi_array_free(&r->allocator, &all);
    return status;
}

thud_status thudi_read_fill(thudi_body_reader *b, const thudi_tree *node, thudi_entry *entry)
{
    thudi_reader *r = b->r;
    thudi_fill *fill = &entry->fill;
    const thudi_tree *region;
    THUD_TRY(thudi_thing_open(r, node, &thudi_fill_thing));
    fill->dim = r->dim;
    THUD_TRY(thudi_required(r, node, "region",
                            "give a region, such as {box: [[0, 0, 0], [1, 1, 1]]}", &region));
    THUD_TRY(read_region(r, region, &fill->region));
    THUD_TRY(thudi_fill_cell(r, region, fill));
    THUD_TRY(thudi_read_fields(r, node, &thudi_fill_thing, entry));
    THUD_TRY(
        read_shared(b, node, entry, &(common){&fill->radius, fill->velocity, &fill->seed, true}));
    return make_fill(b, node, entry);
}
