/// Thud: second-order differential inclusions with unilateral constraints, every step proved.
///
/// This header includes the headers of the solver. In the order to read them:
///
///     base         conventions, status codes, memory
///     key          what names a constraint
///     rows         one constraint
///     inclusion    the problem and its state
///     fields       what a checkpoint must keep
///     step, run    one step and its report; many steps
///     project      the projection alone
///     solids       solids and containers
///     cell         periodic cells
///     spheres      a world of spheres
///     jamming      packings without room, proved
///     hypotheses   what the convergence theorem asks for
///
/// It does not include thud/text.h (numbers as text, the same in every locale), thud/json.h and
/// thud/words.h, which are in libthud too. The independent checker, the event-driven reference,
/// scenes, runs and pictures have libraries and headers of their own (docs/library.md).
#ifndef THUD_THUD_H
#define THUD_THUD_H

#include "thud/base.h"
#include "thud/cell.h"
#include "thud/fields.h"
#include "thud/hypotheses.h"
#include "thud/inclusion.h"
#include "thud/jamming.h"
#include "thud/key.h"
#include "thud/law.h"
#include "thud/project.h"
#include "thud/rooms.h"
#include "thud/rows.h"
#include "thud/run.h"
#include "thud/solids.h"
#include "thud/spheres.h"
#include "thud/step.h"
#include "thud/team.h"

#endif
