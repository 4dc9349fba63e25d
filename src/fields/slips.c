// Typing errors: decimal commas, and keys without a space after their colon.
#include "fields/slips.h"

#include <stdio.h>
#include <string.h>

static size_t count_digits(const char *text)
{
    return strspn(text, "0123456789");
}

// A whole number without a sign, as behind a decimal comma.
static bool is_digits(const thudi_tree *node)
{
    return node->kind == THUDI_STRING && node->plain && node->length > 0 &&
           count_digits(node->text) == node->length;
}

// Does the text end in a whole number, as before a decimal comma? Returns where that begins.
static const char *find_last_digits(const thudi_tree *node)
{
    if (node->kind != THUDI_STRING || !node->plain)
        return NULL;
    size_t at = node->length;
    while (at > 0 && count_digits(node->text + at - 1) > 0)
        at--;
    bool has_point = at > 0 && node->text[at - 1] == '.';
    return at < node->length && !has_point ? node->text + at : NULL;
}

// Is there only a comma between two values of one line?
static bool is_glued(const thudi_tree *node, const thudi_tree *next)
{
    return next && node->line == next->line && strcmp(node->file, next->file) == 0 &&
           node->text_column > 0 && next->column == node->text_column + (int)node->length + 1;
}

static bool hint_point(char hint[THUDI_HINT_SIZE], const char *whole, size_t length,
                       const char *rest, size_t rest_length)
{
    (void)snprintf(hint, THUDI_HINT_SIZE, "write %.*s.%.*s: decimals take a point, not a comma",
                   (int)(length < 40 ? length : 40), whole,
                   (int)(rest_length < 40 ? rest_length : 40), rest);
    return true;
}

// Outside of the arguments of a function a comma has no meaning.
bool thudi_slip_comma(const thudi_tree *number, char hint[THUDI_HINT_SIZE])
{
    int open = 0;
    for (const char *c = number->text; *c; c++)
    {
        open += (*c == '(') - (*c == ')');
        const char *first = c;
        while (first > number->text && count_digits(first - 1) > 0)
            first--;
        if (*c == ',' && open == 0 && first < c && count_digits(c + 1) > 0)
            return hint_point(hint, first, (size_t)(c - first), c + 1, count_digits(c + 1));
    }
    return false;
}

// Do these two values look like one number with a decimal comma?
static bool is_pair(const thudi_tree *node, const thudi_tree *next, char hint[THUDI_HINT_SIZE])
{
    const char *whole = find_last_digits(node);
    if (!whole || !is_glued(node, next) || !is_digits(next))
        return false;
    return hint_point(hint, whole, strlen(whole), next->text, next->length);
}

bool thudi_slip_comma_in_list(const thudi_tree *list, char hint[THUDI_HINT_SIZE])
{
    for (const thudi_tree *item = list->first; item; item = item->next)
        if (item->next && is_pair(item, item->next, hint))
            return true;
    return false;
}

thud_status thudi_slip_check_list(thudi_reader *r, const thudi_tree *list)
{
    char path[THUDI_PATH_SIZE], hint[THUDI_HINT_SIZE];
    bool has_space = false;
    for (const thudi_tree *item = list->first; item; item = item->next)
        has_space = has_space || (item->next && !is_glued(item, item->next));
    if (!has_space || !thudi_slip_comma_in_list(list, hint))
        return THUD_OK;
    return thudi_fail_node(
        r->fault, THUD_ERR_SCENE, list, hint,
        "%s has commas with and without a space after them; is one a decimal comma?",
        thudi_tree_path(list, path));
}

thud_status thudi_slip_check_space(thudi_reader *r, const thudi_tree *key)
{
    char hint[THUDI_HINT_SIZE], quote[THUDI_QUOTE_SIZE], value[THUDI_QUOTE_SIZE];
    const char *colon = strchr(key->text, ':');
    if (!key->plain || !colon || colon == key->text || colon[1] == '\0')
        return THUD_OK;
    size_t length = (size_t)(colon - key->text);
    thudi_quote(quote, key->text, length);
    thudi_quote(value, colon + 1, strlen(colon + 1));
    (void)snprintf(hint, sizeof hint, "write '%s: %s'", quote, value);
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, key, hint, "a space is missing after '%s:'",
                           quote);
}

thud_status thudi_slip_check_member(thudi_reader *r, const thudi_tree *member)
{
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE], hint[THUDI_HINT_SIZE];
    const thudi_tree *before = member->parent->first;
    while (before != member && before->next != member)
        before = before->next;
    bool is_empty = member->kind == THUDI_STRING && member->length == 0;
    THUD_TRY(thudi_slip_check_space(r, member->key));
    if (before == member || !is_empty || !is_pair(before, member->key, hint))
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, member->key, hint,
                           "%s: a decimal comma cuts the number in two, and '%s' becomes a key",
                           thudi_tree_path(before, path),
                           thudi_quote(quote, member->key->text, member->key->length));
}
