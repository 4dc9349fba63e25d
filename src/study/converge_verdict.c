// What a study shows: which sequences settle, how many limits there are, constants and orders.
#include "core/math/elementary.h"
#include "study/study.h"

#include <math.h>

static const double ROUNDING = 1e-11; // of the size of the problem: no difference
static const double STEADY = 4;       // d_k / h_k may grow by this
static const double APART = 4;        // ends of two sequences, in units of C h of both
static const double GROWTH = 2;       // of error / h, from the coarse half to the fine one
static const double CLEAR = 20;       // as APART, to say that there are two limits
static const double RISE = 1.5;       // of d_k / h_k, the same, where no solution is known
static const double FAR = 0.1;        // of the motion: no agreement

// The size of the problem: where bodies are, how large they are, how far their velocities and
// forces would take them. What comes to rest at 0 has a size too.
static double scale_of(const thud_converge *study)
{
    const thud_scene *scene = study->def.scene;
    double most = study->speed * (study->reference.end - study->reference.start);
    size_t count =
        (size_t)study->result.run_count * (size_t)study->sample_count * (size_t)study->dim;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, fabs(study->samples.items[i]));
    for (int i = 0; i < scene->body_count; i++)
        most = fmax(most, scene->bodies[i].sphere.radius);
    return most;
}

// The largest distance in q from the start, of all runs.
static double motion_of(const thud_converge *study)
{
    const double *start = thud_model_state(study->model)->q;
    double most = 0;
    for (int run = 0; run < study->result.run_count; run++)
    {
        const double *q = thudi_study_samples(study, run);
        for (int i = 0; i < study->sample_count; i++)
        {
            double sum = 0;
            for (int k = 0; k < study->dim; k++, q++)
                sum += (*q - start[k]) * (*q - start[k]);
            most = fmax(most, sqrt(sum));
        }
    }
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

static int early_half(const thud_converge_sequence *s)
{
    return s->count / 2;
}

// The second half of the differences against the first: single ones depend on where in a step an
// impact falls. So chance may make the first ones small; `usual` is the largest d_k / h_k of the
// first halves of all sequences, and what stays below it is not wandering.
static thud_sequence_kind kind_of(const thud_converge *study, const thud_converge_sequence *s,
                                  const double *d, double usual, double rounding)
{
    double early[2], late[2];
    int count = s->count - 1, half = early_half(s);
    double h = study->runs[s->first + half].h, part = h / study->runs[s->first].h;
    largest(study, s, d, 0, half, early);
    largest(study, s, d, half, count, late);
    if (late[1] <= usual)
        return THUD_SEQUENCE_SETTLES;
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
        if (isnan(error) || thud_converge_is_near(&study->result, i))
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

// Do the differences over h grow, all sequences together: the finer half against the others?
static bool do_rates_grow(const thud_converge *study, double rounding)
{
    const thud_converge_run *runs = study->runs;
    double rate[THUDI_SEQUENCES * THUDI_LEVELS], h[THUDI_SEQUENCES * THUDI_LEVELS];
    double coarse = 0, fine = 0;
    int count = 0;
    for (int i = 0; i < study->result.sequence_count; i++)
        for (int k = 0; k + 1 < study->sequences[i].count; k++)
        {
            int run = study->sequences[i].first + k;
            double d = distance(study, run, run + 1);
            h[count] = runs[run].h;
            rate[count++] = d > rounding ? d / runs[run].h : 0;
        }
    for (int i = 0; i < count; i++)
    {
        int finer = 0;
        for (int j = 0; j < count; j++)
            finer += h[j] < h[i];
        double *half = finer < count / 2 ? &fine : &coarse;
        *half = fmax(*half, rate[i]);
    }
    return fine > RISE * coarse;
}

// Do two sequences that settle end clearly apart? Chance makes the differences of single sequences
// small, so that C is the largest of all that settle; and where C h is much of the motion nothing
// is clear.
static bool has_several(const thud_converge *study, const double *rate, double rounding)
{
    const thud_converge_sequence *s = study->sequences;
    int count = study->result.sequence_count;
    double most = 0;
    for (int i = 0; i < count; i++)
        most = s[i].kind == THUD_SEQUENCE_WANDERS ? most : fmax(most, rate[i]);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
        {
            int a = s[i].first + s[i].count - 1, b = s[j].first + s[j].count - 1;
            double room = most * (study->runs[a].h + study->runs[b].h);
            if (s[i].limit >= 0 && s[j].limit >= 0 && s[i].limit != s[j].limit &&
                distance(study, a, b) > CLEAR * room + rounding)
                return true;
        }
    return false;
}

// Is there one limit as far as the runs go?
static bool is_settled(const thud_converge *study, double rounding)
{
    const thud_converge_result *result = &study->result;
    double allowed = fmax(FAR * result->motion, rounding);
    for (int i = 0; i < result->sequence_count; i++)
        if (study->sequences[i].kind == THUD_SEQUENCE_WANDERS)
            return false;
    if (result->reference == THUD_REFERENCE_FINEST && do_rates_grow(study, rounding))
        return false;
    return result->limit_count == 1 && result->left <= allowed && result->spread <= allowed;
}

static thud_converge_verdict verdict_of(const thud_converge *study, const double *rate,
                                        double rounding)
{
    const thud_converge_result *result = &study->result;
    bool known = result->reference != THUD_REFERENCE_FINEST, within = known;
    for (int norm = 0; norm < THUD_NORM_COUNT; norm++)
        within = within && is_within(study, norm, rounding);
    if (within) // by a solution that is known: the runs need not be compared with each other
        return THUD_CONVERGE_WITHIN;
    if (has_several(study, rate, rounding))
        return THUD_CONVERGE_SEVERAL;
    if (!is_settled(study, rounding))
        return THUD_CONVERGE_UNKNOWN;
    return known ? THUD_CONVERGE_SLOWER : THUD_CONVERGE_AGREE;
}

// All go to the solution that is known, whatever they seem to do among themselves.
static void join_sequences(thud_converge *study)
{
    study->result.limit_count = 1;
    for (int i = 0; i < study->result.sequence_count; i++)
    {
        thud_converge_sequence *s = &study->sequences[i];
        s->limit = 0;
        s->kind = s->kind == THUD_SEQUENCE_WANDERS ? THUD_SEQUENCE_SLOW : s->kind;
    }
}

void thudi_study_find_verdict(thud_converge *study)
{
    thud_converge_result *result = &study->result;
    double rounding = ROUNDING * scale_of(study), rate[THUDI_SEQUENCES], usual = 0;
    double d[THUDI_SEQUENCES][THUDI_LEVELS] = {{0}};
    for (int i = 0; i < result->sequence_count; i++)
    {
        thud_converge_sequence *s = &study->sequences[i];
        double early[2];
        rate[i] = differences(study, s, d[i]);
        largest(study, s, d[i], 0, early_half(s), early);
        usual = fmax(usual, early[1]);
        s->change = d[i][s->count - 2];
        result->left = fmax(result->left, rate[i] * study->runs[s->first + s->count - 1].h);
    }
    for (int i = 0; i < result->sequence_count; i++)
        study->sequences[i].kind = kind_of(study, &study->sequences[i], d[i], usual, rounding);
    result->motion = motion_of(study);
    find_limits(study, rate, rounding);
    for (int norm = 0; norm < THUD_NORM_COUNT; norm++)
        fit(study, norm, rounding);
    result->verdict = verdict_of(study, rate, rounding);
    if (result->verdict == THUD_CONVERGE_WITHIN)
        join_sequences(study);
}
