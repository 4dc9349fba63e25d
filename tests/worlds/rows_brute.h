/// The search over all that there is: what its files share.
#ifndef ROWS_BRUTE_H
#define ROWS_BRUTE_H

#include "rows_world.h"

static const double ROWS_MARGIN = 1e-2, ROWS_ROUNDING = 1e-12;

/// All that the search needs to know of a moment.
typedef struct brute
{
    rows_world *w;
    const thud_moment *at;
    const thud_rows *rows;
    double pull, largest;
    double reach[ROWS_BODIES], speed[ROWS_BODIES], ring[ROWS_BODIES];
    int found; ///< rows that are something
} brute;

/// One constraint: what its row is, and lin at the trial position.
typedef struct constraint
{
    thud_key key;
    int a, b; ///< bodies, b -1 for none
    double gap, sigma, normal[3], lin;
    int materials[2];
} constraint;

/// Fail, with the constraint.
void brute_tell(const brute *b, const constraint *c, const char *what);

double brute_length(const double *v, int dim);

/// Centre of body i in three coordinates.
void brute_place(const rows_world *w, const double *q, int i, double x[3]);

/// The first row with this key, -1 for none; the multiplier of a key, NULL for none.
int brute_find(const thud_rows *rows, thud_key key);
const thud_multiplier *brute_recall(const thud_moment *at, thud_key key);

/// Compare one constraint with its row: must the row be there, may it?
void brute_judge(brute *b, const constraint *c, bool must, bool may);

/// The same in CHECK, by lin. has_room: the solver may miss a row by half of sigma.
void brute_judge_lin(brute *b, const constraint *c, bool has_room);

/// Compare the constraints of all bodies and obstacles.
void brute_judge_surfaces(brute *b);

#endif
