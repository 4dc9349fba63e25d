// Which columns of the series can be computed again from a node alone, as the checker does.
#include "measure/model_measures.h"

#include <math.h>
#include <string.h>

enum
{
    STEP = 0,
    CONTACTS = 3,
    KINETIC = 13 // the last of those that every step has
};

static thud_series_source source_of_measure(const thud_model *model, int which)
{
    const thud_scene_measure *measure = &model->scene->measures[which];
    if (measure->kind == THUD_MEASURE_TIME_WHEN) // it never watches another
        return thud_model_series_source(model, model->series->watched[which]) == THUD_SERIES_SOLVER
                   ? THUD_SERIES_SOLVER
                   : THUD_SERIES_PAST;
    if (measure->kind == THUD_MEASURE_COUNT_THROUGH || measure->kind == THUD_MEASURE_FLOW_THROUGH)
        return THUD_SERIES_PAST;
    // the rows of obstacles are not in the state
    bool is_obstacle = measure->wall_count == 0;
    return measure->kind == THUD_MEASURE_FORCE_ON && is_obstacle ? THUD_SERIES_SOLVER
                                                                 : THUD_SERIES_STATE;
}

thud_series_source thud_model_series_source(const thud_model *model, int column)
{
    if (column <= KINETIC)
        return column == STEP || column == THUDI_SERIES_TIME || column == CONTACTS ||
                       column == KINETIC
                   ? THUD_SERIES_STATE
                   : THUD_SERIES_SOLVER;
    int first, measure = thudi_measure_of(model, column, &first);
    return measure < 0 ? THUD_SERIES_STATE : source_of_measure(model, measure);
}

// Set all counts to 0.
static void clear_counts(thud_model *model)
{
    thud_field fields[THUD_MODEL_FIELDS];
    thud_model_fields(model, fields);
    for (int i = 0; i < THUD_MODEL_FIELDS; i++)
        if (fields[i].count > 0)
            memset(fields[i].data, 0, (size_t)fields[i].count * thud_field_size(fields[i].type));
}

void thud_model_measure_state(thud_model *model, const thud_state *state, double *values)
{
    thud_view view = {.t = thud_state_time(state),
                      .q = state->q,
                      .u = state->u,
                      .state = state,
                      .problem = &model->problem};
    thud_model_measure(model, &view, values);
    clear_counts(model);
    // at the start all values are known: nothing was solved
    for (int i = 0; state->n > 0 && i < model->series->name_count; i++)
        if (thud_model_series_source(model, i) != THUD_SERIES_STATE)
            values[i] = NAN;
    values[CONTACTS] = state->multiplier_count;
}
