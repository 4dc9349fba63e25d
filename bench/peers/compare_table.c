// What was measured, as tables and as JSON.
#include "compare.h"

#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double compare_cost(const phase *p)
{
    double sorted[MOST_RUNS];
    if (p->runs == 0 || !(p->seconds > 0))
        return 0;
    memcpy(sorted, p->cpu, sizeof sorted);
    qsort(sorted, (size_t)p->runs, sizeof *sorted, by_value);
    return sorted[p->runs / 2] / p->seconds;
}

// Does it keep to what it was set for?
static const char *verdict(const entry *e)
{
    bool run = e->drop.worst <= e->aim, rest = e->pile.worst <= e->aim;
    return run && rest ? "yes" : rest ? "at rest" : "no";
}

// An overlap in percent of a radius; what rounding makes of contact is no more than that.
static const char *percent(double overlap, char text[16])
{
    if (overlap > 0 && overlap < 1e-5)
        return "<0.001";
    (void)snprintf(text, 16, overlap > 0 ? "%.3f" : "none", 100 * overlap);
    return text;
}

static void print_row(const entry *e)
{
    char text[3][16];
    printf("%-7s %-28s %7s %-8s %8.3g %8.3g %8s %8s %8.1e %7.4f %4.0f\n", e->program, e->setting,
           percent(e->aim, text[0]), verdict(e), compare_cost(&e->drop), compare_cost(&e->pile),
           percent(e->drop.worst, text[1]), percent(e->pile.worst, text[2]), e->pile.energy,
           e->pile.height,
           e->pile.megabytes > e->drop.megabytes ? e->pile.megabytes : e->drop.megabytes);
    for (const phase *p = &e->drop; p; p = p == &e->drop ? &e->pile : NULL)
    {
        const char *name = p == &e->drop ? "drop" : "pile";
        if (p->was_cut)
            printf(
                "        the %s was cut at the limit of processor time, after %.3g s simulated\n",
                name, p->seconds);
        if (p->outside > 0)
            printf("        %d spheres are outside the box after the %s\n", p->outside, name);
    }
}

static bool is_ours(const entry *e)
{
    return strcmp(e->program, "Thud") == 0;
}

static void print_ratios(const contest *c)
{
    printf("\nN = %d: cost of each as a multiple of that of Thud\n%-7s %-28s %7s %-8s", c->count,
           "program", "setting", "overlap", "reached");
    for (int part = 0; part < 2; part++)
        for (int k = 0; k < c->entry_count; k++)
            if (is_ours(&c->entries[k]))
                printf(" %s/%.*s", part == 0 ? "drop" : "pile",
                       (int)strcspn(c->entries[k].setting, ","), c->entries[k].setting);
    printf("\n");
    for (int i = 0; i < c->entry_count; i++)
    {
        const entry *e = &c->entries[i];
        char text[16];
        if (is_ours(e))
            continue;
        printf("%-7s %-28s %7s %-8s", e->program, e->setting, percent(e->aim, text), verdict(e));
        for (int part = 0; part < 2; part++)
            for (int k = 0; k < c->entry_count; k++)
            {
                const entry *o = &c->entries[k];
                if (is_ours(o))
                    printf(" %12.2f", compare_cost(part == 0 ? &e->drop : &e->pile) /
                                          compare_cost(part == 0 ? &o->drop : &o->pile));
            }
        printf("\n");
    }
}

void compare_print(const contest *c)
{
    bool peers = false;
    printf("\nN = %d, drop: %.3g s, pile: the %.3g s after; ", c->count, c->drop_seconds,
           c->pile_seconds);
    if (c->runs > 1)
        printf("costs: medians of %d runs\n", c->runs);
    else
        printf("one run\n");
    printf("%-7s %-28s %7s %-8s %8s %8s %8s %8s %8s %7s %4s\n", "", "", "overlap", "", "drop",
           "pile", "drop", "pile", "", "mean", "");
    printf("%-7s %-28s %7s %-8s %8s %8s %8s %8s %8s %7s %4s\n", "program", "setting", "aim %",
           "reached", "s/s", "s/s", "worst %", "worst %", "KE/mgr", "height", "MB");
    for (int k = 0; k < c->entry_count; k++)
    {
        print_row(&c->entries[k]);
        peers = peers || !is_ours(&c->entries[k]);
    }
    if (peers && is_ours(&c->entries[0]))
        print_ratios(c);
    (void)fflush(stdout);
}

static void print_phase(FILE *file, const char *name, const phase *p)
{
    (void)fprintf(file,
                  ",\n      \"%s\": {\"cpu_per_second\": %.6g, \"simulated\": %.6g, "
                  "\"worst_overlap\": %.6g, \"end_overlap\": %.6g, \"kinetic_energy\": %.6g, "
                  "\"mean_height\": %.9g, \"outside\": %d, \"megabytes\": %.1f, \"cut\": %s, "
                  "\"cpu\": [",
                  name, compare_cost(p), p->seconds, p->worst, p->end, p->energy, p->height,
                  p->outside, p->megabytes, p->was_cut ? "true" : "false");
    for (int i = 0; i < p->runs; i++)
        (void)fprintf(file, "%s%.6g", i > 0 ? ", " : "", p->cpu[i]);
    (void)fprintf(file, "]}");
}

void compare_print_json(const contest *c, FILE *file)
{
    (void)fprintf(file, "  {\"spheres\": %d, \"entries\": [\n", c->count);
    for (int k = 0; k < c->entry_count; k++)
    {
        const entry *e = &c->entries[k];
        (void)fprintf(file,
                      "    {\"program\": \"%s\", \"setting\": \"%s\", \"aim\": %g, "
                      "\"reached\": \"%s\", \"startup_cpu\": %.6g",
                      e->program, e->setting, e->aim, verdict(e), e->startup);
        print_phase(file, "drop", &e->drop);
        print_phase(file, "pile", &e->pile);
        (void)fprintf(file, "}%s\n", k + 1 < c->entry_count ? "," : "");
    }
    (void)fprintf(file, "  ]}");
}
