// Scenes of spheres, without bodies and walls: gravity, tolerances, materials, the automatic step.
#include "core/text.h"
#include "core/whole.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
#include <string.h>

static thud_status read_gravity(thudi_reader *r, const thudi_tree *root)
{
    thud_scene *scene = &r->scene->view;
    const thudi_tree *node = thudi_optional(root, "gravity");
    if (node)
        THUD_TRY(thudi_varyings(r, node, scene->dim, scene->gravity));
    for (int k = 0; k < scene->dim; k++)
    {
        double x;
        if (!node)
        {
            THUD_TRY(thudi_varying_of(r, 0, &scene->gravity[k]));
            continue;
        }
        THUD_TRY(thudi_value_at(r, &scene->gravity[k], scene->start, NULL, &x));
        if (!isfinite(x))
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "",
                                   "gravity is not finite at the start");
        scene->gravity_moves = scene->gravity_moves || thud_varying_uses_time(&scene->gravity[k]);
    }
    return THUD_OK;
}

static thud_status read_solver(thudi_reader *r, const thudi_tree *node)
{
    static const char *const words[] = {"preview", "default", "study", NULL};
    static const double tol[] = {1e-3, 1e-5, 1e-8}, tol_a[] = {3e-2, 1e-3, 1e-6};
    thud_scene *scene = &r->scene->view;
    int which = 1;
    if (node)
        THUD_TRY(thudi_thing_open(r, node, &thudi_solver_thing));
    const thudi_tree *quality = node ? thudi_optional(node, "quality") : NULL;
    const thudi_tree *a = node ? thudi_optional(node, "tol") : NULL;
    const thudi_tree *b = node ? thudi_optional(node, "tol_a") : NULL;
    if (quality && (a || b))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, (a ? a : b)->key, "remove one of them",
                               "solver has both a quality and tolerances");
    if (quality)
        THUD_TRY(thudi_word(r, quality, words, &which));
    scene->quality = words[which];
    scene->tol = tol[which];
    scene->tol_a = tol_a[which];
    if (!a && !b)
        return THUD_OK;
    scene->quality = "custom";
    scene->tol_is_fixed = true;
    THUD_TRY(thudi_read_needed(r, node, &thudi_solver_thing, "tol", scene));
    return thudi_read_needed(r, node, &thudi_solver_thing, "tol_a", scene);
}

// It has no place here; say so rather than leave it out.
static thud_status fail_contact_law(thudi_reader *r, const thudi_tree *material, const char *key,
                                    const char *hint)
{
    const thudi_tree *node = thudi_optional(material, key);
    char path[THUDI_PATH_SIZE], number[THUDI_TEXT_NUMBER_SIZE];
    double x;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_number(r, node, THUDI_ANY, &x));
    if (x == 0)
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, hint, "%s must be 0, but is %s",
                           thudi_tree_path(node, path), thudi_text_number(number, x));
}

static thud_status read_material(thudi_reader *r, const thudi_tree *node,
                                 thud_scene_material *material)
{
    THUD_TRY(thudi_thing_open(r, node, &thudi_material_thing));
    THUD_TRY(thudi_copy(r, node->key->text, node->key->length, &material->name));
    THUD_TRY(thudi_place(r, node->key, &material->place));
    // persons weigh 1
    bool is_person = r->scene->view.order == THUD_FIRST_ORDER;
    THUD_TRY((is_person ? thudi_read_field : thudi_read_needed)(r, node, &thudi_material_thing,
                                                                "density", material));
    THUD_TRY(
        fail_contact_law(r, node, "restitution",
                         "restitution belongs to a pair of materials: write it under 'contacts'"));
    THUD_TRY(fail_contact_law(r, node, "friction", "remove it: this version has no friction"));
    const thudi_tree *growth = thudi_optional(node, "growth");
    if (!growth)
        return THUD_OK;
    THUD_TRY(thudi_read_growth(r, growth, &material->growth));
    const thud_varying *factor = &material->growth->factor;
    bool is_one = factor->kind == THUD_VARYING_CONSTANT && factor->value == 1;
    if (!material->growth->name && is_one) // growth = 1 means no growth
        material->growth = NULL;
    return THUD_OK;
}

thud_status thudi_read_materials(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_optional(root, "materials");
    thud_scene_material *materials;
    thud_scene *scene = &r->scene->view;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_map_of_names(r, node));
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *materials, &materials));
    scene->materials = materials;
    for (const thudi_tree *member = node->first; member; member = member->next)
        THUD_TRY(read_material(r, member, &materials[scene->material_count++]));
    return THUD_OK;
}

// The smallest radius at the start.
static thud_status smallest_radius(thudi_reader *r, double *radius)
{
    const thud_scene *scene = &r->scene->view;
    *radius = INFINITY;
    const thud_scene_growth *before = NULL;
    double growth = 1;
    for (int i = 0; i < scene->body_count; i++)
    {
        const thud_scene_growth *law = scene->bodies[i].growth;
        if (law != before && law) // the same as that of the body before, mostly
            THUD_TRY(thudi_value_at(r, &law->factor, scene->start, NULL, &growth));
        else if (!law)
            growth = 1;
        before = law;
        double here = scene->bodies[i].sphere.radius * growth;
        *radius = here < *radius ? here : *radius;
    }
    return THUD_OK;
}

// step: auto, a tenth of the time that gravity takes to move the smallest body by half its radius
// or so, then made to divide the run.
static thud_status choose_step(thudi_reader *r, const thudi_tree *root)
{
    thud_scene *scene = &r->scene->view;
    const thudi_tree *time = thudi_optional(root, "time"), *step = thudi_optional(time, "step");
    double radius, sum = 0;
    THUD_TRY(smallest_radius(r, &radius));
    for (int k = 0; k < scene->dim; k++)
    {
        double x;
        THUD_TRY(thudi_value_at(r, &scene->gravity[k], scene->start, NULL, &x));
        sum += x * x;
    }
    const thudi_tree *blamed = step ? step : time;
    if (!(sum > 0))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, blamed, "give time.step as a number",
                               "time.step cannot be 'auto' without gravity at the start");
    double length = scene->end - scene->start;
    double count = ceil(length / (THUDI_STEP_PART * sqrt(radius / sqrt(sum))));
    if (!(count <= THUDI_MOST_COUNT))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, blamed, "give time.step as a number",
                               "the automatic step is too short for this run");
    scene->step = length / (count < 1 ? 1 : count);
    return THUD_OK;
}

thud_status thudi_read_spheres(thudi_reader *r, const thudi_tree *root)
{
    thud_scene *scene = &r->scene->view;
    const thudi_thing *thing = &thudi_spheres_thing;
    THUD_TRY(thudi_read_field(r, root, thing, "dim", scene));
    r->dim = scene->dim;
    THUD_TRY(thudi_read_order(r, root));
    THUD_TRY(read_gravity(r, root));
    THUD_TRY(thudi_read_cell(r, root));
    THUD_TRY(thudi_read_field(r, root, thing, "drag", scene));
    THUD_TRY(thudi_read_field(r, root, thing, "overlaps", scene));
    THUD_TRY(read_solver(r, thudi_optional(root, "solver")));
    THUD_TRY(thudi_read_growths(r, root));
    THUD_TRY(thudi_read_materials(r, root));
    THUD_TRY(thudi_read_contacts(r, root));
    THUD_TRY(thudi_read_walls(r, root));
    THUD_TRY(thudi_check_cell(r, root));
    THUD_TRY(thudi_read_bodies(r, root));
    THUD_TRY(thudi_read_measures(r, root)); // of walls and of bodies
    THUD_TRY(thudi_read_crowd(r, root));
    if (scene->step_is_auto)
        THUD_TRY(choose_step(r, root));
    THUD_TRY(thudi_check_far(r));
    return thudi_check_growths(r);
}
