// The race: every program stands still but one, the one that is behind all others in simulated
// time. So a disturbance of the machine hits all of them in proportion.
#include "compare.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum
{
    SLICE_MS = 300, // a turn
    LOOK_MS = 5     // how often a turn looks whether the program has ended
};

void compare_path(const contest *c, const char *kind, int k, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/%s-%d.bin", c->folder, kind, k);
}

// Become the program of an entry, after a stop. Never returns.
static void become(const contest *c, int k, long frames)
{
    const entry *e = &c->entries[k];
    char program[4096], start[4096], out[4096], text[3][64];
    struct rlimit limit = {(rlim_t)ceil(c->limit), (rlim_t)ceil(c->limit) + 5};
    compare_path(c, "start", k, start, sizeof start);
    compare_path(c, "frames", k, out, sizeof out);
    (void)snprintf(program, sizeof program, "%s/%s", c->drivers, e->driver);
    (void)snprintf(text[0], sizeof text[0], "%ld", frames);
    (void)snprintf(text[1], sizeof text[1], "frame=%.17g", e->frame);
    (void)snprintf(text[2], sizeof text[2], "per=%d", e->per);
    char *arguments[8 + MOST_OPTIONS] = {program, start, out, text[0], text[1], text[2]};
    for (int i = 0; i < MOST_OPTIONS && e->options[i]; i++)
        arguments[6 + i] = strdup(e->options[i]);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL); // a race that is broken off leaves nobody standing
    (void)setrlimit(RLIMIT_CPU, &limit);
    (void)setenv("OMP_NUM_THREADS", "1", 1);
    (void)raise(SIGSTOP);
    (void)execv(program, arguments);
    perror(program);
    _exit(127);
}

// Simulated seconds, by the size of the file of frames.
static double progress(const contest *c, int k)
{
    char path[4096];
    struct stat status;
    compare_path(c, "frames", k, path, sizeof path);
    if (stat(path, &status) != 0)
        return 0;
    return (double)status.st_size / (48.0 * c->count) * c->entries[k].frame;
}

// Let a process run for a turn. True when it has ended, with what it used.
static bool take_turn(pid_t pid, int *status, struct rusage *used)
{
    const struct timespec pause = {0, LOOK_MS * 1000000L};
    (void)kill(pid, SIGCONT);
    for (int waited = 0; waited < SLICE_MS; waited += LOOK_MS)
    {
        (void)nanosleep(&pause, NULL);
        if (wait4(pid, status, WNOHANG, used) == pid)
            return true;
    }
    (void)kill(pid, SIGSTOP);
    return wait4(pid, status, WUNTRACED, used) == pid && !WIFSTOPPED(*status);
}

static bool start_all(const contest *c, double seconds, pid_t *pids)
{
    for (int k = 0; k < c->entry_count; k++)
    {
        char path[4096];
        int status;
        compare_path(c, "frames", k, path, sizeof path);
        (void)unlink(path);
        pids[k] = fork();
        if (pids[k] == 0)
            become(c, k, lround(seconds / c->entries[k].frame));
        if (pids[k] < 0 || waitpid(pids[k], &status, WUNTRACED) < 0 || !WIFSTOPPED(status))
        {
            perror("compare: fork");
            return false;
        }
    }
    return true;
}

// The process that is behind; -1 when all have ended.
static int last_of_all(const contest *c, const pid_t *pids)
{
    int last = -1;
    double least = INFINITY;
    for (int k = 0; k < c->entry_count; k++)
        if (pids[k] > 0 && progress(c, k) < least)
        {
            last = k;
            least = progress(c, k);
        }
    return last;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

bool compare_race(const contest *c, double seconds, double *cpu, double *megabytes, bool *was_cut)
{
    pid_t *pids = calloc((size_t)c->entry_count + 1, sizeof *pids);
    bool fine = pids && start_all(c, seconds, pids);
    for (int k; fine && (k = last_of_all(c, pids)) >= 0;)
    {
        int status;
        struct rusage used;
        if (!take_turn(pids[k], &status, &used))
            continue;
        pids[k] = 0;
        cpu[k] = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
        megabytes[k] = (double)used.ru_maxrss / 1024;
        was_cut[k] = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
        fine = was_cut[k] || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
        if (!fine)
            (void)fprintf(stderr, "compare: %s, %s failed (status %d); its files are in %s\n",
                          c->entries[k].program, c->entries[k].setting, status, c->folder);
    }
    for (int k = 0; pids && k < c->entry_count; k++)
        if (pids[k] > 0)
        {
            (void)kill(pids[k], SIGKILL);
            (void)waitpid(pids[k], NULL, 0);
        }
    free(pids);
    return fine;
}
