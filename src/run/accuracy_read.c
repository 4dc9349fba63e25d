// What run.json says of the cost of the step.
#include "run/accuracy_read.h"

#include "thud/json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static double number_or_zero(const char *json, const char *path)
{
    double x = thud_json_find_number(json, path);
    return isfinite(x) ? x : 0;
}

static thud_halved read_measure(const char *item)
{
    int64_t column = thud_json_find_count(item, "column");
    thud_halved halved = {.column = column < INT_MAX ? (int)column : -1,
                          .end = thud_json_find_number(item, "end"),
                          .end_halved = thud_json_find_number(item, "end_halved"),
                          .mean = thud_json_find_number(item, "mean"),
                          .mean_halved = thud_json_find_number(item, "mean_halved"),
                          .largest = thud_json_find_number(item, "largest"),
                          .largest_halved = thud_json_find_number(item, "largest_halved")};
    (void)thud_json_find_text(item, "end_change", halved.end_change, sizeof halved.end_change);
    (void)thud_json_find_text(item, "mean_change", halved.mean_change, sizeof halved.mean_change);
    (void)thud_json_find_text(item, "largest_change", halved.largest_change,
                              sizeof halved.largest_change);
    return halved;
}

static bool read_halved(const char *json, thud_accuracy *accuracy)
{
    const char *first = thud_json_first(thud_json_find(json, "accuracy.halved.measures"));
    int count = 0;
    for (const char *item = first; item; item = thud_json_after(item))
        count++;
    accuracy->halved = calloc((size_t)count + 1, sizeof *accuracy->halved);
    if (!accuracy->halved)
        return false;
    for (const char *item = first; item; item = thud_json_after(item))
        accuracy->halved[accuracy->halved_count++] = read_measure(item);
    return true;
}

bool thudi_accuracy_read(const char *json, thud_accuracy *accuracy)
{
    *accuracy = (thud_accuracy){
        .suggested_step = number_or_zero(json, "accuracy.suggested_step"),
        .ratio = number_or_zero(json, "accuracy.ratio"),
        .step = number_or_zero(json, "accuracy.halved.step"),
        .steps = number_or_zero(json, "accuracy.halved.steps"),
        .seconds = number_or_zero(json, "accuracy.halved.seconds"),
    };
    return read_halved(json, accuracy);
}
