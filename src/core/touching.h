// How far apart touching bodies are, in shifts sigma of their row. The numbers stand together
// because each depends on the others:
//
//     after a step                      gap >= 0.5 sigma: a row may be short by half its shift
//     after a start is opened           1.25 sigma, off by at most a tenth: 1.125 to 1.375 sigma
//     the same, if they also bounce     at most 1.3 sigma, off by as much: up to 1.425 sigma
//     rows that take part in an impact  lin <= 1.5 sigma
//
// A start must be opened to less than the limit for an impact. Suppose a ball meets a row of bodies
// at rest when almost nothing of the step is left. It moves the first body by less than a sigma and
// the others not at all, so their contacts stay as they were opened. If these were opened further,
// they would count as open. The ball would then meet the first body alone, and no smaller step
// would cure it.
#ifndef THUDI_TOUCHING_H
#define THUDI_TOUCHING_H

// An iterative method may leave a row short of its shift by this part of it.
#define THUDI_TOLERANCE_SHARE 0.5

// A start is opened to THUDI_OPENED shifts, and may be off by THUDI_OPENED_SHARE of that. Contacts
// that touch and bounce are opened to at most THUDI_CLOSED shifts.
#define THUDI_OPENED 1.25
#define THUDI_CLOSED 1.3
#define THUDI_OPENED_SHARE 0.1

// Rows with lin up to this many shifts take part in an impact.
#define THUDI_ACTIVE 1.5

#endif
