// The judge of a world in a periodic cell.
#include "cell_rig.h"

#include <stdlib.h>
#include <string.h>

bool cell_open(cell_rig *rig, const thud_world_def *def)
{
    *rig = (cell_rig){.def = *def, .min_gap = INFINITY};
    rig->def.dim = def->dim ? def->dim : 3;
    rig->def.tol = def->tol > 0 ? def->tol : 1e-5;
    thud_status status = thud_world_create(def, &rig->world);
    CHECK(status == THUD_OK);
    return status == THUD_OK;
}

void cell_close(cell_rig *rig)
{
    thud_work_destroy(rig->work);
    thud_state_destroy(rig->before);
    thud_world_destroy(rig->world);
}

void cell_add(cell_rig *rig, double x, double y, double z, double radius, double vx, double vy,
              double vz)
{
    thud_sphere sphere = {
        .center = {x, y, z}, .velocity = {vx, vy, vz}, .radius = radius, .mass = 1};
    CHECK(thud_world_add(rig->world, &sphere, 1, NULL) == THUD_OK);
}

void cell_wall(cell_rig *rig, double nx, double ny, double nz, double offset)
{
    thud_plane plane = {{nx, ny, nz}, offset};
    REQUIRE(rig->wall_count < CELL_WALLS);
    CHECK(thud_world_add_wall(rig->world, &(thud_wall_def){.plane = plane}, NULL) == THUD_OK);
    rig->planes[rig->wall_count++] = plane;
}

double cell_shear(const cell_rig *rig, double t)
{
    double shear = 0;
    if (rig->def.cell.shear)
        CHECK(rig->def.cell.shear(t, &shear, rig->def.cell.user) == 0);
    return shear;
}

double cell_radius(const cell_rig *rig, double t, int i)
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    double radius = bodies.radius[i];
    if (rig->def.radii)
        CHECK(rig->def.radii(t, 1, &bodies.id[i], &radius, rig->def.user) == 0);
    return radius;
}

static double nearest(const cell_rig *rig, const double *a, const double *b)
{
    const double *period = rig->def.cell.period;
    double d[3] = {0}, least = INFINITY, shear = cell_shear(rig, rig->def.t0);
    for (int y = -2; y <= 2; y++)
        for (int x = -3; x <= 3; x++)
        {
            double sum = 0;
            for (int k = 0; k < rig->def.dim; k++)
                d[k] = b[k] - a[k];
            d[0] -= x * period[0] + y * shear;
            d[1] -= y * period[1];
            if (period[2] > 0)
                d[2] -= period[2] * round(d[2] / period[2]);
            for (int k = 0; k < 3; k++)
                sum += d[k] * d[k];
            least = fmin(least, sqrt(sum));
        }
    return least;
}

void cell_scatter(cell_rig *rig, test_random *random, int count, double low, double high,
                  double speed)
{
    thud_sphere *all = calloc((size_t)count, sizeof *all);
    int made = 0;
    REQUIRE(all);
    for (int tries = 0; tries < 20000 && made < count; tries++)
    {
        thud_sphere *s = &all[made];
        bool fits = true;
        s->radius = test_random_uniform(random, low, high);
        s->mass = s->radius * s->radius;
        for (int k = 0; k < rig->def.dim; k++)
        {
            double period = rig->def.cell.period[k], room = period > 0 ? period : 1 - 2 * s->radius;
            s->center[k] = (period > 0 ? 0 : s->radius) + test_random_uniform(random, 0, room);
            s->velocity[k] = speed * test_random_normal(random);
        }
        for (int i = 0; i < made && fits; i++)
            fits = nearest(rig, all[i].center, s->center) > 1.001 * (all[i].radius + s->radius);
        made += fits;
    }
    CHECK(thud_world_add(rig->world, all, made, NULL) == THUD_OK);
    free(all);
}

thud_status cell_start(cell_rig *rig, thud_overlap_rule rule)
{
    thud_status status = thud_world_prepare(rig->world, rule, NULL);
    if (status < 0)
        return status;
    rig->state = thud_world_state(rig->world);
    rig->problem = thud_world_inclusion(rig->world);
    thud_state_def def = {.dim = rig->state->dim, .h = rig->state->h, .q = rig->state->q};
    CHECK(thud_state_create(&def, &rig->before) == THUD_OK);
    CHECK(thud_state_copy(rig->before, rig->state) == THUD_OK);
    thud_work_def work = thud_world_work(rig->world);
    CHECK(thud_work_create(&work, &rig->work) == THUD_OK);
    return status;
}

static int write_shapes(double t, double *radius, double *normal, double *offset, void *user)
{
    const cell_rig *rig = user;
    for (int i = 0; i < thud_world_bodies(rig->world).count; i++)
        radius[i] = cell_radius(rig, t, i);
    for (int w = 0; w < rig->wall_count; w++)
    {
        memcpy(normal + 3 * w, rig->planes[w].normal, sizeof rig->planes[w].normal);
        offset[w] = rig->planes[w].offset;
    }
    return 0;
}

static thud_verify_def check_def(const cell_rig *rig)
{
    double largest = 0;
    for (int i = 0; i < thud_world_bodies(rig->world).count; i++)
        largest = fmax(largest, cell_radius(rig, thud_state_time(rig->state), i));
    return (thud_verify_def){.backward = 1.5 * 2 * rig->def.tol * largest, .strict = true};
}

thud_status cell_judge(const cell_rig *rig, const thud_state *after, thud_verdict *verdict)
{
    cell_rig copy = *rig;
    thud_verify_spheres_def def = {.dim = rig->def.dim,
                                   .count = thud_world_bodies(rig->world).count,
                                   .wall_count = rig->wall_count,
                                   .cell = rig->def.cell,
                                   .shapes = write_shapes,
                                   .user = &copy,
                                   .shift = 2 * rig->def.tol,
                                   .material_count = rig->def.material_count,
                                   .numbers = rig->def.numbers};
    thud_verify_def how = check_def(rig);
    return thud_verify_spheres(&rig->problem, &def, rig->before, after, &how, verdict);
}

// One image of a pair, in this test's own arithmetic.
static void push_image(const cell_rig *rig, const thud_moment *at, int a, int b, const int m[3],
                       thud_rows *rows)
{
    const double *period = rig->def.cell.period;
    int dim = rig->def.dim, index[2] = {dim * a, dim * b};
    double shear = cell_shear(rig, at->t), slope[6] = {0}, sum = 0;
    double shift[3] = {m[0] * period[0] + m[1] * shear, m[1] * period[1], m[2] * period[2]};
    for (int k = 0; k < dim; k++)
    {
        slope[dim + k] = at->q[dim * b + k] - at->q[dim * a + k] - shift[k];
        sum += slope[dim + k] * slope[dim + k];
    }
    double distance = sqrt(sum), ra = cell_radius(rig, at->t, a), rb = cell_radius(rig, at->t, b);
    for (int k = 0; k < dim; k++)
    {
        slope[dim + k] /= distance;
        slope[k] = -slope[dim + k];
    }
    int image = (m[0] & 3) | (m[1] & 3) << 2 | (m[2] & 3) << 4;
    thud_row row = {.key = thud_key_pair(a, b, image),
                    .gap = distance - ra - rb,
                    .law = rig->def.law,
                    .numbers = rig->def.numbers,
                    .width = dim,
                    .count = 2,
                    .index = index,
                    .slope = slope};
    if (rig->def.numbers)
        row.shift = 2 * rig->def.tol * fmin(ra, rb);
    CHECK(thud_rows_push(rows, &row) == THUD_OK);
}

static void range_of(double x, double period, int range[2])
{
    range[0] = period > 0 ? (int)floor(x / period) - 1 : 0;
    range[1] = period > 0 ? range[0] + 3 : 0;
}

// Four images along each axis around every pair, and all walls.
static int all_images(const thud_moment *at, thud_rows *rows, void *user)
{
    const cell_rig *rig = user;
    const double *period = rig->def.cell.period;
    int dim = rig->def.dim, count = thud_world_bodies(rig->world).count, x[2], y[2], z[2], m[3];
    double shear = cell_shear(rig, at->t);
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++)
        {
            double d[3] = {0};
            for (int k = 0; k < dim; k++)
                d[k] = at->q[dim * b + k] - at->q[dim * a + k];
            range_of(d[1], period[1], y);
            range_of(d[2], period[2], z);
            for (m[2] = z[0]; m[2] <= z[1]; m[2]++)
                for (m[1] = y[0]; m[1] <= y[1]; m[1]++)
                {
                    range_of(d[0] - m[1] * shear, period[0], x);
                    for (m[0] = x[0]; m[0] <= x[1]; m[0]++)
                        push_image(rig, at, a, b, m, rows);
                }
        }
    for (int w = 0; w < rig->wall_count; w++)
        for (int i = 0; i < count; i++)
        {
            int index = dim * i;
            double gap = -rig->planes[w].offset;
            for (int k = 0; k < dim; k++)
                gap += rig->planes[w].normal[k] * at->q[index + k];
            thud_row row = {.key = thud_key_wall(w, i),
                            .gap = gap - cell_radius(rig, at->t, i),
                            .width = dim,
                            .count = 1,
                            .index = &index,
                            .slope = rig->planes[w].normal};
            CHECK(thud_rows_push(rows, &row) == THUD_OK);
        }
    return 0;
}

static int steady_force(double t, const double *q, double *f, void *user)
{
    const cell_rig *rig = user;
    return rig->problem.force(t, q, f, rig->problem.user);
}

static void tell(cell_rig *rig, const char *who, const thud_verdict *verdict)
{
    for (int i = 0; i < THUD_CERT_COUNT; i++)
    {
        const thud_check *check = &verdict->checks[i];
        rig->values[i] = fmax(rig->values[i], check->value);
        if (!check->holds)
            test_fail(__FILE__, __LINE__, "step %d, %s: %s: %.3g of its tolerance, key %llx",
                      rig->steps, who, thud_certificate_title((thud_certificate_name)i),
                      check->value,
                      (unsigned long long)thud_key_read(check->key, THUD_KEYS_NUMBERED).a);
    }
    CHECK(verdict->min_gap > 0);
    rig->min_gap = fmin(rig->min_gap, verdict->min_gap);
}

static void judge(cell_rig *rig)
{
    thud_verdict verdict;
    CHECK(cell_judge(rig, rig->state, &verdict) == THUD_OK);
    tell(rig, "checker", &verdict);
    // now and then: it takes time
    if (rig->steps % (rig->def.dim == 2 ? 3 : 8) != 1 ||
        thud_world_bodies(rig->world).count > CELL_ALL_IMAGES)
        return;
    thud_inclusion problem = rig->problem;
    thud_verify_def def = check_def(rig);
    problem.gaps = all_images;
    problem.force = problem.force ? steady_force : NULL;
    problem.user = rig;
    CHECK(thud_verify_step(&problem, rig->before, rig->state, &def, &verdict) == THUD_OK);
    tell(rig, "all images", &verdict);
}

// The contacts know their images.
static void look_at_contacts(cell_rig *rig)
{
    const double *period = rig->def.cell.period;
    thud_contacts contacts;
    CHECK(thud_world_contacts(rig->world, thud_work_report(rig->work), &contacts) == THUD_OK);
    double t = thud_state_time(rig->state), shear = cell_shear(rig, t);
    for (int i = 0; i < contacts.count; i++)
    {
        const int *m = contacts.image + 3 * (size_t)i;
        int dim = rig->def.dim, a = contacts.a[i], b = contacts.b[i];
        double shift[3] = {m[0] * period[0] + m[1] * shear, m[1] * period[1], m[2] * period[2]};
        double sum = 0, way = contacts.gap[i];
        rig->contacts += contacts.impulse[i] != 0;
        rig->across += contacts.impulse[i] != 0 && (m[0] || m[1] || m[2]);
        if (b < 0)
            continue;
        for (int k = 0; k < dim && k < 3; k++)
        {
            double d = rig->before->q[dim * b + k] - rig->before->q[dim * a + k] - shift[k];
            sum += d * d;
        }
        way += cell_radius(rig, t, a) + cell_radius(rig, t, b);
        CHECK_NEAR(sqrt(sum), way, 1e-12 * (1 + way));
    }
}

thud_status cell_step(cell_rig *rig)
{
    CHECK(thud_state_copy(rig->before, rig->state) == THUD_OK);
    thud_status status = thud_step(&rig->problem, rig->state, rig->work);
    if (status < 0)
        return status;
    rig->steps++;
    check_news(rig->work, rig->may_lack_room);
    judge(rig);
    look_at_contacts(rig);
    return status;
}

bool cell_steps(cell_rig *rig, int count)
{
    for (int n = 0; n < count; n++)
    {
        thud_status status = cell_step(rig);
        if (!went_on(status, rig->steps + 1, rig->work))
            return false;
    }
    return true;
}

void cell_momentum(const cell_rig *rig, double p[3])
{
    thud_bodies bodies = thud_world_bodies(rig->world);
    p[0] = p[1] = p[2] = 0;
    for (int i = 0; i < bodies.count * bodies.dim; i++)
        p[i % bodies.dim] += bodies.mass[i] * bodies.u[i];
}

uint64_t cell_hash(const cell_rig *rig)
{
    const thud_state *s = rig->state;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int part = 0; part < 3; part++)
    {
        const unsigned char *bytes = part == 0   ? (const unsigned char *)s->q
                                     : part == 1 ? (const unsigned char *)s->u
                                                 : (const unsigned char *)s->multipliers;
        size_t size = part < 2 ? (size_t)s->dim * sizeof *s->q
                               : (size_t)s->multiplier_count * sizeof *s->multipliers;
        for (size_t i = 0; i < size; i++)
            hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}
