// Plain projected Gauss-Seidel: monotone, simple, slow. One sweep per iteration. Kept as the
// measure of the others and as their safeguard's ground.
#include "project/sweep/sweeper.h"

enum
{
    TEST_SWEEPS = 8,       // sweeps between two tests of all residuals, at least
    LOOK_FOR_GROWTH = 2000 // sweeps between two looks at infeasibility
};

thud_status thudi_project_by_gauss_seidel(const thudi_task *task)
{
    thudi_sweeper sweeper;
    bool grown = false;
    int limit = task->projector->sweep_limit;
    THUD_TRY(thudi_sweeper_begin(task, &sweeper));
    thud_status status = thudi_sweeper_evaluate(&sweeper) <= 1 ? THUD_OK : THUD_ERR_NOT_CONVERGED;
    for (int k = 1; status != THUD_OK && k <= limit; k++)
    {
        thudi_sweep seen;
        THUD_TRY(thudi_sweeper_sweep(&sweeper, 0, &seen));
        if (seen.worst <= THUDI_WORTH_A_TEST && k % TEST_SWEEPS == 0 &&
            thudi_sweeper_evaluate(&sweeper) <= 1)
            status = THUD_OK;
        else if (k % LOOK_FOR_GROWTH == 0)
            THUD_TRY(thudi_sweeper_find_growth(&sweeper, &grown));
        if (grown)
            return THUD_ERR_INFEASIBLE;
    }
    thudi_sweeper_end(&sweeper);
    return status;
}
