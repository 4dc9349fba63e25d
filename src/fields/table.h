// Tables of fields: what a scene may say of each kind of thing, described once. Reading, writing,
// the tables of docs/scenes.md, `thud help scene` and the JSON Schema are loops over them.
#ifndef THUDI_TABLE_H
#define THUDI_TABLE_H

#include "fields/schema.h"
#include "text/yaml_write.h"
#include "thud/json.h"

#include <stddef.h>

// How a value is written, and the type that holds it where the table reads it.
typedef enum thudi_form
{
    THUDI_A_NUMBER,   // double; a list of them: double[]
    THUDI_A_VARYING,  // a number of t
    THUDI_A_FUNCTION, // a number of t and the coordinates
    THUDI_A_WHOLE,    // int, from low to high
    THUDI_A_FLAG,     // bool: the second of two words; without words false and true
    THUDI_A_WORD,     // int, or an enum of its size: which of the words
    THUDI_A_LINE,     // const char *: one line of text
    THUDI_A_TEXT,     // const char *: any text
    THUDI_A_NAME,     // the name of something that `of` says, a text
    THUDI_A_BOX,      // two corners
    THUDI_A_PART,     // a map: the thing `of`
    THUDI_A_LIST,     // low to high items, each as the field `of`
    THUDI_A_MAP,      // a map of names, each value as the field `of`
    THUDI_ONE_OF      // as one of the fields `of`, ended by one without help
} thudi_form;

enum
{
    THUDI_DIM = -1,       // as many numbers as the scene has dimensions
    THUDI_MOST_KEYS = 48, // keys of one thing

    // Flags of a field.
    THUDI_BY_HAND = 1, // code reads it, because no table can say how; other fields are read only if
                       // the reader of their thing calls thudi_read_fields
    THUDI_ONLY_3D = 2, // the key does not exist in two dimensions
    THUDI_SEE_BELOW = 4, // docs/scenes.md describes what is in it by a separate table
    THUDI_ORDER_1 = 8,   // written in scenes of this order only
    THUDI_ORDER_2 = 16,
    THUDI_APART = 32 // a blank line is written before it
};

typedef struct thudi_field thudi_field;

// What is being written: one key a line, or all within { }.
typedef struct thudi_putter
{
    thudi_out *out;
    const struct thudi_scene *scene; // what is written; no code in this folder looks into it
    const char *bodies_file;         // NULL, or as for thud_scene_write
    int dim;
    bool is_first_order;
    bool is_block;
    int indent;     // of a block
    bool has_begun; // a key was written before
} thudi_putter;

// Write the key and what follows it, or nothing; in a block, whole lines.
typedef void thudi_put_fn(thudi_putter *p, const thudi_field *field, const void *from);

struct thudi_field
{
    const char *key;
    thudi_form form;
    size_t offset;            // in the struct of its thing
    thudi_range range;        // of numbers: which are allowed
    double low, high;         // limits of a whole number, and of the count of items; high 0: none
    int count;                // numbers: 0 for one, n for a list of n, or THUDI_DIM
    const char *const *words; // to choose from, ended by NULL; of a number: allowed in its place
    const void *of;           // what is in it, see thudi_form
    const char *initial;      // the default, as a scene writes it
    const char *otherwise;    // the default in words; both NULL: the key is required
    const char *unit;         // in words: "length", "mass/time"
    const char *written;      // how it is written, where the words of the form would be clumsy
    const char *help;         // what it means
    const char *hint;         // hint of the fault when a required key is missing
    thudi_put_fn *put;        // NULL: the table writes it by its form
    unsigned flags;
};

// Room for a field that is made, with its default.
typedef struct thudi_field_room
{
    thudi_field field;
    char initial[THUD_NUMBER_SIZE];
} thudi_field_room;

// Make field i, from 0, of those that no table of this library can list, such as the numbers of
// contact laws. NULL after the last. What is returned may point into the room.
typedef const thudi_field *thudi_make_fn(int i, thudi_field_room *room);

// A kind of thing that a scene writes as a map: first the fields of `before`, then its own, then
// those that are made, then those of `after`.
typedef struct thudi_thing
{
    const char *name;
    const thudi_field *fields;
    int count;
    const struct thudi_thing *before, *after; // or NULL
    thudi_make_fn *make;                      // or NULL
    const char *const *one_of; // a map has exactly one of these keys, ended by NULL; or NULL
    bool has_one_key;          // and no other key
} thudi_thing;

#define THUDI_FIELDS(array) .fields = (array), .count = (int)(sizeof(array) / sizeof *(array))
#define THUDI_MEMBER(type, member) .offset = offsetof(type, member)

// Fields of a thing, in order: the one at index i, NULL after the last; the one with a key. It may
// be in the room.
const thudi_field *thudi_thing_field(const thudi_thing *thing, int i, thudi_field_room *room);
const thudi_field *thudi_thing_find(const thudi_thing *thing, const char *key,
                                    thudi_field_room *room);
// Must the scene give the field?
bool thudi_field_is_required(const thudi_field *field);

// Is it a map, and are all its keys fields of the thing?
thud_status thudi_thing_open(thudi_reader *r, const thudi_tree *node, const thudi_thing *thing);
// The keys of a thing, in order, for messages.
void thudi_thing_keys(const thudi_thing *thing, int dim, const char *keys[THUDI_MOST_KEYS + 1]);

// Read one field, or all fields without THUDI_BY_HAND, into the struct `to`, which is all zero. An
// absent key gets its default; map: NULL if no key is given.
thud_status thudi_read_field(thudi_reader *r, const thudi_tree *map, const thudi_thing *thing,
                             const char *key, void *to);
// Read a field that this map must have, though not every map of its kind.
thud_status thudi_read_needed(thudi_reader *r, const thudi_tree *map, const thudi_thing *thing,
                              const char *key, void *to);
thud_status thudi_read_fields(thudi_reader *r, const thudi_tree *map, const thudi_thing *thing,
                              void *to);

// Write the struct `from` by its table; the same within { }.
void thudi_put_fields(thudi_putter *p, const thudi_thing *thing, const void *from);
void thudi_put_flow(thudi_putter *p, const thudi_thing *thing, const void *from);
// For functions that write a field: write its key; then a value by the field's form, or numbers.
void thudi_put_key(thudi_putter *p, const thudi_field *field);
void thudi_put_value(thudi_putter *p, const thudi_field *field, const void *at);
void thudi_put_numbers(thudi_putter *p, const thudi_field *field, const double *x);
// Write a field never; always with its default; if its number is > 0; if it is given.
thudi_put_fn thudi_put_nothing, thudi_put_initial, thudi_put_positive, thudi_put_given;

// How a field is written, in words: "number > 0", "list of `dim` numbers *of t*".
void thudi_form_words(thudi_out *out, const thudi_field *field);

// Write the JSON Schema of a thing. is_whole: required keys must be there, as in a scene that
// includes no other.
void thudi_thing_schema(thud_json *json, const char *name, const thudi_thing *thing, bool is_whole);

// Where a walk over fields is: the path such as "walls.NAME.plane.point", the table of
// docs/scenes.md that lists the field, and the field's path in that table.
typedef struct thudi_field_place
{
    const char *path, *table, *local;
} thudi_field_place;

// Visit every field below a thing, its own fields first. Return true to end the walk.
typedef bool thudi_field_fn(const thudi_field *field, const thudi_field_place *place, void *user);
bool thudi_each_field(const thudi_thing *thing, thudi_field_fn *visit, void *user);

#endif
