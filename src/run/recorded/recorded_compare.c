// Where two runs part.
#include "core/fault.h"
#include "core/memory.h"
#include "run/recorded/frame_nodes.h"
#include "run/recorded/recorded.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct comparison
{
    const thud_recorded *runs[2];
    thudi_nodes nodes[2];
    thud_recorded_difference *found;
} comparison;

static void write_number(const thud_field *field, int64_t i, char text[THUD_NUMBER_SIZE])
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
        thud_scene_name_coordinate(c->runs[0]->scene, i, where, sizeof where);
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
        write_number(a, i, first);
        write_number(b, i, second);
        (void)snprintf(c->found->text, sizeof c->found->text, "%s: %s and %s", what, first, second);
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
    bool is_memory = in_a && in_b && memcmp(&one[i].impulse, &other[i].impulse, 8) == 0;
    double a_value = !in_a ? 0 : is_memory ? one[i].memory : one[i].impulse;
    double b_value = !in_b ? 0 : is_memory ? other[i].memory : other[i].impulse;
    thud_model_describe(c->runs[0]->model, in_a ? one[i].key : other[i].key, where, sizeof where);
    (void)snprintf(c->found->text, sizeof c->found->text, "%s of %s: %s and %s",
                   is_memory ? "memory" : "impulse", where, thud_number_write(first, a_value),
                   thud_number_write(second, b_value));
    return true;
}

// The numbers that the law keeps beyond the memory, of two states with the same multipliers.
static bool compare_more(comparison *c, const thud_state *a, const thud_state *b)
{
    char where[200], first[THUD_NUMBER_SIZE], second[THUD_NUMBER_SIZE];
    size_t width = (size_t)a->more_width, i = 0;
    size_t count = a->more_width == b->more_width ? (size_t)a->multiplier_count * width : 0;
    while (i < count && memcmp(&a->more[i], &b->more[i], sizeof *a->more) == 0)
        i++;
    if (i == count)
        return false;
    thud_model_describe(c->runs[0]->model, a->multipliers[i / width].key, where, sizeof where);
    (void)snprintf(c->found->text, sizeof c->found->text, "number %d that is kept of %s: %s and %s",
                   (int)(i % width) + 2, where, thud_number_write(first, a->more[i]),
                   thud_number_write(second, b->more[i]));
    return true;
}

static bool compare_states(comparison *c, thud_state *a, thud_state *b)
{
    thud_field first[THUD_STATE_FIELDS], second[THUD_STATE_FIELDS];
    int in_a = thud_state_fields(a, first), in_b = thud_state_fields(b, second);
    for (int i = 0; i < in_a && i < in_b; i++)
    {
        bool differs = first[i].type == THUD_FIELD_MULTIPLIER
                           ? compare_multipliers(c, &first[i], &second[i])
                       : first[i].data == a->more ? compare_more(c, a, b)
                                                  : compare_numbers(c, &first[i], &second[i]);
        if (differs)
        {
            c->found->step = a->n;
            return c->found->is_shown = true;
        }
    }
    return false;
}

// Look for the difference in the frames that both runs have of the same step.
static thud_status compare_frames(comparison *c, thud_fault *fault)
{
    thud_frame frames[2];
    int64_t at[2] = {0, 0};
    while (at[0] < thud_log_view(c->runs[0]->log).frame_count &&
           at[1] < thud_log_view(c->runs[1]->log).frame_count && !c->found->is_shown)
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

static thud_status compare(comparison *c, thud_fault *fault)
{
    const thud_log *a = c->runs[0]->log, *b = c->runs[1]->log;
    thud_log_summary one = thud_log_view(a), other = thud_log_view(b);
    thud_recorded_difference *found = c->found;
    found->common = one.step_count < other.step_count ? one.step_count : other.step_count;
    found->begin = one.first_node > other.first_node ? one.first_node : other.first_node;
    found->first = found->begin;
    found->has_none = found->common <= found->begin && found->begin > 0;
    if (found->has_none)
        return THUD_OK;
    while (found->first < found->common &&
           thud_log_chain(a, found->first) == thud_log_chain(b, found->first))
        found->first++;
    THUD_TRY(compare_frames(c, fault));
    found->is_same =
        found->first == found->common && one.step_count == other.step_count && !found->is_shown;
    return THUD_OK;
}

thud_status thud_recorded_compare(const thud_recorded *a, const thud_recorded *b,
                                  thud_recorded_difference *difference, thud_fault *fault)
{
    thud_fault own;
    int dims[2] = {thud_log_view(a->log).dim, thud_log_view(b->log).dim};
    fault = thudi_fault_begin(fault, &own);
    *difference = (thud_recorded_difference){.has_other_dim = dims[0] != dims[1]};
    if (difference->has_other_dim)
        return THUD_OK;
    comparison c = {.runs = {a, b}, .found = difference};
    thud_status status = thudi_nodes_make(&c.nodes[0], dims[0]);
    if (status >= 0)
        status = thudi_nodes_make(&c.nodes[1], dims[0]);
    if (status >= 0)
        status = compare(&c, fault);
    thudi_nodes_free(&c.nodes[0]);
    thudi_nodes_free(&c.nodes[1]);
    return thudi_fault_end(fault, status);
}

static void write_same(const thud_recorded_difference *found, const thud_recorded *run,
                       thud_writer *writer)
{
    char steps[THUD_COUNT_SIZE];
    thud_write(writer, "the same: %s, hash %016" PRIx64 "\n",
               thud_words_count(steps, found->common - 1 - found->begin, "step"),
               found->common > found->begin ? thud_log_chain(run->log, found->common - 1) : 0);
    if (found->begin > 0)
        thud_write(writer, "steps 1 to %lld are not in both runs, and were not compared\n",
                   (long long)found->begin);
}

static long long count_steps(const thud_recorded *run)
{
    thud_log_summary log = thud_log_view(run->log);
    return (long long)(log.step_count - 1 - log.first_node);
}

static void write_parting(const thud_recorded_difference *found, const thud_recorded *a,
                          const thud_recorded *b, thud_writer *writer)
{
    char count[THUD_COUNT_SIZE], other[THUD_COUNT_SIZE];
    if (found->first < found->common)
        thud_write(writer, "the first difference is in step %lld\n", (long long)found->first);
    else if (!found->is_shown)
        thud_write(writer, "the same in all steps that both have: %s has %s, %s has %s\n",
                   a->folder, thud_words_count(count, count_steps(a), "step"), b->folder,
                   thud_words_count(other, count_steps(b), "step"));
    if (found->is_shown)
        thud_write(writer, "%s step %lld: %s\n",
                   found->step == found->first ? "in"
                                               : "the first difference that both recorded is in",
                   (long long)found->step, found->text);
    else if (found->first < found->common)
        thud_write(writer,
                   "no frame that both recorded shows it; 'record: all' records every step\n");
}

void thud_recorded_difference_write(const thud_recorded_difference *difference,
                                    const thud_recorded *a, const thud_recorded *b,
                                    thud_writer *writer)
{
    if (difference->has_other_dim)
        thud_write(writer, "the runs have different numbers of coordinates: %d and %d\n",
                   thud_log_view(a->log).dim, thud_log_view(b->log).dim);
    else if (difference->has_none)
        thud_write(writer, "they have no step in common\n");
    else if (difference->is_same)
        write_same(difference, a, writer);
    else
        write_parting(difference, a, b, writer);
}
