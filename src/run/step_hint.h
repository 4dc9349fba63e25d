// What to do about a step that was refused: by what is really involved in it.
#ifndef THUDI_STEP_HINT_H
#define THUDI_STEP_HINT_H

#include <thud/model.h>
#include <thud/step.h>

// The constraints that the proof of infeasibility rests on, the heaviest first.
void thudi_name_conflict(const thud_model *model, const thud_report *report, char *text,
                         size_t size);

// No velocity satisfies all constraints: what moves or grows among those in conflict, or could.
void thudi_hint_conflict(const thud_scene *scene, thud_model *model, const thud_report *report,
                         thud_fault *fault);

// The step is too large for fault->wall, or for the cell if that is -1.
void thudi_hint_step(const thud_scene *scene, thud_fault *fault);

#endif
