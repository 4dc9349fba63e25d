// Expressions as text: the values of well-formed ones, and what is said of malformed ones.
#include "thud_test.h"

#include "thud/expression.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const char *const coordinates[] = {"x", "y", "long_name2"};
static const char *const parameters[] = {"A", "w", "bad"};
static const double values[] = {2.5, 4, INFINITY};
static const thud_symbols symbols = {coordinates, 3, parameters, values, 3, true, NULL};

// At these: x, y, long_name2, and t.
static const double place[] = {3, -2, 10}, moment = 0.5;

typedef struct sample
{
    const char *text;
    double value;
} sample;

static double value_of(const char *text, thud_fault *fault)
{
    thud_expression *e = NULL;
    *fault = (thud_fault){.column = -1};
    if (thud_expression_create(text, strlen(text), &symbols, NULL, &e, fault) < 0)
        return NAN;
    double *room = malloc((size_t)thud_expression_view(e)->room * sizeof *room);
    double value = room ? thud_expression_value(e, moment, place, room) : NAN;
    free(room);
    thud_expression_destroy(e);
    return value;
}

static void check_values(const sample *samples, int count, double tolerance)
{
    for (int i = 0; i < count; i++)
    {
        thud_fault fault;
        double value = value_of(samples[i].text, &fault), wanted = samples[i].value;
        if (!(fabs(value - wanted) <= tolerance * fabs(wanted)))
            test_fail(__FILE__, __LINE__, "%s = %.17g, wanted %.17g %s", samples[i].text, value,
                      wanted, fault.column < 0 ? "" : fault.text);
    }
}

static void arithmetic(void)
{
    static const sample samples[] = {
        {"0", 0},
        {"7", 7},
        {"1.5", 1.5},
        {".5", 0.5},
        {"2.", 2},
        {"1e3", 1000},
        {"1E-2", 0.01},
        {"2.5e+2", 250},
        {".25e1", 2.5},
        {"1e-400", 0},
        {"007", 7},
        {"0.1", 0.1},
        {"x", 3},
        {"y", -2},
        {"t", 0.5},
        {"A", 2.5},
        {"w", 4},
        {"long_name2", 10},
        {"1+2*3", 7},
        {"(1+2)*3", 9},
        {"1-2-3", -4},
        {"1-(2-3)", 2},
        {"8/4/2", 1},
        {"8/(4/2)", 4},
        {"2*3/4", 1.5},
        {"2/4*3", 1.5},
        {"2^3", 8},
        {"2^3^2", 512},
        {"(2^3)^2", 64},
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^-1", 0.5},
        {"2^-2^2", 0.0625},
        {"-x^2", -9},
        {"2*-3", -6},
        {"2--3", 5},
        {"2+-3", -1},
        {"--3", 3},
        {"-+-3", 3},
        {"+3", 3},
        {"-x*y", 6},
        {"2*x^2", 18},
        {"x*y/y", 3},
        {"x-y", 5},
        {"x - -y", 1},
        {"x/y", -1.5},
        {"x^y", 1.0 / 9},
        {"y^x", -8},
        {"A*x+w", 11.5},
        {" \t 1\n+\r2 ", 3},
        {"(((x)))", 3},
        {"sqrt(16)", 4},
        {"sqrt(x+1)", 2},
        {"abs(y)", 2},
        {"abs(-3)+abs(x)", 6},
        {"min(x,y)", -2},
        {"max(x,y)", 3},
        {"min(4,3,5)", 3},
        {"max(x, y, t, 7)", 7},
        {"min(x)", 3},
        {"max(t)", 0.5},
        {"hypot(3,4)", 5},
        {"hypot(x,4)", 5},
        {"hypot(y)", 2},
        {"hypot(2,3,6)", 7},
        {"hypot(x, 4, 12)", 13},
        {"pow(2,10)", 1024},
        {"pow(x,2)", 9},
        {"pow(x, 1)", 3},
        {"x^0", 1},
        {"x^0.5^0", 3},
        {"exp(0)", 1},
        {"log(1)", 0},
        {"sin(0)", 0},
        {"cos(0)", 1},
        {"exp ( 0 )", 1},
        {"3-t*2", 2},
        {"2*(x+(y-(t-1)))", 3},
        {"1e300*1e8", 1e308},
        {"e-e", 0},
        {"pi/pi", 1},
        {"min(max(x,y),abs(min(y,t)))", 2},
        {"x*0", 0},
        {"1/x*x", 1},
    };
    check_values(samples, sizeof samples / sizeof *samples, 0);
}

static void functions(void)
{
    const double x = 3, y = -2, t = 0.5;
    const sample samples[] = {
        {"pi", 3.14159265358979311600},
        {"e", 2.71828182845904509080},
        {"sin(x)", sin(x)},
        {"cos(x)", cos(x)},
        {"tan(x)", tan(x)},
        {"asin(t)", asin(t)},
        {"acos(t)", acos(t)},
        {"atan(x)", atan(x)},
        {"sinh(x)", sinh(x)},
        {"cosh(x)", cosh(x)},
        {"tanh(t)", tanh(t)},
        {"exp(x)", exp(x)},
        {"log(x)", log(x)},
        {"atan2(x, y)", atan2(x, y)},
        {"atan2(y, x)", atan2(y, x)},
        {"pow(x, t)", pow(x, t)},
        {"2^t", pow(2, t)},
        {"sin(pi/6)", 0.5},
        {"log(e^2)", 2},
        {"exp(1)/e", 1},
        {"x - A*sin(w*t)", x - 2.5 * sin(2)},
        {"sin(x)^2+cos(x)^2", 1},
        {"hypot(x, y, t)", sqrt(9 + 4 + 0.25)},
        {"atan2(min(0*x, -0*x), -1)", acos(-1)},
        {"atan2(max(-0*x, 0*x), -1)", -acos(-1)},
    };
    check_values(samples, sizeof samples / sizeof *samples, 4e-16);
}

typedef struct mistake
{
    const char *text;
    int column;
    const char *message, *hint;
} mistake;

static const char *const finite = "change this part: without t and coordinates it must be finite";
static const char *const equation = "an expression has no comparisons";
static const char *const no_equation = "write g >= 0 as g";

static void check_mistake(const mistake *m, const thud_symbols *known)
{
    thud_expression *e = (thud_expression *)&e;
    thud_fault fault = {.line = 9, .column = -1};
    thud_status status = thud_expression_create(m->text, strlen(m->text), known, NULL, &e, &fault);
    if (status != THUD_ERR_ARGUMENT || e || fault.line != 0 || fault.file[0] ||
        fault.column != m->column || strcmp(fault.text, m->message) != 0 ||
        strcmp(fault.hint, m->hint) != 0)
        test_fail(__FILE__, __LINE__, "'%s': %s, column %d, \"%s\", \"%s\"", m->text,
                  thud_status_name(status), fault.column, fault.text, fault.hint);
    CHECK(thud_expression_create(m->text, strlen(m->text), known, NULL, &e, NULL) == status && !e);
}

static void mistakes_in_structure(void)
{
    const mistake mistakes[] = {
        {"", 1, "the expression is empty", ""},
        {"  \n", 1, "the expression is empty", ""},
        {"(x", 3, "missing ')'", "close the '(' 2 characters before the end"},
        {"2*(x+(y)", 9, "missing ')'", "close the '(' 6 characters before the end"},
        {"sin(x", 6, "missing ')'", "close the '(' 2 characters before the end"},
        {"min(x, y ", 10, "missing ')'", "close the '(' 6 characters before the end"},
        {"x)", 2, "unmatched ')'", ""},
        {"(x))+1", 4, "unmatched ')'", ""},
        {"x+", 3, "missing operand at the end", ""},
        {"x+ ", 4, "missing operand at the end", ""},
        {"-", 2, "missing operand at the end", ""},
        {"2^", 3, "missing operand at the end", ""},
        {"sin(", 5, "missing operand at the end", ""},
        {"*x", 1, "missing operand before '*'", ""},
        {"x+*y", 3, "missing operand before '*'", ""},
        {"x//y", 3, "missing operand before '/'", ""},
        {"x+^2", 3, "missing operand before '^'", ""},
        {"()", 2, "missing operand before ')'", ""},
        {"(x+)", 4, "missing operand before ')'", ""},
        {"min(x,)", 7, "missing operand before ')'", ""},
        {"min(,x)", 5, "missing operand before ','", ""},
        {"2x", 2, "missing operator before 'x'", "write 2*x"},
        {"2 x", 3, "missing operator before 'x'", "write 2*x"},
        {"A x + 1", 3, "missing operator before 'x'", "write A*x"},
        {"3(x+1)", 2, "missing operator before '('", "write 3*(...)"},
        {"x(1)", 2, "missing operator before '('", "write x*(...)"},
        {"(x)(y)", 4, "missing operator before '('", "write (...)*(...)"},
        {"(x)y", 4, "missing operator before 'y'", "write (...)*y"},
        {"2sin(x)", 2, "missing operator before 'sin'", "write 2*sin"},
        {"(x 2)", 4, "missing operator before '2'", "write x*2"},
        {"min(x y)", 7, "missing operator before 'y'", "write x*y"},
        {"x**2", 2, "'**' is not an operator", "use ^"},
        {"2 ** x", 3, "'**' is not an operator", "use ^"},
        {"x = 3", 3, equation, no_equation},
        {"x == 3", 3, equation, no_equation},
        {"x >= 0", 3, equation, no_equation},
        {"x<y", 2, equation, no_equation},
        {"(x != y)", 4, equation, no_equation},
        {"=x", 1, equation, no_equation},
        {"1,5", 2, "unexpected ','", "decimals take a point; a comma stands between arguments"},
        {"(1,5)", 3, "unexpected ','", "decimals take a point; a comma stands between arguments"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        check_mistake(&mistakes[i], &symbols);
}

static void mistakes_in_words(void)
{
    const char *names = "use one of: x, y, long_name2, A, w, bad, t";
    const mistake mistakes[] = {
        {"sn(x)", 1, "unknown name 'sn'", "did you mean 'sin'?"},
        {"2*sine(x)", 3, "unknown name 'sine'", "did you mean 'sin'?"},
        {"csoh(x)", 1, "unknown name 'csoh'", "did you mean 'cosh'?"},
        {"x + long_nmae2", 5, "unknown name 'long_nmae2'", "did you mean 'long_name2'?"},
        {"z", 1, "unknown name 'z'", names},
        {"X", 1, "unknown name 'X'", names},
        {"1+Pi", 3, "unknown name 'Pi'", "did you mean 'pi'?"},
        {"gravity", 1, "unknown name 'gravity'", names},
        {"sqr(x)", 1, "unknown name 'sqr'", "did you mean 'sqrt'?"},
        {"nan", 1, "unknown name 'nan'", "use a finite number"},
        {"-inf", 2, "unknown name 'inf'", "use a finite number"},
        {"infinity", 1, "unknown name 'infinity'", "use a finite number"},
        {"sin", 1, "'sin' is a function and needs an argument", "write sin(...)"},
        {"1+sin x", 3, "'sin' is a function and needs an argument", "write sin(...)"},
        {"sin()", 1, "'sin' takes 1 argument, not 0", ""},
        {"1+sin(x,y)", 3, "'sin' takes 1 argument, not 2", ""},
        {"atan2(x)", 1, "'atan2' takes 2 arguments, not 1", ""},
        {"pow(x,y,t)", 1, "'pow' takes 2 arguments, not 3", ""},
        {"min()", 1, "'min' takes one argument or more, not 0", ""},
        {"0x10", 1, "'0x10' is not a number", "write it in decimal"},
        {"1_000", 1, "'1_000' is not a number", "write the digits without '_'"},
        {"x+1.2.3", 3, "'1.2.3' is not a number", ""},
        {".", 1, "'.' is not a number", ""},
        {"1+.e5", 3, "'.e5' is not a number", ""},
        {"1e", 1, "'1e' is not a number",
         "write digits after the e of an exponent, or * for a product"},
        {"1e+", 1, "'1e' is not a number",
         "write digits after the e of an exponent, or * for a product"},
        {"x+1e999", 3, "the number 1e999 is too large", ""},
        {"x*bad", 3, "the parameter 'bad' is not finite", ""},
        {"1/0", 2, "the result of '/' is infinite", finite},
        {"x+1/(2-2)", 4, "the result of '/' is infinite", finite},
        {"log(-1)*x", 1, "the result of 'log' is not a number", finite},
        {"1+asin(2)", 3, "the result of 'asin' is not a number", finite},
        {"0/0", 2, "the result of '/' is not a number", finite},
        {"10^400", 3, "the result of '^' is infinite", finite},
        {"x+(-8)^0.5", 7, "the result of '^' is not a number", finite},
        {"sqrt(-1)", 1, "the result of 'sqrt' is not a number", finite},
        {"pow(0,-1)", 1, "the result of 'pow' is infinite", finite},
        {"1e308*10", 6, "the result of '*' is infinite", finite},
        {"x % 2", 3, "unexpected character '%'", ""},
        {"x $", 3, "unexpected character '$'", ""},
        {"[x]", 1, "unexpected character '['", "use parentheses"},
        {"min(x;y)", 6, "unexpected character ';'", "write a comma between arguments"},
        {"\xcf\x80*x", 1, "unexpected character '\xcf\x80'", "write pi"},
        {"x \xe2\x88\x92 y", 3, "unexpected character '\xe2\x88\x92'", "write -"},
        {"2\xc3\x97x", 2, "unexpected character '\xc3\x97'", "write *"},
        {"x\xc2\xb2", 2, "unexpected character '\xc2\xb2'", "write ^2"},
        {"\xc3\xa9 + \xf0\x9f\x98\x80", 1, "unexpected character '\xc3\xa9'", ""},
        {"x+\xff", 3, "unexpected byte 0xFF", "save the text as UTF-8"},
        {"x+\xc3", 3, "unexpected byte 0xC3", "save the text as UTF-8"},
        {"x+\xed\xa0\x80", 3, "unexpected byte 0xED", "save the text as UTF-8"},
        {"x+\xc0\xaf", 3, "unexpected byte 0xC0", "save the text as UTF-8"},
        {"x\x01", 2, "unexpected character U+0001", ""},
        {"x+\xc2\x85", 3, "unexpected character U+0085", ""},
        {"x \x7f", 3, "unexpected character U+007F", ""},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
        check_mistake(&mistakes[i], &symbols);
    thud_symbols still = symbols;
    still.time = false;
    check_mistake(&(mistake){"1 + t", 5, "the time t is not allowed here",
                             "leave out t: this number does not change with time"},
                  &still);
    check_mistake(&(mistake){"gravity", 1, "unknown name 'gravity'", ""}, NULL);
    check_mistake(&(mistake){"\xe2\x82\xac", 1, "unexpected character '\xe2\x82\xac'", ""}, NULL);
}

// A byte 0 inside of the text, and names so long that they are cut.
static void odd_lengths(void)
{
    thud_expression *e;
    thud_fault fault;
    CHECK(thud_expression_create("x+\0y", 4, &symbols, NULL, &e, &fault) == THUD_ERR_ARGUMENT);
    CHECK(fault.column == 3 && strcmp(fault.text, "unexpected character U+0000") == 0);
    CHECK(thud_expression_create("x\0", 2, &symbols, NULL, &e, &fault) == THUD_ERR_ARGUMENT);
    CHECK(fault.column == 2 && strcmp(fault.text, "unexpected character U+0000") == 0);
    CHECK(thud_expression_create(NULL, 0, &symbols, NULL, &e, &fault) == THUD_ERR_ARGUMENT);
    CHECK(strcmp(fault.text, "the expression is empty") == 0);
    CHECK(thud_expression_create("12345", 2, &symbols, NULL, &e, &fault) == THUD_OK);
    CHECK(strcmp(thud_expression_view(e)->text, "12") == 0);
    thud_expression_destroy(e);
    char name[301];
    memset(name, 'n', 300);
    name[300] = '\0';
    check_mistake(&(mistake){name, 1,
                             "unknown name 'nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...'",
                             "use one of: x, y, long_name2, A, w, bad, t"},
                  &symbols);
}

// A decimal comma of the locale changes neither what is read nor what is said.
static void german(void)
{
    REQUIRE(setlocale(LC_ALL, "de_DE.UTF-8") != NULL);
    char comma[8];
    (void)snprintf(comma, sizeof comma, "%.1f", 0.5);
    CHECK(strcmp(comma, "0,5") == 0);
    arithmetic();
    mistakes_in_structure();
    mistakes_in_words();
}

static const test_case cases[] = {
    {"arithmetic", arithmetic},
    {"functions", functions},
    {"mistakes-in-structure", mistakes_in_structure},
    {"mistakes-in-words", mistakes_in_words},
    {"odd-lengths", odd_lengths},
    {"german", german},
};

int main(int argc, char **argv)
{
    if (argc < 2) // the locale is there only for ctest
        return test_main(argc, argv, cases, sizeof cases / sizeof *cases - 1);
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
