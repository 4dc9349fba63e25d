// How the step of a scene stands to the one suggested for it.
#ifndef THUDI_STEP_ADVICE_H
#define THUDI_STEP_ADVICE_H

#include "report.h"

#include <thud/model.h>

typedef struct thudi_step_advice
{
    double suggested; // 0 where there is no suggestion
    double ratio;     // of the scene's step to it; 0 where there is no suggestion
    const char *why;  // what the suggestion follows from
    bool is_far;      // the step is so much longer that results may be far off
} thudi_step_advice;

thudi_step_advice thudi_advise_step(const thud_scene *scene, const thud_model *model);

// Warn of a step that is far above the suggested one, or long beside the flight of what bounces.
void thudi_warn_of_step(const thud_scene *scene, const thud_model *model);

// A line that says so, of a step that is far above the suggested one; nothing of any other.
void thudi_print_far_step(const char *indent, const thud_scene *scene, const thud_model *model);
// "suggested_step" and "step_ratio".
void thudi_step_json(const thud_scene *scene, const thud_model *model, thud_json *json);

#endif
