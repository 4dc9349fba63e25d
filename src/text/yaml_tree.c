// The tree of a YAML text, built from libyaml's events without recursion. It refuses the parts of
// YAML that scenes do not use: anchors, aliases, tags, directives, several documents, keys that are
// lists.
#include "core/characters.h"
#include "text/names.h"
#include "text/tree.h"
#include "text/yaml_problem.h"
#include "thud/scene.h"

#include <limits.h>
#include <string.h>

enum
{
    MOST_NODES = 4000000 // limits the memory that a text can take
};

typedef struct builder
{
    yaml_parser_t parser;
    const thudi_source *source;
    thudi_arena *arena;
    thud_fault *fault;
    thudi_tree *root, *open; // the innermost map or list that is not closed
    thudi_tree *key;         // has no value yet
    int depth, documents;
    long nodes;
    thud_status wrong; // status for errors in the text
} builder;

static int clamp(size_t x)
{
    return (int)(x < INT_MAX / 2 ? x : INT_MAX / 2);
}

// An override counts as one line, even if its text has line breaks.
static int line_of(const builder *b, const yaml_mark_t *mark)
{
    return b->source->is_override ? b->source->number : clamp(mark->line) + 1;
}

static int column_of(const builder *b, const yaml_mark_t *mark)
{
    return b->source->is_override ? clamp(mark->index) + 1 + b->source->column_offset
                                  : clamp(mark->column) + 1;
}

#define refuse(b, status, mark, hint, ...)                                                         \
    thudi_fail_place((b)->fault, status, (b)->source->file, line_of(b, mark), column_of(b, mark),  \
                     hint, __VA_ARGS__)

static thud_status node_make(builder *b, const yaml_event_t *event, thudi_tree_kind kind,
                             thudi_tree **out)
{
    if (++b->nodes > MOST_NODES)
        return refuse(b, THUD_ERR_LIMIT, &event->start_mark,
                      "put many bodies into a CSV file: see 'file' under 'bodies'",
                      "the scene has more than %d values", MOST_NODES);
    thudi_tree *node = thudi_arena_allocate(b->arena, sizeof *node);
    if (!node)
        return thudi_fail_status(b->fault, THUD_ERR_MEMORY);
    node->kind = kind;
    node->file = b->source->file;
    node->line = line_of(b, &event->start_mark);
    node->column = column_of(b, &event->start_mark);
    *out = node;
    return THUD_OK;
}

static thud_status refuse_extras(builder *b, const yaml_event_t *event, const yaml_char_t *anchor,
                                 const yaml_char_t *tag)
{
    if (anchor)
        return refuse(b, b->wrong, &event->start_mark,
                      "write the value out, or put a text that begins with & in quotes",
                      "anchors (&%.40s) are not used in scenes", (const char *)anchor);
    if (tag)
        return refuse(b, b->wrong, &event->start_mark,
                      "remove it, or put a text that begins with ! in quotes",
                      "tags (!) are not used in scenes");
    return THUD_OK;
}

// Attach a value to the tree where it belongs.
static thud_status value_add(builder *b, thudi_tree *node)
{
    thudi_tree *parent = b->open;
    if (!parent)
    {
        b->root = node;
        return THUD_OK;
    }
    if (parent->count >= THUD_SCENE_KEYS)
        return thudi_fail_node(b->fault, THUD_ERR_LIMIT, node,
                               "put many bodies into a CSV file: see 'file' under 'bodies'",
                               "%s has more than %d %s", thudi_tree_kind_text(parent),
                               THUD_SCENE_KEYS, parent->kind == THUDI_MAP ? "keys" : "items");
    if (parent->kind == THUDI_MAP)
    {
        node->key = b->key;
        b->key = NULL;
    }
    thudi_tree_append(parent, node);
    return THUD_OK;
}

static bool wants_key(const builder *b)
{
    return b->open && b->open->kind == THUDI_MAP && !b->key;
}

static thud_status check_key(builder *b, const thudi_tree *key)
{
    if (key->length == 0)
        return thudi_fail_node(b->fault, b->wrong, key, "write KEY: VALUE", "a key is empty");
    if (key->plain && strcmp(key->text, "<<") == 0)
        return thudi_fail_node(b->fault, b->wrong, key,
                               "write the keys out, or use include for another file",
                               "merge keys (<<) are not used in scenes");
    return THUD_OK;
}

// Escapes such as "\0" or "\e" can produce characters that the text itself may not hold.
static thud_status check_string(builder *b, const yaml_event_t *event)
{
    const char *text = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    unsigned long code;
    if (length > THUD_SCENE_STRING)
        return refuse(b, THUD_ERR_LIMIT, &event->start_mark, "shorten it",
                      "a string is longer than %d KiB", THUD_SCENE_STRING >> 10);
    if (thudi_find_hidden(text, length, false, &code) == length)
        return THUD_OK;
    if (code < 0x80)
        return refuse(b, b->wrong, &event->start_mark, "remove the escape",
                      "a string holds the control character 0x%02lx", code);
    return refuse(b, b->wrong, &event->start_mark, "remove it",
                  "a string holds U+%04lX, which turns the direction of writing", code);
}

static size_t character_count(const yaml_char_t *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += (text[i] & 0xc0) != 0x80;
    return count;
}

// The column of the first character; 0 if the file spells the string differently, with escapes or
// over several lines.
static int text_column(const builder *b, const yaml_event_t *event)
{
    const yaml_mark_t *start = &event->start_mark, *end = &event->end_mark;
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    size_t width = character_count(event->data.scalar.value, event->data.scalar.length);
    bool as_is = start->line == end->line && end->column - start->column == width + (plain ? 0 : 2);
    return as_is ? column_of(b, start) + !plain : 0;
}

static thud_status add_scalar(builder *b, const yaml_event_t *event)
{
    thudi_tree *node = NULL;
    THUD_TRY(refuse_extras(b, event, event->data.scalar.anchor, event->data.scalar.tag));
    THUD_TRY(check_string(b, event));
    THUD_TRY(node_make(b, event, THUDI_STRING, &node));
    node->length = event->data.scalar.length;
    node->text = thudi_arena_text(b->arena, (const char *)event->data.scalar.value, node->length);
    if (!node->text)
        return thudi_fail_status(b->fault, THUD_ERR_MEMORY);
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    node->text_column = text_column(b, event);
    if (!wants_key(b))
        return value_add(b, node);
    b->key = node;
    return check_key(b, node);
}

static thud_status open_node(builder *b, const yaml_event_t *event, thudi_tree_kind kind)
{
    bool block = kind == THUDI_MAP ? event->data.mapping_start.style == YAML_BLOCK_MAPPING_STYLE
                                   : event->data.sequence_start.style == YAML_BLOCK_SEQUENCE_STYLE;
    if (wants_key(b))
        return refuse(b, b->wrong, &event->start_mark,
                      "put a text that begins with { or [ in quotes", "%s cannot be a key",
                      kind == THUDI_MAP ? "a map" : "a list");
    if (block && b->source->is_override)
        return refuse(b, b->wrong, &event->start_mark,
                      "write lists as [1, 2], maps as {a: 1}, texts with ': ' or '- ' in quotes",
                      "the value of --set is not in flow style");
    if (b->depth >= THUD_SCENE_DEPTH)
        return refuse(b, THUD_ERR_LIMIT, &event->start_mark, "",
                      "maps and lists are nested more than %d deep", THUD_SCENE_DEPTH);
    thudi_tree *node = NULL;
    THUD_TRY(node_make(b, event, kind, &node));
    THUD_TRY(value_add(b, node));
    b->open = node;
    b->depth++;
    return THUD_OK;
}

static thud_status check_duplicates(builder *b, const thudi_tree *map)
{
    thudi_names names = {.allocator = b->arena->allocator};
    thud_status status = THUD_OK;
    for (const thudi_tree *member = map->first; member && status >= 0; member = member->next)
    {
        const thudi_tree *key = member->key;
        const thudi_name *first = thudi_names_find(&names, key->text, key->length);
        char quote[THUDI_QUOTE_SIZE];
        thudi_quote(quote, key->text, key->length);
        if (first && b->source->is_override)
            status = thudi_fail_node(b->fault, b->wrong, key, "keep one of them",
                                     "the key '%s' was already given", quote);
        else if (first)
            status =
                thudi_fail_node(b->fault, b->wrong, key, "keep one of them",
                                "the key '%s' was already given in line %d", quote, first->value);
        else if (thudi_names_add(&names, key->text, key->length, key->line) < 0)
            status = thudi_fail_status(b->fault, THUD_ERR_MEMORY);
    }
    thudi_names_free(&names);
    return status;
}

static thud_status close_node(builder *b)
{
    thudi_tree *node = b->open;
    b->open = node->parent;
    b->depth--;
    return node->kind == THUDI_MAP ? check_duplicates(b, node) : THUD_OK;
}

static thud_status begin_document(builder *b, const yaml_event_t *event)
{
    if (event->data.document_start.version_directive ||
        event->data.document_start.tag_directives.start !=
            event->data.document_start.tag_directives.end)
        return refuse(b, b->wrong, &event->start_mark, "remove the line that begins with %",
                      "directives (%%) are not used in scenes");
    if (b->documents++ > 0)
        return refuse(b, b->wrong, &event->start_mark, "remove '---': one file holds one scene",
                      "a second document begins here");
    return THUD_OK;
}

static thud_status take_event(builder *b, const yaml_event_t *event)
{
    switch (event->type)
    {
    case YAML_DOCUMENT_START_EVENT:
        return begin_document(b, event);
    case YAML_ALIAS_EVENT:
        return refuse(b, b->wrong, &event->start_mark,
                      "write the value out, or put an expression that begins with * in quotes",
                      "aliases (*%.40s) are not used in scenes",
                      (const char *)event->data.alias.anchor);
    case YAML_SCALAR_EVENT:
        return add_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT:
        THUD_TRY(refuse_extras(b, event, event->data.sequence_start.anchor,
                               event->data.sequence_start.tag));
        return open_node(b, event, THUDI_LIST);
    case YAML_MAPPING_START_EVENT:
        THUD_TRY(refuse_extras(b, event, event->data.mapping_start.anchor,
                               event->data.mapping_start.tag));
        return open_node(b, event, THUDI_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_node(b);
    default:
        return THUD_OK;
    }
}

static thud_status fail_parse(builder *b)
{
    const yaml_parser_t *parser = &b->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return thudi_fail_status(b->fault, THUD_ERR_MEMORY);
    thudi_yaml_problem problem;
    thudi_yaml_find_problem(parser, b->source, &problem);
    return refuse(b, b->wrong, &problem.mark, problem.hint, "%s", problem.text);
}

static thud_status check_root(builder *b)
{
    const thudi_tree *root = b->root;
    const char *file = b->source->file;
    if (!root || (root->kind == THUDI_STRING && root->length == 0 && root->plain))
        return b->source->is_override
                   ? thudi_fail_place(
                         b->fault, b->wrong, file, b->source->number, b->source->column_offset + 1,
                         "write KEY=VALUE; an empty text is \"\"", "the value is empty")
                   : thudi_fail_place(b->fault, b->wrong, file, 1, 1,
                                      "begin the scene with 'thud: 1'", "the scene is empty");
    if (root->kind != THUDI_MAP && !b->source->is_override)
        return thudi_fail_node(b->fault, b->wrong, root, "begin the scene with 'thud: 1'",
                               "a scene is a map of keys and values, but this is %s",
                               thudi_tree_kind_text(root));
    return THUD_OK;
}

static thud_status parse_events(builder *b)
{
    bool more = true;
    while (more)
    {
        yaml_event_t event;
        if (!yaml_parser_parse(&b->parser, &event))
            return fail_parse(b);
        more = event.type != YAML_STREAM_END_EVENT;
        thud_status status = take_event(b, &event);
        yaml_event_delete(&event);
        THUD_TRY(status);
    }
    return check_root(b);
}

thud_status thudi_tree_parse(const thudi_source *source, thudi_arena *arena, thudi_tree **root,
                             thud_fault *fault)
{
    static const char mark[] = "\xef\xbb\xbf";
    thudi_source rest = *source;
    *root = NULL;
    if (rest.length >= 3 && memcmp(rest.text, mark, 3) == 0 && !rest.is_override)
    {
        rest.text += 3;
        rest.length -= 3;
    }
    rest.text = rest.text ? rest.text : "";
    THUD_TRY(thudi_text_check(&rest, fault));
    builder b = {.source = &rest,
                 .arena = arena,
                 .fault = fault,
                 .wrong = source->is_override ? THUD_ERR_ARGUMENT : THUD_ERR_SCENE};
    if (!yaml_parser_initialize(&b.parser))
        return thudi_fail_status(fault, THUD_ERR_MEMORY);
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)rest.text, rest.length);
    thud_status status = parse_events(&b);
    yaml_parser_delete(&b.parser);
    *root = status < 0 ? NULL : b.root;
    return status;
}
