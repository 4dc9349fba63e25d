// What the tests of the record share: folders that go again, random frames, files as bytes.
#include "record_rig.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *rig_folder_make(char path[RIG_PATH])
{
    char here[RIG_PATH / 2];
    if (!getcwd(here, sizeof here))
        return NULL;
    (void)snprintf(path, RIG_PATH, "%s/record-XXXXXX", here);
    return mkdtemp(path);
}

const char *rig_path(const char *folder, const char *name)
{
    static char paths[4][RIG_PATH];
    static int next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, RIG_PATH, "%s/%s", folder, name);
    return path;
}

void rig_join(char path[RIG_PATH], const char *folder, const char *name)
{
    (void)snprintf(path, RIG_PATH, "%s/%s", folder, name);
}

void rig_folder_remove(const char *path)
{
    DIR *list = opendir(path);
    if (list)
    {
        struct dirent *entry;
        while ((entry = readdir(list)) != NULL)
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            {
                char inner[RIG_PATH];
                (void)snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
                if (unlink(inner) != 0)
                    rig_folder_remove(inner);
            }
        (void)closedir(list);
    }
    CHECK(rmdir(path) == 0);
}

static double any_bits(test_random *random)
{
    uint64_t bits = test_random_bits(random);
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int fill_multipliers(thud_multiplier *items, test_random *random, int most)
{
    int count = test_random_int(random, 0, most);
    for (int i = 0; i < count; i++)
        items[i] = (thud_multiplier){thud_key_number(i), any_bits(random), any_bits(random)};
    return count;
}

void rig_frame_make(rig_frame *frame, test_random *random, int dim, int64_t n, int most)
{
    size_t width = (size_t)dim;
    frame->vectors = malloc(5 * width * sizeof(double));
    frame->multipliers = malloc(2 * ((size_t)most + 1) * sizeof(thud_multiplier));
    frame->more = malloc(4 * ((size_t)most + 1) * sizeof(double));
    if (!frame->vectors || !frame->multipliers || !frame->more)
        abort();
    for (size_t k = 0; k < 5 * width; k++)
        frame->vectors[k] = any_bits(random);
    frame->view = (thud_frame){.n = n,
                               .t = test_random_uniform(random, -5, 5),
                               .dim = dim,
                               .q = frame->vectors,
                               .u = frame->vectors + width,
                               .before = frame->multipliers,
                               .after = frame->multipliers + most};
    frame->ids[0] = (thud_id_range){n, dim % 2 == 0 ? dim / 2 : dim};
    frame->ids[1] = (thud_id_range){n + dim / 2 + 7, dim / 2};
    frame->view.ids = n % 5 > 0 ? frame->ids : NULL;
    frame->view.id_count = n % 5 > 0 ? 1 + (dim % 2 == 0 && n % 5 == 3) : 0;
    frame->view.before_count = fill_multipliers(frame->multipliers, random, most);
    if (n == 0)
        return;
    frame->view.h = test_random_uniform(random, 1e-3, 1);
    frame->view.u_next = frame->vectors + 2 * width;
    frame->view.force = frame->vectors + 3 * width;
    frame->view.move = n % 3 == 2 ? frame->vectors + 4 * width : NULL;
    frame->view.after_count = fill_multipliers(frame->multipliers + most, random, most);
    // every third frame is of a law that keeps three numbers
    frame->view.more_width = n % 3 == 1 ? 2 : 0;
    for (int i = 0; i < 4 * most; i++)
        frame->more[i] = (double)n - 0.125 * i;
    frame->view.before_more = frame->more;
    frame->view.after_more = frame->more + 2 * (size_t)most;
    frame->view.direction_count = n % 4 == 1 ? test_random_int(random, 0, RIG_DIRECTIONS) : 0;
    frame->view.directions = frame->view.direction_count > 0 ? frame->directions : NULL;
    for (int i = 0; i < RIG_DIRECTIONS; i++)
        frame->directions[i] = (thud_direction){
            {test_random_bits(random)}, {any_bits(random), any_bits(random), any_bits(random)}};
}

void rig_frame_free(rig_frame *frame)
{
    free(frame->vectors);
    free(frame->multipliers);
    free(frame->more);
}

static bool same_bytes(const void *a, const void *b, size_t length)
{
    return (!a && !b) || (a && b && memcmp(a, b, length) == 0);
}

// Ids that are not given are all.
static bool same_ids(const thud_frame *a, const thud_frame *b)
{
    const thud_id_range all = {0, a->dim};
    const thud_id_range *x = a->ids ? a->ids : &all, *y = b->ids ? b->ids : &all;
    int count = a->ids ? a->id_count : 1;
    return count == (b->ids ? b->id_count : 1) && same_bytes(x, y, (size_t)count * sizeof *x);
}

static size_t block_length(size_t count, size_t size)
{
    return count == 0 ? 0 : 16 + count * size;
}

size_t rig_frame_length(const thud_frame *frame)
{
    size_t vectors = (frame->h == 0 ? 2 : 4) + (frame->move != NULL);
    return 56 + block_length(frame->ids ? (size_t)frame->id_count : 1, 16) +
           vectors * block_length((size_t)frame->dim, 8) +
           block_length((size_t)frame->before_count, 40 + 8 * (size_t)frame->more_width) +
           block_length((size_t)frame->after_count, 40 + 8 * (size_t)frame->more_width) +
           block_length((size_t)frame->direction_count, 48);
}

// Numbers of no row may be anywhere.
static bool same_numbers(const double *a, const double *b, size_t count)
{
    return count == 0 || same_bytes(a, b, count * sizeof *a);
}

static bool same_more(const thud_frame *a, const thud_frame *b)
{
    size_t width = (size_t)a->more_width;
    if (a->before_count + a->after_count == 0)
        return true;
    return a->more_width == b->more_width &&
           same_numbers(a->before_more, b->before_more, (size_t)a->before_count * width) &&
           same_numbers(a->after_more, b->after_more, (size_t)a->after_count * width);
}

bool rig_frame_same(const thud_frame *a, const thud_frame *b)
{
    size_t vector = (size_t)a->dim * sizeof(double);
    return a->n == b->n && same_bytes(&a->t, &b->t, 8) && same_bytes(&a->h, &b->h, 8) &&
           a->dim == b->dim && same_ids(a, b) && same_bytes(a->q, b->q, vector) &&
           same_bytes(a->u, b->u, vector) && same_bytes(a->u_next, b->u_next, vector) &&
           same_bytes(a->force, b->force, vector) && same_bytes(a->move, b->move, vector) &&
           a->before_count == b->before_count && a->after_count == b->after_count &&
           same_bytes(a->before, b->before, (size_t)a->before_count * sizeof *a->before) &&
           same_bytes(a->after, b->after, (size_t)a->after_count * sizeof *a->after) &&
           same_more(a, b) && a->direction_count == b->direction_count &&
           same_bytes(a->directions, b->directions,
                      (size_t)a->direction_count * sizeof *a->directions);
}

unsigned char *rig_file_read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    struct stat status;
    if (file && fstat(fileno(file), &status) == 0)
    {
        *length = (size_t)status.st_size;
        bytes = malloc(*length + 1);
        if (bytes && fread(bytes, 1, *length, file) == *length)
            bytes[*length] = 0;
    }
    if (file)
        (void)fclose(file);
    return bytes;
}

bool rig_file_write(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    bool done = fwrite(bytes, 1, length, file) == length;
    return fclose(file) == 0 && done;
}

bool rig_exists(const char *folder, const char *name)
{
    struct stat status;
    return lstat(rig_path(folder, name), &status) == 0;
}

int rig_count(const char *folder)
{
    int count = -2; // . and ..
    DIR *list = opendir(folder);
    if (!list)
        return -1;
    while (readdir(list))
        count++;
    (void)closedir(list);
    return count;
}

thud_log_form rig_form(void)
{
    const char *name = getenv("THUD_LOG");
    for (int i = 0; name && thud_log_form_name((thud_log_form)i); i++)
        if (strcmp(name, thud_log_form_name((thud_log_form)i)) == 0)
            return (thud_log_form)i;
    return THUD_LOG_FILE;
}

bool rig_run_write(const char *folder, uint64_t seed, int dim, int most, rig_frame *frames,
                   int count)
{
    test_random random = test_random_start(seed);
    thud_record *record = NULL;
    thud_fault fault = {0};
    // all meanings of keys: any 64 bits can be a key in each
    thud_record_def def = {
        .folder = folder, .dim = dim, .keys = (thud_key_space)(seed % 3), .form = rig_form()};
    bool done = thud_record_create(&def, &record, &fault) == THUD_OK;
    for (int i = 0; i < count; i++)
    {
        rig_frame_make(&frames[i], &random, dim, i, most);
        done = done && thud_record_frame(record, &frames[i].view) == THUD_OK;
    }
    return thud_record_close(record, &fault) == THUD_OK && done;
}

void rig_log_check(thud_log *log, const rig_frame *frames, int64_t count)
{
    thud_frame frame;
    thud_fault fault = {0};
    for (int pass = 0; pass < 3; pass++)
        for (int64_t k = 0; k < count; k++)
        {
            int64_t order[] = {k, count - 1 - k, (k * 7 + 3) % count};
            int64_t i = order[pass];
            REQUIRE(thud_log_frame(log, i, &frame, &fault) == THUD_OK);
            CHECK(rig_frame_same(&frame, &frames[i].view));
        }
    CHECK(thud_log_frame(log, count, &frame, &fault) < 0 && fault.text[0]);
    CHECK(thud_log_frame(log, -1, &frame, NULL) < 0);
}

const char *const rig_columns[] = {"t", "energy", "wall \"a\", x"};

thud_record_def rig_def(const char *folder)
{
    return (thud_record_def){
        .folder = folder, .dim = 2, .series = rig_columns, .series_count = 3, .form = rig_form()};
}

bool rig_holds(const char *folder, const char *name, const char *text)
{
    size_t length = 0;
    char *bytes = (char *)rig_file_read(rig_path(folder, name), &length);
    bool same = bytes && length == strlen(text) && memcmp(bytes, text, length) == 0;
    free(bytes);
    return same;
}
