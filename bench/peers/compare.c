// Thud beside other programs on the drop scene, from the same start: processor time by getrusage,
// quality from positions by one measure. bench/compare builds and calls it.
//
//     compare [--quick] [--only NAME,...] [--runs K] [--pile SECONDS] [--limit SECONDS]
//             [--about TEXT] [--json FILE] [N ...]                  default: 1000 10000
#include "compare.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum
{
    MOST_SIZES = 8
};

typedef struct options
{
    bool quick;
    const char *only, *about, *json;
    double runs, pile, limit;
    int sizes[MOST_SIZES], size_count;
} options;

// An option that takes a value.
static bool parse_option(const char *name, const char *value, options *o)
{
    const struct
    {
        const char *name, **text;
        double *number;
    } all[] = {{"--only", &o->only, NULL}, {"--about", &o->about, NULL},
               {"--json", &o->json, NULL}, {"--runs", NULL, &o->runs},
               {"--pile", NULL, &o->pile}, {"--limit", NULL, &o->limit}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].name) == 0)
        {
            if (all[i].text)
                *all[i].text = value;
            else
                *all[i].number = strtod(value, NULL);
            return true;
        }
    return false;
}

static bool parse(int argc, char **argv, options *o)
{
    *o = (options){.about = "", .limit = 1800};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--quick") == 0)
            o->quick = true;
        else if (argv[i][0] != '-' && o->size_count < MOST_SIZES)
            o->sizes[o->size_count++] = (int)strtol(argv[i], NULL, 10);
        else if (i + 1 == argc || !parse_option(argv[i], argv[i + 1], o))
            return false;
        else
            i++;
    for (int i = 0; i < o->size_count; i++)
        if (o->sizes[i] < 1 || o->sizes[i] > 1000000)
            return false;
    if (o->size_count == 0)
    {
        o->sizes[o->size_count++] = o->quick ? 200 : 1000;
        if (!o->quick)
            o->sizes[o->size_count++] = 10000;
    }
    return o->runs >= 0 && o->runs <= MOST_RUNS && o->limit > 0 && o->pile >= 0;
}

// The folder of this program, where its drivers are too.
static const char *folder_of(char *program)
{
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = '\0';
    return slash ? program : ".";
}

// The date, what the caller says, and the processor.
static void describe(const options *o, char *text, size_t size)
{
    char line[256], date[32] = "", model[200] = "unknown processor";
    time_t now = time(NULL);
    struct tm parts;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':'))
        {
            (void)snprintf(model, sizeof model, "%.*s", (int)strcspn(strchr(line, ':') + 2, "\n"),
                           strchr(line, ':') + 2);
            break;
        }
    if (file)
        (void)fclose(file);
    if (gmtime_r(&now, &parts))
        (void)strftime(date, sizeof date, "%Y-%m-%d", &parts);
    (void)snprintf(text, size, "%s, %s%s%s, one thread each", date, o->about, *o->about ? ", " : "",
                   model);
}

// Hold the contest for count spheres, print it, and add it to the JSON file if there is one.
static bool contest_of(const options *o, int count, const char *drivers, FILE *json)
{
    char folder[] = "/tmp/thud-compare-XXXXXX";
    entry entries[MOST_ENTRIES];
    contest c = {.count = count,
                 .runs = o->runs > 0                  ? o->runs
                         : count <= 3000 && !o->quick ? 3
                                                      : 1,
                 .drop_seconds = o->quick ? 0.2 : 1,
                 .pile_seconds = o->pile > 0 ? o->pile
                                 : o->quick  ? 0.1
                                             : 0.5,
                 .limit = o->limit,
                 .drivers = drivers,
                 .folder = folder,
                 .entries = entries};
    c.entry_count = compare_keep(entries, compare_plan(count, entries), o->only);
    if (c.entry_count == 0)
    {
        (void)fprintf(stderr, "compare: no program is called '%s'\n", o->only);
        return false;
    }
    if (!mkdtemp(folder))
    {
        perror(folder);
        return false;
    }
    bool fine = compare_hold(&c);
    if (fine)
    {
        compare_print(&c);
        if (json)
            compare_print_json(&c, json);
        compare_clean(&c); // otherwise the files may tell why
    }
    return fine;
}

int main(int argc, char **argv)
{
    options o;
    char about[1024];
    if (!parse(argc, argv, &o))
    {
        (void)fprintf(stderr, "usage: compare [--quick] [--only NAME,...] [--runs K] [--pile S] "
                              "[--limit S] [--about TEXT] [--json FILE] [N ...]\n");
        return 2;
    }
    FILE *json = o.json ? fopen(o.json, "w") : NULL;
    bool fine = !o.json || json;
    if (!fine)
        perror(o.json);
    const char *drivers = folder_of(argv[0]);
    describe(&o, about, sizeof about);
    printf("%s\ns/s: CPU seconds per simulated second; overlaps in %% of a radius, worst of all "
           "frames, every 5 ms\n",
           about);
    if (json)
        (void)fprintf(json, "{\"about\": \"%s\", \"contests\": [\n", about);
    for (int i = 0; i < o.size_count && fine; i++)
    {
        if (json && i > 0)
            (void)fprintf(json, ",\n");
        fine = contest_of(&o, o.sizes[i], drivers, json);
    }
    if (json)
        (void)fprintf(json, "\n]}\n");
    if (json && fclose(json) != 0)
        fine = false;
    return !fine;
}
