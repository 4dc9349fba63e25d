// Accelerated Gauss-Seidel, the default for large clusters: a forward projected sweep wrapped in
// Nesterov momentum, velocities carried along. One sweep and one pass over the bodies per
// iteration.
//
//     y = x + beta (x - x_before),  U follows linearly;  sweep from y;
//     soft restart when the sweep turns against the momentum: theta <- 0.8 theta, beta <- 0;
//     theta rule for the first 100 sweeps, then beta = 1 (greedy: the restart does the braking).
//
// Every iterate is dual feasible. Safeguard: f(x) is followed exactly by
//     Delta' = beta (Delta + E) + beta^2 E + decrease,   E = |U - U_before|_M^2 / 2,
// and if it has risen over 50 sweeps the iteration goes back to where it was before them and makes
// plain sweeps, twice as many each time, which keeps the convergence proof of plain Gauss-Seidel.
// (Plain sweeps from the risen point are not enough: one ball hit by 4,000 others diverged.)
#include "project/sweep/part.h"
#include "project/sweep/sweeper.h"

enum
{
    THETA_SWEEPS = 100,    // sweeps with the theta rule before the greedy phase
    SAFEGUARD_SWEEPS = 50, // sweeps between two looks at the objective
    MOST_PLAIN = 100000,   // plain sweeps after a rise: from here on their number no longer doubles
    TEST_SWEEPS = 4,       // sweeps between two tests of all residuals, at least
    LOOK_FOR_GROWTH = 2000, // sweeps between two looks at infeasibility
    EARLY_SWEEPS = 50       // before an early look for missing rows: it costs about two
};

// The residual over its tolerance at which missing rows are looked for early.
static const double EARLY_RESIDUAL = 10;

// What a restart leaves of theta.
static const double SOFT_RESTART = 0.8;

typedef struct momentum
{
    double theta, beta;
    double delta; // f(x) - f(before)
    double rise;  // sum of delta since the last look of the safeguard
    int plain;    // sweeps without momentum still to do
    int penalty;  // how many there will be after the next rise
} momentum;

static void choose_beta(momentum *m, const thudi_sweep *seen, int k)
{
    if (m->plain > 0)
    {
        m->plain--;
        m->beta = 0;
        m->theta = 1;
    }
    else if (seen->turn > 0 && m->beta > 0)
    {
        m->theta = fmax(1, SOFT_RESTART * m->theta);
        m->beta = 0;
    }
    else if (k < THETA_SWEEPS)
    {
        double next = (1 + sqrt(1 + 4 * m->theta * m->theta)) / 2;
        m->beta = (m->theta - 1) / next;
        m->theta = next;
    }
    else
        m->beta = 1;
}

static void follow_objective(momentum *m, const thudi_sweep *seen)
{
    double energy = seen->energy;
    m->delta = m->beta * (m->delta + energy) + m->beta * m->beta * energy + seen->decrease;
    m->rise += m->delta;
}

// Go on from here, or go back and do without momentum for a while.
static void guard(momentum *m, thudi_sweeper *sweeper)
{
    if (m->rise > 0)
    {
        thudi_sweeper_restore(sweeper);
        m->plain = m->penalty;
        m->penalty = m->penalty < MOST_PLAIN ? 2 * m->penalty : m->penalty;
        m->delta = 0;
    }
    else
        thudi_sweeper_save(sweeper);
    m->rise = 0;
}

// What the loop does between sweeps: is the answer good enough, and does it lack rows?
typedef struct watch
{
    int evaluated;      // the sweep after which all residuals were tested last
    bool looked;        // for missing rows, before the end
    int added;          // rows that were missing when they were looked for last
    bool is_done;       // good enough
    bool is_infeasible; // shown to be so
} watch;

// Rows are missed in groups: if an early look found none, there is no other one.
static thud_status test(thudi_sweeper *sweeper, int k, watch *w)
{
    w->evaluated = k;
    if (thudi_sweeper_evaluate(sweeper) > 1)
        return THUD_OK;
    if (w->added > 0)
        THUD_TRY(thudi_sweeper_look(sweeper, &w->added));
    w->is_done = w->added == 0;
    return THUD_OK;
}

static thud_status look_around(thudi_sweeper *sweeper, const thudi_sweep *seen, int k, watch *w)
{
    if (seen->worst <= THUDI_WORTH_A_TEST && k >= w->evaluated + TEST_SWEEPS)
        return test(sweeper, k, w);
    if (k % LOOK_FOR_GROWTH == 0)
        return thudi_sweeper_find_growth(sweeper, &w->is_infeasible);
    if (w->looked || k < EARLY_SWEEPS || seen->worst > EARLY_RESIDUAL)
        return THUD_OK;
    w->looked = true;
    return thudi_sweeper_look(sweeper, &w->added);
}

thud_status thudi_project_by_accelerated_gauss_seidel(const thudi_task *task)
{
    thudi_sweeper sweeper;
    momentum m = {.theta = 1, .penalty = SAFEGUARD_SWEEPS};
    watch w = {0};
    thud_status begun = thudi_sweeper_begin(task, &sweeper);
    if (begun != THUD_OK)
        return begun;
    thudi_sweeper_save(&sweeper);
    w.is_done = thudi_sweeper_evaluate(&sweeper) <= 1;
    for (int k = 1; !w.is_done && k <= task->projector->sweep_limit; k++)
    {
        thudi_sweep seen;
        THUD_TRY(thudi_sweeper_sweep(&sweeper, m.beta, &seen));
        follow_objective(&m, &seen);
        if (k % SAFEGUARD_SWEEPS == 0)
            guard(&m, &sweeper);
        THUD_TRY(look_around(&sweeper, &seen, k, &w));
        if (w.is_infeasible)
            return THUD_ERR_INFEASIBLE;
        choose_beta(&m, &seen, k);
    }
    thudi_sweeper_end(&sweeper);
    return w.is_done ? THUD_OK : THUD_ERR_NOT_CONVERGED;
}

thud_status thudi_project_by_parts(const thudi_task *task, thud_team *team, const int *cut)
{
    thudi_task own = *task;
    own.team = team;
    own.cut = cut;
    thud_team_begin(team);
    thud_status status = thudi_project_by_accelerated_gauss_seidel(&own);
    // what the sweeps come to is the same for all members: no error of one of them
    bool is_outcome =
        status >= 0 || status == THUD_ERR_NOT_CONVERGED || status == THUD_ERR_INFEASIBLE;
    THUD_TRY(thud_team_meet(team, is_outcome ? THUD_OK : status, NULL));
    return status;
}
