/// Every bound that is claimed of a projection against the truth in 113-bit arithmetic.
#ifndef ENCLOSURE_HUNT_H
#define ENCLOSURE_HUNT_H

#include "quad.h"
#include "thud_test.h"

#include <thud/thud.h>

/// Shifts as a quality has them, or none.
typedef enum hunt_quality
{
    HUNT_BARE,
    HUNT_PREVIEW,
    HUNT_DEFAULT,
    HUNT_STUDY,
    HUNT_QUALITIES
} hunt_quality;

enum
{
    HUNT_CLASSES = 2 * HUNT_QUALITIES ///< by quality, and whether it was swept
};

/// Ratios claimed / true, and how often there was a claim.
typedef struct hunt_figures
{
    double *ratio;
    int count, room; ///< of ratios
    int claims, asked;
    int weak; ///< claims that have weak rows
} hunt_figures;

typedef struct hunt_class
{
    int solved;
    int unsure; ///< the truth is not known well enough
    hunt_figures forward, whole, shifted;
} hunt_class;

typedef struct hunt
{
    hunt_class classes[HUNT_CLASSES];
    int others;     ///< no answer: K is empty, or not found
    double largest; ///< weak rows: the largest enlargement over the size of its terms
} hunt;

/// tol and tol_a of a quality.
double hunt_tol(hunt_quality quality);
double hunt_tol_a(hunt_quality quality);

/// Judge an answer and its certificate; swept: by a method that has no enclosures, so that these
/// are asked for. Failures are counted, with `seed` in their message.
void hunt_judge(hunt *h, hunt_quality quality, const thud_projection *projection, bool swept,
                const thud_answer *answer, uint64_t seed);

/// Print the table; free the ratios.
void hunt_report(hunt *h);

#endif
