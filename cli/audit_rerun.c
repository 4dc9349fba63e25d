// The checkpoints of a run against its chain of hashes, and its steps computed again.
#include "audit.h"
#include "frame_nodes.h"
#include "recorder.h"
#include "try.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#define NEWEST "checkpoint.thud"
#define OLDER "checkpoint.prev.thud"

void cli_audit_blame(cli_audit *audit, const char *folder, const char *file, const char *format,
                     ...)
{
    thud_fault *damage = &audit->damage;
    va_list arguments;
    if (damage->text[0] != '\0')
        return;
    *damage = (thud_fault){0};
    (void)snprintf(damage->file, sizeof damage->file, "%.230s/%s", folder, file);
    va_start(arguments, format);
    (void)vsnprintf(damage->text, sizeof damage->text, format, arguments);
    va_end(arguments);
}

static thud_status restore_state(const thud_checkpoint *checkpoint, thud_state *state,
                                 thud_fault *fault)
{
    thud_field fields[THUD_STATE_FIELDS];
    int64_t count = thud_checkpoint_count(checkpoint, "multipliers");
    if (count >= 0 && count <= INT32_MAX / 4)
    {
        THUD_TRY(thud_state_reserve(state, (int)count));
        state->multiplier_count = (int)count;
    }
    thud_state_fields(state, fields);
    return thud_checkpoint_restore(checkpoint, fields, THUD_STATE_FIELDS, fault);
}

// A state that is sound and matches the chain; where it does not, the file is to blame.
static thud_status look_at_state(const char *folder, const cli_run *run, const char *name,
                                 const thud_checkpoint *checkpoint, thud_state *state,
                                 cli_audit *audit, thud_fault *fault)
{
    const thud_log *log = run->log;
    uint64_t chain = 0;
    const thud_field own[] = {{"chain", THUD_FIELD_UINT64, 1, &chain}};
    THUD_TRY(restore_state(checkpoint, state, fault));
    THUD_TRY(thud_checkpoint_restore(checkpoint, own, 1, fault));
    if (state->n > audit->kept)
        audit->kept = state->n;
    const char *wrong = cli_state_trouble(state, run->scene);
    if (wrong)
        cli_audit_blame(audit, folder, name, "the checkpoint cannot be used: %s", wrong);
    else if (state->n >= thud_log_look(log).step_count)
    {
        // written since the log was opened, or else the log has lost what it speaks of
        if (!thud_record_is_busy(folder))
            cli_audit_blame(audit, folder, name, "the hash of step %lld is missing in the log",
                            (long long)state->n);
    }
    else if (chain != thud_log_chain(log, state->n))
        cli_audit_blame(audit, folder, name, "the checkpoint is of another run");
    else if (thud_state_hash(state, state->n > 0 ? thud_log_chain(log, state->n - 1) : 0) != chain)
        cli_audit_blame(audit, folder, name,
                        "the state of step %lld does not match the chain of hashes",
                        (long long)state->n);
    return THUD_OK;
}

static bool has_file(const char *folder, const char *name)
{
    char path[1100];
    struct stat look;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return lstat(path, &look) == 0;
}

// Damage is noted, and no error.
static thud_status look_at_one(const char *folder, const cli_run *run, bool previous,
                               thud_state *state, cli_audit *audit, thud_fault *fault)
{
    thud_checkpoint *checkpoint = NULL;
    *fault = (thud_fault){0};
    thud_status status = previous ? thud_checkpoint_read(folder, true, NULL, &checkpoint, fault)
                                  : thud_record_check(folder, NULL, &checkpoint, fault);
    // without the newest the one before it stands in
    const char *name = previous || !has_file(folder, NEWEST) ? OLDER : NEWEST;
    if (status >= 0)
        status = look_at_state(folder, run, name, checkpoint, state, audit, fault);
    thud_checkpoint_free(checkpoint);
    if (status != THUD_ERR_RECORD)
        return status;
    if (audit->damage.text[0] == '\0')
        audit->damage = *fault;
    if (audit->damage.file[0] == '\0')
        (void)snprintf(audit->damage.file, sizeof audit->damage.file, "%.230s/%s", folder, name);
    return THUD_OK;
}

// The newest, against all files, and the one before it, if there is one.
thud_status cli_audit_checkpoints(const char *folder, const cli_run *run, cli_audit *audit,
                                  thud_fault *fault)
{
    cli_nodes nodes;
    thud_status status = cli_nodes_make(&nodes, thud_log_look(run->log).dim);
    if (status >= 0)
        status = look_at_one(folder, run, false, nodes.after, audit, fault);
    if (status >= 0 && has_file(folder, OLDER))
        status = look_at_one(folder, run, true, nodes.before, audit, fault);
    cli_nodes_free(&nodes);
    return status;
}

// Steps from the state of the model on, which is on the chain.
static thud_status take_steps(const char *folder, const cli_run *run, thud_work *work,
                              cli_audit *audit)
{
    thud_state *state = thud_model_state(run->model);
    int64_t count = thud_log_look(run->log).step_count;
    audit->rerun = 0;
    audit->rerun_from = state->n;
    while (state->n + 1 < count)
    {
        uint64_t before = thud_log_chain(run->log, state->n);
        THUD_TRY(thud_step(thud_model_problem(run->model), state, work));
        audit->rerun++;
        if (thud_state_hash(state, before) != thud_log_chain(run->log, state->n))
        {
            cli_audit_blame(audit, folder, "frames.thud",
                            "step %lld computed again is another than the recorded one",
                            (long long)state->n);
            break;
        }
    }
    return THUD_OK;
}

thud_status cli_audit_rerun(const char *folder, const cli_run *run, cli_rerun part,
                            cli_audit *audit, thud_fault *fault)
{
    thud_state *state = thud_model_state(run->model);
    if (thud_log_look(run->log).step_count < 1)
        return THUD_OK; // noted before
    if (part == CLI_RERUN_TAIL)
    {
        THUD_TRY(look_at_one(folder, run, has_file(folder, OLDER), state, audit, fault));
        if (audit->damage.text[0] != '\0')
            return THUD_OK; // no state to begin with can be trusted
    }
    else if (thud_state_hash(state, 0) != thud_log_chain(run->log, 0))
        cli_audit_blame(audit, folder, "frames.thud", "the start computed again is another");
    thud_work *work = NULL;
    thud_work_def def = thud_model_work(run->model);
    thud_status status = thud_work_create(&def, &work);
    if (status >= 0)
        status = take_steps(folder, run, work, audit);
    if (status < 0)
        (void)snprintf(fault->text, sizeof fault->text, "computed again: %.400s",
                       work ? thud_work_message(work) : thud_status_text(status));
    thud_work_destroy(work);
    return status;
}
