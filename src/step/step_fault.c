// What went wrong in a step, in words.
#include "step/work.h"

#include "core/text.h"

#include <stdio.h>

void thudi_step_fail(const thud_state *state, thud_work *work, const char *what)
{
    char t[THUDI_TEXT_NUMBER_SIZE];
    thudi_work_fail(work, "step %lld (t = %s): %s", (long long)state->n + (state->n < INT64_MAX),
                    thudi_text_number(t, thudi_next_time(state)), what);
}

void thudi_fail_gaps(thud_status status, const thud_state *state, const thud_moment *moment,
                     const thud_rows *rows, thud_work *work)
{
    char t[THUDI_TEXT_NUMBER_SIZE], name[THUDI_NAME_SIZE];
    const char *phase = moment->phase == THUD_FIND_MISSING ? "check"
                        : moment->phase == THUD_LOOK_BACK  ? "look back"
                                                           : "linearise";
    thudi_text_number(t, moment->t);
    work->fault.wall = rows->refused_wall;
    if (rows->failed_at_key)
        work->fault.row = rows->failed_key;
    if (rows->refusal[0] != '\0')
        thudi_step_fail(state, work, rows->refusal);
    else if (thud_rows_status(rows) < 0 && rows->failed_at_key)
        thudi_work_fail(work, "step %lld (t = %s): %s (%s): %s", (long long)state->n + 1, t,
                        thudi_work_name(work, rows->failed_key, name), phase,
                        thud_status_text(status));
    else
        thudi_work_fail(work, "step %lld (t = %s): the constraints (%s): %s",
                        (long long)state->n + 1, t, phase, thud_status_text(status));
}

// The constraints of a Farkas vector, as many as there is room for; false if there are more.
static bool list_conflict(const thud_work *work, char *text, size_t size)
{
    const thud_farkas *farkas = &work->report.answer.farkas;
    size_t used = 0;
    int named = 0;
    text[0] = '\0';
    for (int i = 0; i < work->rows->count; i++)
    {
        char y[THUDI_TEXT_NUMBER_SIZE], key[32], name[THUDI_NAME_SIZE];
        if (!(farkas->y[i] > 0))
            continue;
        (void)snprintf(
            key, sizeof key, "%llu",
            (unsigned long long)thud_key_read(work->rows->heads.items[i].key, THUD_KEYS_NUMBERED)
                .a);
        const char *own =
            work->name ? thudi_work_name(work, work->rows->heads.items[i].key, name) : key;
        int wrote = named++ < 6
                        ? snprintf(text + used, size - used, "%s%s (y = %s)", used ? ", " : "", own,
                                   thudi_text_number(y, farkas->y[i]))
                        : -1;
        if (wrote < 0 || (size_t)wrote >= size - used)
        {
            text[used] = '\0';
            return false;
        }
        used += (size_t)wrote;
    }
    return true;
}

static void fail_infeasible(const thud_state *state, thud_work *work)
{
    char t[THUDI_TEXT_NUMBER_SIZE], radius[THUDI_TEXT_NUMBER_SIZE], names[300];
    bool all = list_conflict(work, names, sizeof names);
    thudi_work_fail(
        work,
        "step %lld (t = %s): no velocity satisfies %s%s%s together; none with |v| < %s is "
        "admissible",
        (long long)state->n + 1, thudi_text_number(t, thudi_next_time(state)),
        work->name ? "" : "constraints ", names, all ? "" : " and others",
        thudi_text_number(radius, work->report.answer.farkas.radius));
}

void thudi_fail_projection(thud_status status, const thud_state *state, thud_work *work)
{
    char t[THUDI_TEXT_NUMBER_SIZE], kkt[THUDI_TEXT_NUMBER_SIZE];
    if (status == THUD_ERR_INFEASIBLE)
        fail_infeasible(state, work);
    else if (status == THUD_ERR_ARGUMENT) // all else was checked before
        thudi_step_fail(state, work,
                        "the coordinates of one block of a pair row have different masses");
    else if (status != THUD_ERR_NOT_CONVERGED)
        thudi_step_fail(state, work, thud_status_text(status));
    else
        thudi_work_fail(work, "step %lld (t = %s): the projection: %s (relative KKT residual %s)",
                        (long long)state->n + 1, thudi_text_number(t, thudi_next_time(state)),
                        thud_status_text(status),
                        thudi_text_number(kkt, work->report.answer.certificate.kkt));
}
