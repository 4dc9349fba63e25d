/// An independent look at a jammed packing: everything anew from the positions and the forces.
#ifndef JAM_JUDGE_H
#define JAM_JUDGE_H

#include "thud/jamming.h"
#include "thud_test.h"

/// No overlap among all images; contacts where the positions say; forces positive, of sum 1 / D, in
/// balance; the bounds; who is held, and by how many.
void judge_packing(const thud_jam_view *jam);

/// Displacements at random never make more room than was proved.
void judge_moves(const thud_jam_view *jam, uint64_t seed);

/// No move of the bodies that are held, but all of them together, leaves every contact as it is to
/// first order: the network is rigid. Takes the square of the contacts times the bodies.
void judge_rigidity(const thud_jam_view *jam);

#endif
