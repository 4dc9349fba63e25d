// What a study shows: which sequences settle, how many limits there are, constants and orders.
#include "core/elementary.h"
#include "study/study.h"

#include <math.h>

static const double ROUNDING = 1e-11; // of the largest coordinate: no difference
static const double STEADY = 4;       // d_k / h_k may grow by this
static const double APART = 4;        // ends of two sequences, in units of C h of both
static const double GROWTH = 2;       // of error / h, from the coarse half to the fine one

static double scale_of(const thud_converge *study)
{
    double most = 0;
    size_t count =
        (size_t)study->result.run_count * (size_t)study->sample_count * (size_t)study->dim;
    for (size_t i = 0; i < count; i++)
        most = fabs(study->samples.items[i]) > most ? fabs(study->samples.items[i]) : most;
    return most;
}

// The largest distance in q of two runs, at the sample times.
static double distance(const thud_converge *study, int a, int b)
{
    const double *x = thudi_study_samples(study, a), *y = thudi_study_samples(study, b);
    double most = 0;
    for (int i = 0; i < study->sample_count; i++)
    {
        double sum = 0;
        for (int k = 0; k < study->dim; k++, x++, y++)
            sum += (*x - *y) * (*x - *y);
        most = sqrt(sum) > most ? sqrt(sum) : most;
    }
    return most;
}

// d_k of a sequence, and the largest of d_k / h_k.
static double differences(const thud_converge *study, const thud_converge_sequence *s, double *d)
{
    double most = 0;
    for (int k = 0; k + 1 < s->count; k++)
    {
        d[k] = distance(study, s->first + k, s->first + k + 1);
        double rate = d[k] / study->runs[s->first + k].h;
        most = rate > most ? rate : most;
    }
    return most;
}

// The largest d_k and d_k / h_k of the differences from `from` to before `to`.
static void largest(const thud_converge *study, const thud_converge_sequence *s, const double *d,
                    int from, int to, double most[2])
{
    most[0] = most[1] = 0;
    for (int k = from; k < to; k++)
    {
        double rate = d[k] / study->runs[s->first + k].h;
        most[0] = d[k] > most[0] ? d[k] : most[0];
        most[1] = rate > most[1] ? rate : most[1];
    }
}

// The second half of the differences against the first: single ones depend on where in a step an
// impact falls.
static thud_sequence_kind kind_of(const thud_converge *study, const thud_converge_sequence *s,
                                  const double *d, double rounding)
{
    double early[2], late[2];
    int count = s->count - 1, half = (count + 1) / 2;
    double h = study->runs[s->first + half].h, part = h / study->runs[s->first].h;
    largest(study, s, d, 0, half, early);
    largest(study, s, d, half, count, late);
    if (late[0] > early[0] * sqrt(sqrt(part)) + rounding)
        return THUD_SEQUENCE_WANDERS;
    bool settles = late[1] <= STEADY * early[1] + rounding / h;
    return settles ? THUD_SEQUENCE_SETTLES : THUD_SEQUENCE_SLOW;
}

// The distance of the ends of two sequences, over what their own steps explain.
static double apart(const thud_converge *study, int i, int j, const double *rate, double rounding)
{
    const thud_converge_sequence *a = &study->sequences[i], *b = &study->sequences[j];
    int end = a->first + a->count - 1, other = b->first + b->count - 1;
    double room = rate[i] * study->runs[end].h + rate[j] * study->runs[other].h;
    return distance(study, end, other) / (APART * room + rounding);
}

// Give sequences of a kind the limit of the nearest sequence that has one, or a new one.
static void place_sequences(thud_converge *study, thud_sequence_kind kind, const double *rate,
                            double rounding)
{
    for (int i = 0; i < study->result.sequence_count; i++)
    {
        double nearest = 1;
        thud_converge_sequence *s = &study->sequences[i];
        for (int j = 0; j < study->result.sequence_count && s->kind == kind; j++)
        {
            if (j == i || study->sequences[j].limit < 0)
                continue;
            double far = apart(study, i, j, rate, rounding);
            if (far <= nearest)
            {
                nearest = far;
                s->limit = study->sequences[j].limit;
            }
        }
        if (s->kind == kind && s->limit < 0)
            s->limit = study->result.limit_count++;
    }
}

// Number the limits. Sequences that are slow come last: their own steps explain much, and they must
// not join what others keep apart.
static void find_limits(thud_converge *study, const double *rate, double rounding)
{
    thud_converge_result *result = &study->result;
    for (int i = 0; i < result->sequence_count; i++)
    {
        const thud_converge_sequence *a = &study->sequences[i];
        study->sequences[i].limit = -1;
        for (int j = 0; j < i; j++)
        {
            const thud_converge_sequence *b = &study->sequences[j];
            double far = distance(study, a->first + a->count - 1, b->first + b->count - 1);
            result->spread = far > result->spread ? far : result->spread;
        }
    }
    place_sequences(study, THUD_SEQUENCE_SETTLES, rate, rounding);
    place_sequences(study, THUD_SEQUENCE_SLOW, rate, rounding);
}

// C, and the slope of log error over log h; errors that are rounding have none.
static void fit(thud_converge *study, int norm, double rounding)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < study->result.run_count; i++)
    {
        double h = study->runs[i].h, error = study->runs[i].error[norm];
        if (isnan(error))
            continue;
        double rate = error / h;
        if (rate > study->result.constant[norm])
            study->result.constant[norm] = rate;
        if (error <= rounding)
            continue;
        double a = thudi_log(h), b = thudi_log(error);
        n += 1, x += a, y += b, xx += a * a, xy += a * b;
    }
    double spread = n * xx - x * x;
    study->result.order[norm] = n >= 3 && spread > 0 ? (n * xy - x * y) / spread : NAN;
}

// Is the largest error / h among the finer half of the runs no larger than among the others?
static bool is_within(const thud_converge *study, int norm, double rounding)
{
    int count = study->result.run_count;
    double coarse = 0, fine = 0;
    for (int i = 0; i < count; i++)
    {
        int finer = 0;
        for (int j = 0; j < count; j++)
            finer += study->runs[j].h < study->runs[i].h;
        double error = study->runs[i].error[norm], rate = error / study->runs[i].h;
        if (isnan(error))
            return false;
        if (error <= rounding)
            continue;
        if (finer < count / 2)
            fine = rate > fine ? rate : fine;
        else
            coarse = rate > coarse ? rate : coarse;
    }
    return fine <= GROWTH * coarse;
}

static thud_converge_verdict verdict_of(const thud_converge *study, double rounding)
{
    const thud_converge_result *result = &study->result;
    for (int i = 0; i < result->sequence_count; i++)
        if (study->sequences[i].kind == THUD_SEQUENCE_WANDERS)
            return THUD_CONVERGE_SEVERAL;
    if (result->limit_count > 1)
        return THUD_CONVERGE_SEVERAL;
    if (result->reference == THUD_REFERENCE_FINEST)
        return THUD_CONVERGE_AGREE;
    for (int norm = 0; norm < THUD_NORM_COUNT; norm++)
        if (!is_within(study, norm, rounding))
            return THUD_CONVERGE_SLOWER;
    return THUD_CONVERGE_WITHIN;
}

void thudi_study_judge(thud_converge *study)
{
    thud_converge_result *result = &study->result;
    double rounding = ROUNDING * scale_of(study), rate[THUDI_SEQUENCES];
    for (int i = 0; i < result->sequence_count; i++)
    {
        double d[THUDI_LEVELS] = {0};
        thud_converge_sequence *s = &study->sequences[i];
        rate[i] = differences(study, s, d);
        s->change = d[s->count - 2];
        s->kind = kind_of(study, s, d, rounding);
    }
    find_limits(study, rate, rounding);
    for (int norm = 0; norm < THUD_NORM_COUNT; norm++)
        fit(study, norm, rounding);
    result->verdict = verdict_of(study, rounding);
}
