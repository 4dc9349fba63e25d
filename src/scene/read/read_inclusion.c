// Scenes of kind inclusion: coordinates, forces, constraints.
#include "core/text.h"
#include "fields/slips.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
#include <string.h>

enum
{
    MOST_COORDINATES = 10000
};

static thud_status read_coordinate(thudi_reader *r, const thudi_tree *node,
                                   thud_scene_coordinate *coordinate)
{
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE];
    const thudi_tree *key = node->key;
    THUD_TRY(thudi_check_identifier(r, key));
    for (int i = 0; i < r->scene->parameter_count; i++)
        if (strcmp(r->scene->parameters[i], key->text) == 0)
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, key, "choose another name",
                                   "'%s' is already the name of a parameter",
                                   thudi_quote(quote, key->text, key->length));
    THUD_TRY(thudi_copy(r, key->text, key->length, &coordinate->name));
    THUD_TRY(thudi_read_fields(r, node, &thudi_coordinate_thing, coordinate));
    const thudi_tree *velocity = thudi_optional(node, "velocity");
    if (velocity && r->scene->view.order == THUD_FIRST_ORDER)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, velocity->key,
                               "write the wanted velocity under 'velocity' of the scene",
                               "%s: coordinates have no velocity at the start in order 1",
                               thudi_tree_path(node, path));
    return velocity ? thudi_number(r, velocity, THUDI_ANY, &coordinate->velocity) : THUD_OK;
}

static thud_status read_coordinates(thudi_reader *r, const thudi_tree *root,
                                    thud_scene_coordinate **coordinates)
{
    const thudi_tree *node;
    thud_scene *scene = &r->scene->view;
    const char **names;
    THUD_TRY(thudi_required(r, root, "coordinates",
                            "write, for example, 'coordinates: {z: {start: 1}}'", &node));
    THUD_TRY(thudi_expect(r, node, THUDI_MAP, "a map of names"));
    if (node->count == 0)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node,
                               "write, for example, {z: {start: 1}}",
                               "the scene has no coordinates");
    if (node->count > MOST_COORDINATES)
        return thudi_fail_node(r->fault, THUD_ERR_LIMIT, node, "", "more than %d coordinates",
                               MOST_COORDINATES);
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof **coordinates, coordinates));
    THUD_TRY(thudi_reader_allocate(r, ((size_t)node->count + 1) * sizeof *names, &names));
    for (const thudi_tree *member = node->first; member; member = member->next)
    {
        thud_scene_coordinate *coordinate = &(*coordinates)[scene->coordinate_count];
        THUD_TRY(read_coordinate(r, member, coordinate));
        names[scene->coordinate_count++] = coordinate->name;
    }
    scene->coordinates = *coordinates;
    r->symbols.coordinates = names;
    r->symbols.coordinate_count = scene->coordinate_count;
    return THUD_OK;
}

// A map from coordinates to expressions: force, velocity or impulse.
static thud_status read_fields(thudi_reader *r, const thudi_tree *node,
                               thud_scene_coordinate *coordinates, bool impulse)
{
    const thud_scene *scene = &r->scene->view;
    THUD_TRY(thudi_expect(r, node, THUDI_MAP, "a map of coordinates"));
    THUD_TRY(thudi_map_open(r, node, r->symbols.coordinates));
    for (const thudi_tree *member = node->first; member; member = member->next)
    {
        int i = 0;
        while (i < scene->coordinate_count && strcmp(coordinates[i].name, member->key->text) != 0)
            i++;
        THUD_TRY(thudi_varying(r, member, THUDI_OF_TIME_AND_COORDINATES,
                               impulse ? &coordinates[i].impulse : &coordinates[i].force));
    }
    return THUD_OK;
}

static thud_status read_forces(thudi_reader *r, const thudi_tree *root,
                               thud_scene_coordinate *coordinates)
{
    thud_scene *scene = &r->scene->view;
    bool first = scene->order == THUD_FIRST_ORDER;
    const thudi_tree *own = thudi_optional(root, first ? "velocity" : "force");
    const thudi_tree *other = thudi_optional(root, first ? "force" : "velocity");
    const thudi_tree *impulse = thudi_optional(root, "impulse"),
                     *drag = thudi_optional(root, "drag");
    char quote[THUDI_QUOTE_SIZE];
    if (other)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, other->key,
                               first ? "use 'velocity' with order 1" : "use 'force' with order 2",
                               "'%s' cannot be used with order %d", other->key->text,
                               first ? 1 : 2);
    if (drag && first)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, drag->key, "remove it",
                               "'drag' cannot be used with order 1");
    THUD_TRY(thudi_read_field(r, root, &thudi_inclusion_thing, "drag", scene));
    if (own)
        THUD_TRY(read_fields(r, own, coordinates, false));
    if (!impulse)
        return THUD_OK;
    THUD_TRY(read_fields(r, impulse, coordinates, true));
    for (int i = 0; i < scene->coordinate_count; i++)
        if (thud_varying_is_given(&coordinates[i].force) &&
            !thud_varying_is_given(&coordinates[i].impulse))
            return thudi_fail_node(
                r->fault, THUD_ERR_SCENE, impulse,
                "give an impulse for all coordinates with a force, or for none",
                "impulse lacks the coordinate '%s', which has a force",
                thudi_quote(quote, coordinates[i].name, strlen(coordinates[i].name)));
    return THUD_OK;
}

static thud_status read_breaks(thudi_reader *r, const thudi_tree *node)
{
    thud_scene *scene = &r->scene->view;
    char path[THUDI_PATH_SIZE], a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE];
    double *breaks;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of times"));
    THUD_TRY(thudi_slip_check_list(r, node));
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *breaks, &breaks));
    scene->breaks = breaks;
    for (const thudi_tree *item = node->first; item; item = item->next)
    {
        int i = scene->break_count++;
        THUD_TRY(thudi_number(r, item, THUDI_ANY, &breaks[i]));
        if (i > 0 && !(breaks[i] > breaks[i - 1]))
            return thudi_fail_node(
                r->fault, THUD_ERR_SCENE, item, "write the breaks in increasing order",
                "%s is %s; it must be above the previous break, %s", thudi_tree_path(item, path),
                thudi_text_number(b, breaks[i]), thudi_text_number(a, breaks[i - 1]));
    }
    return THUD_OK;
}

static thud_status read_constraint(thudi_reader *r, const thudi_tree *node, const double *q,
                                   thud_scene_constraint *constraint)
{
    const thudi_tree *gap = node;
    char path[THUDI_PATH_SIZE];
    double x;
    bool any;
    THUD_TRY(thudi_copy(r, node->key->text, node->key->length, &constraint->name));
    THUD_TRY(thudi_place(r, node->key, &constraint->place));
    if (node->kind == THUDI_MAP)
    {
        THUD_TRY(thudi_thing_open(r, node, &thudi_constraint_thing));
        THUD_TRY(thudi_required(r, node, "gap", "give the expression that must stay >= 0", &gap));
        THUD_TRY(thudi_read_fields(r, node, &thudi_constraint_thing, constraint));
        THUD_TRY(thudi_read_contact_law(r, node, &constraint->rule, &any));
    }
    THUD_TRY(thudi_varying(r, gap, THUDI_OF_TIME_AND_COORDINATES, &constraint->gap));
    THUD_TRY(thudi_value_at(r, &constraint->gap, r->scene->view.start, q, &x));
    if (isfinite(x))
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, gap, "", "%s is not finite at the start",
                           thudi_tree_path(gap, path));
}

static thud_status read_constraints(thudi_reader *r, const thudi_tree *root, double shift)
{
    thud_scene *scene = &r->scene->view;
    const thudi_tree *node = thudi_optional(root, "constraints");
    thud_scene_constraint *constraints;
    double *q;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_map_of_names(r, node));
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *constraints, &constraints));
    THUD_TRY(thudi_reader_allocate(r, (size_t)scene->coordinate_count * sizeof *q, &q));
    for (int i = 0; i < scene->coordinate_count; i++)
        q[i] = scene->coordinates[i].start;
    scene->constraints = constraints;
    for (const thudi_tree *member = node->first; member; member = member->next)
    {
        thud_scene_constraint *constraint = &constraints[scene->constraint_count++];
        constraint->shift = shift;
        THUD_TRY(read_constraint(r, member, q, constraint));
    }
    return THUD_OK;
}

static thud_status read_smooth(thudi_reader *r, const thudi_tree *node)
{
    thud_smoothness *smooth = &r->scene->view.smooth;
    *smooth = (thud_smoothness){NAN, NAN};
    if (!node)
        return THUD_OK;
    return thudi_read_fields(r, node, &thudi_smooth_thing, smooth);
}

thud_status thudi_read_inclusion(thudi_reader *r, const thudi_tree *root)
{
    thud_scene_coordinate *coordinates = NULL;
    double shift = 0;
    THUD_TRY(thudi_read_order(r, root));
    THUD_TRY(read_coordinates(r, root, &coordinates));
    THUD_TRY(read_forces(r, root, coordinates));
    THUD_TRY(read_breaks(r, thudi_optional(root, "breaks")));
    THUD_TRY(thudi_read_fields(r, thudi_optional(root, "solver"), &thudi_shift_thing, &shift));
    THUD_TRY(read_constraints(r, root, shift));
    THUD_TRY(thudi_read_measures(r, root));
    THUD_TRY(thudi_read_exact(r, thudi_optional(root, "exact")));
    return read_smooth(r, thudi_optional(root, "smooth"));
}
