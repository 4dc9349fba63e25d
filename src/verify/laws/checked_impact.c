// Verifies a step whose contacts bounce. The state stores the velocity u' with the impulses p. As
// memories it stores the multipliers of the displacement velocity x = P_K(w). The other
// certificates verify x, as they do for inelastic contacts. This file verifies in addition, where
// r_i is the speed at which a gap would open, and r_i^- = max(0, -r_i) the speed of approach:
//
//     active            lin_i(x) <= sigma_i + max(sigma_i / 2, 64 ulps), or memory_i > 0;
//                       sigma_i is the shift, lin_i(x) = g_i(t_n+1, q_n) + h slope_i . x
//     D_i             = (g_i(t_n+1, q_n) - g_i(t_n, q_n)) / h,   r_i = D_i + slope_i . w
//     one e           = sum (r_i^-)^2 / A_ii e_i / sum (r_i^-)^2 / A_ii per cluster of active rows
//     nu              = p / (1 + e),   v = w + M^-1 G^T nu
//     feasible          D_i + slope_i . v >= 0 on active rows; every row has its gap after the
//                       displacement q' - q >= 0
//     complementarity   D_i + slope_i . v = 0 where p_i > 0; p_i = 0 on rows that are not active;
//                       p . A p + (1 + e) p . r = 0: the solver's factor s (docs/models.md) is 1;
//                       p = memory where no row of the cluster has e > 0, so that u' = x
//     motion            q' = q + h x, or q + h (x + e (x - w)) for a whole cluster whose impact is
//                       fast: max r_i^- >= 5 h max |f| / m
//     energy            |u'| <= |w| in every cluster whose rows have D_i = 0
//
// A cluster is a set of coordinates that active rows join. A is G M^-1 G^T, and norms are those of
// M.
#include "verify/laws/checked_impact.h"

#include "verify/checker.h"

#include <float.h>

// The rounding errors that are allowed, as parts of the sum of the absolute values of the terms.
static const double TOUCH_ULPS = 64 * DBL_EPSILON;     // of lin_i
static const double GAP_ULPS = 32 * DBL_EPSILON;       // of the difference of two gaps
static const double PREDICTION_ULPS = 4 * DBL_EPSILON; // of w
static const double X_ULPS = 16 * DBL_EPSILON;         // of x
static const double RESCALE_ULPS = 8 * DBL_EPSILON; // of an impulse scaled to another step and back

// An impact is fast if its approach is at least FAST h |f| / m. The solver's numbers may differ by
// rounding, so here it is fast from FAST_ROUNDING times that.
static const double FAST = 5;
static const double FAST_ROUNDING = 1 - 1e-9;

// A speed. Errors up to it are allowed, because squares of such speeds may underflow.
static const double LEAST_SPEED = 1e-140;

// A set of coordinates that active rows join. Sums are over its coordinates, or over its active
// rows.
typedef struct cluster
{
    bool bounces;                       // a row has e > 0
    bool moves;                         // a row has D != 0
    double approach;                    // largest -r_i
    double acceleration;                // largest |f| / m of a body
    double e_weight, e_sum;             // sum (r_i^-)^2 / A_ii, and the same times e_i
    double e, e_error;                  // e_sum / e_weight, and its largest error
    double work, work_size;             // p . r, and the sum of the absolute values of its terms
    double work_error;                  // largest error of p . r by those of r
    double energy, energy_size;         // p . A p, and the same of absolute values
    double gain, gain_size;             // |u'|^2/2 - |w|^2/2, and the sum of the absolute values
    double plain_error, extended_error; // worst error of q' = q + h x, and of the motion of a fast
                                        // impact; as parts of what is allowed
} cluster;

typedef struct impact
{
    thudi_checker *checker;
    cluster *clusters; // by coordinate; only those of roots are used
    // By coordinate: another coordinate of its cluster, or itself. Coordinates that are their own
    // parent are roots; a cluster has one.
    int *parent;
    // by row
    double *gap_rate; // D_i
    double *r;        // r_i
    double *r_error;  // largest error of r_i
    double *a;        // A_ii
    bool *is_active;
    // by coordinate
    thudi_sum *impulse;   // (G^T p)_k
    double *impulse_size; // the sum of the absolute values of its terms
    double *velocity;     // v_k
} impact;

// The restitution e_i of row i.
static double restitution_of(const thudi_checker *checker, int i)
{
    thud_row_room room;
    const double *numbers = thudi_checker_row(checker, i, &room).numbers;
    return numbers ? numbers[0] : 0;
}

// Follow the parents of coordinate k to the root of its cluster.
static int root_of(const impact *im, int k)
{
    while (im->parent[k] != k)
        k = im->parent[k];
    return k;
}

static cluster *cluster_of(const impact *im, int k)
{
    return &im->clusters[root_of(im, k)];
}

static cluster *cluster_of_row(const impact *im, int i)
{
    thud_row_room room;
    thud_row row = thudi_checker_row(im->checker, i, &room);
    return cluster_of(im, thudi_row_coordinate(&row, 0));
}

// The rounding of lin_i(x) up to which a row counts as touching, in the unit of g.
static double touch_rounding(const thudi_checker *checker, const thud_row *row)
{
    double sum = fabs(row->gap);
    for (int entry = 0; entry < thudi_row_length(row); entry++)
    {
        int k = thudi_row_coordinate(row, entry);
        double v = fabs(checker->prediction[k]) + fabs(checker->x[k]);
        sum += fabs(row->slope[entry]) * (fabs(checker->before->q[k]) + checker->h * v);
    }
    return TOUCH_ULPS * sum;
}

// Join the clusters of all coordinates of an active row. The smallest root becomes the root of all.
// The row's coordinates are linked to it directly, which keeps later paths short.
static void join_coordinates(impact *im, const thud_row *row)
{
    int root = root_of(im, thudi_row_coordinate(row, 0));
    for (int entry = 1; entry < thudi_row_length(row); entry++)
    {
        int other = root_of(im, thudi_row_coordinate(row, entry));
        int low = root < other ? root : other, high = root < other ? other : root;
        im->parent[high] = low;
        im->parent[thudi_row_coordinate(row, entry)] = low;
        root = low;
    }
}

// Find the active rows, the clusters that they make, and which of these have a row with e > 0.
static void find_active(impact *im)
{
    thudi_checker *checker = im->checker;
    for (int k = 0; k < checker->dim; k++)
        im->parent[k] = k;
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        double touch = fmax(row.shift / 2, touch_rounding(checker, &row));
        im->is_active[i] =
            thudi_row_length(&row) > 0 && (thudi_checker_memory_after(checker, i) > 0 ||
                                           thudi_sum_value(checker->lin_x[i]) <= row.shift + touch);
        if (im->is_active[i])
            join_coordinates(im, &row);
    }
    for (int i = 0; i < checker->row_count; i++)
        if (im->is_active[i] && restitution_of(checker, i) > 0)
            cluster_of_row(im, i)->bounces = true;
}

// Compute D_i of all active rows in clusters that bounce. Both lists of rows are sorted by key.
// THUD_ERR_CALLBACK if the callback did not push such a row at (t_n, q_n).
static thud_status read_rates(impact *im)
{
    thudi_checker *checker = im->checker;
    for (int i = 0, n = 0; i < checker->row_count; i++)
    {
        thud_row_room room, node_room;
        thud_row row = thudi_checker_row(checker, i, &room);
        if (!im->is_active[i] || !cluster_of_row(im, i)->bounces)
            continue;
        while (n < thudi_list_count(&checker->node) &&
               thud_key_before(thudi_list_key(&checker->node, n), row.key))
            n++;
        if (n == thudi_list_count(&checker->node) ||
            !thud_key_same(thudi_list_key(&checker->node, n), row.key))
            return THUD_ERR_CALLBACK;
        im->gap_rate[i] =
            (row.gap - thudi_list_row(&checker->node, n, &node_room).gap) / checker->h;
        cluster_of_row(im, i)->moves = cluster_of_row(im, i)->moves || im->gap_rate[i] != 0;
    }
    return THUD_OK;
}

// Compute r_i, its largest error, and A_ii.
static void measure_approach(impact *im, int i)
{
    thudi_checker *checker = im->checker;
    thud_row_room room;
    thud_row row = thudi_checker_row(checker, i, &room);
    thudi_sum r = {im->gap_rate[i], 0};
    double size = fabs(im->gap_rate[i]), error = 0, rounding = 0;
    im->a[i] = 0;
    for (int entry = 0; entry < thudi_row_length(&row); entry++)
    {
        int k = thudi_row_coordinate(&row, entry);
        double m = thudi_checker_mass(checker, k);
        r = thudi_sum_plus_product(r, row.slope[entry], checker->prediction[k]);
        size += fabs(row.slope[entry] * checker->prediction[k]);
        error += fabs(row.slope[entry]) * checker->h * checker->force_error[k] / m;
        // u and h f / m may cancel, so the rounding of w is relative to their sizes
        error += PREDICTION_ULPS * fabs(row.slope[entry]) *
                 (fabs(checker->before->u[k]) + fabs(checker->h * checker->force[k] / m));
        rounding += fabs(row.slope[entry] * checker->before->q[k]);
        im->a[i] += row.slope[entry] * row.slope[entry] / m;
    }
    im->r[i] = thudi_sum_value(r);
    im->r_error[i] = checker->def.tolerance * size + error +
                     (im->gap_rate[i] != 0 ? GAP_ULPS * rounding / checker->h : 0);
}

// Let row i enter the largest |f| / m of its cluster, body by body.
static void add_acceleration(impact *im, int i)
{
    thud_row_room room;
    thud_row row = thudi_checker_row(im->checker, i, &room);
    cluster *c = cluster_of_row(im, i);
    int width = row.width > 1 ? row.width : 1;
    for (int first = 0; first < thudi_row_length(&row); first += width)
    {
        double square = 0;
        for (int entry = first; entry < first + width; entry++)
        {
            int k = thudi_row_coordinate(&row, entry);
            square += pow(im->checker->force[k] / thudi_checker_mass(im->checker, k), 2);
        }
        c->acceleration = fmax(c->acceleration, sqrt(square));
    }
}

// Is row i active, in a cluster that bounces?
static bool takes_part(const impact *im, int i)
{
    return im->is_active[i] && cluster_of_row(im, i)->bounces;
}

// Find e of every cluster, and how far the errors of r_i can change it. e is a mean with the
// weights (r_i^-)^2 / A_ii. An error of r_i changes the weight of row i. In first order e moves by
// this change times |e_i - e|, over the sum of the weights.
static void find_coefficients(impact *im)
{
    thudi_checker *checker = im->checker;
    for (int i = 0; i < checker->row_count; i++)
    {
        if (!takes_part(im, i))
            continue;
        cluster *c = cluster_of_row(im, i);
        measure_approach(im, i);
        add_acceleration(im, i);
        c->approach = fmax(c->approach, -im->r[i]);
        if (im->r[i] >= 0 || im->a[i] == 0)
            continue;
        double weight = im->r[i] * im->r[i] / im->a[i];
        c->e_weight += weight;
        c->e_sum += weight * restitution_of(checker, i);
    }
    for (int k = 0; k < checker->dim; k++)
        if (im->clusters[k].e_weight > 0)
            im->clusters[k].e = im->clusters[k].e_sum / im->clusters[k].e_weight;
    for (int i = 0; i < checker->row_count; i++)
        if (takes_part(im, i) && im->r[i] < im->r_error[i] && im->a[i] > 0)
        {
            cluster *c = cluster_of_row(im, i);
            double distance = fabs(restitution_of(checker, i) - c->e);
            double weight_change =
                2 * (fabs(im->r[i]) + im->r_error[i]) * im->r_error[i] / im->a[i];
            c->e_error += c->e_weight > 0 ? distance * weight_change / c->e_weight : 0;
        }
}

// Sum up the work p . r of each cluster and the impulse G^T p of each coordinate. In the sizes and
// errors, which give tolerances, an impulse counts as at most checker->impulse_cap: a forged
// impulse must not widen its own tolerance.
static void sum_impulses(impact *im)
{
    thudi_checker *checker = im->checker;
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        double p = thudi_checker_impulse(checker, i);
        if (!takes_part(im, i) || p == 0)
            continue;
        cluster *c = cluster_of_row(im, i);
        c->work += p * im->r[i];
        c->work_size += fmin(p, checker->impulse_cap) * fabs(im->r[i]);
        c->work_error += fmin(p, checker->impulse_cap) * im->r_error[i];
        for (int entry = 0; entry < thudi_row_length(&row); entry++)
        {
            int k = thudi_row_coordinate(&row, entry);
            im->impulse[k] = thudi_sum_plus_product(im->impulse[k], p, row.slope[entry]);
            im->impulse_size[k] += fabs(p * row.slope[entry]);
        }
    }
}

// Sum up the energies of each cluster, and compute v.
static void sum_energies(impact *im)
{
    thudi_checker *checker = im->checker;
    for (int k = 0; k < checker->dim; k++)
    {
        cluster *c = cluster_of(im, k);
        double m = thudi_checker_mass(checker, k), impulse = thudi_sum_value(im->impulse[k]);
        double w = checker->prediction[k], u = checker->after->u[k];
        c->energy += impulse * impulse / m;
        double size = fmin(im->impulse_size[k], checker->impulse_cap);
        c->energy_size += size * size / m;
        c->gain += m / 2 * (u - w) * (u + w);
        // the error of the force is over the tolerance, because verify_clusters multiplies by it
        c->gain_size += m / 2 * (u * u + w * w) + (fabs(w) + fabs(u)) * checker->h *
                                                      checker->force_error[k] /
                                                      checker->def.tolerance;
        im->velocity[k] = w + impulse / (m * (1 + c->e));
    }
}

// Verify that the impulse of a row that takes no part in an impact is its memory.
static void verify_other_row(impact *im, int i)
{
    thudi_checker *checker = im->checker;
    double p = thudi_checker_impulse(checker, i);
    // where a segment starts, the impulse was scaled to another step, and is scaled back here
    double allowed = checker->starts_segment ? RESCALE_ULPS * p : 0;
    thudi_checker_keep_worst(&checker->verdict.checks[THUD_CERT_COMPLEMENTARITY],
                             fabs(p - thudi_checker_memory_after(checker, i)), allowed, i,
                             thudi_list_key(&checker->rows, i));
}

// Verify that D_i + slope_i . v >= 0, and that it is 0 where p_i > 0. The numbers are h times
// these: a change of the gap can be compared with the tolerances, which are gaps too.
static void verify_bouncing_row(impact *im, int i)
{
    thudi_checker *checker = im->checker;
    thud_check *checks = checker->verdict.checks;
    thud_row_room room;
    thud_row row = thudi_checker_row(checker, i, &room);
    thudi_sum speed = {im->gap_rate[i], 0};
    for (int entry = 0; entry < thudi_row_length(&row); entry++)
        speed = thudi_sum_plus_product(speed, row.slope[entry],
                                       im->velocity[thudi_row_coordinate(&row, entry)]);
    double change = checker->h * thudi_sum_value(speed);
    double load =
        checker->h * thudi_checker_impulse(checker, i) * im->a[i] / (1 + cluster_of_row(im, i)->e);
    double rounding = checker->allowed[i] + checker->coupled_allowed +
                      checker->h * (im->r_error[i] + LEAST_SPEED);
    double allowed = fmax(rounding + checker->row_tolerance[i],
                          fmax(checker->def.backward, checker->def.feasibility));
    thudi_checker_keep_worst(&checks[THUD_CERT_FEASIBLE], change >= 0 ? 0 : -change, allowed, i,
                             row.key);
    // the solver's tolerance allows that a row with a small impulse opens
    thudi_checker_keep_worst(&checks[THUD_CERT_COMPLEMENTARITY], fmin(fabs(change), fabs(load)),
                             allowed, i, row.key);
}

static void verify_rows(impact *im)
{
    for (int i = 0; i < im->checker->row_count; i++)
        if (takes_part(im, i))
            verify_bouncing_row(im, i);
        else
            verify_other_row(im, i);
}

// Verify that no row has a gap below 0 after the displacement q' - q, in first order.
static void verify_displacement(impact *im)
{
    thudi_checker *checker = im->checker;
    thud_check *check = &checker->verdict.checks[THUD_CERT_FEASIBLE];
    for (int i = 0; i < checker->row_count; i++)
    {
        thud_row_room room;
        thud_row row = thudi_checker_row(checker, i, &room);
        thudi_sum lin = {row.gap, 0};
        double size = 0;
        for (int entry = 0; entry < thudi_row_length(&row); entry++)
        {
            int k = thudi_row_coordinate(&row, entry);
            double from = checker->before->q[k], to = checker->after->q[k];
            lin = thudi_sum_plus_product(lin, row.slope[entry], to);
            lin = thudi_sum_plus_product(lin, -row.slope[entry], from);
            size += fabs(row.slope[entry]) * (fabs(from) + fabs(to));
        }
        double value = thudi_sum_value(lin);
        double allowed = checker->allowed[i] + TOUCH_ULPS * size;
        thudi_checker_keep_worst(check, value >= 0 ? 0 : -value,
                                 fmax(allowed, checker->def.feasibility), i, row.key);
    }
}

// Verify that every cluster moved by h x, or, if its impact is fast, by either displacement.
static void verify_motion(impact *im)
{
    thudi_checker *checker = im->checker;
    thud_check *check = &checker->verdict.checks[THUD_CERT_MOTION];
    for (int k = 0; k < checker->dim; k++)
    {
        cluster *c = cluster_of(im, k);
        double w = checker->prediction[k];
        // without a bounce u' = x, because p is the memory
        double x = c->bounces ? checker->x[k] : checker->after->u[k];
        // x = w + M^-1 G^T memory has the rounding of its terms
        double error = checker->h * checker->force_error[k] / thudi_checker_mass(checker, k);
        double displacement_error = checker->h * (X_ULPS * checker->speed_bound[k] + 2 * error);
        c->plain_error =
            fmax(c->plain_error, thudi_checker_motion_error(checker, k, x, displacement_error));
        x += c->e * (x - w);
        displacement_error += checker->h * c->e_error * fabs(x - w);
        c->extended_error =
            fmax(c->extended_error, thudi_checker_motion_error(checker, k, x, displacement_error));
    }
    for (int k = 0; k < checker->dim; k++)
    {
        const cluster *c = cluster_of(im, k);
        bool is_fast =
            c->e > 0 && c->approach >= FAST * checker->h * c->acceleration * FAST_ROUNDING;
        thudi_checker_keep_worst(check,
                                 is_fast ? fmin(c->plain_error, c->extended_error) : c->plain_error,
                                 1, k, thud_key_number(0));
    }
}

// Verify p . A p + (1 + e) p . r = 0, and the energy, of every cluster that bounces.
static void verify_clusters(impact *im)
{
    thudi_checker *checker = im->checker;
    thud_check *checks = checker->verdict.checks;
    for (int k = 0; k < checker->dim; k++)
    {
        const cluster *c = &im->clusters[k];
        if (im->parent[k] != k || !c->bounces)
            continue;
        double tolerance = checker->def.tolerance;
        double residual = fabs(c->energy + (1 + c->e) * c->work);
        double allowed = tolerance * (c->energy_size + 2 * c->work_size) + 2 * c->work_error +
                         c->work_size * c->e_error + LEAST_SPEED * LEAST_SPEED;
        thudi_checker_keep_worst(&checks[THUD_CERT_COMPLEMENTARITY], residual, allowed, k,
                                 thud_key_number(0));
        if (!c->moves)
            thudi_checker_keep_worst(&checks[THUD_CERT_ENERGY], c->gain > 0 ? c->gain : 0,
                                     tolerance * c->gain_size + LEAST_SPEED * LEAST_SPEED, k,
                                     thud_key_number(0));
    }
}

static thud_status verify(impact *im)
{
    find_active(im);
    thud_status status = read_rates(im);
    if (status != THUD_OK)
        return status;
    find_coefficients(im);
    sum_impulses(im);
    sum_energies(im);
    verify_rows(im);
    verify_displacement(im);
    verify_motion(im);
    verify_clusters(im);
    return THUD_OK;
}

thud_status thudi_checker_verify_impact(thudi_checker *checker)
{
    size_t dim = (size_t)checker->dim, rows = (size_t)checker->row_count;
    size_t size = dim * (sizeof(cluster) + sizeof(thudi_sum) + 2 * sizeof(double) + sizeof(int)) +
                  rows * (4 * sizeof(double) + sizeof(bool));
    cluster *block = thudi_checker_allocate(checker, size);
    if (!block)
        return THUD_ERR_MEMORY;
    impact im = {.checker = checker, .clusters = block};
    im.impulse = (thudi_sum *)(im.clusters + dim);
    im.impulse_size = (double *)(im.impulse + dim);
    im.velocity = im.impulse_size + dim;
    im.gap_rate = im.velocity + dim;
    im.r = im.gap_rate + rows;
    im.r_error = im.r + rows;
    im.a = im.r_error + rows;
    im.parent = (int *)(im.a + rows);
    im.is_active = (bool *)(im.parent + dim);
    thud_status status = verify(&im);
    thudi_checker_release(checker, block, size);
    return status;
}
