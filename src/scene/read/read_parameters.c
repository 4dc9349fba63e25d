// Parameters: constants with names. An unused parameter is most often a misspelt one, so it is an
// error.
#include "expression/expression_names.h"
#include "fields/slips.h"
#include "scene/read/read_parts.h"

#include <stdio.h>
#include <string.h>

enum
{
    MOST_PARAMETERS = 10000
};

// Was the fault the name of a parameter that comes later?
static thud_status fail_parameter(thudi_reader *r, thud_status status, const thudi_tree *member)
{
    char quote[THUDI_QUOTE_SIZE];
    for (const thudi_tree *later = member->next; later && r->fault; later = later->next)
        if (r->unknown[0] && strcmp(later->key->text, r->unknown) == 0)
            (void)snprintf(r->fault->hint, sizeof r->fault->hint,
                           "put '%s' first: a parameter may use only those before it",
                           thudi_quote(quote, later->key->text, later->key->length));
    return status;
}

thud_status thudi_read_parameters(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_optional(root, "parameters");
    thudi_scene *scene = r->scene;
    bool *used;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_expect(r, node, THUDI_MAP, "a map of names to numbers"));
    if (node->count > MOST_PARAMETERS)
        return thudi_fail_node(r->fault, THUD_ERR_LIMIT, node, "", "more than %d parameters",
                               MOST_PARAMETERS);
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *scene->parameters,
                                   &scene->parameters));
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *scene->values, &scene->values));
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *used, &used));
    r->symbols.parameters = scene->parameters;
    r->symbols.values = scene->values;
    for (const thudi_tree *member = node->first; member; member = member->next)
    {
        const thudi_tree *key = member->key;
        int i = scene->parameter_count;
        THUD_TRY(thudi_slip_check_member(r, member));
        THUD_TRY(thudi_check_identifier(r, key));
        thud_status status = thudi_number(r, member, THUDI_ANY, &scene->values[i]);
        if (status < 0)
            return fail_parameter(r, status, member);
        THUD_TRY(thudi_copy(r, key->text, key->length, &scene->parameters[i]));
        r->symbols.parameter_count = ++scene->parameter_count;
    }
    r->used = used;
    return THUD_OK;
}

// A used parameter also uses those in its own expression, which stand before it. So the walk goes
// from the last to the first.
static void mark_through(thudi_reader *r, const thudi_tree *const *members)
{
    for (int i = r->scene->parameter_count - 1; i >= 0; i--)
        if (r->used[i])
            thudi_names_mark(members[i]->text, members[i]->length, r->symbols.parameters, i,
                             r->used);
}

static thud_status fail_unused(thudi_reader *r, const thudi_tree *member)
{
    char quote[THUDI_QUOTE_SIZE], hint[THUDI_HINT_SIZE];
    const thudi_tree *key = member->key;
    bool is_set = strcmp(member->file, THUDI_SET_FILE) == 0;
    (void)snprintf(hint, sizeof hint, "%s",
                   is_set ? "remove it: the scene uses no parameters"
                          : "remove it, or use it in an expression");
    const char **names;
    int count = 0;
    THUD_TRY(
        thudi_reader_allocate(r, ((size_t)r->scene->parameter_count + 1) * sizeof *names, &names));
    for (int i = 0; i < r->scene->parameter_count; i++)
        if (r->used[i])
            names[count++] = r->scene->parameters[i];
    names[count] = NULL;
    if (count > 0)
        thudi_hint_words(hint, "remove it; parameters in use", key->text, key->length, names);
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, key->file == member->file ? key : member, hint,
                           "the parameter '%s' is not used by any expression",
                           thudi_quote(quote, key->text, key->length));
}

thud_status thudi_check_parameters(thudi_reader *r, const thudi_tree *root)
{
    const thudi_tree *node = thudi_optional(root, "parameters"), **members;
    int i = 0;
    if (!node)
        return THUD_OK;
    THUD_TRY(thudi_reader_allocate(r, (size_t)node->count * sizeof *members, &members));
    for (const thudi_tree *member = node->first; member; member = member->next)
        members[i++] = member;
    mark_through(r, members);
    for (i = node->count - 1; i >= 0; i--) // report the last one: no other parameter uses it
    {
        // an included file serves several scenes, not all of which use all of it; an override may
        // have removed the only use of a parameter
        bool is_own = members[i]->file == r->origin->file && !r->origin->is_replaced;
        bool is_set = strcmp(members[i]->file, THUDI_SET_FILE) == 0;
        if (!r->used[i] && (is_set || (is_own && !r->is_resolved)))
            return fail_unused(r, members[i]);
    }
    return THUD_OK;
}
