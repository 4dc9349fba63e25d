// The rows that count however far apart their bodies are: those with a multiplier after the step,
// and those that owe their memory from before it.
#include "verify/spheres/checker_obstacles.h"

static bool has_multiplier(const thud_state *state, thud_key key)
{
    int low = 0, high = state->multiplier_count;
    while (low < high)
    {
        int middle = low + (high - low) / 2;
        if (thud_key_before(state->multipliers[middle].key, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low < state->multiplier_count && thud_key_same(state->multipliers[low].key, key);
}

int thudi_far_count(const thudi_obstacles *all)
{
    int owing = all->law->owes_memories ? all->before->multiplier_count : 0;
    return all->after->multiplier_count + owing;
}

bool thudi_far_key(const thudi_obstacles *all, int n, thud_key *key)
{
    int loaded = all->after->multiplier_count;
    const thud_multiplier *one =
        n < loaded ? &all->after->multipliers[n] : &all->before->multipliers[n - loaded];
    *key = one->key;
    return n < loaded || (one->memory != 0 && !has_multiplier(all->after, one->key));
}
