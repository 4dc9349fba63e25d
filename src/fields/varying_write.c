// Numbers that may depend on time, written so that they are read back as they were.
#include "fields/varying_write.h"

static void put_table(thudi_out *out, const thud_knots *knots)
{
    thudi_put(out, "{table: [");
    for (int i = 0; i < knots->count; i++)
    {
        thudi_put(out, i > 0 ? ", " : "");
        thudi_put_vector(out, (double[]){knots->t[i], knots->value[i]}, 2);
    }
    thudi_put(out, "]}");
}

void thudi_put_varying(thudi_out *out, const thud_varying *varying)
{
    if (varying->kind == THUD_VARYING_TABLE)
        put_table(out, varying->table);
    else if (varying->expression)
        thudi_put_formula(out, thud_expression_view(varying->expression)->text);
    else
        thudi_put_number(out, varying->value);
}

void thudi_put_varyings(thudi_out *out, const thud_varying *varying, int dim)
{
    for (int k = 0; k < dim; k++)
    {
        thudi_put(out, k == 0 ? "[" : ", ");
        thudi_put_varying(out, &varying[k]);
    }
    thudi_put(out, "]");
}
