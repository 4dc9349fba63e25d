// Trials: steps taken one by one, each proved by the independent checker.
#include "catalogue.h"

static int taken;

int trial_count(void)
{
    return taken;
}

double trial_impulse(const cat_trial_step *step, int number)
{
    double sum = 0;
    for (int i = 0; i < thud_rows_count(step->report->rows); i++)
        if (thud_key_same(thud_rows_get(step->report->rows, i, NULL).key, thud_key_number(number)))
            sum += step->report->answer.mu[i];
    return sum;
}

static void check_verdict(const cat_trial *trial, const cat_trial_step *step)
{
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        const thud_check *check = &step->verdict->checks[i];
        if (!check->holds && !(trial->waived & (1u << i)))
            test_fail(__FILE__, __LINE__, "step %d of %d: certificate \"%s\" fails: %g (%g times)",
                      step->n, trial->steps, thud_certificate_title(i), check->residual,
                      check->value);
    }
}

/// One step; false when the trial ends here.
static bool take_step(const cat_trial *trial, cat_trial_step *step, thud_state *before,
                      thud_state *now, thud_work *work)
{
    thud_verdict verdict;
    thud_state_copy(before, now);
    step->t = thud_state_time(now);
    step->status = thud_step(&trial->problem, now, work);
    step->report = thud_work_report(work);
    step->verdict = NULL;
    if (step->status < 0)
    {
        if (step->status != trial->fails)
            test_fail(__FILE__, __LINE__, "step %d of %d: %s: %s", step->n, trial->steps,
                      thud_status_name(step->status), thud_work_message(work));
    }
    else
    {
        if (step->report->news & ~trial->news)
            test_fail(__FILE__, __LINE__, "step %d of %d: unexpected news %#x", step->n,
                      trial->steps, step->report->news);
        CHECK((step->status == THUD_NEWS) == (step->report->news != 0));
        CHECK(thud_verify_step(&trial->problem, before, now, NULL, &verdict) == THUD_OK);
        step->verdict = &verdict;
        check_verdict(trial, step);
    }
    if (trial->look)
        trial->look(step, trial->user);
    // a run gone wrong says the same thing at every step
    return step->status >= 0 && test_failures() < 20;
}

int trial_take(const cat_trial *trial, unsigned *news)
{
    int dim = trial->problem.dim, made = 0;
    thud_state *before = NULL, *now = NULL;
    thud_work *work = NULL;
    thud_state_def def = {.dim = dim, .h = trial->h, .q = trial->q, .u = trial->u};
    cat_trial_step step = {.h = trial->h};
    taken++;
    CHECK(thud_state_create(&def, &before) == THUD_OK);
    CHECK(thud_state_create(&def, &now) == THUD_OK);
    CHECK(thud_work_create(NULL, &work) == THUD_OK);
    if (before && now && work)
    {
        step.before = before;
        step.after = now;
        for (step.n = 1; step.n <= trial->steps; step.n++)
        {
            if (!take_step(trial, &step, before, now, work))
                break;
            made++;
            if (news)
                *news |= step.report->news;
        }
        if (trial->fails != THUD_OK)
            CHECK(step.status == trial->fails);
    }
    thud_work_destroy(work);
    thud_state_destroy(now);
    thud_state_destroy(before);
    return made;
}

int trial_run(const cat_trial *trial, unsigned *news)
{
    unsigned met = 0, met_again = 0;
    cat_trial again = *trial;
    int made = trial_take(trial, &met);
    cat_file *file = file_open(&again);
    if (file)
    {
        CHECK(trial_take(&again, &met_again) == made);
        CHECK(met_again == met);
    }
    file_close(file);
    if (news)
        *news |= met;
    return made;
}
