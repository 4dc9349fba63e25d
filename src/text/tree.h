// What a YAML text says, as a tree of maps, lists and strings that know where they were written.
#ifndef THUDI_TREE_H
#define THUDI_TREE_H

#include "text/arena.h"
#include "thud/text.h"

typedef enum thudi_tree_kind
{
    THUDI_STRING,
    THUDI_LIST,
    THUDI_MAP
} thudi_tree_kind;

typedef struct thudi_tree
{
    thudi_tree_kind kind;
    const char *file;
    int line, column; // from 1
    int text_column;  // string: column of its first character; 0 if the file spells it differently
    bool plain;       // string without quotes
    const char *text; // string: ended by a null byte, holds no other
    size_t length;
    struct thudi_tree *key; // its key, if it is a member of a map
    struct thudi_tree *parent, *first, *last, *next;
    int count; // members or items
} thudi_tree;

enum
{
    THUDI_PATH_SIZE = 160,
    THUDI_QUOTE_SIZE = 64
};

// The member of a map by its key, or NULL.
thudi_tree *thudi_tree_find(const thudi_tree *map, const char *key, size_t length);

// Hang `child` behind the others of `parent`.
void thudi_tree_append(thudi_tree *parent, thudi_tree *child);

// Replace a node's value in place. `value` must not be used afterwards.
void thudi_tree_replace(thudi_tree *node, const thudi_tree *value);

// Where a node is, such as bodies[2].fill.radius; "the scene" for the root. Returns text.
const char *thudi_tree_path(const thudi_tree *node, char text[THUDI_PATH_SIZE]);

// "a map", "a list" or "a single value".
const char *thudi_tree_kind_text(const thudi_tree *node);

// A user's text fit for a message: shortened, no control characters. Returns text.
const char *thudi_quote(char text[THUDI_QUOTE_SIZE], const char *from, size_t length);

// Fill a fault (NULL: the caller does not want it). hint: "" for none. Returns the status.
thud_status thudi_fail_in_file(thud_fault *fault, thud_status status, const char *file, int line,
                               int column, const char *hint, const char *format, ...)
    __attribute__((format(printf, 7, 8)));

// Store the keys that lead to a node in a fault (NULL: none is wanted); the root has none. Returns
// the status.
thud_status thudi_fault_path(thud_fault *fault, thud_status status, const thudi_tree *node);

// Fill a fault and return the status: for a place, for the place of a node, and for a status such
// as THUD_ERR_MEMORY that has no place.
#define thudi_fail_place(fault, status, file, line, column, hint, ...)                             \
    ((void)thudi_fail_in_file(fault, status, file, line, column, hint, __VA_ARGS__), (status))
#define thudi_fail_node(fault, status, node, hint, ...)                                            \
    ((void)thudi_fault_path(fault,                                                                 \
                            thudi_fail_place(fault, status, (node)->file, (node)->line,            \
                                             (node)->column, hint, __VA_ARGS__),                   \
                            node),                                                                 \
     (status))
#define thudi_fail_status(fault, status)                                                           \
    thudi_fail_place(fault, status, "", 0, 0, "", "%s", thud_status_text(status))

// A text to parse.
typedef struct thudi_source
{
    const char *file; // for messages; must outlive the tree
    const char *text;
    size_t length;
    bool is_override;
    int number;        // number of the override, from 1
    int column_offset; // where the text begins in it
} thudi_source;

// Parse a text. Its root is a map for a file, anything for an override. THUD_ERR_SCENE (for an
// override THUD_ERR_ARGUMENT), THUD_ERR_LIMIT, THUD_ERR_MEMORY.
thud_status thudi_tree_parse(const thudi_source *source, thudi_arena *arena, thudi_tree **root,
                             thud_fault *fault);

// Is the text UTF-8 without control characters, and within the limits?
thud_status thudi_text_check(const thudi_source *source, thud_fault *fault);

// Overlay `over` on `base`: values of `over` win; maps are joined key by key, in the order of base.
thud_status thudi_tree_overlay(thudi_tree *base, thudi_tree *over, const thud_allocator *allocator);

// The file name of places in overrides.
#define THUDI_SET_FILE "--set"

// What an override did to the tree.
typedef struct thudi_override_effect
{
    // Bytes of the key up to the first part that the tree did not have; 0 if it had all parts.
    // time.end gives 4 if there was no `time`.
    size_t added;
    // The override replaced something other than a number, perhaps the only use of a parameter.
    bool replaces;
} thudi_override_effect;

// Apply override number `number` (from 1), such as "time.end=2".
thud_status thudi_tree_set(thudi_tree *root, const char *text, int number, thudi_arena *arena,
                           thudi_override_effect *effect, thud_fault *fault);

#endif
