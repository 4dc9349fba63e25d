// What an audit of a run has found, for people and machines.
#ifndef CLI_VERIFY_REPORT_H
#define CLI_VERIFY_REPORT_H

#include "options.h"
#include "run/verify/audit.h"

// Where the scene came from that a run was judged by.
typedef struct cli_verify_scene
{
    const char *path;   // the reader's own, NULL: as the run says
    bool is_same;       // the run's own says the same
    const char *reason; // why it could not be compared, "" if it could
} cli_verify_scene;

void cli_verify_print(const thudi_run *run, const thudi_audit *audit, const cli_verify_scene *scene,
                      const thudi_enclosed *enclosed);
int cli_verify_print_json(const thudi_run *run, const thudi_audit *audit,
                          const cli_verify_scene *scene, const thudi_enclosed *enclosed);

#endif
