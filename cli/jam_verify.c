// A jammed packing judged from its files: distances, forces and the bound on its growth are worked
// out anew, by code that shares nothing with what made it.
#include "jam_verify.h"

#include "jam_files.h"
#include "report.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <thud/verify.h>
#include <unistd.h>

// A packing is jammed if it has less room than this, and forces in balance to that; see src/jam.
static const double CLOSED = 1e-9, BALANCED = 1e-12;

enum
{
    JSON_SIZE = 1 << 18 // room for a jam.json that Thud wrote
};

typedef struct judgement
{
    const char *folder;
    cli_jam_files files;
    thud_packing_verdict own;
    bool *held;
    bool has_json;
    char json[JSON_SIZE];
    thud_fault damage, failure; // text is "" for none
} judgement;

static void say(thud_fault *fault, const judgement *j, const char *file, int line, const char *text)
{
    if (fault->text[0] != '\0')
        return;
    fault->line = line;
    (void)snprintf(fault->file, sizeof fault->file, "%.230s/%s", j->folder, file);
    (void)snprintf(fault->text, sizeof fault->text, "%s", text);
}

static int line_of(const char *json, const char *name)
{
    int line = 1;
    const char *at = thud_json_find(json, name);
    for (const char *c = json; at && c < at; c++)
        line += *c == '\n';
    return at ? line : 0;
}

static void accuse(judgement *j, const char *name)
{
    char text[120];
    (void)snprintf(text, sizeof text, "'%s' does not match the packing and the network", name);
    say(&j->damage, j, CLI_JAM_JSON, line_of(j->json, name), text);
}

// A figure of jam.json, to a part of what is found.
static void compare(judgement *j, const char *name, double own, double part)
{
    double told = thud_json_find_number(j->json, name);
    if (!(fabs(told - own) <= part * fabs(own)))
        accuse(j, name);
}

// A bound, no less than what is found, and no more than its rounding upwards makes of it.
static void compare_bound(judgement *j, const char *name, double own, double rounding)
{
    double told = thud_json_find_number(j->json, name);
    if (!(told >= own * (1 - 1e-12) && told <= own + rounding))
        accuse(j, name);
}

static void compare_json(judgement *j)
{
    const thud_packing *packing = &j->files.packing;
    double d = packing->diameter;
    char path[1100];
    (void)snprintf(path, sizeof path, "%s/" CLI_JAM_JSON, j->folder);
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, j->json, sizeof j->json - 1) : 0;
    if (file >= 0)
        (void)close(file);
    j->json[length > 0 ? length : 0] = '\0';
    j->has_json = length > 0;
    if (!j->has_json)
        return;
    compare(j, "count", packing->count, 0);
    compare(j, "diameter", d, 0);
    compare(j, "fraction", acos(-1) * packing->count * d * d * d / 6, 1e-14);
    compare(j, "rattlers", packing->count - j->own.held, 0);
    compare(j, "contacts", packing->contact_count, 0);
    compare(j, "isostatic", 3 * (j->own.held - 1) + 1, 0);
    compare_bound(j, "room", j->own.room, 2 * (packing->contact_count + 16) * DBL_EPSILON);
    compare(j, "curvature", j->own.curvature, 1e-10);
    compare_bound(j, "residual", j->own.residual, 200 * DBL_EPSILON / d);
    double imbalance = thud_json_find_number(j->json, "imbalance");
    if (!(fabs(imbalance - j->own.imbalance) <= 1e-14)) // normals were rounded when it was taken
        accuse(j, "imbalance");
}

static void compare_marks(judgement *j)
{
    for (int i = 0; i < j->files.packing.count; i++)
        if (j->held[i] != j->files.is_held[i])
            say(&j->damage, j, CLI_JAM_PACKING, i + 2,
                j->held[i] ? "a body of the network is marked as a rattler"
                           : "a body outside the network is marked as held");
}

static void judge_network(judgement *j)
{
    char text[120];
    if (j->own.has_overlap)
    {
        (void)snprintf(text, sizeof text,
                       "two spheres overlap: their centres are %.6g apart, the diameter is %.6g",
                       j->own.nearest, j->files.packing.diameter);
        say(&j->failure, j, CLI_JAM_PACKING, 0, text);
    }
    if (!(fabs(j->own.scale - 1) <= 1e-12))
        say(&j->damage, j, CLI_JAM_NETWORK, 0, "the sum of forces times diameter is not 1");
    if (!(j->own.imbalance < BALANCED))
    {
        (void)snprintf(text, sizeof text, "forces are out of balance by %.3g of their mean",
                       j->own.imbalance);
        say(&j->failure, j, CLI_JAM_NETWORK, 0, text);
    }
    if (!(j->own.room < CLOSED))
    {
        (void)snprintf(text, sizeof text, "there is room to grow by the fraction %.3g",
                       j->own.room);
        say(&j->failure, j, CLI_JAM_NETWORK, 0, text);
    }
}

static void print_text(const judgement *j, const char *verdict)
{
    const thud_packing_verdict *own = &j->own;
    char a[THUD_NUMBER_SIZE], b[THUD_NUMBER_SIZE], c[THUD_NUMBER_SIZE], count[THUD_COUNT_SIZE];
    (void)printf("%s in a periodic cube\n",
                 thud_words_count(count, j->files.packing.count, "sphere"));
    (void)printf("  smallest distance between centres %s; diameter %s\n",
                 thud_words_short(a, own->nearest), thud_words_short(b, j->files.packing.diameter));
    if (own->wrong_contact < 0)
    {
        (void)printf("  %s, ", thud_words_count(count, j->files.packing.contact_count, "contact"));
        (void)printf("forces are in balance up to %s of their mean\n",
                     thud_words_short(a, own->imbalance));
        (void)printf("  for all displacements, diameters can grow by at most the fraction\n"
                     "    %s + %s s^2 + %s x\n"
                     "    (s: largest displacement of neighbours against each other, "
                     "x: of any sphere)\n",
                     thud_words_short(a, own->room), thud_words_short(b, own->curvature),
                     thud_words_short(c, own->residual));
    }
    (void)printf("  " CLI_JAM_JSON ": %s\n",
                 j->has_json ? "its figures are verified, except steps, refusals and retreats"
                             : "missing");
    (void)printf("verdict: %s\n", verdict);
}

static int print_json(const judgement *j, const char *verdict)
{
    thud_json json = {0};
    const thud_packing_verdict *own = &j->own;
    thud_json_open(&json, NULL);
    thud_json_text(&json, "verdict", verdict);
    thud_json_text(&json, "damage", j->damage.text[0] ? j->damage.text : j->failure.text);
    thud_json_whole(&json, "count", j->files.packing.count);
    thud_json_whole(&json, "contacts", j->files.packing.contact_count);
    thud_json_number(&json, "nearest", own->nearest);
    thud_json_number(&json, "room", own->room);
    thud_json_number(&json, "curvature", own->curvature);
    thud_json_number(&json, "residual", own->residual);
    thud_json_number(&json, "imbalance", own->imbalance);
    thud_json_close(&json);
    return cli_json_print(&json);
}

static thud_status judge(judgement *j, thud_fault *fault)
{
    thud_status status = cli_jam_read(j->folder, &j->files, fault);
    if (status < 0)
        return status;
    j->held = calloc((size_t)j->files.packing.count + 1, sizeof *j->held);
    if (!j->held)
        return THUD_ERR_MEMORY;
    status = thud_check_packing(&j->files.packing, j->held, &j->own);
    if (status == THUD_ERR_ARGUMENT)
    {
        say(fault, j, CLI_JAM_NETWORK, 0, "the network has no contacts");
        return THUD_ERR_RECORD;
    }
    if (status < 0)
        return status;
    if (j->own.wrong_contact >= 0)
    {
        say(&j->damage, j, CLI_JAM_NETWORK, j->own.wrong_contact + 2,
            "the contact does not match its bodies, or has no force");
        return THUD_OK;
    }
    judge_network(j);
    compare_marks(j);
    compare_json(j);
    return THUD_OK;
}

int cli_jam_verify(const cli_call *call, const char *folder)
{
    thud_fault fault = {0};
    judgement *j = calloc(1, sizeof *j);
    if (!j)
        return cli_complain(THUD_ERR_MEMORY, &fault);
    j->folder = folder;
    thud_status status = judge(j, &fault);
    int code = status < 0 ? cli_complain(status, &fault) : CLI_DONE;
    if (status >= 0)
    {
        bool is_damaged = j->damage.text[0] != '\0', has_failed = j->failure.text[0] != '\0';
        const char *verdict = is_damaged ? "DAMAGED" : has_failed ? "FAILED" : "OK";
        if (cli_has(call, "json"))
            code = print_json(j, verdict);
        else
            print_text(j, verdict);
        if (is_damaged)
            code = cli_complain(THUD_ERR_RECORD, &j->damage);
        else if (has_failed)
            code = cli_complain(THUD_ERR_NOT_CONVERGED, &j->failure);
    }
    cli_jam_free(&j->files);
    free(j->held);
    free(j);
    return code;
}
