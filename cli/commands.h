// The commands, one file each. Each returns an exit code.
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

int command_run(const cli_call *call);
int command_resume(const cli_call *call);
int command_check(const cli_call *call);
int command_scene(const cli_call *call);
int command_new(const cli_call *call);
int command_info(const cli_call *call);
int command_verify(const cli_call *call);
int command_hypotheses(const cli_call *call);
int command_hash(const cli_call *call);
int command_diff(const cli_call *call);
int command_export(const cli_call *call);
int command_project(const cli_call *call);
int command_view(const cli_call *call);
int command_render(const cli_call *call);
int command_plot(const cli_call *call);
int command_converge(const cli_call *call);
int command_jam(const cli_call *call);
int command_impacts(const cli_call *call);
int command_help(const cli_call *call);

#endif
