// The object "accuracy" of run.json. It comes last there, and is as long as there are measures.
#include "run/accuracy_read.h"

#include "run/run_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double number_or_zero(const char *json, const char *name)
{
    double x = thudi_run_json_number(json, name);
    return isfinite(x) ? x : 0;
}

static thud_page_halved read_measure(const char *json)
{
    double column = thudi_run_json_number(json, "column");
    thud_page_halved halved = {.column = column >= 0 && column < 1e6 ? (int)column : -1,
                               .end = thudi_run_json_number(json, "end"),
                               .end_halved = thudi_run_json_number(json, "end_halved"),
                               .mean = thudi_run_json_number(json, "mean"),
                               .mean_halved = thudi_run_json_number(json, "mean_halved"),
                               .largest = thudi_run_json_number(json, "largest"),
                               .largest_halved = thudi_run_json_number(json, "largest_halved")};
    thudi_run_json_value(json, "end_change", halved.end_change, sizeof halved.end_change);
    thudi_run_json_value(json, "mean_change", halved.mean_change, sizeof halved.mean_change);
    thudi_run_json_value(json, "largest_change", halved.largest_change,
                         sizeof halved.largest_change);
    return halved;
}

static bool read_halved(const char *json, thudi_accuracy *accuracy)
{
    static const char key[] = "\"column\": ";
    int count = 0;
    for (const char *at = strstr(json, key); at; at = strstr(at + 1, key))
        count++;
    accuracy->halved = calloc((size_t)count + 1, sizeof *accuracy->halved);
    if (!accuracy->halved)
        return false;
    count = 0;
    for (const char *at = strstr(json, key); at; at = strstr(at + 1, key))
        accuracy->halved[count++] = read_measure(at);
    accuracy->page.halved = accuracy->halved;
    accuracy->page.halved_count = count;
    return true;
}

bool thudi_accuracy_read(const char *json, thudi_accuracy *accuracy)
{
    *accuracy = (thudi_accuracy){0};
    const char *section = strstr(json, "\"accuracy\": {");
    const char *halved = section ? strstr(section, "\"halved\": {") : NULL;
    if (section)
    {
        accuracy->page.suggested_step = number_or_zero(section, "suggested_step");
        accuracy->page.ratio = number_or_zero(section, "ratio");
    }
    if (!halved)
        return true;
    accuracy->page.step = number_or_zero(halved, "step");
    accuracy->page.steps = number_or_zero(halved, "steps");
    accuracy->seconds = number_or_zero(halved, "seconds");
    return read_halved(halved, accuracy);
}

void thudi_accuracy_free(thudi_accuracy *accuracy)
{
    free(accuracy->halved);
}
