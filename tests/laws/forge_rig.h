// What the tests of laws do alike: steps that are forged, and random problems run beside the plain
// scheme.
#ifndef FORGE_RIG_H
#define FORGE_RIG_H

#include "world_rig.h"

// Spoil the state after a step in the way of number `fault`.
typedef void forge_fn(int fault, const thud_state *before, thud_state *after);

// The last step of the world, spoiled in `count` ways: the judge must find each. It is whole again
// afterwards.
void forge_steps(world_rig *rig, forge_fn *spoil, int count);

// Sixty random affine problems without e and glue, 60 steps by the plain scheme and by `law`;
// `compare` looks at both after every step. redundant: more rows than coordinates, rows that move
// and rows with a shift, so that multipliers are not unique.
typedef void twin_fn(const track *plain, const track *other);
void twin_runs(thud_law law, bool redundant, uint64_t standard, twin_fn *compare);

#endif
