// How far apart bodies are that touch, in shifts sigma of their row. The numbers stand together
// because each needs the others:
//
//     what a step leaves               gap >= sigma / 2    THUDI_STOP of the shift may be missed
//     what a start is opened to        1.25 sigma, missed by a tenth of that at most
//     what touches and bounces         stays within 1.3 sigma, missed by as much: 1.12 to 1.43
//     sigma what takes part in an impact     lin <= 1.5 sigma
//
// A start must be opened to less than what takes part in an impact. A ball that meets a row of
// bodies at rest with almost nothing of the step left moves the first of them by less than a sigma
// and the others not at all: their contacts stay as they were opened. Opened further, they would
// count as open, the ball would meet the first body alone, and no smaller step would cure it.
#ifndef THUDI_TOUCHING_H
#define THUDI_TOUCHING_H

// The part of its shift that an iterative method may leave a row short of.
#define THUDI_STOP 0.5

// A start is opened to this many shifts, what touches and bounces to no more than the second, and
// solved to a part of the first.
#define THUDI_OPENED 1.25
#define THUDI_CLOSED 1.3
#define THUDI_OPENED_STOP 0.1

// Rows with lin up to this many shifts take part in an impact.
#define THUDI_ACTIVE 1.5

#endif
