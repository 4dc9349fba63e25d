// Files of FCLIB with a byte changed: reading one takes memory in proportion to the file, ends in
// time, and does not crash. The library is called in a child of this process, which tells its peak;
// the program is run, and its peak is that of the resident memory.
//
// THUD_CHANGES: how many bytes of each file are changed at random; "all" for every one, thrice.
#include "instance_rig.h"

#include "thud_test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    MOST_BYTES = 1 << 20,      // of a file
    MOST_GROWTH = 64 << 10,    // KB: of the address space of a child
    MOST_RESIDENT = 400 << 10, // KB: of the program; its trial may take 256 MB
    MOST_SECONDS = 50
};

/// What reading a file led to.
typedef struct outcome
{
    bool is_good; ///< it came back
    int status;   ///< thud_status of the library, exit code of the program
    long memory;  ///< KB
} outcome;

typedef outcome reading(const char *path);

/// A number of /proc/self/status, in KB.
static long status_of(const char *name)
{
    char line[200];
    long value = -1;
    FILE *file = fopen("/proc/self/status", "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            value = strtol(line + strlen(name), NULL, 10);
    if (file)
        (void)fclose(file);
    return value;
}

static void read_as_child(const char *path, int to)
{
    thud_instance *instance = NULL;
    thud_fault fault = {0};
    (void)alarm(MOST_SECONDS);
    long before = status_of("VmPeak:");
    outcome found = {.status = thud_instance_read(path, NULL, &instance, &fault)};
    thud_instance_destroy(instance);
    found.memory = status_of("VmPeak:") - before;
    found.is_good = found.memory <= MOST_GROWTH;
    _exit(write(to, &found, sizeof found) == sizeof found ? 0 : 1);
}

static outcome by_library(const char *path)
{
    int ends[2], code = 0;
    outcome found = {0};
    if (pipe(ends) != 0)
        abort();
    pid_t child = fork();
    if (child < 0)
        abort();
    if (child == 0)
        read_as_child(path, ends[1]);
    (void)close(ends[1]);
    bool is_told = read(ends[0], &found, sizeof found) == sizeof found;
    (void)close(ends[0]);
    found.is_good = waitpid(child, &code, 0) == child && is_told && found.is_good &&
                    WIFEXITED(code) && WEXITSTATUS(code) == 0;
    return found;
}

static outcome by_program(const char *path)
{
    const char *program = getenv("THUD_PROGRAM");
    struct rusage usage;
    int code = 0;
    pid_t child = program ? fork() : -1;
    if (child < 0)
        abort();
    if (child == 0)
    {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        if (nowhere < 0 || dup2(nowhere, 1) < 0 || dup2(nowhere, 2) < 0)
            _exit(1);
        (void)alarm(MOST_SECONDS);
        (void)execl(program, program, "project", path, "--frictionless", (char *)NULL);
        _exit(1);
    }
    if (waitpid(child, &code, 0) != child || getrusage(RUSAGE_CHILDREN, &usage) != 0)
        abort();
    int status = WIFEXITED(code) ? WEXITSTATUS(code) : -WTERMSIG(code);
    return (outcome){status >= 0 && status != 1 && usage.ru_maxrss <= MOST_RESIDENT, status,
                     usage.ru_maxrss};
}

typedef struct bytes
{
    unsigned char data[MOST_BYTES];
    size_t count;
} bytes;

static void load(const char *path, bytes *file)
{
    FILE *from = fopen(path, "rbe");
    file->count = from ? fread(file->data, 1, sizeof file->data, from) : 0;
    if (!from || fclose(from) != 0 || file->count == 0)
        abort();
}

static void store(const char *path, const bytes *file)
{
    FILE *to = fopen(path, "wbe");
    if (!to || fwrite(file->data, 1, file->count, to) != file->count || fclose(to) != 0)
        abort();
}

/// A file whose bytes are changed one by one.
typedef struct victim
{
    bytes file;
    char path[300];
    reading *read;
    long tried, accepted, memory; ///< memory: the most, KB
} victim;

static void try_byte(victim *v, size_t at, unsigned value)
{
    unsigned char was = v->file.data[at];
    if ((unsigned char)value == was)
        return;
    v->file.data[at] = (unsigned char)value;
    store(v->path, &v->file);
    v->file.data[at] = was;
    outcome found = v->read(v->path);
    v->tried++;
    v->accepted += found.is_good && found.status == 0;
    v->memory = found.memory > v->memory ? found.memory : v->memory;
    if (!found.is_good)
        test_fail(__FILE__, __LINE__, "byte %zu, %u -> %u: status %d, %ld KB", at, was, value & 255,
                  found.status, found.memory);
}

/// The high bytes of what looks like the size of an array or of a type of numbers.
static void try_sizes(victim *v)
{
    for (size_t at = 8; at + 8 < v->file.count && test_failures() < 20; at++)
    {
        const unsigned char *d = v->file.data + at;
        if ((d[0] == 4 || d[0] == 8) && d[1] == 0 && d[2] == 0 && d[3] == 0 &&
            (d[-4] == 0x10 || d[-4] == 0x11))
            for (size_t k = 1; k < 4; k++)
                try_byte(v, at + k, 255);
    }
}

/// Change bytes of the file `name`: the sizes in it, and others at random.
static void change(const char *name, reading *read)
{
    static victim v;
    uint64_t seed = test_seed(30);
    const char *changes = getenv("THUD_CHANGES");
    test_random random = test_random_start(seed);
    v = (victim){.read = read};
    load(rig_path(name), &v.file);
    (void)snprintf(v.path, sizeof v.path, "%s", rig_path("changed.hdf5"));
    try_sizes(&v);
    if (changes && strcmp(changes, "all") == 0)
        for (size_t at = 0; at < v.file.count && test_failures() < 20; at++)
        {
            try_byte(&v, at, v.file.data[at] ^ 1U << test_random_int(&random, 0, 7));
            try_byte(&v, at, 255);
            try_byte(&v, at, 0);
        }
    for (long k = changes ? strtol(changes, NULL, 10) : 200; k > 0 && test_failures() < 20; k--)
    {
        size_t at = (size_t)test_random_int(&random, 0, (int)v.file.count - 1);
        try_byte(&v, at, (unsigned)test_random_int(&random, 0, 255));
    }
    printf("%s, %zu bytes, seed %llu: %ld changed files, %ld read all the same, at most %ld KB\n",
           name, v.file.count, (unsigned long long)seed, v.tried, v.accepted, v.memory);
}

static void run_plain(void)
{
    rig_problem(rig_path("plain.hdf5"), RIG_COLUMNS);
    change("plain.hdf5", by_library);
}

/// As Thud writes it: with texts.
static void run_texts(void)
{
    thud_instance *instance = NULL;
    thud_fault fault = {0};
    rig_problem(rig_path("plain.hdf5"), RIG_COLUMNS);
    REQUIRE(thud_instance_read(rig_path("plain.hdf5"), NULL, &instance, &fault) == THUD_OK);
    (void)snprintf(instance->title, sizeof instance->title, "three coordinates");
    (void)snprintf(instance->about, sizeof instance->about, "two contacts in two dimensions");
    CHECK(thud_instance_write(instance, rig_path("texts.hdf5"), &fault) == THUD_OK);
    thud_instance_destroy(instance);
    change("texts.hdf5", by_library);
}

/// Lists in compressed chunks, and the program: HDF5 1.10 divides by a length of chunks of 0.
static void run_chunks(void)
{
    static bytes file;
    rig_problem(rig_path("chunks.hdf5"), RIG_COLUMNS);
    rig_file made = rig_open(rig_path("chunks.hdf5"), false);
    rig_chunks(&made, "fclib_global/M/x", (double[]){2, 3, 4}, 3);
    rig_chunks(&made, "fclib_global/H/x", (double[]){1, .5, 7, -1, 8, 2, 9}, 7);
    rig_chunks(&made, "fclib_global/vectors/f", (double[]){-2, 3, -8}, 3);
    rig_close(&made);
    CHECK(by_program(rig_path("chunks.hdf5")).status == 0);
    change("chunks.hdf5", by_program);
    // the layout: version 3, chunked, 2 dimensions; 8 bytes of an address; the lengths 2 and 8
    load(rig_path("chunks.hdf5"), &file);
    int found = 0;
    for (size_t at = 0; at + 19 < file.count; at++)
        if (memcmp(file.data + at, (char[]){3, 2, 2}, 3) == 0 && file.data[at + 11] == 2 &&
            file.data[at + 15] == 8)
        {
            file.data[at + 11] = 0;
            found++;
        }
    store(rig_path("changed.hdf5"), &file);
    outcome zero = by_program(rig_path("changed.hdf5"));
    printf("chunks of length 0 (%d lists): exit %d\n", found, zero.status);
    CHECK(found == 3 && zero.is_good && zero.status == 3);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"plain", run_plain}, {"texts", run_texts}, {"chunks", run_chunks}};
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    int code = test_main(argc, argv, cases, sizeof cases / sizeof *cases);
    rig_clean();
    return code;
}
