/// What the tests of models share: a scene given as text, its model and a work space.
#ifndef MODEL_RIG_H
#define MODEL_RIG_H

#include "thud/model.h"
#include "thud_test.h"

enum
{
    RIG_SERIES = 64
};

typedef struct model_rig
{
    thud_scene *scene;
    thud_model *model;
    thud_work *work;
    thud_status status; ///< of thud_model_create
    thud_fault fault;
    double values[RIG_SERIES]; ///< of the series, by the last model_look
} model_rig;

/// Read the text, which must be a scene, and make a model of it: true if there is one. It is called
/// "text.yaml" in messages. allocator: of the model, NULL for the C library's.
bool model_try(model_rig *rig, const char *text, const thud_allocator *allocator);

/// The same, and a failure if there is none.
bool model_open(model_rig *rig, const char *text);
void model_close(model_rig *rig);

/// Take steps, each followed by a look at the series.
void model_steps(model_rig *rig, int steps);

/// Look at the series: of the start when there is no report.
void model_look(model_rig *rig, const thud_report *report);

/// The value of a series at the last look; NAN and a failure if it is not there.
double model_value(const model_rig *rig, const char *name);

/// A copy of the model's state.
thud_state *model_state_twin(const model_rig *rig);

#endif
