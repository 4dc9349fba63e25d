// thud diff: where two runs part.
#include "commands.h"
#include "report.h"
#include "run/frame_nodes.h"
#include "run/run_argument.h"
#include "try.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A number of a state that differs between two runs.
typedef struct difference
{
    bool is_found;
    int64_t step; // the node
    char text[300];
} difference;

typedef struct comparison
{
    const thudi_run *runs[2];
    thudi_nodes nodes[2];
    int64_t begin;  // the first node that both have,
    int64_t common; // and one more than the last
    int64_t first;  // the first that differs, or common
    difference shown;
} comparison;

static void say_number(const thud_field *field, int64_t i, char text[THUD_NUMBER_SIZE])
{
    double x;
    int64_t n;
    if (field->type == THUD_FIELD_DOUBLE)
    {
        memcpy(&x, (const char *)field->data + 8 * i, sizeof x);
        (void)thud_number_write(text, x);
        return;
    }
    memcpy(&n, (const char *)field->data + 8 * i, sizeof n);
    (void)snprintf(text, THUD_NUMBER_SIZE, "%lld", (long long)n);
}

static void name_item(const comparison *c, const thud_field *field, int64_t i, char *text,
                      size_t size)
{
    char where[160];
    bool is_position = strcmp(field->name, "q") == 0;
    if (field->count > 1 || is_position || strcmp(field->name, "u") == 0)
    {
        thudi_name_coordinate(c->runs[0]->scene, i, where, sizeof where);
        (void)snprintf(text, size, "%s of %s", is_position ? "position" : "velocity", where);
    }
    else
        (void)snprintf(text, size, "%s", field->name);
}

// The first number in which two fields of one name differ.
static bool compare_numbers(comparison *c, const thud_field *a, const thud_field *b)
{
    char what[200], first[THUD_NUMBER_SIZE], second[THUD_NUMBER_SIZE];
    for (int64_t i = 0; i < a->count; i++)
    {
        if (memcmp((const char *)a->data + 8 * i, (const char *)b->data + 8 * i, 8) == 0)
            continue;
        name_item(c, a, i, what, sizeof what);
        say_number(a, i, first);
        say_number(b, i, second);
        (void)snprintf(c->shown.text, sizeof c->shown.text, "%s: %s and %s", what, first, second);
        return true;
    }
    return false;
}

static bool compare_multipliers(comparison *c, const thud_field *a, const thud_field *b)
{
    const thud_multiplier *one = a->data, *other = b->data;
    char where[200], first[THUD_NUMBER_SIZE], second[THUD_NUMBER_SIZE];
    int64_t i = 0;
    while (i < a->count && i < b->count && memcmp(&one[i], &other[i], sizeof *one) == 0)
        i++;
    if (i == a->count && i == b->count)
        return false;
    // a constraint that one of them lacks has no impulse there
    bool in_a = i < a->count && (i >= b->count || !thud_key_before(other[i].key, one[i].key));
    bool in_b = i < b->count && (i >= a->count || !thud_key_before(one[i].key, other[i].key));
    thud_model_describe(c->runs[0]->model, in_a ? one[i].key : other[i].key, where, sizeof where);
    (void)snprintf(c->shown.text, sizeof c->shown.text, "impulse of %s: %s and %s", where,
                   thud_number_write(first, in_a ? one[i].impulse : 0),
                   thud_number_write(second, in_b ? other[i].impulse : 0));
    return true;
}

static bool compare_states(comparison *c, thud_state *a, thud_state *b)
{
    thud_field first[THUD_STATE_FIELDS], second[THUD_STATE_FIELDS];
    thud_state_fields(a, first);
    thud_state_fields(b, second);
    for (int i = 0; i < THUD_STATE_FIELDS; i++)
    {
        bool differs = first[i].type == THUD_FIELD_MULTIPLIER
                           ? compare_multipliers(c, &first[i], &second[i])
                           : compare_numbers(c, &first[i], &second[i]);
        if (differs)
        {
            c->shown.step = a->n;
            return c->shown.is_found = true;
        }
    }
    return false;
}

// Look for the difference in the frames that both runs have of the same step.
static thud_status compare_frames(comparison *c, thud_fault *fault)
{
    thud_frame frames[2];
    int64_t at[2] = {0, 0};
    while (at[0] < thud_log_look(c->runs[0]->log).frame_count &&
           at[1] < thud_log_look(c->runs[1]->log).frame_count && !c->shown.is_found)
    {
        for (int i = 0; i < 2; i++)
        {
            THUD_TRY(thud_log_frame(c->runs[i]->log, at[i], &frames[i], fault));
            THUD_TRY(thudi_nodes_fill(&c->nodes[i], c->runs[i]->scene, &frames[i]));
        }
        int64_t a = c->nodes[0].after->n, b = c->nodes[1].after->n;
        // a start has one node only, which may be the end of a step in the other run
        bool is_start = frames[0].h == 0 || frames[1].h == 0;
        if (a == b && (is_start || !compare_states(c, c->nodes[0].before, c->nodes[1].before)))
            (void)compare_states(c, c->nodes[0].after, c->nodes[1].after);
        at[0] += a <= b;
        at[1] += b <= a;
    }
    return THUD_OK;
}

static int print_same(const comparison *c)
{
    char steps[THUD_COUNT_SIZE];
    (void)printf("the same: %s, hash %016" PRIx64 "\n",
                 thud_words_count(steps, c->common - 1 - c->begin, "step"),
                 c->common > c->begin ? thud_log_chain(c->runs[0]->log, c->common - 1) : 0);
    if (c->begin > 0)
        (void)printf("steps 1 to %lld are not in both runs, and were not compared\n",
                     (long long)c->begin);
    return CLI_DONE;
}

static long long count_steps(const thudi_run *run)
{
    thud_log_summary log = thud_log_look(run->log);
    return (long long)(log.step_count - 1 - log.first_node);
}

static int print_difference(const cli_call *call, const comparison *c)
{
    char count[THUD_COUNT_SIZE], other[THUD_COUNT_SIZE];
    const difference *shown = &c->shown;
    if (c->first < c->common)
        (void)printf("the first difference is in step %lld\n", (long long)c->first);
    else if (!shown->is_found)
        (void)printf("the same in all steps that both have: %s has %s, %s has %s\n",
                     call->arguments[0], thud_words_count(count, count_steps(c->runs[0]), "step"),
                     call->arguments[1], thud_words_count(other, count_steps(c->runs[1]), "step"));
    if (shown->is_found)
        (void)printf("%s step %lld: %s\n",
                     shown->step == c->first ? "in"
                                             : "the first difference that both recorded is in",
                     (long long)shown->step, shown->text);
    else if (c->first < c->common)
        (void)printf("no frame that both recorded shows it; 'record: all' records every step\n");
    return CLI_DIFFERENT;
}

static int compare(const cli_call *call, comparison *c)
{
    thud_fault fault = {0};
    const thud_log *a = c->runs[0]->log, *b = c->runs[1]->log;
    int64_t counts[2] = {thud_log_look(a).step_count, thud_log_look(b).step_count};
    int64_t begins[2] = {thud_log_look(a).first_node, thud_log_look(b).first_node};
    c->common = counts[0] < counts[1] ? counts[0] : counts[1];
    c->first = c->begin = begins[0] > begins[1] ? begins[0] : begins[1];
    if (c->common <= c->begin && c->begin > 0)
    {
        (void)printf("they have no step in common\n");
        return CLI_DIFFERENT;
    }
    while (c->first < c->common && thud_log_chain(a, c->first) == thud_log_chain(b, c->first))
        c->first++;
    thud_status status = compare_frames(c, &fault);
    if (status < 0)
        return cli_complain(status, &fault);
    if (c->first == c->common && counts[0] == counts[1] && !c->shown.is_found)
        return print_same(c);
    return print_difference(call, c);
}

static int compare_runs(const cli_call *call, const thudi_run runs[2])
{
    int dims[2] = {thud_log_look(runs[0].log).dim, thud_log_look(runs[1].log).dim};
    if (dims[0] != dims[1])
    {
        (void)printf("the runs have different numbers of coordinates: %d and %d\n", dims[0],
                     dims[1]);
        return CLI_DIFFERENT;
    }
    comparison c = {.runs = {&runs[0], &runs[1]}};
    thud_status status = thudi_nodes_make(&c.nodes[0], dims[0]);
    if (status >= 0)
        status = thudi_nodes_make(&c.nodes[1], dims[0]);
    int code = status < 0 ? cli_complain(status, &(thud_fault){0}) : compare(call, &c);
    thudi_nodes_free(&c.nodes[0]);
    thudi_nodes_free(&c.nodes[1]);
    return code;
}

int command_diff(const cli_call *call)
{
    thudi_run runs[2] = {{0}, {0}};
    int code = thudi_run_open(call->arguments[0], &runs[0]);
    if (code == CLI_DONE)
        code = thudi_run_open(call->arguments[1], &runs[1]);
    if (code == CLI_DONE)
        code = compare_runs(call, runs);
    thudi_run_close(&runs[0]);
    thudi_run_close(&runs[1]);
    return code;
}
