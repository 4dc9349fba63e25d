// The multipliers of a step against  sum mu_i |grad g_i| <= gamma |u' - w|,  and where they act.
//
// The bound is A6 for the rows that carry load, as M (u' - w) = sum mu_i grad g_i. It is what makes
// the masses of the multipliers bounded as h goes to 0.
#include "theory/theory.h"

// What rounding may add, relative.
static const double ROUNDING = 1e-9, VELOCITY_ULPS = 16 * 0x1p-52;

typedef struct step
{
    const thud_inclusion *problem;
    const thud_state *before, *after;
    thud_allocator allocator;
    const thud_rows *rows; // of the step
    thud_rows *found;      // where they were not given, and at the end of the step
    bool *loaded;          // by row
    double *pushed;        // sum mu_i grad g_i, length dim
} step;

static void add_row(step *s, int i, double impulse, thud_mass *mass)
{
    const thudi_row_head *row = &s->rows->heads.items[i];
    for (int k = 0; k < thudi_row_size(row); k++)
        s->pushed[thudi_row_coordinate(s->rows, row, k)] +=
            impulse * thudi_row_slope(s->rows, row, k);
    mass->mass += impulse * thudi_slope_norm(s->problem, s->rows, i);
    mass->loaded++;
    s->loaded[i] = true;
}

// Rows and multipliers are both sorted by key.
static void load_rows(step *s, thud_mass *mass)
{
    int i = 0;
    for (int m = 0; m < s->after->multiplier_count; m++)
    {
        const thud_multiplier *multiplier = &s->after->multipliers[m];
        while (i < s->rows->count && thud_key_before(s->rows->heads.items[i].key, multiplier->key))
            i++;
        mass->pulls = mass->pulls || multiplier->impulse < 0;
        if (!(multiplier->impulse > 0))
            continue;
        if (i < s->rows->count && thud_key_same(s->rows->heads.items[i].key, multiplier->key))
            add_row(s, i++, multiplier->impulse, mass);
        else
            mass->unknown++;
    }
}

// |u' - w|_M by the velocities, and in *slack what they are rounded by; by the multipliers if the
// prediction is not known.
static double change_of(const step *s, const double *force, double *slack)
{
    const thud_inclusion *problem = s->problem;
    bool is_known = force && problem->noise == 0, is_first = problem->order == THUD_FIRST_ORDER;
    double sum = 0, size = 0;
    for (int k = 0; k < problem->dim; k++)
    {
        double m = thudi_mass(problem->mass, k), change = s->pushed[k] / m;
        if (is_known)
        {
            double own = is_first ? 0 : s->before->u[k];
            double push = is_first ? force[k] : s->before->h * (force[k] / m);
            change = s->after->u[k] - (own + push);
            size += m * (own * own + push * push + s->after->u[k] * s->after->u[k]);
        }
        sum += m * change * change;
    }
    *slack = VELOCITY_ULPS * sqrt(size);
    return sqrt(sum);
}

// The largest g at the end of the step where there is a multiplier.
static thud_status find_support(step *s, const thud_site *site, thud_mass *mass)
{
    thud_site end = *site;
    int m = 0;
    end.q = s->after->q;
    THUD_TRY(thud_site_rows(s->problem, &end, s->found));
    mass->support = (thud_extreme){.value = -INFINITY};
    for (int i = 0; i < s->found->count; i++)
    {
        const thudi_row_head *row = &s->found->heads.items[i];
        while (m < s->after->multiplier_count &&
               thud_key_before(s->after->multipliers[m].key, row->key))
            m++;
        if (m < s->after->multiplier_count &&
            thud_key_same(s->after->multipliers[m].key, row->key) &&
            s->after->multipliers[m].impulse > 0)
            thudi_raise(&mass->support, row->gap, row->key);
    }
    return THUD_OK;
}

static void set_verdict(thud_mass *mass, double slack)
{
    double gamma = mass->independence.gamma;
    mass->bound = isinf(gamma) ? INFINITY : gamma * mass->change;
    mass->holds = mass->pulls || isinf(gamma) ||
                  mass->mass <= gamma * (mass->change + slack) * (1 + ROUNDING);
}

static thud_status measure(step *s, const thud_site *site, const double *force, thud_mass *mass)
{
    double slack;
    thud_independence_def def = {.mass = s->problem->mass, .allocator = &s->allocator};
    *mass = (thud_mass){.holds = true};
    if (s->rows == s->found)
        THUD_TRY(thud_site_rows(s->problem, site, s->found));
    size_t count = (size_t)s->rows->count, dim = (size_t)s->problem->dim;
    s->loaded = thudi_allocate_zeroed(&s->allocator, (count + 1) * sizeof *s->loaded);
    s->pushed = thudi_allocate_zeroed(&s->allocator, dim * sizeof *s->pushed);
    thud_status status = s->loaded && s->pushed ? THUD_OK : THUD_ERR_MEMORY;
    if (status >= 0)
    {
        load_rows(s, mass);
        mass->change = change_of(s, force, &slack);
        def.use = s->loaded;
        status = thud_independence_measure(s->rows, &def, &mass->independence, NULL, NULL);
        if (status >= 0)
            set_verdict(mass, slack);
    }
    thudi_free(&s->allocator, s->loaded, (count + 1) * sizeof *s->loaded);
    thudi_free(&s->allocator, s->pushed, dim * sizeof *s->pushed);
    return status < 0 ? status : find_support(s, site, mass);
}

// Bodies that met in the step may have been this far apart at its start.
static double reach_of(const step *s, const thud_site *site)
{
    double fastest = 0;
    for (int k = 0; k < s->problem->dim; k++)
        if (fabs(s->after->u[k]) > fastest)
            fastest = fabs(s->after->u[k]);
    double reach = 4 * s->before->h * fastest; // two bodies, and sqrt 3 for the direction
    return reach > site->reach && isfinite(reach) ? reach : site->reach;
}

thud_status thud_mass_measure(const thud_inclusion *problem, const thud_state *before,
                              const thud_state *after, const double *mean_force,
                              const thud_rows *rows, const thud_site *site, thud_mass *mass)
{
    step s = {.problem = problem, .before = before, .after = after};
    s.allocator = thudi_allocator_or_default(site->allocator);
    THUD_TRY(thud_float_check());
    thud_site start = *site;
    start.t = thud_state_time(after);
    start.h = before->h;
    start.q = before->q;
    start.reach = reach_of(&s, site);
    start.multipliers = after->multipliers;
    start.multiplier_count = after->multiplier_count;
    THUD_TRY(thud_rows_create(problem->dim, site->allocator, &s.found));
    s.rows = rows ? rows : s.found;
    thud_status status = measure(&s, &start, mean_force, mass);
    thud_rows_destroy(s.found);
    return status;
}
