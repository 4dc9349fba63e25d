// Fuzz target: any bytes as an expression. What is refused is explained with a column inside of the
// text; what is accepted can be evaluated, with the same bits each way.
#include "thud/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool condition)
{
    if (!condition)
        abort();
}

static void check_fault(const thud_fault *fault, size_t size)
{
    demand(fault->text[0] && fault->column >= 1 && (size_t)fault->column <= size + 1);
    demand(memchr(fault->text, '\0', sizeof fault->text) != NULL);
    demand(memchr(fault->hint, '\0', sizeof fault->hint) != NULL);
    for (const char *c = fault->text; *c; c++)
        demand((unsigned char)*c >= ' ' && *c != 0x7f);
    for (const char *c = fault->hint; *c; c++)
        demand((unsigned char)*c >= ' ' && *c != 0x7f);
}

static void check_use(const thud_expression *expression)
{
    static const double places[][3] = {{0, 0, 0}, {0.5, 1.5, -2}, {-1e300, 1e-310, 7}};
    const thud_expression_traits *traits = thud_expression_view(expression);
    double *room = malloc((size_t)traits->room * sizeof *room), gradient[2], gradient_t[2];
    demand(room && traits->coordinate_count <= 2);
    for (int i = 0; i < 3; i++)
    {
        thud_jet jet = {.gradient = gradient, .gradient_t = gradient_t};
        double t = places[i][0], value = thud_expression_value(expression, t, places[i] + 1, room);
        thud_expression_differentiate(expression, t, places[i] + 1, room, &jet);
        demand(memcmp(&value, &jet.value, sizeof value) == 0);
        demand(!traits->is_constant || isfinite(value));
        demand(traits->uses_time || (jet.t == 0 && jet.tt == 0));
        demand(!traits->is_affine_in_time || jet.tt == 0);
        for (int k = 0; k < traits->coordinate_count; k++)
            demand(!traits->is_affine_in_time || gradient_t[k] == 0);
    }
    free(room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const coordinates[] = {"x", "y"}, *const parameters[] = {"A", "omega"};
    static const double values[] = {2, 0.25};
    for (int time = 0; time < 2; time++)
    {
        const thud_symbols symbols = {coordinates, 2, parameters, values, 2, time == 1, NULL};
        thud_expression *expression = NULL;
        thud_fault fault;
        thud_status status =
            thud_expression_create((const char *)data, size, &symbols, NULL, &expression, &fault);
        demand((status == THUD_OK) == (expression != NULL));
        if (expression)
            check_use(expression);
        else
            check_fault(&fault, size);
        thud_expression_destroy(expression);
    }
    return 0;
}
