// thud project: one projection, from a file of FCLIB, solved and certified.
#include "commands.h"
#include "instance_argument.h"
#include "report.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static void print_enclosure(const thud_enclosure *enclosure)
{
    char bound[THUD_NUMBER_SIZE], weak[THUD_NUMBER_SIZE];
    if (!enclosure->holds)
        return;
    (void)printf("  the contacts that carry an impulse are proved: |v - v*|_M <= %s",
                 thud_words_short(bound, enclosure->bound));
    if (enclosure->weak > 0)
        (void)printf(", for gaps enlarged by at most %s", thud_words_short(weak, enclosure->weak));
    (void)printf("\n");
}

static void print_found(const thud_instance *instance, const thud_solved *solved)
{
    const thud_certificate *certificate = &solved->certificate;
    char number[THUD_NUMBER_SIZE], ulps[THUD_NUMBER_SIZE], gamma[THUD_NUMBER_SIZE];
    (void)printf(
        "  optimal value 1/2 |v - M^-1 f|_M^2 = %.13g; the multipliers prove at least %.13g\n",
        solved->primal, solved->dual);
    (void)printf(
        "  contacts: %d loaded, %d closed, gamma = %s over the closed ones; multipliers are "
        "%sunique\n",
        solved->loaded, solved->closed, thud_words_short(gamma, solved->independence.gamma),
        solved->unique ? "" : "not ");
    (void)printf("  certificate: feasible to %s (%s ulps), ",
                 thud_words_short(number, certificate->violation),
                 thud_words_short(ulps, certificate->violation_ulps));
    (void)printf("|v - v*|_M <= %s, ", thud_words_short(number, certificate->forward));
    (void)printf("exact if w changes by %s, ", thud_words_short(number, certificate->backward));
    (void)printf("relative residual %s\n", thud_words_short(number, certificate->kkt));
    print_enclosure(&certificate->enclosure);
    if (!isnan(solved->stored) && instance->friction == 0)
        (void)printf("  distance to the solution in the file: |v - v'|_M = %s\n",
                     thud_words_short(number, solved->stored));
}

static const char *verdict_of(const thud_solved *solved)
{
    if (solved->status == THUD_ERR_INFEASIBLE)
        return "infeasible";
    return solved->is_optimal ? "optimal" : "not proved optimal";
}

static void print_text(const thud_instance *instance, const thud_solved *solved)
{
    char first[THUD_COUNT_SIZE], second[THUD_COUNT_SIZE], number[THUD_NUMBER_SIZE];
    cli_print_safe(stdout, instance->title[0] ? instance->title : "A contact problem");
    (void)printf("\n  %s, %s", thud_words_count(first, instance->dim, "coordinate"),
                 thud_words_count(second, instance->contacts, "contact"));
    if (instance->friction > 0)
        (void)printf("; friction (coefficients up to %s) is ignored",
                     thud_words_short(number, instance->friction));
    (void)putchar('\n');
    if (solved->status == THUD_ERR_INFEASIBLE)
        (void)printf("  no velocity opens all contacts (proved for |v|_M < %s)\n",
                     thud_words_short(number, solved->farkas.radius));
    else
        print_found(instance, solved);
    (void)printf("verdict: %s\n", verdict_of(solved));
}

static int print_json(const thud_instance *instance, const thud_solved *solved)
{
    const thud_certificate *certificate = &solved->certificate;
    thud_json json = {0};
    thud_json_open(&json, NULL);
    thud_json_text(&json, "title", instance->title);
    thud_json_whole(&json, "coordinates", instance->dim);
    thud_json_whole(&json, "contacts", instance->contacts);
    thud_json_number(&json, "friction_ignored", instance->friction);
    thud_json_text(&json, "verdict", verdict_of(solved));
    thud_json_number(&json, "optimum", solved->primal);
    thud_json_number(&json, "dual", solved->dual);
    thud_json_whole(&json, "loaded", solved->loaded);
    thud_json_whole(&json, "closed", solved->closed);
    thud_json_flag(&json, "unique", solved->unique);
    thud_json_number(&json, "gamma", solved->independence.gamma);
    thud_json_flag(&json, "self_stress", solved->independence.is_stressed);
    thud_json_number(&json, "violation", certificate->violation);
    thud_json_number(&json, "violation_ulps", certificate->violation_ulps);
    thud_json_number(&json, "forward", certificate->forward);
    thud_json_number(&json, "backward", certificate->backward);
    thud_json_number(&json, "kkt", certificate->kkt);
    thud_json_flag(&json, "enclosed", certificate->enclosure.holds);
    thud_json_number(&json, "enclosure", certificate->enclosure.bound);
    thud_json_number(&json, "enclosure_weak", certificate->enclosure.weak);
    thud_json_number(&json, "farkas_radius", solved->farkas.radius);
    thud_json_number(&json, "stored_distance", instance->friction > 0 ? NAN : solved->stored);
    thud_json_close(&json);
    return cli_json_print(&json);
}

static int solve_and_print(const cli_call *call, const thud_instance *instance)
{
    thud_solved solved;
    thud_status status = thud_instance_solve(instance, &solved);
    if (status < 0)
        return cli_fail(status, &(thud_fault){0});
    int code = CLI_DONE;
    if (cli_has(call, "json"))
        code = print_json(instance, &solved);
    else
        print_text(instance, &solved);
    return code == CLI_DONE && !solved.is_optimal ? CLI_NUMERICS : code;
}

static int project_file(const cli_call *call)
{
    thud_instance *instance = NULL;
    char number[THUD_NUMBER_SIZE];
    int code = cli_instance_read(call->arguments[0], &instance);
    if (code != CLI_DONE)
        return code;
    if (instance->friction > 0 && !cli_has(call, "frictionless"))
        code = cli_fail_usage(
            "use --frictionless to ignore it and solve the normal parts alone",
            "the problem has friction (coefficients up to %s), which Thud does not solve",
            thud_words_short(number, instance->friction));
    else
        code = solve_and_print(call, instance);
    thud_instance_destroy(instance);
    return code;
}

// One line of the table: see docs/problems.md, which has the same lines.
static void print_line(const char *name, const thud_instance *instance, const thud_solved *solved)
{
    char gamma[THUD_NUMBER_SIZE], number[THUD_NUMBER_SIZE];
    (void)printf("| %s | %d | %d | %d | %s | %s |", name, instance->dim, instance->contacts,
                 solved->loaded, solved->unique ? "yes" : "no",
                 thud_words_short(gamma, solved->independence.gamma));
    (void)printf(" %.12e | %s |\n", solved->primal,
                 thud_words_short(number, solved->certificate.backward));
}

static int make_one(const char *folder, int which)
{
    thud_instance *instance = NULL;
    thud_fault fault = {0};
    thud_solved solved;
    char path[1200];
    if (snprintf(path, sizeof path, "%s/%s.hdf5", folder, thud_set_name(which)) >= (int)sizeof path)
        return cli_fail_usage("run thud from a folder nearer to it",
                              "the path of the folder is too long");
    thud_status status = thud_set_make(which, &instance, &fault);
    if (status >= 0)
        status = thud_instance_write(instance, path, &fault);
    if (status >= 0)
        status = thud_instance_solve(instance, &solved);
    if (status >= 0)
        print_line(thud_set_name(which), instance, &solved);
    thud_instance_destroy(instance);
    if (status < 0)
        return cli_fail(status, &fault);
    return solved.is_optimal ? CLI_DONE : CLI_NUMERICS;
}

static int make_set(const cli_call *call)
{
    const char *folder = cli_value(call, "make-set", "");
    int code = CLI_DONE;
    if (call->argument_count > 0)
        return cli_fail_usage("give either --make-set or FILE", "--make-set takes no FILE");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    {
        thud_fault fault = {0};
        (void)snprintf(fault.file, sizeof fault.file, "%.255s", folder);
        (void)snprintf(fault.text, sizeof fault.text, "cannot make the folder: %s",
                       strerror(errno));
        return cli_fail(THUD_ERR_IO, &fault);
    }
    (void)printf(
        "| problem | coordinates | contacts | loaded | unique | gamma | optimum | backward "
        "|\n|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < THUD_SET_COUNT && code == CLI_DONE; i++)
        code = make_one(folder, i);
    return code;
}

int command_project(const cli_call *call)
{
    if (cli_has(call, "make-set"))
        return make_set(call);
    if (call->argument_count < 1)
        return cli_fail_usage("give a file, as in: thud project problem.hdf5",
                              "project needs a FILE");
    return project_file(call);
}
