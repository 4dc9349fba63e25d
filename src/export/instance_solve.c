// A stored projection solved by the exact method, with primal and dual value.
#include "core/memory.h"
#include "thud/instance.h"

#include <math.h>

static const double OPTIMAL_KKT = 1e-12, OPTIMAL_ULPS = 8;

static double distance(const thud_instance *instance, const double *a, const double *b)
{
    long double sum = 0;
    for (int k = 0; k < instance->dim; k++)
    {
        long double apart = (long double)a[k] - b[k];
        sum += instance->mass[k] * apart * apart;
    }
    return sqrt((double)sum);
}

// -1/2 |G^T mu|^2 - sum mu_i (gap_i + slope_i . w), by u - w = M^-1 G^T mu.
static double dual_value(const thud_instance *instance, const thud_answer *answer)
{
    double length = distance(instance, answer->u, instance->w);
    long double sum = -0.5L * length * length;
    for (int i = 0; i < instance->contacts; i++)
    {
        thud_row_room room;
        thud_row row = thud_rows_get(instance->rows, i, &room);
        int width = row.width > 1 ? row.width : 1;
        long double at = row.gap;
        for (int k = 0; k < row.count * width && answer->mu[i] > 0; k++)
            at += (long double)row.slope[k] * instance->w[row.index[k / width] + k % width];
        sum -= answer->mu[i] * at;
    }
    return (double)sum;
}

static void read_answer(const thud_instance *instance, const thud_answer *answer,
                        thud_solved *solved)
{
    double length = distance(instance, answer->u, instance->w);
    solved->primal = length * length / 2;
    solved->dual = dual_value(instance, answer);
    for (int i = 0; i < instance->contacts; i++)
        solved->loaded += answer->mu[i] > 0;
    solved->closed = answer->tight;
    solved->unique = answer->unique;
    solved->certificate = answer->certificate;
    if (instance->solution)
        solved->stored = distance(instance, answer->u, instance->solution);
    solved->is_optimal = solved->status >= 0 && answer->certificate.kkt <= OPTIMAL_KKT &&
                         answer->certificate.violation_ulps <= OPTIMAL_ULPS;
}

static thud_status solve(const thud_instance *instance, thud_projector *projector,
                         thud_solved *solved)
{
    thud_answer answer;
    thud_projection projection = thud_instance_projection(instance);
    solved->status = thud_project(&projection, projector, &answer);
    if (solved->status < 0 && solved->status != THUD_ERR_INFEASIBLE &&
        solved->status != THUD_ERR_NOT_CONVERGED)
        return solved->status;
    solved->farkas = answer.farkas;
    solved->farkas.y = NULL;
    if (solved->status == THUD_ERR_INFEASIBLE)
        return THUD_OK;
    read_answer(instance, &answer, solved);
    return thud_independence_measure(
        instance->rows, &(thud_independence_def){.mass = instance->mass, .use = answer.is_tight},
        &solved->independence, NULL, NULL);
}

thud_status thud_instance_solve(const thud_instance *instance, thud_solved *solved)
{
    thud_projector *projector = NULL;
    *solved = (thud_solved){.stored = NAN};
    THUD_TRY(thud_projector_create(NULL, &projector));
    thud_status status = solve(instance, projector, solved);
    thud_projector_destroy(projector);
    return status;
}
