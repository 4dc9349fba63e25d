// Fuzz target: the readers of files of bodies. The first byte chooses format and dimension, the
// rest is the file. What is read keeps its promises; what is refused has a place and a reason.
#include "bodies/generators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

static void check_row(const thudi_body_row *row, int dim)
{
    const thud_sphere *s = &row->sphere;
    for (int k = 0; k < 3; k++)
        demand(isfinite(s->center[k]) && isfinite(s->velocity[k]));
    demand(dim == 3 || (s->center[2] == 0 && s->velocity[2] == 0));
    demand(isfinite(s->radius) && s->radius >= 0 && isfinite(s->mass) && s->mass >= 0);
    demand((row->name != NULL) == (row->name_length > 0));
    demand((row->material != NULL) == (row->material_length > 0));
    // every byte may be read, and none ends a line
    demand(!row->name || !memchr(row->name, '\n', row->name_length));
    demand(!row->material || !memchr(row->material, '\n', row->material_length));
}

static void check_rows(const thudi_body_row *rows, int count, int dim)
{
    demand(rows && count > 0);
    for (int i = 0; i < count; i++)
    {
        check_row(&rows[i], dim);
        demand(rows[i].line > (i > 0 ? rows[i - 1].line : 1));
    }
}

static void check_fault(const thud_fault *fault, size_t size)
{
    demand(fault->line >= 1 && (size_t)fault->line <= size + 1);
    demand(fault->column >= 1 && (size_t)fault->column <= size + 1);
    demand(memchr(fault->text, '\0', sizeof fault->text) && fault->text[0] != '\0');
    demand(memchr(fault->hint, '\0', sizeof fault->hint) && fault->hint[0] != '\0');
    demand(!strpbrk(fault->text, "\r\n\t") && !strpbrk(fault->hint, "\r\n\t"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    thudi_body_row *rows;
    int count;
    thud_fault fault = {.line = 0};
    if (size == 0)
        return 0;
    thudi_body_format format = data[0] & 1 ? THUDI_BODY_XYZ : THUDI_BODY_CSV;
    int dim = data[0] & 2 ? 2 : 3;
    thud_status status = thudi_body_rows_read(format, dim, (const char *)data + 1, size - 1, NULL,
                                              &rows, &count, &fault);
    if (status < 0)
        check_fault(&fault, size);
    else
        check_rows(rows, count, dim);
    thudi_body_rows_free(NULL, rows, count);
    return 0;
}
