// How a run went: the list of figures, and how a step is added to them.
#include "thud/run.h"

#include "core/whole.h"

#include <math.h>

// What a figure is before the first step: the smallest of none is beyond every value.
#define BEGIN_WHOLE(fold) (THUD_FIGURE_##fold == THUD_FIGURE_MIN ? INT64_MAX : 0)
#define BEGIN_REAL(fold) (THUD_FIGURE_##fold == THUD_FIGURE_MIN ? INFINITY : 0)
#define BEGIN_BITS(fold) 0

thud_tally thud_tally_begin(void)
{
    return (thud_tally){
#define BEGIN(name, type, fold, source, key, column, show, sentence) .name = BEGIN_##type(fold),
        THUD_TALLY_LIST(BEGIN)
#undef BEGIN
    };
}

// Whole numbers that were not counted from the start on stay -1.
static void fold_whole(int64_t *sum, thud_figure_fold fold, int64_t value)
{
    if (*sum < 0)
        return;
    if (fold == THUD_FIGURE_SUM)
        *sum += value;
    else if (fold == THUD_FIGURE_FIRST)
        *sum = *sum == 0 ? value : *sum;
    else if (fold == THUD_FIGURE_MIN ? value < *sum : value > *sum)
        *sum = value;
}

// fmin and fmax ignore a NAN.
static void fold_real(double *sum, thud_figure_fold fold, double value)
{
    if (fold == THUD_FIGURE_SUM)
        *sum += value;
    else if (fold == THUD_FIGURE_MIN)
        *sum = fmin(*sum, value);
    else if (fold == THUD_FIGURE_MAX)
        *sum = fmax(*sum, value);
    else if (fold == THUD_FIGURE_FIRST)
        *sum = *sum == 0 ? value : *sum;
    else if (!(value <= *sum)) // a NAN counts as not known
        *sum = isnan(value) ? INFINITY : value;
}

static void fold_bits(unsigned *sum, thud_figure_fold fold, unsigned value)
{
    (void)fold;
    *sum |= value;
}

void thud_tally_add(thud_tally *tally, const thud_report *report)
{
    const thud_certificate *certificate = &report->answer.certificate;
    const thud_enclosure *own = &certificate->enclosure, *solved = &certificate->shifted;
    // the velocities after an impact are those of the shifted problem: its gaps are enlarged by as
    // much
    const thud_enclosure *impact = &report->impact.certificate.shifted;
    bool bounced = report->impact_rows != NULL;
    bool is_enclosed =
        tally->enclosed >= 0 && own->holds && solved->holds && (!bounced || impact->holds);
    double shifted = fmax(solved->bound, bounced ? impact->bound : 0);
    double weak = fmax(fmax(own->weak, solved->weak), bounced ? impact->weak : 0);
#define FOLD_WHOLE fold_whole
#define FOLD_REAL fold_real
#define FOLD_BITS fold_bits
#define ADD(name, type, fold, source, key, column, show, sentence)                                 \
    FOLD_##type(&tally->name, THUD_FIGURE_##fold, source);
    THUD_TALLY_LIST(ADD)
#undef ADD
}

const thud_figure *thud_tally_figures(void)
{
    static const thud_figure figures[THUD_TALLY_COUNT] = {
#define FIGURE(name, type, fold, source, key, column, show, sentence)                              \
    {#name,                                                                                        \
     key,                                                                                          \
     column,                                                                                       \
     sentence,                                                                                     \
     THUD_FIGURE_##type,                                                                           \
     THUD_FIGURE_##fold,                                                                           \
     THUD_FIGURE_##show,                                                                           \
     offsetof(thud_tally, name)},
        THUD_TALLY_LIST(FIGURE)
#undef FIGURE
    };
    return figures;
}

double thud_tally_value(const thud_tally *tally, int figure)
{
    const thud_figure *one = &thud_tally_figures()[figure];
    const void *at = (const char *)tally + one->offset;
    if (one->type == THUD_FIGURE_WHOLE)
        return (double)*(const int64_t *)at;
    return one->type == THUD_FIGURE_REAL ? *(const double *)at : *(const unsigned *)at;
}

void thud_tally_fold(thud_tally *tally, int figure, double value)
{
    const thud_figure *one = &thud_tally_figures()[figure];
    void *at = (char *)tally + one->offset;
    double most = one->type == THUD_FIGURE_BITS ? THUDI_MOST_FLAGS : THUDI_MOST_WHOLE;
    bool is_whole = value >= 0 && value < most;
    if (one->type == THUD_FIGURE_REAL)
        fold_real(at, one->fold, value);
    else if (one->type == THUD_FIGURE_WHOLE)
        fold_whole(at, one->fold, is_whole ? (int64_t)value : 0);
    else
        fold_bits(at, one->fold, is_whole ? (unsigned)value : 0);
}
