// The keys of scenes for people and editors: each with its words, and as a JSON Schema.
#include "thud/scene_fields.h"
#include "scene/tables.h"

#include <string.h>

enum
{
    WORDS_SIZE = 400
};

// Words of one field, cut off where they do not fit.
typedef struct words
{
    char text[WORDS_SIZE];
    size_t length;
} words;

static int add_words(const char *text, size_t length, void *user)
{
    words *to = user;
    size_t room = WORDS_SIZE - 1 - to->length, taken = length < room ? length : room;
    memcpy(to->text + to->length, text, taken);
    to->length += taken;
    to->text[to->length] = '\0';
    return 0;
}

typedef struct field_walk
{
    const thudi_thing *root;
    thud_scene_field_fn *visit;
    void *user;
} field_walk;

static bool is_below(const thudi_thing *thing, const char *path)
{
    for (int i = 0; i < thing->count; i++)
    {
        size_t length = strlen(thing->fields[i].key);
        if (strncmp(path, thing->fields[i].key, length) == 0 &&
            (path[length] == '.' || path[length] == '\0'))
            return true;
    }
    return false;
}

static void put_default(thudi_out *out, const thudi_field *field)
{
    bool is_code = field->initial && field->initial[0] != '\0';
    thudi_put(out, is_code ? "`" : "");
    if (field->initial)
        thudi_put(out, is_code ? field->initial : "empty");
    else
        thudi_put(out, field->otherwise ? field->otherwise : "required");
    thudi_put(out, is_code ? "`" : "");
}

static bool visit_field(const thudi_field *field, const thudi_field_place *place, void *user)
{
    const field_walk *w = user;
    words value = {.length = 0}, initial = {.length = 0};
    thudi_out to_value = {.sink = add_words, .user = &value};
    thudi_out to_initial = {.sink = add_words, .user = &initial};
    bool is_common =
        is_below(&thudi_common_thing, place->path) || is_below(&thudi_closing_thing, place->path);
    if (is_common && w->root != &thudi_spheres_thing)
        return false; // the walk over the other kind visits it
    thudi_form_words(&to_value, field);
    put_default(&to_initial, field);
    (void)thudi_out_end(&to_value);
    (void)thudi_out_end(&to_initial);
    thud_scene_field found = {.path = place->path,
                              .kind = is_common ? "both" : w->root->name,
                              .table = is_common ? "both" : place->table,
                              .local = place->local,
                              .value = value.text,
                              .initial = initial.text,
                              .unit = field->unit ? field->unit : "",
                              .help = field->help};
    return w->visit(&found, w->user);
}

bool thud_scene_each_field(thud_scene_field_fn *visit, void *user)
{
    field_walk spheres = {&thudi_spheres_thing, visit, user};
    field_walk inclusion = {&thudi_inclusion_thing, visit, user};
    return thudi_each_field(spheres.root, visit_field, &spheres) ||
           thudi_each_field(inclusion.root, visit_field, &inclusion);
}

// "if": the key has this value; NULL: it is there.
static void put_if(thud_json *json, const char *key, const char *value)
{
    thud_json_open(json, "if");
    thud_json_list(json, "required");
    thud_json_text(json, NULL, key);
    thud_json_list_end(json);
    if (value)
    {
        thud_json_open(json, "properties");
        thud_json_open(json, key);
        thud_json_text(json, "const", value);
        thud_json_close(json);
        thud_json_close(json);
    }
    thud_json_close(json);
}

// A file that includes another may omit any key, `kind` too.
static void put_including(thud_json *json)
{
    thud_json_open(json, "then");
    put_if(json, "kind", "inclusion");
    thudi_thing_schema(json, "then", &thudi_inclusion_thing, false);
    thud_json_open(json, "else");
    put_if(json, "kind", "spheres");
    thudi_thing_schema(json, "then", &thudi_spheres_thing, false);
    thud_json_close(json);
    thud_json_close(json);
}

static void put_alone(thud_json *json)
{
    thud_json_open(json, "else");
    put_if(json, "kind", "inclusion");
    thudi_thing_schema(json, "then", &thudi_inclusion_thing, true);
    thudi_thing_schema(json, "else", &thudi_spheres_thing, true);
    thud_json_close(json);
}

thud_status thud_scene_write_schema(thud_sink_fn *sink, void *user)
{
    thud_json json = {.layout = THUD_JSON_ONE_LINE};
    if (!sink)
        return THUD_ERR_ARGUMENT;
    thud_json_open(&json, NULL);
    thud_json_text(&json, "$schema", "http://json-schema.org/draft-07/schema#");
    thud_json_text(&json, "title", "A scene of Thud");
    thud_json_text(&json, "type", "object");
    put_if(&json, "include", NULL);
    put_including(&json);
    put_alone(&json);
    thud_json_close(&json);
    thud_json_newline(&json);
    thud_status status = json.has_failed ? THUD_ERR_MEMORY : THUD_OK;
    if (status >= 0 && sink(json.text, json.length, user) != 0)
        status = THUD_ERR_IO;
    thud_json_free(&json);
    return status;
}
