// Seeds: one at the top of a scene, from which those of all entries follow that have none.
#include "core/math/random_numbers.h"
#include "core/whole.h"
#include "scene/read/read_parts.h"

#include <string.h>

static thud_status read_whole_seed(thudi_reader *r, const thudi_tree *node, uint64_t *seed)
{
    double x;
    THUD_TRY(thudi_whole(r, node, 0, THUDI_MOST_WHOLE, &x));
    *seed = (uint64_t)x;
    return THUD_OK;
}

uint64_t thudi_sample_seed(const thudi_reader *r, uint64_t seed)
{
    return r->seed.sample == 0 ? seed : thudi_random_derive(seed, ~r->seed.sample);
}

thud_status thudi_read_top_seed(thudi_reader *r, const thudi_tree *root)
{
    r->seed.node = thudi_optional(root, "seed");
    r->seed.value = 1;
    return r->seed.node ? read_whole_seed(r, r->seed.node, &r->seed.value) : THUD_OK;
}

// The first that follows has the top seed itself: in a scene with one fill both places mean the
// same.
static uint64_t follow(thudi_reader *r)
{
    int number = r->seed.followers++;
    return number == 0 ? r->seed.value : thudi_random_derive(r->seed.value, (uint64_t)number);
}

thud_status thudi_read_seed(thudi_reader *r, const thudi_tree *entry, bool draws, uint64_t *seed)
{
    const thudi_tree *own = thudi_optional(entry, "seed");
    // a seed set for an entry does not make the scene's own seed a mistake
    bool is_set = own && strcmp(own->file, THUDI_SET_FILE) == 0;
    r->seed.has_others = r->seed.has_others || (draws && own);
    r->seed.is_used = r->seed.is_used || (draws && (!own || is_set));
    *seed = 1;
    if (own)
        THUD_TRY(read_whole_seed(r, own, seed));
    else if (r->seed.node && draws)
        *seed = follow(r);
    *seed = thudi_sample_seed(r, *seed);
    return THUD_OK;
}

thud_status thudi_check_seed(thudi_reader *r)
{
    bool is_set = r->seed.node && strcmp(r->seed.node->file, THUDI_SET_FILE) == 0;
    // an override may have taken away what followed it
    if (!r->seed.node || r->seed.is_used || (r->origin->is_replaced && !is_set))
        return THUD_OK;
    return thudi_fail_node(
        r->fault, THUD_ERR_SCENE, r->seed.node->key,
        r->seed.has_others
            ? "change the seed of the entry itself, such as bodies.0.fill.seed, or remove it there"
            : "remove it: the scene draws nothing at random",
        "nothing in the scene follows 'seed'");
}
