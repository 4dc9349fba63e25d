// A contact problem of FCLIB read as a projection: the normal columns of H, the diagonal of M. The
// first column of every contact is that of its normal.
#include "core/fault.h"
#include "export/fclib_parts.h"
#include "export/instance.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct reader
{
    thudi_fclib_file file;
    thudi_fclib_matrix mass, h;
    THUDI_ARRAY(int) first, order; // entries of H by column
    THUDI_ARRAY(int) place, index; // where a coordinate is in the current row; its coordinates
    THUDI_ARRAY(double) slope;     // and slopes
    thud_instance *instance;
} reader;

static thud_status set_masses(const reader *r)
{
    const thudi_fclib_matrix *a = &r->mass;
    for (size_t e = 0; e < a->entries; e++)
    {
        if (a->row.items[e] != a->column.items[e] && a->x.items[e] != 0)
        {
            return thudi_fail(r->file.fault, THUD_ERR_ARGUMENT, THUDI_IN(r->file.path, NULL),
                              "give M as a diagonal matrix: one mass per coordinate",
                              "M is not diagonal");
        }
        if (a->row.items[e] == a->column.items[e])
            r->instance->mass[a->row.items[e]] += a->x.items[e];
    }
    for (int k = 0; k < r->instance->dim; k++)
        if (!(r->instance->mass[k] > 0) || !isfinite(r->instance->mass[k]))
            return thudi_fclib_fail(&r->file, "%s is not positive", "the diagonal of M");
    return THUD_OK;
}

// Sort the entries of H by column: order[first[c] .. first[c + 1]).
static thud_status sort_columns(reader *r)
{
    const thudi_fclib_matrix *h = &r->h;
    if (thudi_array_reserve(&r->file.allocator, &r->first, (size_t)h->n + 2) < 0 ||
        thudi_array_reserve(&r->file.allocator, &r->order, h->entries + 1) < 0 ||
        thudi_array_reserve(&r->file.allocator, &r->index, (size_t)h->m) < 0 ||
        thudi_array_reserve(&r->file.allocator, &r->place, (size_t)h->m) < 0 ||
        thudi_array_reserve(&r->file.allocator, &r->slope, (size_t)h->m) < 0)
        return thudi_fail_memory(r->file.fault);
    int *first = r->first.items;
    memset(first, 0, ((size_t)h->n + 2) * sizeof *first);
    memset(r->place.items, 0, (size_t)h->m * sizeof *r->place.items);
    for (size_t e = 0; e < h->entries; e++)
        first[h->column.items[e] + 2]++;
    for (int c = 0; c < h->n; c++)
        first[c + 2] += first[c + 1];
    for (size_t e = 0; e < h->entries; e++)
        r->order.items[first[h->column.items[e] + 1]++] = (int)e;
    return THUD_OK;
}

// The row of one contact. Entries given twice are added.
static thud_status push_contact(reader *r, int contact, double gap)
{
    const thudi_fclib_matrix *h = &r->h;
    int column = contact * r->instance->space, count = 0;
    for (int k = r->first.items[column]; k < r->first.items[column + 1]; k++)
    {
        int e = r->order.items[k], row = h->row.items[e], at = r->place.items[row];
        if (at >= count || r->index.items[at] != row)
        {
            at = r->place.items[row] = count++;
            r->index.items[at] = row;
            r->slope.items[at] = 0;
        }
        r->slope.items[at] += h->x.items[e];
    }
    thud_row row = {.key = thud_key_number(contact),
                    .gap = gap,
                    .count = count,
                    .index = r->index.items,
                    .slope = r->slope.items};
    return thud_rows_push(r->instance->rows, &row);
}

static thud_status read_vectors(reader *r)
{
    thud_instance *instance = r->instance;
    size_t contacts = (size_t)instance->contacts, columns = (size_t)r->h.n;
    double *numbers = thudi_allocate_zeroed(&r->file.allocator, (columns + 1) * sizeof *numbers);
    if (!numbers)
        return thudi_fail_memory(r->file.fault);
    thud_status status = thudi_fclib_vector(&r->file, THUDI_FCLIB_GROUP "/vectors", "f",
                                            (size_t)instance->dim, instance->f);
    for (int k = 0; k < instance->dim && status >= 0; k++)
    {
        instance->w[k] = instance->f[k] / instance->mass[k];
        if (!isfinite(instance->w[k]))
            status = thudi_fclib_fail(&r->file, "%s has a number that is not finite", "M^-1 f");
    }
    if (status >= 0)
        status =
            thudi_fclib_vector(&r->file, THUDI_FCLIB_GROUP "/vectors", "mu", contacts, numbers);
    for (size_t i = 0; i < contacts && status >= 0; i++)
        if (fabs(numbers[i]) > instance->friction)
            instance->friction = fabs(numbers[i]);
    if (status >= 0)
        status = thudi_fclib_vector(&r->file, THUDI_FCLIB_GROUP "/vectors", "w", columns, numbers);
    for (size_t i = 0; i < contacts && status >= 0; i++)
        status = push_contact(r, (int)i, numbers[i * (size_t)instance->space]);
    if (status == THUD_ERR_NOT_FINITE) // entries that were added
        status = thudi_fclib_fail(&r->file, "%s has an entry that is not finite", "H");
    thudi_free(&r->file.allocator, numbers, (columns + 1) * sizeof *numbers);
    return status;
}

// The solution, if one of the right size is there.
static thud_status read_solution(reader *r)
{
    thud_instance *instance = r->instance;
    size_t columns = (size_t)r->h.n;
    double *numbers = thudi_allocate_zeroed(&r->file.allocator, (columns + 1) * sizeof *numbers);
    if (!numbers)
        return thudi_fail_memory(r->file.fault);
    thud_status status =
        thudi_fclib_vector(&r->file, "solution", "v", (size_t)instance->dim, instance->solution);
    if (status >= 0)
        status = thudi_fclib_vector(&r->file, "solution", "r", columns, numbers);
    for (int i = 0; i < instance->contacts && status >= 0; i++)
        instance->impulse[i] = numbers[(size_t)i * (size_t)instance->space];
    thudi_free(&r->file.allocator, numbers, (columns + 1) * sizeof *numbers);
    return status;
}

static thud_status check_kind(const reader *r)
{
    static const char hint[] = "give a global problem: M, H, f and w in fclib_global";
    if (thudi_fclib_has(&r->file, THUDI_FCLIB_GROUP "/G"))
    {
        return thudi_fail(r->file.fault, THUD_ERR_ARGUMENT, THUDI_IN(r->file.path, NULL), hint,
                          "it has equations (G), which Thud does not solve");
    }
    if (thudi_fclib_has(&r->file, THUDI_FCLIB_GROUP))
        return THUD_OK;
    bool is_local = thudi_fclib_has(&r->file, "fclib_local"),
         rolls = thudi_fclib_has(&r->file, "fclib_global_rolling");
    return thudi_fail(r->file.fault, is_local || rolls ? THUD_ERR_ARGUMENT : THUD_ERR_SCENE,
                      THUDI_IN(r->file.path, NULL), hint, "it holds %s",
                      is_local ? "a local problem (W, q), which names no bodies"
                      : rolls  ? "a problem with rolling friction"
                               : "no FCLIB problem: there is no group " THUDI_FCLIB_GROUP);
}

static thud_status read_all(reader *r)
{
    int space = 0;
    THUD_TRY(check_kind(r));
    THUD_TRY(thudi_fclib_whole(&r->file, THUDI_FCLIB_GROUP "/spacedim", &space));
    if (space != 2 && space != 3)
        return thudi_fclib_fail(&r->file, "%s is neither 2 nor 3", "spacedim");
    THUD_TRY(thudi_fclib_matrix_read(&r->file, "M", &r->mass));
    THUD_TRY(thudi_fclib_matrix_read(&r->file, "H", &r->h));
    if (r->mass.n != r->mass.m || r->h.m != r->mass.m || r->h.n % space != 0)
        return thudi_fclib_fail(&r->file, "%s do not match", "the sizes of M, H and spacedim");
    bool has_solution =
        thudi_fclib_has(&r->file, "solution/v") && thudi_fclib_has(&r->file, "solution/r");
    if (thudi_instance_create(r->h.m, r->h.n / space, has_solution, &r->file.allocator,
                              &r->instance) < 0)
        return thudi_fail_memory(r->file.fault);
    r->instance->space = space;
    THUD_TRY(set_masses(r));
    THUD_TRY(sort_columns(r));
    THUD_TRY(read_vectors(r));
    if (has_solution)
        THUD_TRY(read_solution(r));
    thudi_fclib_text(&r->file, THUDI_FCLIB_GROUP "/info/title", r->instance->title,
                     sizeof r->instance->title);
    thudi_fclib_text(&r->file, THUDI_FCLIB_GROUP "/info/description", r->instance->about,
                     sizeof r->instance->about);
    return THUD_OK;
}

// HDF5 does not say why it failed: see whether the system can open the file.
static thud_status open_file(reader *r)
{
    struct stat status;
    // not blocking: a pipe of that name must not make us wait
    int fd = open(r->file.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return thudi_fail_io(r->file.fault, THUDI_IN(r->file.path, NULL), "open the file", errno);
    bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    r->file.bytes = is_file ? status.st_size : 0;
    (void)close(fd);
    if (!is_file)
        return thudi_fclib_fail(&r->file, "%s", "it is not a regular file");
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        r->file.id = H5Fopen(r->file.path, H5F_ACC_RDONLY, access);
    if (access >= 0)
        (void)H5Pclose(access);
    if (r->file.id >= 0)
        return THUD_OK;
    return thudi_fail(r->file.fault, THUD_ERR_SCENE, THUDI_IN(r->file.path, NULL),
                      "use 'thud export --format fclib' to write such files from a run",
                      "this is not an HDF5 file, or it is cut off");
}

thud_status thud_instance_read(const char *path, const thud_allocator *allocator,
                               thud_instance **out, thud_fault *fault)
{
    reader r = {.file = {.path = path, .fault = fault, .id = H5I_INVALID_HID}};
    H5E_auto2_t report = NULL;
    void *user = NULL;
    r.file.allocator = thudi_allocator_or_default(allocator);
    // filters that a file asks for are never loaded from disk
    if (H5open() < 0 || H5PLset_loading_state(0) < 0 ||
        H5Eget_auto2(H5E_DEFAULT, &report, &user) < 0 || H5Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0)
        return thudi_fail_memory(fault);
    thud_status status = open_file(&r);
    if (status >= 0)
        status = read_all(&r);
    if (status == THUD_ERR_MEMORY)
        (void)thudi_fail_memory(fault);
    if (r.file.id >= 0)
        (void)H5Fclose(r.file.id);
    (void)H5Eset_auto2(H5E_DEFAULT, report, user);
    thudi_fclib_matrix_free(&r.file.allocator, &r.mass);
    thudi_fclib_matrix_free(&r.file.allocator, &r.h);
    thudi_array_free(&r.file.allocator, &r.first);
    thudi_array_free(&r.file.allocator, &r.order);
    thudi_array_free(&r.file.allocator, &r.index);
    thudi_array_free(&r.file.allocator, &r.slope);
    thudi_array_free(&r.file.allocator, &r.place);
    if (status < 0)
        thud_instance_destroy(r.instance);
    else
        *out = r.instance;
    return status < 0 ? status : THUD_OK;
}
