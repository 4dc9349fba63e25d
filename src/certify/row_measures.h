// What rows and velocities measure, in the metric of the masses and in doubled precision: for the
// methods and for the certificates.
#ifndef THUDI_ROW_MEASURES_H
#define THUDI_ROW_MEASURES_H

#include "core/mass.h"
#include "core/math/exact.h"
#include "rows/rows.h"
#include "thud/project.h"

// What one look at all rows tells.
typedef struct thudi_row_survey
{
    int unit;     // the width of the blocks, when all rows are pair rows whose blocks start at its
                  // multiples; else 1
    bool shifted; // every row has a shift; false where it was not looked at
} thudi_row_survey;

// One look at all rows.
thudi_row_survey thudi_survey_rows(const thud_projection *problem);

// |slope_i| in the M^-1 metric, safe for slopes of any scale.
double thudi_row_norm(const thud_projection *problem, int i);

// u = w + M^-1 G^T mu and reach = |w| + |G|^T |mu| / m, in doubled precision; for problems that are
// small, as of the exact method.
void thudi_velocity(const thud_projection *problem, const double *mu, thudi_dd *u, double *reach);

// gap_i - offset + h slope_i . u of row i in doubled precision, u given so too.
thudi_dd thudi_lin_exact(const thud_projection *problem, int i, double offset, const thudi_dd *u);

// |gap_i| + h |slope_i| . reach: what an ulp of row i is measured against.
double thudi_row_scale(const thud_projection *problem, int i, const double *reach);

// |slope_i| . |origin|: gap i is known to an ulp of this, at best; 0 when gaps are exact.
double thudi_row_noise(const thud_projection *problem, int i);

// |v| in the M norm.
double thudi_length(const thud_projection *problem, const double *v);

static inline double thudi_shift(const thud_projection *problem, int i)
{
    return problem->rows->heads.items[i].shift * problem->shift_scale;
}

#endif
