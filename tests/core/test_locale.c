// Messages are the same whatever the locale; built only where a locale with a comma can be made.
#include "unit_rig.h"

#include "core/text.h"

#include <locale.h>
#include <string.h>

// Two walls that have closed: the message holds a time, weights and a radius.
static int closing_gaps(const thud_moment *at, thud_rows *rows, void *user)
{
    static const double slope[2] = {1, -1};
    (void)at;
    (void)user;
    for (int i = 0; i < 2; i++)
    {
        thud_row row = {.key = thud_key_number(i), .gap = -0.25, .count = 1};
        row.index = (int[]){0};
        row.slope = &slope[i];
        (void)thud_rows_push(rows, &row);
    }
    return 0;
}

static void say(char *text, size_t size)
{
    thud_inclusion problem = {.dim = 1, .gaps = closing_gaps};
    rig r = rig_start(&(thud_state_def){.dim = 1, .t0 = 1, .h = 0.5, .q = (double[]){0}}, NULL);
    CHECK(thud_step(&problem, r.state, r.work) == THUD_ERR_INFEASIBLE);
    (void)snprintf(text, size, "%s", thud_work_message(r.work));
    rig_end(&r);
}

static void numbers_as(const char *locale)
{
    static const struct
    {
        double x;
        const char *text;
    } wanted[] = {{1.5, "1.5"},
                  {-0.25, "-0.25"},
                  {1e-300, "1e-300"},
                  {-1.25e300, "-1.25e+300"},
                  {0, "0"},
                  {1234567, "1.23457e+06"},
                  {INFINITY, "inf"},
                  {123456, "123456"},
                  {0x1p-1074, "4.94066e-324"}};
    char text[THUDI_TEXT_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (strcmp(thudi_text_number(text, wanted[i].x), wanted[i].text) != 0)
            test_fail(__FILE__, __LINE__, "%s: \"%s\", wanted \"%s\"", locale, text,
                      wanted[i].text);
}

static void messages(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "ps_AF.UTF-8"}; // marks of 1 and 2 bytes
    char plain[512], local[512], digits[40];
    say(plain, sizeof plain);
    CHECK(strstr(plain, "t = 1.5") && strstr(plain, "y = 0.5"));
    numbers_as("C");
    for (int i = 0; i < 2; i++)
    {
        REQUIRE(setlocale(LC_ALL, names[i]));
        (void)snprintf(digits, sizeof digits, "%.1f", 1.5);
        CHECK(strcmp(digits, "1.5") != 0); // the locale is in force
        say(local, sizeof local);
        numbers_as(names[i]);
        CHECK(setlocale(LC_ALL, "C"));
        if (strcmp(plain, local) != 0)
            test_fail(__FILE__, __LINE__, "%s: \"%s\"", names[i], local);
    }
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"messages", messages}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
