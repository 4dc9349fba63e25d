// A recording: all that it holds, and its parts, each in a file of its own.
#ifndef THUDI_RECORDING_H
#define THUDI_RECORDING_H

#include "run/members/run_members.h"
#include "run/recorded/unit_texts.h"
#include "run/recorder.h"
#include "run/run_summary.h"

enum
{
    THUDI_FOLDER_SIZE = 1024 // of the path of a run directory
};

struct thud_recording
{
    thud_recording_def def;
    thud_scene *scene, *own_scene; // own: those that it made, and frees
    thud_model *model, *own_model;
    thud_work *work;
    thudi_recorder recorder;
    thudi_halving halving;
    thudi_unit_texts units;
    thudi_run_summary summary;
    double begun;      // seconds of the monotonic clock
    bool has_observed; // the start of this session was seen
    bool has_shared;   // all members of the team have the state
    bool was_done;     // run.json said so when it was resumed
    char folder[THUDI_FOLDER_SIZE];
    char origin[THUDI_FOLDER_SIZE]; // the run that this one continues, "" for none
    char error[700];
    thud_fault late; // of files, after a step that had failed; returned by close
};

// Allocate one for this def; its scene and model are for the caller to fill.
thud_status thudi_recording_new(const thud_recording_def *def, thud_recording **out,
                                thud_fault *fault);
// All is there, or status says why not: meet the team, then hand the recording out or free it.
thud_status thudi_recording_made(thud_recording *r, thud_status status, thud_recording **out,
                                 thud_fault *fault);
// Scene and model are there: make what else it takes, before the record is opened.
thud_status thudi_recording_prepare(thud_recording *r, thud_fault *fault);
// Read scene and model of the run in `folder`, and prepare.
thud_status thudi_recording_read(thud_recording *r, const char *folder, thud_fault *fault);
// Free all of it.
void thudi_recording_free(thud_recording *r);
// What a record of the model has.
thud_record_def thudi_recording_record(thud_recording *r);

// Write run.json as things are now.
thud_status thudi_recording_write_json(thud_recording *r, thud_fault *fault);

// A function of the record, or what it was to be given, failed with this status: close the record,
// which says why. Returns the status that it failed with.
thud_status thudi_recording_fail(thud_recording *r, thud_status status, thud_fault *fault);

// Of a run by a team: give the others the state, once, before the first step.
thud_status thudi_recording_share(thud_recording *r, thud_fault *fault);

// What went wrong in the step after the last good one; returns its status.
thud_status thudi_recording_step_fault(thud_recording *r, thud_status status, thud_fault *fault);
// What does not hold in a step that was taken.
thud_status thudi_recording_check_fault(thud_recording *r, thud_fault *fault);

#endif
