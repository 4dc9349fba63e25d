// A jammed packing verified from its files: distances, forces and the bound on its growth are
// worked out again, by code that shares nothing with what made it.
#include "study/packing_files.h"

#include "core/fault.h"
#include "core/memory.h"
#include "run/run_json.h"
#include "thud/verify.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A packing is jammed if it has less room than this, and forces in balance to that; see src/jam.
static const double CLOSED = 1e-9, BALANCED = 1e-12;

// Figures may differ from those of the file by these parts: sums are made in another order, and
// normals were rounded when the packing was taken. A curvature is a quotient of small numbers.
static const double FIGURE_PART = 1e-14, CURVATURE_PART = 1e-10, SUM_PART = 1e-12;

enum
{
    ROOM_ULPS = 2,      // of the diameter for each contact, and for GAP_ULPS contacts more
    GAP_ULPS = 16,      // see src/jam
    RESIDUAL_ULPS = 200 // of a force
};

typedef struct verification
{
    const char *folder;
    thud_packing_files files;
    thud_packing_found *found;
    bool *held;
    char json[THUDI_RUN_JSON];
} verification;

static void fail(thud_fault *fault, const verification *j, const char *file, int line,
                 const char *text)
{
    if (fault->text[0] == '\0')
        (void)thudi_fail(fault, THUD_ERR_RECORD,
                         (thudi_at){.folder = j->folder, .file = file, .line = line}, "", "%s",
                         text);
}

static int line_of(const char *json, const char *name)
{
    int line = 1;
    const char *at = thud_json_find(json, name);
    for (const char *c = json; at && c < at; c++)
        line += *c == '\n';
    return at ? line : 0;
}

static void fail_name(verification *j, const char *name)
{
    char text[120];
    (void)snprintf(text, sizeof text, "'%s' does not match the packing and the network", name);
    fail(&j->found->damage, j, THUDI_JAM_JSON, line_of(j->json, name), text);
}

// A figure of jam.json, to a part of what is found.
static void compare(verification *j, const char *name, double own, double part)
{
    double told = thud_json_find_number(j->json, name);
    if (!(fabs(told - own) <= part * fabs(own)))
        fail_name(j, name);
}

// A bound, no less than what is found, and no more than its rounding upwards makes of it.
static void compare_bound(verification *j, const char *name, double own, double rounding)
{
    double told = thud_json_find_number(j->json, name);
    if (!(told >= own * (1 - SUM_PART) && told <= own + rounding))
        fail_name(j, name);
}

static void compare_json(verification *j)
{
    const thud_packing *packing = &j->files.packing;
    double d = packing->diameter;
    char path[1100];
    (void)snprintf(path, sizeof path, "%s/" THUDI_JAM_JSON, j->folder);
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    ssize_t length = file >= 0 ? read(file, j->json, sizeof j->json - 1) : 0;
    if (file >= 0)
        (void)close(file);
    j->json[length > 0 ? length : 0] = '\0';
    j->found->has_json = length > 0;
    if (!j->found->has_json)
        return;
    compare(j, "count", packing->count, 0);
    compare(j, "diameter", d, 0);
    compare(j, "fraction", acos(-1) * packing->count * d * d * d / 6, FIGURE_PART);
    compare(j, "rattlers", packing->count - j->found->own.held, 0);
    compare(j, "contacts", packing->contact_count, 0);
    compare(j, "isostatic", 3 * (j->found->own.held - 1) + 1, 0);
    compare_bound(j, "room", j->found->own.room,
                  ROOM_ULPS * (packing->contact_count + GAP_ULPS) * DBL_EPSILON);
    compare(j, "curvature", j->found->own.curvature, CURVATURE_PART);
    compare_bound(j, "residual", j->found->own.residual, RESIDUAL_ULPS * DBL_EPSILON / d);
    double imbalance = thud_json_find_number(j->json, "imbalance");
    if (!(fabs(imbalance - j->found->own.imbalance) <= FIGURE_PART))
        fail_name(j, "imbalance");
}

static void compare_marks(verification *j)
{
    for (int i = 0; i < j->files.packing.count; i++)
        if (j->held[i] != j->files.is_held[i])
            fail(&j->found->damage, j, THUDI_JAM_PACKING, i + 2,
                 j->held[i] ? "a body of the network is marked as a rattler"
                            : "a body outside the network is marked as held");
}

static void verify_network(verification *j)
{
    char text[120];
    if (j->found->own.has_overlap)
    {
        (void)thud_format(text, sizeof text,
                          "two spheres overlap: their centres are %.6g apart, the diameter is %.6g",
                          j->found->own.nearest, j->files.packing.diameter);
        fail(&j->found->failure, j, THUDI_JAM_PACKING, 0, text);
    }
    if (!(fabs(j->found->own.scale - 1) <= SUM_PART))
        fail(&j->found->damage, j, THUDI_JAM_NETWORK, 0,
             "the sum of forces times diameter is not 1");
    if (!(j->found->own.imbalance < BALANCED))
    {
        (void)thud_format(text, sizeof text, "forces are out of balance by %.3g of their mean",
                          j->found->own.imbalance);
        fail(&j->found->failure, j, THUDI_JAM_NETWORK, 0, text);
    }
    if (!(j->found->own.room < CLOSED))
    {
        (void)thud_format(text, sizeof text, "there is room to grow by the fraction %.3g",
                          j->found->own.room);
        fail(&j->found->failure, j, THUDI_JAM_NETWORK, 0, text);
    }
}

static const char *name_of(const thud_packing_found *found)
{
    if (found->damage.text[0] != '\0')
        return "DAMAGED";
    return found->failure.text[0] != '\0' ? "FAILED" : "OK";
}

void thud_packing_found_write(const thud_packing_found *found, thud_writer *writer)
{
    const thud_packing_verdict *own = &found->own;
    char a[THUD_NUMBER_SIZE], b[THUD_NUMBER_SIZE], c[THUD_NUMBER_SIZE], count[THUD_COUNT_SIZE];
    thud_write(writer, "%s in a periodic cube\n", thud_words_count(count, found->count, "sphere"));
    thud_write(writer, "  smallest distance between centres %s; diameter %s\n",
               thud_words_short(a, own->nearest), thud_words_short(b, found->diameter));
    if (own->wrong_contact < 0)
    {
        thud_write(writer, "  %s, ", thud_words_count(count, found->contacts, "contact"));
        thud_write(writer, "forces are in balance up to %s of their mean\n",
                   thud_words_short(a, own->imbalance));
        thud_write(writer,
                   "  for all displacements, diameters can grow by at most the fraction\n"
                   "    %s + %s s^2 + %s x\n"
                   "    (s: largest displacement of neighbours against each other, "
                   "x: of any sphere)\n",
                   thud_words_short(a, own->room), thud_words_short(b, own->curvature),
                   thud_words_short(c, own->residual));
    }
    thud_write(writer, "  " THUDI_JAM_JSON ": %s\n",
               found->has_json ? "its figures are verified, except steps, refusals and retreats"
                               : "missing");
    thud_write(writer, "verdict: %s\n", name_of(found));
}

void thud_packing_found_json(const thud_packing_found *found, thud_json *json)
{
    const thud_packing_verdict *own = &found->own;
    thud_json_open(json, NULL);
    thud_json_text(json, "verdict", name_of(found));
    thud_json_text(json, "damage",
                   found->damage.text[0] ? found->damage.text : found->failure.text);
    thud_json_whole(json, "count", found->count);
    thud_json_whole(json, "contacts", found->contacts);
    thud_json_number(json, "nearest", own->nearest);
    thud_json_number(json, "room", own->room);
    thud_json_number(json, "curvature", own->curvature);
    thud_json_number(json, "residual", own->residual);
    thud_json_number(json, "imbalance", own->imbalance);
    thud_json_close(json);
}

static thud_status verify(verification *j, thud_fault *fault)
{
    thud_status status = thud_packing_read(j->folder, &j->files, fault);
    if (status < 0)
        return status;
    j->held = calloc((size_t)j->files.packing.count + 1, sizeof *j->held);
    if (!j->held)
        return THUD_ERR_MEMORY;
    status = thud_verify_packing(&j->files.packing, j->held, &j->found->own);
    if (status == THUD_ERR_ARGUMENT)
        return thudi_fail(fault, THUD_ERR_RECORD, THUDI_IN(j->folder, THUDI_JAM_NETWORK), "",
                          "the network has no contacts");
    if (status < 0)
        return status;
    if (j->found->own.wrong_contact >= 0)
    {
        fail(&j->found->damage, j, THUDI_JAM_NETWORK, j->found->own.wrong_contact + 2,
             "the contact does not match its bodies, or has no force");
        return THUD_OK;
    }
    verify_network(j);
    compare_marks(j);
    compare_json(j);
    return THUD_OK;
}

thud_status thud_packing_files_verify(const char *folder, thud_packing_found *found,
                                      thud_fault *fault)
{
    thud_fault own;
    fault = thudi_fault_begin(fault, &own);
    *found = (thud_packing_found){0};
    verification *j = calloc(1, sizeof *j);
    if (!j)
        return thudi_fail_memory(fault);
    j->folder = folder;
    j->found = found;
    thud_status status = verify(j, fault);
    found->count = j->files.packing.count;
    found->contacts = j->files.packing.contact_count;
    found->diameter = j->files.packing.diameter;
    thud_packing_free(&j->files);
    free(j->held);
    free(j);
    return thudi_fault_end(fault, status);
}
