/// Thud: second-order differential inclusions with unilateral constraints, every step proved.
///
/// In the order to read them: base (conventions), rows (one constraint), inclusion (problem and
/// state), fields (what a run must keep), step (one step and its report), run (many), project (the
/// projection alone), solids (obstacles and containers), spheres (a world), hypotheses (what the
/// convergence theorem asks for). The independent checker is apart: thud/verify.h, library
/// thud_verify.
#ifndef THUD_THUD_H
#define THUD_THUD_H

#include "thud/base.h"
#include "thud/cell.h"
#include "thud/fields.h"
#include "thud/hypotheses.h"
#include "thud/inclusion.h"
#include "thud/jamming.h"
#include "thud/project.h"
#include "thud/rows.h"
#include "thud/run.h"
#include "thud/solids.h"
#include "thud/spheres.h"
#include "thud/step.h"

#endif
