// How radii change: laws with names, and those of materials and entries of bodies, by expression or
// by table.
#include "core/text.h"
#include "fields/knots.h"
#include "scene/read/read_parts.h"
#include "scene/tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Of a number of steps: a run that is a whole number of them may miss it by rounding.
static const double STEPS_ROUNDING = 1e-12;

enum
{
    MOST_GROWTHS = 10000
};

// An expression or a table that is positive at the start.
static thud_status read_function(thudi_reader *r, const thudi_tree *node, thud_scene_growth *growth)
{
    const thudi_tree *table;
    char path[THUDI_PATH_SIZE], number[THUDI_TEXT_NUMBER_SIZE];
    double x;
    if (node->kind == THUDI_MAP)
    {
        THUD_TRY(thudi_place(r, node, &growth->factor.place));
        THUD_TRY(thudi_thing_open(r, node, &thudi_table_thing));
        THUD_TRY(thudi_required(r, node, "table", "a list of pairs [t, value]", &table));
        return thudi_varying_table(r, table, &growth->factor);
    }
    THUD_TRY(thudi_varying(r, node, THUDI_OF_TIME, &growth->factor));
    THUD_TRY(thudi_value_at(r, &growth->factor, r->scene->view.start, NULL, &x));
    if (x > 0 && isfinite(x))
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node,
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
static void list_growths(const thudi_reader *r, char text[THUDI_HINT_SIZE])
{
    const thud_scene *scene = &r->scene->view;
    size_t size = THUDI_HINT_SIZE, used = 0;
    text[0] = '\0';
    for (int i = 0; i < scene->growth_count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i ? ", " : "; growth functions: ", scene->growths[i].name);
}

thud_status thudi_read_growth(thudi_reader *r, const thudi_tree *node,
                              const thud_scene_growth **growth)
{
    thud_scene_growth *own;
    char others[THUDI_HINT_SIZE];
    *growth = node->kind == THUDI_STRING ? thudi_growth_find(r, node->text, node->length) : NULL;
    if (*growth)
        return THUD_OK;
    THUD_TRY(thudi_reader_allocate(r, sizeof *own, &own));
    list_growths(r, others);
    r->symbols.others = node->kind == THUDI_STRING ? others : NULL;
    thud_status status = read_function(r, node, own);
    r->symbols.others = NULL;
    THUD_TRY(status);
    *growth = own;
    return THUD_OK;
}

// "bodies_2"; if there is a law of that name, "bodies_2_", or "bodies_2_1" and so on.
static thud_status name_growth(thudi_reader *r, const char **name)
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
    const thudi_tree *member = thudi_optional(node, "growth");
    thudi_scene *scene = r->scene;
    if (!member)
        return THUD_OK;
    THUD_TRY(thudi_read_growth(r, member, growth));
    if ((*growth)->name)
        return THUD_OK;
    if (scene->view.growth_count == MOST_GROWTHS)
        return thudi_fail_node(r->fault, THUD_ERR_LIMIT, member,
                               "let bodies that grow alike share one growth function",
                               "the scene has more than %d growth functions", MOST_GROWTHS);
    // a file of all bodies can refer to a growth function by its name only
    thud_scene_growth *own = &scene->growths[scene->view.growth_count];
    *own = **growth;
    THUD_TRY(name_growth(r, &own->name));
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
            return thudi_fail_node(r->fault, THUD_ERR_SCENE, key, "choose another name",
                                   "'%s' is already a parameter",
                                   thudi_quote(quote, key->text, key->length));
    return THUD_OK;
}

thud_status thudi_read_growths(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_optional(root, "growth"),
                     *bodies = thudi_optional(root, "bodies");
    thudi_scene *scene = r->scene;
    int count = bodies ? bodies->count : 0;
    if (node)
        THUD_TRY(thudi_map_of_names(r, node));
    count += node ? node->count : 0;
    if (node && node->count > MOST_GROWTHS)
        return thudi_fail_node(r->fault, THUD_ERR_LIMIT, node, "",
                               "the scene has more than %d growth functions", MOST_GROWTHS);
    THUD_TRY(
        thudi_reader_allocate(r, ((size_t)count + 1) * sizeof *scene->growths, &scene->growths));
    scene->view.growths = scene->growths;
    for (const thudi_tree *member = node ? node->first : NULL; member; member = member->next)
    {
        thud_scene_growth *growth = &scene->growths[scene->view.growth_count];
        THUD_TRY(check_name(r, member->key));
        THUD_TRY(read_function(r, member, growth));
        THUD_TRY(thudi_copy(r, member->key->text, member->key->length, &growth->name));
        scene->view.growth_count++;
    }
    return THUD_OK;
}

// At a time that is in the table only its values can be at fault.
static thud_status check_value(thudi_reader *r, const thud_varying *table, double t)
{
    char value[THUDI_TEXT_NUMBER_SIZE], at[THUDI_TEXT_NUMBER_SIZE];
    double x = thud_varying_at(table, t, NULL);
    if (isfinite(x))
        return THUD_OK;
    return thudi_fail_place(r->fault, THUD_ERR_SCENE, table->place.file, table->place.line,
                            table->place.column,
                            "use positive values: radii are multiplied by them",
                            "the curve through the knots of the table is %s at t = %s",
                            thudi_text_number(value, x), thudi_text_number(at, t));
}

// The last node of the run, which may be later than its end, must be in the table.
static thud_status check_reach(thudi_reader *r, const thud_varying *table)
{
    const thud_scene *scene = &r->scene->view;
    char a[THUDI_TEXT_NUMBER_SIZE], b[THUDI_TEXT_NUMBER_SIZE], c[THUDI_TEXT_NUMBER_SIZE],
        d[THUDI_TEXT_NUMBER_SIZE];
    double steps = (scene->end - scene->start) / scene->step;
    double last = fma(ceil(steps * (1 - STEPS_ROUNDING)), scene->step, scene->start);
    if (table->kind != THUD_VARYING_TABLE)
        return THUD_OK;
    const thud_knots *knots = table->table;
    if (thudi_knots_cover(knots, scene->start) && thudi_knots_cover(knots, last))
    {
        THUD_TRY(check_value(r, table, scene->start));
        return check_value(r, table, last);
    }
    return thudi_fail_place(r->fault, THUD_ERR_SCENE, table->place.file, table->place.line,
                            table->place.column, "add knots: the table is not extrapolated",
                            "the table goes from %s to %s, but the run from %s to %s",
                            thudi_text_number(a, knots->t[0]),
                            thudi_text_number(b, knots->t[knots->count - 1]),
                            thudi_text_number(c, scene->start), thudi_text_number(d, last));
}

static int check_number(const thud_scene_varying *number, void *user)
{
    return check_reach(user, number->varying);
}

thud_status thudi_check_growths(thudi_reader *r)
{
    return (thud_status)thud_scene_each_varying(&r->scene->view, check_number, r);
}
