// The second run of 'thud run --halve': the scene at half its step, and how measures change.
#ifndef CLI_HALVE_H
#define CLI_HALVE_H

#include "recorder.h"

#include <thud/measured.h>

// The columns that a scene is about: of its measures; without any the energies or pressures, and
// the coordinates of an inclusion. columns: room for all of the series. Returns how many.
int cli_measured_columns(const thud_scene *scene, const thud_model *model, int *columns);

// The longest of their names in a table, at least that of "measure" and at most 24.
int cli_name_width(const thud_model *model, const int *columns, int count);

typedef struct cli_halving
{
    const cli_recorder *recorder; // of the run itself; NULL: nobody wants a second run
    int *columns;
    int count;                       // of columns,
    thud_series_sum *first, *second; // and their sums in both runs
    double step;                     // of the second run; 0 unless it went to the end
    int64_t steps;
    double seconds;
    char why[600]; // it was not made; "" otherwise
} cli_halving;

// Prepare to gather. Nothing is done by the others unless this was called.
thud_status cli_halving_begin(cli_halving *halving, const cli_recorder *recorder);
void cli_halving_end(cli_halving *halving);

// A thud_observe_fn for THUD_EVERY_STEP, after that of the recorder; its user is the cli_halving.
int cli_halving_observe(const thud_view *view, void *user);

// Make the second run. THUD_OK, or THUD_STOPPED when a signal or the deadline ended it; what
// failed is said in `why` and takes nothing from the first run.
thud_status cli_halving_run(cli_halving *halving, thud_scene *scene, bool is_quiet);

#endif
