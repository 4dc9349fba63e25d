// What to do about a step that was refused: by what is really involved in it.
#ifndef CLI_STEP_HINT_H
#define CLI_STEP_HINT_H

#include <thud/model.h>
#include <thud/step.h>

// The constraints that the proof of infeasibility rests on, the heaviest first.
void cli_name_conflict(const thud_model *model, const thud_report *report, char *text, size_t size);

// No velocity satisfies all constraints: what moves or grows among those in conflict, or could.
void cli_hint_conflict(const thud_scene *scene, thud_model *model, const thud_report *report,
                       thud_fault *fault);

// The step is too large for what fault->text says.
void cli_hint_step(const thud_scene *scene, thud_fault *fault);

#endif
