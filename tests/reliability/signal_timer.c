// Sends a signal to a program at a chosen time after a file of it is there, and says how long it
// took to end: a line "SECONDS BYTES STATUS", where BYTES is the size of the file when the signal
// had been sent.
//
//     signal_timer SIGNAL MILLISECONDS FILE COMMAND...
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void rest(long milliseconds)
{
    struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    (void)nanosleep(&time, NULL);
}

static double seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static long long size_of(const char *path)
{
    struct stat look;
    return stat(path, &look) == 0 ? (long long)look.st_size : 0;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    int status = 0;
    pid_t child = fork();
    if (child < 0)
        return 1;
    if (child == 0)
    {
        // what runs in the background may have been told to ignore it
        (void)signal(SIGINT, SIG_DFL);
        (void)execvp(argv[4], argv + 4);
        _exit(127);
    }
    while (size_of(argv[3]) == 0)
    {
        if (waitpid(child, &status, WNOHANG) == child)
            return 1;
        rest(1);
    }
    rest(strtol(argv[2], NULL, 10));
    double begun = seconds();
    if (kill(child, (int)strtol(argv[1], NULL, 10)) != 0)
        return 1;
    long long bytes = size_of(argv[3]);
    if (waitpid(child, &status, 0) != child)
        return 1;
    (void)printf("%.6f %lld %d\n", seconds() - begun, bytes,
                 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return 0;
}
