// The program: finds the command, parses its words, runs it, and returns its exit code.
#include "members.h"
#include "options.h"
#include "report.h"
#include "thread_count.h"

#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <string.h>
#include <thud/recording.h>
#include <unistd.h>

#ifdef THUD_NEEDS_AVX2
#define BASELINE "x86-64-v3 (AVX2, FMA)"
#elif defined __x86_64__
#define BASELINE "x86-64"
#elif defined __aarch64__
#define BASELINE "arm64"
#else
#define BASELINE "unknown"
#endif

static int print_version(void)
{
    thud_build build = thud_build_info();
    (void)printf("thud %s (commit %s)\n"
                 "compiler: %s\n"
                 "flags: %s\n"
                 "baseline: %s\n",
                 thud_version(), build.commit, build.compiler, build.flags, BASELINE);
    return CLI_DONE;
}

// Is --json among the words? Then errors of the command line itself are JSON, too.
static bool wants_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "-j") == 0)
            return true;
    return false;
}

// main has set the unit to nearest rounding, so what is missing are instructions.
static int refuse_processor(void)
{
    thud_fault fault = {
        .text = "this processor lacks AVX2 or FMA, and this build of Thud needs both",
        .hint = "build Thud with cmake -DTHUD_PROCESSOR=baseline; its results have the same bits"};
    return cli_fail(THUD_ERR_FLOAT, &fault);
}

static int run_command(int argc, char **argv)
{
    if (wants_json(argc, argv))
        cli_report_json();
    if (thud_float_check() != THUD_OK)
        return refuse_processor();
    if (argc < 2)
    {
        cli_print_usage(NULL);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
        return print_version();
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
    {
        cli_print_usage(NULL);
        return CLI_DONE;
    }
    const cli_command *command = cli_find_command(argv[1]);
    if (!command)
        return CLI_USAGE;
    cli_call call;
    int code = cli_parse(command, argc - 2, argv + 2, &call);
    if (code != 0)
        return code;
    if (cli_has(&call, "help"))
    {
        cli_print_usage(command);
        return CLI_DONE;
    }
    code = cli_use_threads(&call, argv);
    if (code != CLI_DONE)
        return code;
    return cli_is_first() || command->is_shared ? command->run(&call) : CLI_DONE;
}

// A file of a run must not get the number of a closed standard stream, or errors would be printed
// into it. The file that takes the number instead cannot be read or written, so that the loss is
// still noticed.
static void keep_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
    keep_standard_streams();
    // a library loaded with the program may have changed the rounding, or dropped subnormal
    // numbers; threads start later, and inherit this
    (void)fesetenv(FE_DFL_ENV);
    // a closed pipe and a file that may not grow are errors of writing; they must not end the
    // program
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    int code = cli_members_begin(&argc, &argv);
    if (code == CLI_DONE)
        code = cli_members_end(cli_finish_output(run_command(argc, argv)));
    return code;
}
