/// Persistent fields: what a run must keep to go on as if nothing had happened. One table of them
/// is all that checkpoints, hashes and comparisons of states are made from.
#ifndef THUD_FIELDS_H
#define THUD_FIELDS_H

#include "thud/inclusion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_field_type
{
    THUD_FIELD_DOUBLE = 1,
    THUD_FIELD_INT64 = 2,
    THUD_FIELD_UINT64 = 3,
    THUD_FIELD_INT8 = 4,
    THUD_FIELD_MULTIPLIER = 5, ///< thud_multiplier
    THUD_FIELD_UINT32 = 6,
    THUD_FIELD_KEY = 7 ///< thud_key
} thud_field_type;

enum
{
    THUD_FIELD_NAME = 24 ///< room for a name, with its end
};

/// Numbers of one type, by name, and where they are.
typedef struct thud_field
{
    const char *name; ///< shorter than THUD_FIELD_NAME, unique in its table
    thud_field_type type;
    int64_t count;
    void *data; ///< borrowed; may be NULL when count is 0
} thud_field;

/// Bytes of one item of a type; 0 for what is no type.
THUD_API size_t thud_field_size(thud_field_type type);

enum
{
    THUD_STATE_FIELDS = 7 ///< at most
};

/// The fields of a state: t0, n, h, q, u, multipliers, and `more` if it holds any number. Views,
/// valid until it changes. Returns how many there are.
THUD_API int thud_state_fields(thud_state *state, thud_field fields[THUD_STATE_FIELDS]);

/// A 64-bit hash of all fields of a state and of `before`, the hash of the state before it. Bits
/// are taken as they are: -0 is not 0, and NaN, which no state holds, would be its own bits. A
/// change of any one number always changes it. The order of the multipliers does not.
THUD_API uint64_t thud_state_hash(const thud_state *state, uint64_t before);

#ifdef __cplusplus
}
#endif

#endif
