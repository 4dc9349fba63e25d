// The second run of 'thud run --halve': the scene at half its step, and how measures change.
#ifndef THUDI_HALVE_H
#define THUDI_HALVE_H

#include "run/recorder.h"

#include <thud/measured.h>

// The columns that a scene is about: of its measures; without any the energies or pressures, and
// the coordinates of an inclusion. columns: room for all of the series. Returns how many.
int thudi_measured_columns(const thud_scene *scene, const thud_model *model, int *columns);

// The longest of their names in a table, at least that of "measure" and at most 24.
int thudi_name_width(const thud_model *model, const int *columns, int count);

typedef struct thudi_halving
{
    const thudi_recorder *recorder; // of the run itself; NULL: no second run is wanted
    int *columns;
    int count;                       // of columns,
    thud_series_sum *first, *second; // their sums in both runs
    thud_halved *rows;               // and what became of them, once the second run is over
    double step;                     // of the second run; 0 unless it went to the end
    int64_t steps;
    double seconds;
    char why[600]; // it was not made; "" otherwise
    // of a run that is resumed: the second run that it had, and the hash it belongs to; 0 and ""
    double kept_step;
    char kept_hash[20];
} thudi_halving;

// Prepare to gather. Nothing is done by the others unless this was called.
thud_status thudi_halving_begin(thudi_halving *halving, const thudi_recorder *recorder);
void thudi_halving_end(thudi_halving *halving);

// A thud_observe_fn for THUD_EVERY_STEP, after that of the recorder; its user is the thudi_halving.
int thudi_halving_observe(const thud_view *view, void *user);

// Fill the rows from the sums of both runs.
void thudi_halving_fill(thudi_halving *halving);

// Make the second run. THUD_OK, or THUD_STOPPED when a signal or the deadline ended it; what
// failed is said in `why` and takes nothing from the first run.
thud_status thudi_halving_run(thudi_halving *halving, thud_scene *scene);

// Keep the second run that is in run.json of a finished run, until the run is over again.
thud_status thudi_halving_keep(thudi_halving *halving, const thud_model *model, const char *json);
// It holds if the run came to the same end; `why` says if not. Nothing is done if none was kept.
void thudi_halving_confirm(thudi_halving *halving, bool is_done, uint64_t chain);

#endif
