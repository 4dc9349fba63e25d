// The files of a jammed packing, read back line by line: nothing but what it writes is accepted.
#include "study/packing_files.h"

#include "core/fault.h"
#include "core/memory.h"
#include "run/recorded/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    LINE = 400,
    FIELDS = 7
};

typedef struct table
{
    const char *folder, *name;
    FILE *file;
    int line;
    char text[LINE];
    char *fields[FIELDS];
} table;

static thud_status fail(const table *t, thud_fault *fault, const char *text)
{
    thudi_at at = {.folder = t->folder, .file = t->name, .line = t->line};
    return thudi_fail(fault, THUD_ERR_RECORD, at, "", "%s", text);
}

static thud_status open_table(table *t, const char *head, thud_fault *fault)
{
    char path[1100];
    if (snprintf(path, sizeof path, "%s/%s", t->folder, t->name) >= (int)sizeof path)
        return fail(t, fault, "the path is too long");
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    t->file = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (!t->file)
    {
        int error = errno;
        if (fd >= 0)
            (void)close(fd);
        return thudi_fail(fault, THUD_ERR_IO, THUDI_IN(t->folder, t->name), "", "%s",
                          thudi_error_text(error));
    }
    t->line = 1;
    if (!fgets(t->text, sizeof t->text, t->file) || strcmp(t->text, head) != 0)
        return fail(t, fault, "its columns differ from those of a packing");
    return THUD_OK;
}

// The next line cut into its fields; *over at the end.
static thud_status next_line(table *t, int count, bool *over, thud_fault *fault)
{
    *over = !fgets(t->text, sizeof t->text, t->file);
    if (*over)
        return ferror(t->file) ? fail(t, fault, "it cannot be read") : THUD_OK;
    t->line++;
    size_t length = strlen(t->text);
    if (length == 0 || t->text[length - 1] != '\n')
        return fail(t, fault, "the line is not complete");
    t->text[length - 1] = '\0';
    char *at = t->text;
    for (int i = 0; i < count; i++)
    {
        t->fields[i] = at;
        at += strcspn(at, ",");
        if ((*at == '\0') != (i + 1 == count))
            return fail(t, fault, "the line has the wrong number of fields");
        if (*at == ',')
            *at++ = '\0';
    }
    return THUD_OK;
}

static thud_status read_numbers(const table *t, int first, int count, double *x, thud_fault *fault)
{
    for (int i = 0; i < count; i++)
        if (!thud_number_read(t->fields[first + i], strlen(t->fields[first + i]), &x[i]))
            return fail(t, fault, "this is not a number");
    return THUD_OK;
}

static thud_status grow(void **list, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return THUD_OK; // room is a power of two
    void *grown = realloc(*list, (count > 0 ? 2 * count : 1) * size);
    if (!grown)
        return THUD_ERR_MEMORY;
    *list = grown;
    return THUD_OK;
}

static thud_status read_body(thud_packing_files *files, const table *t, thud_fault *fault)
{
    double x[4];
    size_t n = (size_t)files->packing.count;
    THUD_TRY(grow((void **)&files->q, n, 3 * sizeof *files->q));
    THUD_TRY(grow((void **)&files->is_held, n, sizeof *files->is_held));
    files->is_held[n] = strcmp(t->fields[0], "held") == 0;
    if (!files->is_held[n] && strcmp(t->fields[0], "rattler") != 0)
        return fail(t, fault, "the kind of a body must be 'held' or 'rattler'");
    THUD_TRY(read_numbers(t, 1, 4, x, fault));
    memcpy(files->q + 3 * n, x, 3 * sizeof *x);
    for (int k = 0; k < 3; k++)
        if (!(x[k] >= 0 && x[k] < 1))
            return fail(t, fault, "the centre is outside the cube");
    if (!(x[3] > 0) || (n > 0 && 2 * x[3] != files->packing.diameter))
        return fail(t, fault, "the radius differs from the others");
    files->packing.diameter = 2 * x[3];
    if (files->packing.count++ == THUD_JAM_MOST)
        return fail(t, fault, "there are too many bodies");
    return THUD_OK;
}

static thud_status read_contact(thud_packing_files *files, const table *t, thud_fault *fault)
{
    double x[7];
    size_t n = (size_t)files->packing.contact_count;
    if (n >= 16 * (size_t)files->packing.count)
        return fail(t, fault, "there are more contacts than possible");
    THUD_TRY(grow((void **)&files->contacts, n, sizeof *files->contacts));
    THUD_TRY(read_numbers(t, 0, 7, x, fault));
    for (int i = 0; i < 2; i++)
        if (!(x[i] >= 0 && x[i] < files->packing.count && x[i] == (int)x[i]))
            return fail(t, fault, "there is no such body");
    thud_jam_contact *contact = &files->contacts[files->packing.contact_count++];
    *contact = (thud_jam_contact){.a = (int)x[0], .b = (int)x[1], .force = x[2], .distance = x[3]};
    memcpy(contact->normal, x + 4, sizeof contact->normal);
    return THUD_OK;
}

typedef thud_status read_fn(thud_packing_files *files, const table *t, thud_fault *fault);

static thud_status read_table(thud_packing_files *files, table *t, const char *head, int fields,
                              read_fn *take, thud_fault *fault)
{
    bool over = false;
    thud_status status = open_table(t, head, fault);
    while (status >= 0 && !over)
    {
        status = next_line(t, fields, &over, fault);
        if (status >= 0 && !over)
            status = take(files, t, fault);
    }
    if (t->file)
        (void)fclose(t->file);
    return status;
}

thud_status thud_packing_read(const char *folder, thud_packing_files *files, thud_fault *fault)
{
    table bodies = {.folder = folder, .name = THUDI_JAM_PACKING};
    table contacts = {.folder = folder, .name = THUDI_JAM_NETWORK};
    thud_fault own;
    fault = thudi_fault_begin(fault, &own);
    *files = (thud_packing_files){0};
    thud_status status = read_table(files, &bodies, "material,x,y,z,radius\n", 5, read_body, fault);
    if (status >= 0)
        status =
            read_table(files, &contacts, "a,b,force,distance,nx,ny,nz\n", 7, read_contact, fault);
    if (status < 0)
        return thudi_fault_end(fault, status);
    files->packing.q = files->q;
    files->packing.contacts = files->contacts;
    return THUD_OK;
}

void thud_packing_free(thud_packing_files *files)
{
    free(files->q);
    free(files->is_held);
    free(files->contacts);
}

bool thud_packing_is_there(const char *folder)
{
    return thudi_run_has_file(folder, THUDI_JAM_NETWORK) &&
           thudi_run_has_file(folder, THUDI_JAM_PACKING) && !thud_record_find_log(folder, NULL);
}
