// A program with checkpoints of its own that looks like Thud to check_power, and writes them as
// WRITER says, most ways careless: a check that does not catch these would not catch Thud's faults.
//
//     WRITER=WAY careless_writer run SCENE --out FOLDER ...
//     WRITER=WAY careless_writer resume FOLDER ...
//
// WAY: careful (log and file to the disk, a new name, the folder to the disk, then the word),
// no-fsync, no-file-fsync, no-log-fsync, no-folder-fsync, in-place, early-word.
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum
{
    STEPS = 300,
    STRIDE = 2, // steps between checkpoints
    WORDS = 8192
};

typedef struct kept
{
    int64_t step;
    int64_t log_bytes;
    uint64_t words[WORDS];
    uint64_t sum;
} kept;

typedef struct writer
{
    int folder, log;
    bool is_in_place, skips_file, skips_log, skips_folder, speaks_early;
    kept *state;
} writer;

static _Noreturn void die(int status, const char *what)
{
    (void)fprintf(stderr, "careless_writer: %s: %s\n", what, strerror(errno));
    exit(status);
}

static uint64_t sum_of(const kept *state)
{
    uint64_t sum = (uint64_t)state->step * 31 + (uint64_t)state->log_bytes;
    for (int i = 0; i < WORDS; i++)
        sum = (sum ^ state->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return sum;
}

static void write_whole(int file, const void *data, size_t length)
{
    const char *bytes = data;
    while (length > 0)
    {
        ssize_t written = write(file, bytes, length);
        if (written <= 0)
            die(4, "write");
        bytes += written;
        length -= (size_t)written;
    }
}

static void sync_unless(bool skips, int file)
{
    if (!skips && fsync(file) != 0)
        die(4, "fsync");
}

static void say(const writer *w)
{
    (void)fprintf(stderr, "thud: checkpoint at step %lld\n", (long long)w->state->step);
}

static void keep(writer *w)
{
    const char *name = w->is_in_place ? "checkpoint.thud" : "checkpoint.part";
    w->state->sum = sum_of(w->state);
    if (w->speaks_early)
        say(w);
    if (!w->is_in_place)
        sync_unless(w->skips_log, w->log);
    int file = openat(w->folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        die(4, "open");
    write_whole(file, w->state, sizeof *w->state);
    if (w->is_in_place) // here the disk learns that the old one is gone, but not yet the new one
        sync_unless(w->skips_log, w->log);
    sync_unless(w->skips_file, file);
    if (close(file) != 0)
        die(4, "close");
    if (!w->is_in_place && renameat(w->folder, name, w->folder, "checkpoint.thud") != 0)
        die(4, "rename");
    sync_unless(w->skips_folder, w->folder);
    if (!w->speaks_early)
        say(w);
}

static void take_step(writer *w, bool is_slow)
{
    kept *state = w->state;
    state->step++;
    for (int i = 0; i < WORDS; i++)
    {
        uint64_t next = state->words[(i + 1) % WORDS];
        state->words[i] = (state->words[i] ^ (next >> 29)) * UINT64_C(0xbf58476d1ce4e5b9) + 1;
    }
    char line[64];
    int length = snprintf(line, sizeof line, "%lld %016llx\n", (long long)state->step,
                          (unsigned long long)state->words[0]);
    write_whole(w->log, line, (size_t)length);
    state->log_bytes += length;
    if (is_slow) // so that there is time for the power to fail
        (void)nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static void restore(writer *w)
{
    struct stat log;
    int file = openat(w->folder, "checkpoint.thud", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        die(7, "no checkpoint");
    char *at = (char *)w->state;
    size_t room = sizeof *w->state;
    for (ssize_t got; room > 0 && (got = read(file, at, room)) > 0; at += got)
        room -= (size_t)got;
    (void)close(file);
    if (room > 0 || w->state->sum != sum_of(w->state))
        die(7, "a damaged checkpoint");
    if (fstat(w->log, &log) != 0 || log.st_size < w->state->log_bytes)
        die(7, "the log is shorter than at the checkpoint");
    if (ftruncate(w->log, w->state->log_bytes) != 0)
        die(4, "truncate");
    (void)fprintf(stderr, "thud: resumed after step %lld\n", (long long)w->state->step);
}

static void read_way(writer *w)
{
    const char *way = getenv("WRITER");
    bool none = way && strcmp(way, "no-fsync") == 0;
    if (!way)
        die(2, "WRITER is not set");
    w->is_in_place = strcmp(way, "in-place") == 0;
    w->speaks_early = strcmp(way, "early-word") == 0;
    w->skips_file = none || strcmp(way, "no-file-fsync") == 0;
    w->skips_log = none || strcmp(way, "no-log-fsync") == 0;
    w->skips_folder = none || strcmp(way, "no-folder-fsync") == 0;
}

int main(int argc, char **argv)
{
    static kept state;
    writer w = {.state = &state};
    bool runs = argc >= 5 && strcmp(argv[1], "run") == 0;
    if (!runs && !(argc >= 3 && strcmp(argv[1], "resume") == 0))
        die(2, "usage");
    const char *path = runs ? argv[4] : argv[2];
    read_way(&w);
    if (runs && mkdir(path, 0777) != 0 && errno != EEXIST)
        die(4, path);
    w.folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (runs ? O_TRUNC : 0);
    w.log = w.folder < 0 ? -1 : openat(w.folder, "frames.thud", flags, 0666);
    if (w.log < 0)
        die(4, path);
    if (!runs)
        restore(&w);
    while (state.step < STEPS)
    {
        take_step(&w, runs);
        if (state.step == STEPS || (runs && state.step % STRIDE == 0))
            keep(&w);
    }
    return close(w.log) != 0 || close(w.folder) != 0;
}
