// What a study of one measure says: a table and sentences, or JSON.
#include "thud/measured.h"

#include <math.h>
#include <string.h>

// A last change up to this part of the value is small.
static const double SMALL = 0.05;

const char *thud_statistic_name(thud_statistic statistic)
{
#define STATISTIC_NAME(name, text, about) text,
    static const char *const names[] = {THUD_STATISTIC_LIST(STATISTIC_NAME)};
#undef STATISTIC_NAME
    return names[statistic];
}

// "rate of out in 1/s, while out goes from 170 to 500"
static void print_what(const thud_measured *measured, thud_writer *writer)
{
    const thud_window *window = &measured->def.window;
    const char *time = measured->scene->unit_time;
    char unit[THUD_COUNT_SIZE];
    thud_write(writer, "  %s of ", thud_statistic_name(measured->def.statistic));
    thud_write_safe(writer, measured->column.name);
    thud_write(writer, "%s%s", measured->unit[0] ? " in " : "", measured->unit);
    if (isfinite(window->from))
        thud_write(writer, ", from t = %g%s", window->from, thud_words_unit(unit, time));
    if (isfinite(window->to))
        thud_write(writer, ", to t = %g%s", window->to, thud_words_unit(unit, time));
    if (window->has_guide)
    {
        thud_write(writer, ", while ");
        thud_write_safe(writer, measured->guide.name);
        thud_write(writer, " goes from %g to %g", window->low, window->high);
    }
    thud_write(writer, "\n    ");
    if (strcmp(measured->column.label, measured->column.name) != 0)
    {
        thud_write_safe(writer, measured->column.label);
        thud_write(writer, "; ");
    }
    thud_write(writer, "tolerances as the scene has them\n");
}

// What a level changed beside the one before: "+1.5 %", or the number if there is no part of 0.
static const char *write_change(char text[THUD_NUMBER_SIZE], const thud_halving_level *level)
{
    double before = level[-1].value;
    text[0] = '\0';
    if (isfinite(level->change) && before != 0)
        (void)thud_words_percent(text, level->change / before);
    else if (isfinite(level->change))
        (void)thud_format(text, THUD_NUMBER_SIZE, "%+.3g", level->change);
    return text;
}

static void print_table(const thud_halving_result *result, thud_writer *writer)
{
    bool has_seeds = result->seed_count > 1;
    thud_write(writer, "\n  %12s%12s%14s%14s%s\n", "h", "steps", "value", "change",
               has_seeds ? "     scatter" : "");
    for (int i = 0; i < result->level_count; i++)
    {
        const thud_halving_level *level = &result->levels[i];
        char change[THUD_NUMBER_SIZE] = "", steps[THUD_NUMBER_SIZE], value[THUD_NUMBER_SIZE];
        (void)thud_format(value, sizeof value, isfinite(level->value) ? "%.6g" : "none",
                          level->value);
        if (i > 0)
            (void)write_change(change, level);
        thud_write(writer, "  %12.6g%12s%14s", level->h, thud_words_grouped(steps, level->steps),
                   value);
        if (change[0] || has_seeds)
            thud_write(writer, "%14s", change);
        if (has_seeds && isfinite(level->scatter))
            thud_write(writer, "%12.3g", level->scatter);
        thud_write(writer, "\n");
    }
    thud_write(writer, "\n");
}

// A change beside a value: per cent, without a sign; or the number, if the value is 0.
static const char *write_size(char text[THUD_NUMBER_SIZE], double change, double value)
{
    double percent = 100 * fabs(change / value);
    if (value == 0)
        (void)thud_format(text, THUD_NUMBER_SIZE, "%.2g", fabs(change));
    else // two digits, but 100 must not become 1e+02
        (void)thud_format(text, THUD_NUMBER_SIZE, percent < 99 ? "%.2g %%" : "%.3g %%", percent);
    return text;
}

// There is no result: why, and what helps.
static void write_none(const thud_measured *measured, const thud_halving_result *result,
                       thud_writer *writer)
{
    if (result->verdict == THUD_HALVING_NOT_REACHED)
        thud_write_line(writer, 0,
                        "no result: at least one run does not reach the window, or its end");
    else
        thud_write_line(
            writer, 0,
            "no result: the measure has no value (nan) %s in at least one run. A longer time.end "
            "may give it one.",
            measured->def.statistic == THUD_STATISTIC_END ? "at the end" : "in the window");
}

// Changes shrink: how much is left.
static void write_converging(const thud_halving_result *result, const char *size,
                             thud_writer *writer)
{
    const thud_halving_level *last = &result->levels[result->level_count - 1];
    char left[THUD_NUMBER_SIZE];
    bool is_small = fabs(last->change) <= SMALL * fabs(last->value);
    thud_write_line(
        writer, 0,
        "%s %s with the last halving%s. If changes go on shrinking like that, about %s is left "
        "at the smallest step.",
        is_small ? "converging: it changed by" : "still changing by", size,
        is_small ? "" : ", but changes shrink", write_size(left, result->left, last->value));
}

static void write_changing(const thud_halving_result *result, const char *size, thud_writer *writer)
{
    thud_write_line(writer, 0, "still changing by %s with the last halving%s", size,
                    result->level_count > 2
                        ? ", and changes do not shrink by a quarter or more: no limit "
                          "is seen yet. Take more --levels."
                        : ": take more --levels to see whether changes shrink.");
}

static void print_verdict(const thud_measured *measured, const thud_halving_result *result,
                          thud_writer *writer)
{
    const thud_halving_level *last = &result->levels[result->level_count - 1];
    char size[THUD_NUMBER_SIZE], left[THUD_NUMBER_SIZE], unit[THUD_COUNT_SIZE];
    (void)write_size(size, last->change, last[-1].value);
    switch (result->verdict)
    {
    case THUD_HALVING_STEADY:
        thud_write_line(writer, 0, "the step makes no difference: no halving changed anything");
        break;
    case THUD_HALVING_WITHIN_STEP:
        thud_write_line(
            writer, 0,
            "steady within one step: the last halving changed it by %s, which is at most the "
            "coarser step, %g%s",
            size, last[-1].h, thud_words_unit(unit, measured->scene->unit_time));
        break;
    case THUD_HALVING_CONVERGING:
        write_converging(result, size, writer);
        break;
    case THUD_HALVING_SCATTERED:
        thud_write_line(
            writer, 0,
            "the last halving changed it by %s, which is within two standard errors of the seeds, "
            "%s: what the step costs is hidden in the scatter. Take more --seeds to see it.",
            size, write_size(left, 2 * last->change_spread, last->value));
        break;
    case THUD_HALVING_NOT_REACHED:
    case THUD_HALVING_NO_VALUE:
        write_none(measured, result, writer);
        break;
    case THUD_HALVING_CHANGING:
    default:
        write_changing(result, size, writer);
        break;
    }
}

// May another seed make other bodies?
static bool has_chance(const thud_scene *scene)
{
    for (int i = 0; i < scene->body_count; i++)
    {
        const char *origin = scene->bodies[i].origin;
        if (strcmp(origin, "lattice") == 0 || strcmp(origin, "fill") == 0)
            return true;
    }
    return scene->noise > 0;
}

static void print_seeds(const thud_measured *measured, const thud_halving_result *result,
                        thud_writer *writer)
{
    const thud_halving_level *last = &result->levels[result->level_count - 1];
    char scatter[THUD_NUMBER_SIZE];
    if (result->seeds_agree)
        thud_write_line(writer, 0,
                        "All %d seeds gave the same values: the scene draws nothing at random.",
                        result->seed_count);
    else if (!isfinite(last->value))
        return;
    else if (result->seed_count > 1)
        thud_write_line(
            writer, 0,
            "Seeds alone scatter it by %s (standard deviation of %d runs at the smallest step).",
            write_size(scatter, last->scatter, last->value), result->seed_count);
    else if (has_chance(measured->scene))
        thud_write_line(
            writer, 0,
            "This is one seed: other seeds alone may scatter the value by several per cent, and a "
            "change smaller than that may be chance. '--seeds 5' measures the scatter.");
}

void thud_measured_write(const thud_measured *measured, const thud_halving_result *result,
                         thud_writer *writer)
{
    thud_write_safe(writer, measured->scene->title);
    thud_write(writer, "\n");
    print_what(measured, writer);
    print_table(result, writer);
    print_verdict(measured, result, writer);
    print_seeds(measured, result, writer);
}

static void json_levels(thud_json *json, const thud_halving_result *result)
{
    thud_json_list(json, "levels");
    for (int i = 0; i < result->level_count; i++)
    {
        const thud_halving_level *level = &result->levels[i];
        thud_json_open(json, NULL);
        thud_json_number(json, "h", level->h);
        thud_json_whole(json, "steps", level->steps);
        thud_json_number(json, "value", level->value);
        thud_json_number(json, "scatter", level->scatter);
        thud_json_number(json, "change", level->change);
        thud_json_number(json, "change_spread", level->change_spread);
        thud_json_list(json, "values");
        for (int k = 0; k < result->seed_count; k++)
            thud_json_number(json, NULL, result->values[i * result->seed_count + k]);
        thud_json_list_end(json);
        thud_json_close(json);
    }
    thud_json_list_end(json);
}

void thud_measured_json(const thud_measured *measured, const thud_halving_result *result,
                        thud_json *json)
{
    static const char *const verdicts[] = {"steady",         "converging",  "changing",
                                           "scattered",      "not reached", "no value",
                                           "within one step"};
    const thud_window *window = &measured->def.window;
    thud_json_open(json, NULL);
    thud_json_text(json, "title", measured->scene->title);
    thud_json_text(json, "measure", measured->column.name);
    thud_json_text(json, "label", measured->column.label);
    thud_json_text(json, "statistic", thud_statistic_name(measured->def.statistic));
    thud_json_text(json, "unit", measured->unit);
    thud_json_open(json, "window");
    thud_json_number(json, "from", window->from);
    thud_json_number(json, "to", window->to);
    thud_json_text(json, "while", window->has_guide ? measured->guide.name : "");
    thud_json_number(json, "low", window->has_guide ? window->low : NAN);
    thud_json_number(json, "high", window->has_guide ? window->high : NAN);
    thud_json_close(json);
    thud_json_whole(json, "seeds", result->seed_count);
    thud_json_flag(json, "seeds_agree", result->seeds_agree);
    thud_json_text(json, "verdict", verdicts[result->verdict]);
    thud_json_number(json, "left", result->left);
    json_levels(json, result);
    thud_json_close(json);
}
