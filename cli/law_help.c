// The contact laws for people, as the laws describe themselves.
#include "law_help.h"

#include "report.h"

#include <math.h>
#include <thud/law.h>
#include <thud/text.h>

enum
{
    NAME = 14,       // width of a law's name
    TEXT_SIZE = 400, // bytes of what is said of a number
};

// The end of a range as a scene writes it.
static const char *end_of(char text[THUD_NUMBER_SIZE], double end)
{
    return isinf(end) ? "unlimited" : thud_number_write(text, fabs(end));
}

// A range that ends at 0 stands in scenes without its sign.
static void print_range(const thud_law_number *number)
{
    char low[THUD_NUMBER_SIZE], high[THUD_NUMBER_SIZE];
    bool is_negative = number->high <= 0;
    (void)printf("%s to %s", end_of(low, is_negative ? number->high : number->low),
                 end_of(high, is_negative ? number->low : number->high));
}

void cli_print_laws(void)
{
    const thud_law_info *law;
    for (int i = 0; (law = thud_law_find(i)) != NULL; i++)
    {
        (void)printf("%-*s", NAME, law->name);
        cli_print_wrapped(law->help, NAME, NAME);
        for (int k = 0; k < law->number_count; k++)
        {
            char text[TEXT_SIZE];
            (void)snprintf(text, sizeof text, "%s: %s", law->numbers[k].key, law->numbers[k].help);
            (void)printf("%*s", NAME, "");
            cli_print_wrapped(text, NAME + 2, NAME);
        }
    }
}

void cli_print_law_table(void)
{
    const thud_law_info *law;
    (void)printf("<!-- keys: laws -->\n"
                 "| contact law | what contacts do | numbers of a pair of materials | order | "
                 "concave constraints | solids and containers | with another law | "
                 "numbers kept of a contact |\n|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; (law = thud_law_find(i)) != NULL; i++)
    {
        (void)printf("| %s | %s | ", law->name, law->help);
        for (int k = 0; k < law->number_count; k++)
        {
            (void)printf("%s`%s`: ", k > 0 ? "; " : "", law->numbers[k].key);
            print_range(&law->numbers[k]);
        }
        (void)printf("%s | %s | %s | ", law->number_count == 0 ? "none" : "",
                     law->traits & THUD_TRAIT_ORDER_2 ? "2; 1 is refused" : "1 and 2",
                     law->traits & THUD_TRAIT_CONVEX ? "refused" : "yes");
        (void)printf("%s%s | %s | %d |\n", law->unable[0] != '\0' ? "all except " : "all",
                     law->unable, law->number_count > 0 ? "refused" : "", law->kept);
    }
    (void)printf("<!-- end of keys -->\n");
}
