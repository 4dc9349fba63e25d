// A run directory opened for reading, and what its parts share.
#ifndef THUDI_RECORDED_H
#define THUDI_RECORDED_H

#include "thud/recorded.h"

struct thud_recorded
{
    char *folder; // as it was given
    thud_scene *scene;
    thud_model *model;
    thud_log *log;
    bool skips_damaged; // damaged frames of the log were left out
    thud_scene_source source;
};

// The scene of a run directory, and its model. THUD_ERR_RECORD: a file of it is missing or changed.
thud_status thudi_run_read_scene(const char *folder, thud_scene **scene, thud_fault *fault);
thud_status thudi_run_read_model(const char *folder, thud_scene **scene, thud_model **model,
                                 thud_fault *fault);

// Do two scenes say the same? THUD_ERR_MEMORY.
thud_status thudi_scene_compare(const thud_scene *a, const thud_scene *b, bool *same);
// The digest of all that a scene says, for those who cannot hold both. THUD_ERR_MEMORY.
thud_status thudi_scene_digest(const thud_scene *scene, thud_digest *digest);

// Is there a file of that name, whatever it is?
bool thudi_run_has_file(const char *folder, const char *name);

// Add to an ending what files are missing without which the run cannot be resumed or shown:
// series.csv, and at least one checkpoint. A run that lacks them is "incomplete" unless it failed.
// A run that is being written may not have them yet.
void thudi_ending_add_files(const char *folder, thud_recorded_ending *end);

#endif
