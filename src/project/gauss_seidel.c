// Plain projected Gauss-Seidel: monotone, simple, slow. One sweep per iteration. Kept as the
// measure of the others and as their safeguard's ground.
#include "project/iterative.h"

enum
{
    LOOK_FOR_GROWTH = 4000 // sweeps between two looks at infeasibility
};

thud_status thudi_project_by_gauss_seidel(const thudi_task *task)
{
    thudi_iteration it;
    THUD_TRY(thudi_iteration_begin(task, &it));
    thud_status status = thudi_iteration_evaluate(&it) <= 1 ? THUD_OK : THUD_ERR_NOT_CONVERGED;
    for (int k = 1; status != THUD_OK && (it.sweep_limit == 0 || k <= it.sweep_limit); k++)
    {
        thudi_sweep seen = thudi_iteration_sweep(&it, 0);
        if (seen.worst <= 1.5 && k % 8 == 0 && thudi_iteration_evaluate(&it) <= 1)
            status = THUD_OK;
        else if (k % LOOK_FOR_GROWTH == 0 && thudi_iteration_is_hopeless(task, &it))
            return THUD_ERR_INFEASIBLE;
    }
    thudi_iteration_end(task, &it);
    return status;
}
