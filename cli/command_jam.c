// thud jam: makes a jammed packing of equal spheres in a periodic cube, and proves that it is
// jammed.
#include "commands.h"
#include "progress.h"
#include "report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <thud/estimate.h>
#include <thud/packing.h>

// Packing fraction at which most packings jam, approximately. Only the printed percentage uses it.
static const double EXPECTED_FRACTION = 0.64;

enum
{
    MOST_DIGITS = 17 // 10^17 - 1 is in the range of 64 bits
};

static int show_progress(const thud_jam_progress *now, void *user)
{
    cli_progress *progress = user;
    char text[120], growth[THUD_NUMBER_SIZE];
    double part = now->fraction / EXPECTED_FRACTION < 1 ? now->fraction / EXPECTED_FRACTION : 1;
    if (!cli_progress_is_due(progress, part))
        return 0;
    (void)snprintf(text, sizeof text, "%d steps, filled %.4f, growth %s", now->step, now->fraction,
                   thud_words_short(growth, now->growth));
    cli_progress_show(progress, text);
    return 0;
}

// Read the value of an option as a whole number from `low` to `high`. Without the option it is
// `default_text`. Returns an exit code; if it is not CLI_DONE, the error has been printed.
static int read_whole(const cli_call *call, const char *option, const char *default_text,
                      double low, double high, double *x)
{
    const char *text = cli_value(call, option, default_text);
    size_t length = strlen(text);
    if (length > 0 && length <= MOST_DIGITS && strspn(text, "0123456789") == length)
    {
        *x = (double)strtoull(text, NULL, 10);
        if (*x >= low && *x <= high)
            return CLI_DONE;
    }
    return cli_fail_usage("", "--%s must be a whole number from %.0f to %.0f, not '%s'", option,
                          low, high, text);
}

// error: a value of errno.
static int fail_folder(const char *folder, const char *hint, int error)
{
    thud_fault fault = {0};
    (void)snprintf(fault.file, sizeof fault.file, "%.200s", folder);
    (void)snprintf(fault.text, sizeof fault.text, "%s",
                   error == EEXIST ? "it already exists" : strerror(error));
    (void)snprintf(fault.hint, sizeof fault.hint, "%s", hint);
    return cli_fail(THUD_ERR_IO, &fault);
}

static void print_summary(const thud_jam_view *packing, const char *folder)
{
    char spheres[THUD_COUNT_SIZE], rattlers[THUD_COUNT_SIZE], contacts[THUD_COUNT_SIZE];
    char a[THUD_NUMBER_SIZE], b[THUD_NUMBER_SIZE], c[THUD_NUMBER_SIZE];
    (void)printf("%s in a periodic cube, jammed at packing fraction %.6f\n",
                 thud_words_count(spheres, packing->count, "sphere"), packing->fraction);
    (void)printf("  %s and %s; isostatic: %s\n",
                 thud_words_count(rattlers, packing->rattler_count, "rattler"),
                 thud_words_count(contacts, packing->contact_count, "contact"),
                 thud_words_grouped(a, packing->isostatic));
    (void)printf("  forces are in balance up to %s of their mean\n",
                 thud_words_short(a, packing->imbalance));
    (void)printf("  proved: for all displacements, diameters can grow by at most the fraction\n"
                 "    %s + %s s^2 + %s x\n"
                 "    (s: largest displacement of neighbours against each other, "
                 "x: of any sphere)\n",
                 thud_words_short(a, packing->room), thud_words_short(b, packing->curvature),
                 thud_words_short(c, packing->residual));
    (void)printf("  packing.csv, network.csv, jam.json and scene.yaml in ");
    cli_print_safe(stdout, folder);
    (void)printf("\n");
}

// Create the output folder. This comes before the long work: if it fails, no result is lost.
static int create_folder(const cli_call *call, const char *folder)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0)
        return CLI_DONE;
    if (errno == EEXIST && cli_has(call, "replace"))
    {
        if (stat(folder, &status) == 0 && S_ISDIR(status.st_mode))
            return CLI_DONE;
        return fail_folder(folder, "give a folder", ENOTDIR);
    }
    return fail_folder(folder, errno == EEXIST ? "use --replace, or another name" : "", errno);
}

static int write_packing(const cli_call *call, const thud_jam_view *packing, const char *folder,
                         double seed)
{
    thud_fault fault = {0};
    thud_status status = thud_packing_write(folder, packing, (uint64_t)seed, &fault);
    if (status < 0)
        return cli_fail(status, &fault);
    if (cli_has(call, "quiet"))
        return CLI_DONE;
    if (!cli_has(call, "json"))
    {
        print_summary(packing, folder);
        return CLI_DONE;
    }
    thud_json json = {0};
    thud_packing_json(packing, (uint64_t)seed, &json);
    return cli_json_print(&json);
}

static int make_packing(const cli_call *call, const char *folder, double count, double seed)
{
    thud_jam *jam;
    cli_progress progress =
        cli_progress_begin(cli_has(call, "quiet") || cli_has(call, "no-progress"));
    thud_jam_def def = {
        .count = (int)count, .seed = (uint64_t)seed, .progress = show_progress, .user = &progress};
    thud_status status = thud_jam_create(&def, &jam);
    cli_progress_end(&progress);
    if (status < 0)
    {
        thud_fault fault = {0};
        (void)snprintf(fault.text, sizeof fault.text, "%s",
                       status == THUD_ERR_NOT_CONVERGED
                           ? "no network of contacts with balanced forces was found"
                           : thud_status_text(status));
        (void)snprintf(fault.hint, sizeof fault.hint, "%s",
                       status == THUD_ERR_NOT_CONVERGED ? "try another seed" : "");
        return cli_fail(status, &fault);
    }
    thud_jam_view packing = thud_jam_packing(jam);
    int code = write_packing(call, &packing, folder, seed);
    thud_jam_destroy(jam);
    return code;
}

static int check_memory(const cli_call *call, double count)
{
    char spheres[THUD_COUNT_SIZE], need[THUD_NUMBER_SIZE], have[THUD_NUMBER_SIZE];
    double bytes = thud_estimate_jam(count);
    if (cli_has(call, "force") || !thud_memory_is_too_much(bytes))
        return CLI_DONE;
    thud_fault fault = {.hint = "pack fewer spheres (memory grows as count^(5/3)), or use --force"};
    (void)snprintf(fault.text, sizeof fault.text,
                   "%s need about %s of memory, but only %s is available",
                   thud_words_count(spheres, (long long)count, "sphere"),
                   thud_words_bytes(need, bytes), thud_words_bytes(have, thud_memory_available()));
    return cli_fail(THUD_ERR_LIMIT, &fault);
}

int command_jam(const cli_call *call)
{
    double count = 0, seed = 0;
    char name[64];
    int code = read_whole(call, "count", "150", THUD_JAM_LEAST, THUD_JAM_MOST, &count);
    if (code == CLI_DONE)
        code = read_whole(call, "seed", "1", 0, 0x1p53 - 1, &seed);
    if (code != CLI_DONE)
        return code;
    code = check_memory(call, count);
    if (code != CLI_DONE)
        return code;
    (void)snprintf(name, sizeof name, "jam-%.0f-%.0f", count, seed);
    const char *folder = cli_value(call, "out", name);
    code = create_folder(call, folder);
    return code == CLI_DONE ? make_packing(call, folder, count, seed) : code;
}
