// Typed values out of the tree. It defines once what a key may hold, and the message if it does
// not.
#ifndef THUDI_SCHEMA_H
#define THUDI_SCHEMA_H

#include "text/arena.h"
#include "text/tree.h"
#include "thud/scene.h"

enum
{
    THUDI_HINT_SIZE = sizeof((thud_fault *)0)->hint
};

// An expression, and those that were made before it.
typedef struct thudi_made
{
    struct thudi_made *next;
    thud_expression *expression;
} thudi_made;

// What is needed while a scene is read.
typedef struct thudi_reader
{
    thud_allocator allocator;
    thudi_arena *arena;        // memory of the result
    thudi_made **expressions;  // expressions of the result, which destroys them
    struct thudi_scene *scene; // the result; no code in this folder looks into it
    int dim;                   // numbers of a vector; 0 until it is known
    thud_fault *fault;
    thud_symbols symbols;     // parameters, and coordinates once they are known
    THUDI_ARRAY(double) room; // scratch of evaluations
    const char *last_file;    // file of the last place, in memory of the result
    const struct thudi_origin *origin;
    int body_limit;
    double *bodies_wanted;                       // the caller's, or NULL
    char unknown[sizeof((thud_fault *)0)->name]; // the name that the last expression used wrongly
    bool *used;       // for each parameter: an expression uses it; NULL while parameters are read
    bool is_resolved; // unused parameters are no error
    struct
    {
        const struct thudi_tree *node; // the seed's key at the top of the scene, or NULL
        uint64_t value;
        int followers;   // entries that derived their seed from it so far
        bool is_used;    // something drawn at random follows it
        bool has_others; // some entry gives its own seed
        uint64_t sample; // as in thud_scene_def
    } seed;
} thudi_reader;

typedef enum thudi_range
{
    THUDI_ANY,
    THUDI_POSITIVE,
    THUDI_NOT_NEGATIVE
} thudi_range;

// Names that an expression may use in addition to parameters.
typedef enum thudi_scope
{
    THUDI_CONSTANT,
    THUDI_OF_TIME,
    THUDI_OF_TIME_AND_COORDINATES
} thudi_scope;

// Is it a map, and are all its keys among `keys` (ended by NULL)?
thud_status thudi_map_open(thudi_reader *r, const thudi_tree *node, const char *const *keys);

// A map whose keys are names (letters, digits, _ and -).
thud_status thudi_map_of_names(thudi_reader *r, const thudi_tree *node);

// Is the key one that an expression can use as a name?
thud_status thudi_check_identifier(thudi_reader *r, const thudi_tree *key);

// The member of a map that must be there.
thud_status thudi_required(thudi_reader *r, const thudi_tree *map, const char *key,
                           const char *hint, const thudi_tree **member);
// Exactly one of two members; NULL for the other.
thud_status thudi_exactly_one(thudi_reader *r, const thudi_tree *map, const char *const keys[2],
                              const thudi_tree *members[2]);
// An optional member: NULL if it is absent.
const thudi_tree *thudi_optional(const thudi_tree *map, const char *key);

thud_status thudi_expect(thudi_reader *r, const thudi_tree *node, thudi_tree_kind kind,
                         const char *what);

thud_status thudi_number(thudi_reader *r, const thudi_tree *node, thudi_range range, double *x);
thud_status thudi_whole(thudi_reader *r, const thudi_tree *node, double low, double high,
                        double *x);
// Is it a list of `count` values? meaning: the hint if it is not.
#define THUDI_AS_DIM "give 'dim' numbers"
thud_status thudi_expect_list(thudi_reader *r, const thudi_tree *node, int count,
                              const char *meaning);
// A list of `dim` numbers.
thud_status thudi_vector(thudi_reader *r, const thudi_tree *node, int dim, thudi_range range,
                         double x[3]);
// A number that may depend on time. The scene owns its expression.
thud_status thudi_varying(thudi_reader *r, const thudi_tree *node, thudi_scope scope,
                          thud_varying *out);
// A list of `dim` such numbers of t.
thud_status thudi_varyings(thudi_reader *r, const thudi_tree *node, int dim, thud_varying out[3]);
// Such a number from a constant.
thud_status thudi_varying_of(thudi_reader *r, double x, thud_varying *out);
// {table: [[t, value], ...]}, of positive values; `node` is the list.
thud_status thudi_varying_table(thudi_reader *r, const thudi_tree *node, thud_varying *out);
// Its value at t, with q for the coordinates (NULL if it uses none).
thud_status thudi_value_at(thudi_reader *r, const thud_varying *varying, double t, const double *q,
                           double *x);

// One of `words` (ended by NULL).
thud_status thudi_word(thudi_reader *r, const thudi_tree *node, const char *const *words,
                       int *which);
// One line of text, or several.
thud_status thudi_text(thudi_reader *r, const thudi_tree *node, bool one_line, const char **text);

// "did you mean 'radius'?" when one of `words` (ended by NULL) is near to text[0 .. length), or
// else "PREFIX: a, b, c".
void thudi_hint_words(char hint[THUDI_HINT_SIZE], const char *prefix, const char *text,
                      size_t length, const char *const *words);

// Is the text a part of an expression that a comma cut in two, such as "hypot(x"? Then a hint says
// so.
bool thudi_hint_comma(char hint[THUDI_HINT_SIZE], const char *text);

// Where a node was written, in memory of the scene. THUD_ERR_MEMORY.
thud_status thudi_place(thudi_reader *r, const thudi_tree *node, thud_place *place);

// Memory and texts of the scene. On failure they fill the fault and return THUD_ERR_MEMORY.
thud_status thudi_reader_allocate(thudi_reader *r, size_t size, void *out);
thud_status thudi_copy(thudi_reader *r, const char *text, size_t length, const char **out);

#endif
