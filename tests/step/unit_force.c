// Forces with known integrals: see unit_force.h.
#include "unit_force.h"

int force_callback(double t, const double *q, double *f, void *user)
{
    force_case *force = user;
    (void)q;
    force->calls++;
    *f = force->value(force, t);
    return 0;
}

// The mean of |f| by the middle rule, on pieces that meet at the singular point: two digits do.
static double mean_size(const force_case *f, double start, double end)
{
    enum
    {
        POINTS = 20000
    };
    double sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += fabs(f->value(f, start + (end - start) * ((i + 0.5) / POINTS)));
    return sum / POINTS;
}

force_result force_mean(force_case *f, double start, double end, const double *breaks, int count)
{
    double scratch[8], q = 0, size = mean_size(f, start, end);
    thud_inclusion problem = {
        .dim = 1, .force = force_callback, .breaks = breaks, .break_count = count, .user = f};
    thudi_quadrature rule = {
        .problem = &problem, .q = &q, .tolerance = 1e-12, .limit = 100000, .scratch = scratch};
    force_result result = {.mean = NAN, .size = size};
    f->calls = 0;
    result.status = thudi_quadrature_mean(&rule, start, end, &result.mean);
    CHECK(rule.evaluations == f->calls);
    result.exact = (f->primitive(f, end) - f->primitive(f, start)) / (end - start);
    result.error = fabs(result.mean - result.exact) / size;
    result.reported = rule.error;
    result.evaluations = rule.evaluations;
    return result;
}

static double smooth_value(const force_case *f, double t)
{
    double sum = 0;
    for (int i = 0; i < f->terms; i++)
        sum +=
            f->amplitude[i] * (i % 2 ? exp(f->rate[i] * t / 8) : cos(f->rate[i] * t + f->phase[i]));
    return sum;
}

static double smooth_primitive(const force_case *f, double t)
{
    double sum = 0;
    for (int i = 0; i < f->terms; i++)
        sum += f->amplitude[i] * (i % 2 ? exp(f->rate[i] * t / 8) * 8 / f->rate[i]
                                        : sin(f->rate[i] * t + f->phase[i]) / f->rate[i]);
    return sum;
}

force_case force_smooth(test_random *random)
{
    force_case f = {.value = smooth_value, .primitive = smooth_primitive};
    f.terms = test_random_int(random, 1, 6);
    for (int i = 0; i < f.terms; i++)
    {
        f.amplitude[i] = test_random_normal(random);
        f.rate[i] = exp(test_random_uniform(random, -2, 3));
        f.phase[i] = test_random_uniform(random, 0, 6);
    }
    return f;
}

double force_noise(const force_case *f, double start, double end)
{
    double sum = 0, far = fmax(fabs(start), fabs(end));
    for (int i = 0; i < f->terms; i++)
    {
        double size = fabs(f->amplitude[i]) * (i % 2 ? exp(f->rate[i] * far / 8) : 1);
        double argument = 1 + f->rate[i] * far; // an ulp of it moves the value by so many
        sum += size * argument * (1 + 8 / f->rate[i] / (end - start));
    }
    for (int i = 0; i < f->jump_count; i++)
        sum += fabs(f->heights[i]) * (1 + far / (end - start));
    return sum;
}

static double jumpy_value(const force_case *f, double t)
{
    double sum = smooth_value(f, t);
    for (int i = 0; i < f->jump_count; i++)
        sum += t < f->jumps[i] ? 0 : f->heights[i];
    return sum;
}

static double jumpy_primitive(const force_case *f, double t)
{
    double sum = smooth_primitive(f, t);
    for (int i = 0; i < f->jump_count; i++)
        sum += t < f->jumps[i] ? 0 : f->heights[i] * (t - f->jumps[i]);
    return sum;
}

force_case force_jumpy(test_random *random, double start, double end, int count)
{
    force_case f = force_smooth(random);
    f.value = jumpy_value;
    f.primitive = jumpy_primitive;
    f.jump_count = count;
    for (int i = 0; i < count; i++)
    {
        double place = test_random_uniform(random, start, end);
        int j = i;
        for (; j > 0 && f.jumps[j - 1] > place; j--)
            f.jumps[j] = f.jumps[j - 1];
        f.jumps[j] = place;
    }
    for (int i = 0; i < count; i++)
        f.heights[i] = test_random_normal(random);
    return f;
}

static double jump_value(const force_case *f, double t)
{
    return t < f->at ? 1 : 1 + f->power;
}

static double jump_primitive(const force_case *f, double t)
{
    return t < f->at ? t : t + f->power * (t - f->at);
}

force_case force_jump(double at, double jump)
{
    return (force_case){.value = jump_value, .primitive = jump_primitive, .at = at, .power = jump};
}

static double singular_value(const force_case *f, double t)
{
    double distance = fabs(t - f->at);
    return f->power == 0 ? -log(distance) : pow(distance, f->power);
}

static double singular_primitive(const force_case *f, double t)
{
    double distance = fabs(t - f->at), power = f->power + 1;
    if (distance == 0)
        return 0;
    double value =
        f->power == 0 ? distance - distance * log(distance) : pow(distance, power) / power;
    return t < f->at ? -value : value;
}

force_case force_singular(double at, double power)
{
    return (force_case){
        .value = singular_value, .primitive = singular_primitive, .at = at, .power = power};
}
