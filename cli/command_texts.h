// What the commands do, in paragraphs, and lines to try: the long texts of the table of commands.
#ifndef CLI_COMMAND_TEXTS_H
#define CLI_COMMAND_TEXTS_H

extern const char cli_run_text[], cli_run_examples[];
extern const char cli_resume_text[], cli_resume_examples[];
extern const char cli_check_text[], cli_check_examples[];
extern const char cli_scene_text[], cli_scene_examples[];
extern const char cli_new_text[], cli_new_examples[];
extern const char cli_info_text[], cli_info_examples[];
extern const char cli_verify_text[], cli_verify_examples[];
extern const char cli_hypotheses_text[], cli_hypotheses_examples[];
extern const char cli_hash_text[], cli_hash_examples[];
extern const char cli_diff_text[], cli_diff_examples[];
extern const char cli_export_text[], cli_export_examples[];
extern const char cli_project_text[], cli_project_examples[];
extern const char cli_view_text[], cli_view_examples[];
extern const char cli_render_text[], cli_render_examples[];
extern const char cli_plot_text[], cli_plot_examples[];
extern const char cli_converge_text[], cli_converge_examples[];
extern const char cli_impacts_text[], cli_impacts_examples[];
extern const char cli_jam_text[], cli_jam_examples[];
extern const char cli_help_text[], cli_help_examples[];

#endif
