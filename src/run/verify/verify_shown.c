// What other programs read beside the log of a run: the units, and the links to the frames.
#include "record/log_parts.h"
#include "run/recorded/unit_texts.h"
#include "run/verify/verify_parts.h"

// The links are written at checkpoints, before run.json is. So a run that is over may lack some of
// them only as long as run.json does not say so.
void thudi_verify_shown(const thud_recorded *run, thud_recorded_verdict *verdict)
{
    thudi_unit_texts units;
    thudi_unit_texts_make(&units, run->scene);
    const char *wrong =
        thudi_log_compare_shown(run->log, &units.all, verdict->is_over && verdict->has_json);
    if (wrong)
        thudi_verify_damage(verdict, run->folder, thud_log_form_file(thud_log_view(run->log).form),
                            "%s", wrong);
}
