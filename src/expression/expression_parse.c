// Expressions read into programs, by recursive descent: sums of products of signed powers.
#include "expression/expression_build.h"
#include "expression/expression_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// An operation takes a character at least, so the limit of the length is one of operations too.
_Static_assert((int)THUD_EXPRESSION_LENGTH <= (int)THUD_EXPRESSION_SIZE, "operations are limited");

typedef struct parser
{
    thudi_source source;
    thudi_builder builder;
    const thud_symbols *symbols;
    int depth;
    size_t token, token_length; // the last number, name or ')'
    THUDI_ARRAY(int) arguments; // of the calls being read, the innermost last
    int argument_count;
} parser;

static thud_status read_sum(parser *p, int *node);
static thud_status read_signed(parser *p, int *node);

static thud_status enter(parser *p, size_t at)
{
    if (p->depth == THUD_EXPRESSION_DEPTH)
        return thudi_source_fail(&p->source, THUD_ERR_LIMIT, at, "name a part of it as a parameter",
                                 "it is nested more than %d levels deep", THUD_EXPRESSION_DEPTH);
    p->depth++;
    return THUD_OK;
}

static void take_token(parser *p, size_t length)
{
    p->token = p->source.at;
    p->token_length = length;
    p->source.at += length;
}

static thud_status fail_comparison(const parser *p)
{
    return thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, p->source.at, "write g >= 0 as g",
                             "an expression has no comparisons");
}

// Does text[0 .. length) begin with a digit, or is it a name that could stand here?
static bool is_known(const parser *p, const char *text, size_t length)
{
    const thud_symbols *symbols = p->symbols;
    double value;
    return (*text >= '0' && *text <= '9') || *text == '.' || thudi_function_find(text, length) ||
           thudi_constant_find(text, length, &value) || (length == 1 && *text == 't') ||
           thudi_name_find(text, length, symbols->coordinates, symbols->coordinate_count) >= 0 ||
           thudi_name_find(text, length, symbols->parameters, symbols->parameter_count) >= 0;
}

// An operand begins where an operator is needed: say which product was perhaps meant.
static thud_status fail_implied_product(const parser *p)
{
    const thudi_source *source = &p->source;
    char hint[256], left[THUDI_WORD_SIZE], right[THUDI_WORD_SIZE];
    size_t length = thudi_source_figure(source, source->at);
    bool closed = source->text[p->token] == ')';
    if (length > 0 && !is_known(p, source->text + source->at, length))
        return thudi_source_fail(source, THUD_ERR_ARGUMENT, source->at,
                                 "write the number alone, without a unit", "unexpected '%s'",
                                 thudi_source_quote(source, source->at, length, right));
    thudi_source_quote(source, source->at, length > 0 ? length : 1, right);
    (void)snprintf(hint, sizeof hint, "write %s*%s",
                   closed ? "(...)" : thudi_source_quote(source, p->token, p->token_length, left),
                   length > 0 ? right : "(...)");
    return thudi_source_fail(source, THUD_ERR_ARGUMENT, source->at, hint,
                             "missing operator before '%s'", right);
}

// What follows a complete expression, and neither ends it nor goes on with it.
static thud_status fail_after(parser *p)
{
    const thudi_source *source = &p->source;
    int next = thudi_source_next(&p->source);
    if (next == '(' || thudi_source_figure(source, source->at) > 0)
        return fail_implied_product(p);
    if (next != 0 && strchr("=<>!", next))
        return fail_comparison(p);
    if (next == ')')
        return thudi_source_fail(source, THUD_ERR_ARGUMENT, source->at, "", "unmatched ')'");
    if (next == ',')
        return thudi_source_fail(source, THUD_ERR_ARGUMENT, source->at,
                                 "decimals take a point; a comma stands between arguments",
                                 "unexpected ','");
    return thudi_source_unexpected(source, source->at);
}

static thud_status fail_operand(parser *p)
{
    const thudi_source *source = &p->source;
    int next = thudi_source_next(&p->source);
    if (next < 0)
        return thudi_source_fail(source, THUD_ERR_ARGUMENT, source->at, "",
                                 "missing operand at the end");
    if (next != 0 && strchr("*/^),", next))
        return thudi_source_fail(source, THUD_ERR_ARGUMENT, source->at, "",
                                 "missing operand before '%c'", next);
    if (next != 0 && strchr("=<>!", next))
        return fail_comparison(p);
    return thudi_source_unexpected(source, source->at);
}

// The ')' to the '(' at `open`.
static thud_status read_close(parser *p, size_t open)
{
    int next = thudi_source_next(&p->source);
    if (next >= 0 && next != ')')
        return fail_after(p);
    if (next < 0)
    {
        char hint[256];
        (void)snprintf(hint, sizeof hint, "close the '(' %d characters before the end",
                       thudi_source_column(&p->source, p->source.length) -
                           thudi_source_column(&p->source, open));
        return thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, p->source.at, hint, "missing ')'");
    }
    take_token(p, 1);
    p->depth--;
    return THUD_OK;
}

static thud_status fail_number(const parser *p, size_t length, const char *hint)
{
    char word[THUDI_WORD_SIZE];
    return thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, p->source.at, hint,
                             "'%s' is not a number",
                             thudi_source_quote(&p->source, p->source.at, length, word));
}

static bool is_hexadecimal(const char *text, size_t length)
{
    return length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
           strchr("0123456789abcdefABCDEF", text[2]);
}

static thud_status read_number(parser *p, int *node)
{
    const thudi_source *source = &p->source;
    const char *text = source->text + source->at;
    size_t length = thudi_source_number(source, source->at);
    size_t figure = thudi_source_figure(source, source->at), more = length < figure ? length : 0;
    if (length == 0)
        return fail_number(p, figure, "");
    if (is_hexadecimal(text, figure))
        return fail_number(p, figure, "write it in decimal");
    if (more && text[more] == '_')
        return fail_number(p, figure, "write the digits without '_'");
    if (more && text[more] == '.')
        return fail_number(p, figure, "");
    if (more && more + 1 == figure && (text[more] == 'e' || text[more] == 'E'))
        return fail_number(p, figure,
                           "write digits after the e of an exponent, or * for a product");
    double value;
    if (!thud_number_read(text, length, &value))
    {
        char word[THUDI_WORD_SIZE];
        return thudi_source_fail(
            source, THUD_ERR_ARGUMENT, source->at, "", "the number %s is too %s",
            thudi_source_quote(source, source->at, length, word), length > 1000 ? "long" : "large");
    }
    take_token(p, length);
    return thudi_build_constant(&p->builder, value, node);
}

static thud_status read_arguments(parser *p, size_t open)
{
    if (thudi_source_next(&p->source) == ')')
        return read_close(p, open);
    for (;;)
    {
        int node;
        THUD_TRY(read_sum(p, &node));
        THUD_TRY(thudi_array_reserve(&p->builder.expression->allocator, &p->arguments,
                                     (size_t)p->argument_count + 1));
        p->arguments.items[p->argument_count++] = node;
        if (thudi_source_next(&p->source) != ',')
            return read_close(p, open);
        p->source.at++;
    }
}

static thud_status read_call(parser *p, const thudi_function *function, size_t at, int *node)
{
    if (thudi_source_next(&p->source) != '(')
    {
        char hint[256];
        (void)snprintf(hint, sizeof hint, "write %s(...)", function->name);
        return thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, at, hint,
                                 "'%s' is a function and needs an argument", function->name);
    }
    int before = p->argument_count, wanted = function->arguments;
    size_t open = p->source.at++;
    THUD_TRY(enter(p, open));
    THUD_TRY(read_arguments(p, open));
    int count = p->argument_count - before;
    p->argument_count = before;
    if (wanted == 0 && count == 0)
        return thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, at, "",
                                 "'%s' takes one argument or more, not 0", function->name);
    if (wanted != 0 && count != wanted)
        return thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, at, "",
                                 "'%s' takes %d argument%s, not %d", function->name, wanted,
                                 wanted == 1 ? "" : "s", count);
    return thudi_build_operation(&p->builder, function->op, p->arguments.items + before, count, at,
                                 node);
}

static thud_status fail_name(const parser *p, size_t at, size_t length)
{
    char word[THUDI_WORD_SIZE], hint[256];
    const char *name = p->source.text + at;
    if (length == 1 && *name == 't')
        return thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, at,
                                 "leave out t: this number does not change with time",
                                 "the time t is not allowed here");
    size_t next = at + length;
    while (next < p->source.length && p->source.text[next] == ' ')
        next++;
    bool is_call = next < p->source.length && p->source.text[next] == '(';
    thudi_name_hint(name, length, is_call, p->symbols, hint);
    thud_status status =
        thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, at, hint, "unknown name '%s'",
                          thudi_source_quote(&p->source, at, length, word));
    thud_fault *fault = p->source.fault;
    if (fault && length < sizeof fault->name)
        (void)snprintf(fault->name, sizeof fault->name, "%.*s", (int)length, name);
    return status;
}

// A coordinate, a parameter, the time, a constant or a call, in this order.
static thud_status read_name(parser *p, size_t length, int *node)
{
    const thud_symbols *symbols = p->symbols;
    size_t at = p->source.at;
    const char *name = p->source.text + at;
    double value;
    take_token(p, length);
    int i = thudi_name_find(name, length, symbols->coordinates, symbols->coordinate_count);
    if (i >= 0)
        return thudi_build_node(
            &p->builder, &(thudi_node){.op = THUDI_OP_COORDINATE, .coordinate = i, .space = true},
            node);
    i = thudi_name_find(name, length, symbols->parameters, symbols->parameter_count);
    if (i >= 0 && isfinite(symbols->values[i]))
        return thudi_build_constant(&p->builder, symbols->values[i], node);
    if (i >= 0)
    {
        char word[THUDI_WORD_SIZE];
        return thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, at, "",
                                 "the parameter '%s' is not finite",
                                 thudi_source_quote(&p->source, at, length, word));
    }
    if (symbols->time && length == 1 && *name == 't')
        return thudi_build_node(&p->builder, &(thudi_node){.op = THUDI_OP_TIME, .time = true},
                                node);
    if (thudi_constant_find(name, length, &value))
        return thudi_build_constant(&p->builder, value, node);
    const thudi_function *function = thudi_function_find(name, length);
    return function ? read_call(p, function, at, node) : fail_name(p, at, length);
}

static thud_status read_primary(parser *p, int *node)
{
    int next = thudi_source_next(&p->source);
    size_t open = p->source.at, length = thudi_source_name(&p->source, open);
    if (length > 0)
        return read_name(p, length, node);
    if (thudi_source_figure(&p->source, open) > 0)
        return read_number(p, node);
    if (next != '(')
        return fail_operand(p);
    THUD_TRY(enter(p, open));
    p->source.at++;
    THUD_TRY(read_sum(p, node));
    return read_close(p, open);
}

static thud_status read_power(parser *p, int *node)
{
    int operands[2];
    THUD_TRY(read_primary(p, node));
    if (thudi_source_next(&p->source) != '^')
        return THUD_OK;
    size_t at = p->source.at++;
    THUD_TRY(enter(p, at));
    operands[0] = *node;
    THUD_TRY(read_signed(p, &operands[1]));
    p->depth--;
    return thudi_build_operation(&p->builder, THUDI_OP_POWER, operands, 2, at, node);
}

static thud_status read_signed(parser *p, int *node)
{
    int next = thudi_source_next(&p->source), operand;
    if (next != '-' && next != '+')
        return read_power(p, node);
    size_t at = p->source.at++;
    THUD_TRY(enter(p, at));
    THUD_TRY(read_signed(p, &operand));
    p->depth--;
    *node = operand;
    return next == '+' ? THUD_OK
                       : thudi_build_operation(&p->builder, THUDI_OP_MINUS, &operand, 1, at, node);
}

static thud_status read_product(parser *p, int *node)
{
    int operands[2];
    THUD_TRY(read_signed(p, node));
    for (;;)
    {
        int next = thudi_source_next(&p->source);
        if (next != '*' && next != '/')
            return THUD_OK;
        size_t at = p->source.at++;
        if (next == '*' && p->source.at < p->source.length && p->source.text[at + 1] == '*')
            return thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, at, "use ^",
                                     "'**' is not an operator");
        operands[0] = *node;
        THUD_TRY(read_signed(p, &operands[1]));
        thudi_op op = next == '*' ? THUDI_OP_MULTIPLY : THUDI_OP_DIVIDE;
        THUD_TRY(thudi_build_operation(&p->builder, op, operands, 2, at, node));
    }
}

static thud_status read_sum(parser *p, int *node)
{
    int operands[2];
    THUD_TRY(read_product(p, node));
    for (;;)
    {
        int next = thudi_source_next(&p->source);
        if (next != '+' && next != '-')
            return THUD_OK;
        size_t at = p->source.at++;
        operands[0] = *node;
        THUD_TRY(read_product(p, &operands[1]));
        thudi_op op = next == '+' ? THUDI_OP_ADD : THUDI_OP_SUBTRACT;
        THUD_TRY(thudi_build_operation(&p->builder, op, operands, 2, at, node));
    }
}

static thud_status read_all(parser *p)
{
    int node;
    if (thudi_source_next(&p->source) < 0)
        return thudi_source_fail(&p->source, THUD_ERR_ARGUMENT, 0, "", "the expression is empty");
    if (thudi_source_column(&p->source, p->source.length) > THUD_EXPRESSION_LENGTH + 1)
        return thudi_source_fail(&p->source, THUD_ERR_LIMIT, 0, "",
                                 "the expression has more than %d characters",
                                 THUD_EXPRESSION_LENGTH);
    THUD_TRY(read_sum(p, &node));
    return thudi_source_next(&p->source) < 0 ? THUD_OK : fail_after(p);
}

thud_status thudi_expression_parse(thud_expression *expression, const char *text, size_t length,
                                   const thud_symbols *symbols, thud_fault *fault)
{
    parser p = {.source = {text, length, 0, fault}, .symbols = symbols};
    p.builder = (thudi_builder){.expression = expression, .source = &p.source};
    thud_status status = read_all(&p);
    thudi_array_free(&expression->allocator, &p.builder.constant);
    thudi_array_free(&expression->allocator, &p.arguments);
    return status;
}
