// Maps, words and texts out of the tree.
#include "fields/schema.h"
#include "core/characters.h"
#include "expression/expression_names.h"
#include "fields/slips.h"

#include <stdio.h>
#include <string.h>

enum
{
    LONGEST_NAME = 100
};

thud_status thudi_reader_allocate(thudi_reader *r, size_t size, void *out)
{
    void *piece = thudi_arena_allocate(r->arena, size);
    memcpy(out, &piece, sizeof piece); // `out` points to a pointer of unknown type
    return piece ? THUD_OK : thudi_fail_status(r->fault, THUD_ERR_MEMORY);
}

thud_status thudi_copy(thudi_reader *r, const char *text, size_t length, const char **out)
{
    *out = thudi_arena_text(r->arena, text, length);
    return *out ? THUD_OK : thudi_fail_status(r->fault, THUD_ERR_MEMORY);
}

thud_status thudi_place(thudi_reader *r, const thudi_tree *node, thud_place *place)
{
    // most places are in the same file as the one before
    if (!r->last_file || strcmp(r->last_file, node->file) != 0)
        THUD_TRY(thudi_copy(r, node->file, strlen(node->file), &r->last_file));
    *place = (thud_place){r->last_file, node->line, node->column};
    return THUD_OK;
}

void thudi_hint_words(char hint[THUDI_HINT_SIZE], const char *prefix, const char *text,
                      size_t length, const char *const *words)
{
    int count = 0;
    while (words[count])
        count++;
    // a single letter is near to every other one
    const char *best = length > 1 ? thud_nearest(text, length, words, count) : NULL;
    for (int i = 0; i < count && !best && length > 2; i++)
        best = strncmp(words[i], text, length) == 0 ? words[i] : NULL;
    if (best)
    {
        (void)snprintf(hint, THUDI_HINT_SIZE, "did you mean '%s'?", best);
        return;
    }
    size_t used = (size_t)snprintf(hint, THUDI_HINT_SIZE, "%s: ", prefix);
    for (int i = 0; i < count && used < THUDI_HINT_SIZE; i++)
        used += (size_t)snprintf(hint + used, THUDI_HINT_SIZE - used, "%s%s", words[i],
                                 i + 1 < count ? ", " : "");
}

bool thudi_hint_comma(char hint[THUDI_HINT_SIZE], const char *text)
{
    int open = 0;
    for (const char *c = text; *c && open >= 0; c++)
        open += (*c == '(') - (*c == ')');
    if (open != 0)
        (void)snprintf(hint, THUDI_HINT_SIZE,
                       "put an expression with a comma in quotes within { } or [ ]");
    return open != 0;
}

thud_status thudi_expect(thudi_reader *r, const thudi_tree *node, thudi_tree_kind kind,
                         const char *what)
{
    char path[THUDI_PATH_SIZE];
    if (node->kind == kind && (kind != THUDI_STRING || !node->plain || node->length > 0))
        return THUD_OK;
    if (node->kind == THUDI_STRING && node->plain && node->length == 0)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "give it a value or remove the key",
                               "%s has no value; it must be %s", thudi_tree_path(node, path), what);
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "%s must be %s, but is %s",
                           thudi_tree_path(node, path), what, thudi_tree_kind_text(node));
}

thud_status thudi_map_open(thudi_reader *r, const thudi_tree *node, const char *const *keys)
{
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE], hint[THUDI_HINT_SIZE];
    bool is_empty = node->kind == THUDI_STRING && node->plain && node->length == 0;
    if (node->kind != THUDI_MAP && !is_empty)
    {
        thudi_hint_words(hint, "give its keys", "", 0, keys);
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, hint, "%s must be a map, but is %s",
                               thudi_tree_path(node, path), thudi_tree_kind_text(node));
    }
    THUD_TRY(thudi_expect(r, node, THUDI_MAP, "a map"));
    for (const thudi_tree *member = node->first; member; member = member->next)
    {
        const char *const *key = keys;
        while (*key && strcmp(*key, member->key->text) != 0)
            key++;
        if (*key)
            continue;
        THUD_TRY(thudi_slip_check_member(r, member));
        if (!thudi_hint_comma(hint, member->key->text))
            thudi_hint_words(hint, "use one of", member->key->text, member->key->length, keys);
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, member->key, hint,
                               "unknown key '%s' in %s",
                               thudi_quote(quote, member->key->text, member->key->length),
                               thudi_tree_path(node, path));
    }
    return THUD_OK;
}

static bool is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(unsigned char c)
{
    return c >= '0' && c <= '9';
}

// Is it no letter, but a character beyond ASCII that breaks lines, turns the direction of writing
// or cannot be seen? These are U+0080 to U+00A0 and U+2000 to U+207F.
static bool is_hidden(const char *text)
{
    unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1];
    return (first == 0xc2 && second <= 0xa0) || (first == 0xe2 && (second & 0xfe) == 0x80);
}

thud_status thudi_map_of_names(thudi_reader *r, const thudi_tree *node)
{
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE];
    THUD_TRY(thudi_expect(r, node, THUDI_MAP, "a map of names"));
    for (const thudi_tree *member = node->first; member; member = member->next)
    {
        const thudi_tree *key = member->key;
        bool fine = key->length <= LONGEST_NAME;
        for (size_t i = 0; i < key->length && fine; i++)
        {
            unsigned char c = (unsigned char)key->text[i];
            fine =
                is_letter(c) || is_digit(c) || c == '-' || (c >= 0x80 && !is_hidden(key->text + i));
        }
        if (!fine)
            THUD_TRY(thudi_slip_check_space(r, key));
        if (!fine)
            return thudi_fail_node(
                r->fault, THUD_ERR_SCENE, key, "use letters, digits, _ and -, at most 100 bytes",
                "'%s' in %s is not a valid name", thudi_quote(quote, key->text, key->length),
                thudi_tree_path(node, path));
    }
    return THUD_OK;
}

thud_status thudi_check_identifier(thudi_reader *r, const thudi_tree *key)
{
    char quote[THUDI_QUOTE_SIZE];
    double constant;
    thudi_quote(quote, key->text, key->length);
    if (strcmp(key->text, "t") == 0 || thudi_function_find(key->text, key->length) ||
        thudi_constant_find(key->text, key->length, &constant))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, key, "choose another name",
                               "'%s' already has a meaning in expressions", quote);
    bool fine = key->length <= LONGEST_NAME && !is_digit((unsigned char)key->text[0]);
    for (size_t i = 0; i < key->length && fine; i++)
        fine = is_letter((unsigned char)key->text[i]) || is_digit((unsigned char)key->text[i]);
    if (fine)
        return THUD_OK;
    THUD_TRY(thudi_slip_check_space(r, key));
    return thudi_fail_node(
        r->fault, THUD_ERR_SCENE, key,
        "use letters, digits and _, not starting with a digit, at most 100 bytes",
        "'%s' cannot be a name in expressions", quote);
}

const thudi_tree *thudi_optional(const thudi_tree *map, const char *key)
{
    return thudi_tree_find(map, key, strlen(key));
}

thud_status thudi_required(thudi_reader *r, const thudi_tree *map, const char *key,
                           const char *hint, const thudi_tree **member)
{
    char path[THUDI_PATH_SIZE];
    *member = thudi_optional(map, key);
    if (*member)
        return THUD_OK;
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, map, hint, "%s needs the key '%s'",
                           thudi_tree_path(map, path), key);
}

thud_status thudi_exactly_one(thudi_reader *r, const thudi_tree *map, const char *const keys[2],
                              const thudi_tree *members[2])
{
    char path[THUDI_PATH_SIZE];
    for (int i = 0; i < 2; i++)
        members[i] = thudi_optional(map, keys[i]);
    if (members[0] && members[1])
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, members[1]->key, "remove one of them",
                               "%s has both '%s' and '%s'", thudi_tree_path(map, path), keys[0],
                               keys[1]);
    if (!members[0] && !members[1])
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, map, "", "%s needs '%s' or '%s'",
                               thudi_tree_path(map, path), keys[0], keys[1]);
    return THUD_OK;
}

thud_status thudi_word(thudi_reader *r, const thudi_tree *node, const char *const *words,
                       int *which)
{
    char path[THUDI_PATH_SIZE], quote[THUDI_QUOTE_SIZE], hint[THUDI_HINT_SIZE];
    THUD_TRY(thudi_expect(r, node, THUDI_STRING, "a word"));
    for (*which = 0; words[*which]; ++*which)
        if (strcmp(words[*which], node->text) == 0)
            return THUD_OK;
    thudi_hint_words(hint, "choose one of", node->text, node->length, words);
    return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, hint, "%s cannot be '%s'",
                           thudi_tree_path(node, path),
                           thudi_quote(quote, node->text, node->length));
}

thud_status thudi_text(thudi_reader *r, const thudi_tree *node, bool one_line, const char **text)
{
    char path[THUDI_PATH_SIZE];
    THUD_TRY(thudi_expect(r, node, THUDI_STRING, one_line ? "one line of text" : "a text"));
    // line breaks of Unicode end a line too
    if (one_line && (strchr(node->text, '\n') || strstr(node->text, "\xc2\x85") ||
                     strstr(node->text, "\xe2\x80\xa8") || strstr(node->text, "\xe2\x80\xa9")))
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "", "%s must be one line of text",
                               thudi_tree_path(node, path));
    unsigned long code;
    if (one_line && thudi_find_hidden(node->text, node->length, true, &code) < node->length)
        return thudi_fail_node(r->fault, THUD_ERR_SCENE, node, "remove it",
                               "%s holds the control character U+%04lX",
                               thudi_tree_path(node, path), code);
    return thudi_copy(r, node->text, node->length, text);
}
