// How radii change: laws with names, and those of materials and entries of bodies, by expression or
// by table.
#include "core/text.h"
#include "fields/growth.h"
#include "fields/slips.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    MOST_LAWS = 10000,
    MOST_KNOTS = 100000
};

// One knot, [t, value], after the one before.
static thud_status read_knot(thudi_reader *r, const thudi_tree *node, int i, double *t,
                             double *value)
{
    char path[THUDI_PATH_SIZE], a[THUDI_NUMBER_SIZE], b[THUDI_NUMBER_SIZE];
    char hint[THUDI_HINT_SIZE] = "";
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a pair [t, value]"));
    (void)thudi_slip_comma_in_list(node, hint);
    if (node->count != 2)
        return thudi_blame(r->fault, THUD_ERR_SCENE, node, hint,
                           "%s must be a pair [t, value], but has %d numbers",
                           thudi_tree_path(node, path), node->count);
    THUD_TRY(thudi_number(r, node->first, THUDI_ANY, &t[i]));
    THUD_TRY(thudi_number(r, node->last, THUDI_POSITIVE, &value[i]));
    double width = i == 0 ? 1 : t[i] - t[i - 1];
    if (!isfinite(width * width)) // the cubic has this square
        return thudi_blame(r->fault, THUD_ERR_SCENE, node, "give the times of the run only",
                           "%s: the time %s is more than 1e154 after %s",
                           thudi_tree_path(node, path), thudi_text_number(a, t[i]),
                           thudi_text_number(b, t[i - 1]));
    if (width > 0)
        return THUD_OK;
    return thudi_blame(r->fault, THUD_ERR_SCENE, node, "write the knots in order of time",
                       "%s: the time %s is not after %s", thudi_tree_path(node, path),
                       thudi_text_number(a, t[i]), thudi_text_number(b, t[i - 1]));
}

// Radii must stay positive between the knots too.
static thud_status check_table(thudi_reader *r, const thudi_tree *node,
                               const thud_scene_growth *growth)
{
    char path[THUDI_PATH_SIZE], value[THUDI_NUMBER_SIZE], at[THUDI_NUMBER_SIZE];
    char a[THUDI_NUMBER_SIZE], b[THUDI_NUMBER_SIZE];
    double t = 0;
    int knot = 0;
    double least = thudi_growth_least(growth, &t, &knot);
    if (least > 0)
        return THUD_OK;
    return thudi_blame(r->fault, THUD_ERR_SCENE, node, "add knots there, because the curve swings",
                       "%s: the curve through the knots falls to %s at t = %s, between %s and %s",
                       thudi_tree_path(node, path), thudi_text_number(value, least),
                       thudi_text_number(at, t), thudi_text_number(a, growth->t[knot]),
                       thudi_text_number(b, growth->t[knot + 1]));
}

static thud_status read_table(thudi_reader *r, const thudi_tree *node, thud_scene_growth *growth)
{
    char path[THUDI_PATH_SIZE];
    double *numbers;
    size_t count = (size_t)node->count;
    THUD_TRY(thudi_expect(r, node, THUDI_LIST, "a list of pairs [t, value]"));
    if (count < 2 || count > MOST_KNOTS)
        return thudi_blame(r->fault, count < 2 ? THUD_ERR_SCENE : THUD_ERR_LIMIT, node, "",
                           "%s must have 2 to %d knots, but has %d", thudi_tree_path(node, path),
                           MOST_KNOTS, node->count);
    THUD_TRY(thudi_take(r, 4 * count * sizeof *numbers, &numbers));
    double *t = numbers, *value = numbers + count, *curve = value + count;
    int i = 0;
    for (const thudi_tree *item = node->first; item; item = item->next)
        THUD_TRY(read_knot(r, item, i++, t, value));
    growth->t = t;
    growth->value = value;
    growth->curve = curve;
    growth->count = node->count;
    if (!thudi_growth_curve(t, value, growth->count, curve, curve + count))
        return thudi_blame(r->fault, THUD_ERR_SCENE, node,
                           "place knots farther apart in time, or use smaller values",
                           "%s: the curve through the knots is too steep for double precision",
                           thudi_tree_path(node, path));
    return check_table(r, node, growth);
}

// An expression or a table that is positive at the start.
static thud_status read_law(thudi_reader *r, const thudi_tree *node, thud_scene_growth *growth)
{
    static const char *const keys[] = {"table", NULL};
    const thudi_tree *table;
    char path[THUDI_PATH_SIZE], number[THUDI_NUMBER_SIZE];
    double x;
    THUD_TRY(thudi_place(r, node, &growth->place));
    if (node->kind == THUDI_MAP)
    {
        THUD_TRY(thudi_map_open(r, node, keys));
        THUD_TRY(thudi_need(r, node, "table", "a list of pairs [t, value]", &table));
        return read_table(r, table, growth);
    }
    THUD_TRY(thudi_expression(r, node, THUDI_OF_TIME, &growth->expression));
    THUD_TRY(thudi_value_at(r, growth->expression, r->scene->view.start, NULL, &x));
    if (x > 0 && isfinite(x))
        return THUD_OK;
    return thudi_blame(r->fault, THUD_ERR_SCENE, node,
                       "use positive values: radii are multiplied by them",
                       "%s must be > 0, but is %s at the start", thudi_tree_path(node, path),
                       thudi_text_number(number, x));
}

const thud_scene_growth *thudi_growth_find(const thudi_reader *r, const char *name, size_t length)
{
    const thud_scene *scene = &r->scene->view;
    for (int i = 0; i < scene->growth_count; i++)
        if (strlen(scene->growths[i].name) == length &&
            memcmp(scene->growths[i].name, name, length) == 0)
            return &scene->growths[i];
    return NULL;
}

// An unknown name may have been meant as that of a law: "use one of: t; growth functions: g".
static void hint_laws(const thudi_reader *r)
{
    const thud_scene *scene = &r->scene->view;
    char *hint = r->fault ? r->fault->hint : NULL;
    if (!hint || strncmp(hint, "use one of", 10) != 0)
        return;
    size_t size = sizeof r->fault->hint, used = strlen(hint);
    for (int i = 0; i < scene->growth_count && used < size; i++)
        used += (size_t)snprintf(hint + used, size - used, "%s%s",
                                 i ? ", " : "; growth functions: ", scene->growths[i].name);
}

thud_status thudi_read_growth(thudi_reader *r, const thudi_tree *node,
                              const thud_scene_growth **growth)
{
    thud_scene_growth *own;
    *growth = node->kind == THUDI_STRING ? thudi_growth_find(r, node->text, node->length) : NULL;
    if (*growth)
        return THUD_OK;
    THUD_TRY(thudi_take(r, sizeof *own, &own));
    thud_status status = read_law(r, node, own);
    if (status == THUD_ERR_SCENE && node->kind == THUDI_STRING)
        hint_laws(r);
    THUD_TRY(status);
    *growth = own;
    return THUD_OK;
}

// "bodies_2"; if there is a law of that name, "bodies_2_", or "bodies_2_1" and so on.
static thud_status name_law(thudi_reader *r, const char **name)
{
    char text[64];
    int entry = r->scene->entry_count - 1;
    (void)snprintf(text, sizeof text, "bodies_%d", entry);
    if (thudi_growth_find(r, text, strlen(text)))
        (void)snprintf(text, sizeof text, "bodies_%d_", entry);
    for (int more = 1; thudi_growth_find(r, text, strlen(text)); more++)
        (void)snprintf(text, sizeof text, "bodies_%d_%d", entry, more);
    return thudi_copy(r, text, strlen(text), name);
}

thud_status thudi_read_entry_growth(thudi_reader *r, const thudi_tree *node,
                                    const thud_scene_growth **growth)
{
    const thudi_tree *member = thudi_may(node, "growth");
    thudi_scene *scene = r->scene;
    if (!member)
        return THUD_OK;
    THUD_TRY(thudi_read_growth(r, member, growth));
    if ((*growth)->name)
        return THUD_OK;
    if (scene->view.growth_count == MOST_LAWS)
        return thudi_blame(r->fault, THUD_ERR_LIMIT, member,
                           "let bodies that grow alike share one growth function",
                           "the scene has more than %d growth functions", MOST_LAWS);
    // a file of all bodies can say which law is whose by its name only
    thud_scene_growth *own = &scene->growths[scene->view.growth_count];
    *own = **growth;
    THUD_TRY(name_law(r, &own->name));
    scene->view.growth_count++;
    *growth = own;
    return THUD_OK;
}

static thud_status check_name(thudi_reader *r, const thudi_tree *key)
{
    char quote[THUDI_QUOTE_SIZE];
    THUD_TRY(thudi_check_identifier(r, key));
    for (int i = 0; i < r->symbols.parameter_count; i++)
        if (strcmp(r->symbols.parameters[i], key->text) == 0)
            return thudi_blame(r->fault, THUD_ERR_SCENE, key, "choose another name",
                               "'%s' is already a parameter",
                               thudi_quote(quote, key->text, key->length));
    return THUD_OK;
}

thud_status thudi_read_growths(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_may(root, "growth"), *bodies = thudi_may(root, "bodies");
    thudi_scene *scene = r->scene;
    int count = bodies ? bodies->count : 0;
    if (node)
        THUD_TRY(thudi_map_of_names(r, node));
    count += node ? node->count : 0;
    if (node && node->count > MOST_LAWS)
        return thudi_blame(r->fault, THUD_ERR_LIMIT, node, "",
                           "the scene has more than %d growth functions", MOST_LAWS);
    THUD_TRY(thudi_take(r, ((size_t)count + 1) * sizeof *scene->growths, &scene->growths));
    scene->view.growths = scene->growths;
    for (const thudi_tree *member = node ? node->first : NULL; member; member = member->next)
    {
        thud_scene_growth *growth = &scene->growths[scene->view.growth_count];
        THUD_TRY(check_name(r, member->key));
        THUD_TRY(read_law(r, member, growth));
        THUD_TRY(thudi_copy(r, member->key->text, member->key->length, &growth->name));
        scene->view.growth_count++;
    }
    return THUD_OK;
}

// At a time that is in the table only its values can be at fault.
static thud_status check_value(thudi_reader *r, const thud_scene_growth *growth, double t)
{
    char value[THUDI_NUMBER_SIZE], at[THUDI_NUMBER_SIZE];
    double x = thud_scene_growth_value(growth, t, NULL);
    if (isfinite(x))
        return THUD_OK;
    return thudi_blame_place(r->fault, THUD_ERR_SCENE, growth->place.file, growth->place.line,
                             growth->place.column,
                             "use positive values: radii are multiplied by them",
                             "the curve through the knots of the table is %s at t = %s",
                             thudi_text_number(value, x), thudi_text_number(at, t));
}

// The last node of the run, which may be later than its end, must be in the table.
static thud_status check_reach(thudi_reader *r, const thud_scene_growth *growth)
{
    const thud_scene *scene = &r->scene->view;
    char a[THUDI_NUMBER_SIZE], b[THUDI_NUMBER_SIZE], c[THUDI_NUMBER_SIZE], d[THUDI_NUMBER_SIZE];
    double steps = (scene->end - scene->start) / scene->step;
    double last = fma(ceil(steps * (1 - 1e-12)), scene->step, scene->start);
    if (!growth || growth->expression)
        return THUD_OK;
    if (thudi_growth_covers(growth, scene->start) && thudi_growth_covers(growth, last))
    {
        THUD_TRY(check_value(r, growth, scene->start));
        return check_value(r, growth, last);
    }
    return thudi_blame_place(r->fault, THUD_ERR_SCENE, growth->place.file, growth->place.line,
                             growth->place.column, "add knots: the table is not extrapolated",
                             "the table goes from %s to %s, but the run from %s to %s",
                             thudi_text_number(a, growth->t[0]),
                             thudi_text_number(b, growth->t[growth->count - 1]),
                             thudi_text_number(c, scene->start), thudi_text_number(d, last));
}

thud_status thudi_check_growths(thudi_reader *r)
{
    const thud_scene *scene = &r->scene->view;
    for (int i = 0; i < scene->growth_count; i++)
        THUD_TRY(check_reach(r, &scene->growths[i]));
    for (int i = 0; i < scene->material_count; i++)
        THUD_TRY(check_reach(r, scene->materials[i].growth));
    return THUD_OK;
}
