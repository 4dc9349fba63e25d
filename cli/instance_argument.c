// The file of a problem, read first by a trial process whose memory and time are limited. HDF5
// divides by zero, loops or allocates gigabytes if a byte of a file is wrong; then only the trial
// ends.
#include "instance_argument.h"

#include "report.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    LEAST_BYTES = 256 << 20, // that reading may take for any file
    BYTES_PER_BYTE = 100,    // and in addition for every byte of it
    LEAST_SECONDS = 30,
    BYTES_PER_SECOND = 1 << 20
};

// Memory of this process for data, as RLIMIT_DATA counts it; 0 if it is unknown.
static double data_bytes(void)
{
    char line[200] = "", *rest = line;
    long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        (void)fclose(file);
    for (int i = 0; i < 6 && *rest != '\0'; i++) // the sixth number is that of data and stack
        pages = strtoll(rest, &rest, 10);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void set_limit(int resource, double value)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)resource, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || value < (double)limit.rlim_max)
        limit.rlim_cur = (rlim_t)value;
    (void)setrlimit((__rlimit_resource_t)resource, &limit);
}

static void limit_self(const char *path)
{
    struct stat status;
    double bytes = stat(path, &status) == 0 ? (double)status.st_size : 0, data = data_bytes();
    if (data > 0)
        set_limit(RLIMIT_DATA, data + LEAST_BYTES + BYTES_PER_BYTE * bytes);
    set_limit(RLIMIT_CPU, LEAST_SECONDS + bytes / BYTES_PER_SECOND);
    set_limit(RLIMIT_CORE, 0);
}

static int read_directly(const char *path, thud_instance **out)
{
    thud_fault fault = {0};
    thud_status status = thud_instance_read(path, NULL, out, &fault);
    return status < 0 ? cli_fail(status, &fault) : CLI_DONE;
}

static int fail(thud_status status, const char *path, const char *what, const char *why)
{
    thud_fault fault = {0};
    (void)snprintf(fault.file, sizeof fault.file, "%.255s", path);
    (void)snprintf(fault.text, sizeof fault.text, "%s: %s", what, why);
    return cli_fail(status, &fault);
}

static int wait_for(pid_t child, const char *path)
{
    int code = 0;
    while (waitpid(child, &code, 0) < 0)
        if (errno != EINTR)
            return fail(THUD_ERR_IO, path, "cannot start a trial read of the file",
                        strerror(errno));
    if (WIFEXITED(code))
        return WEXITSTATUS(code);
    return fail(THUD_ERR_SCENE, path, "a trial read crashed HDF5, so the file is damaged",
                strsignal(WTERMSIG(code))); // NOLINT(concurrency-mt-unsafe)
}

int cli_instance_read(const char *path, thud_instance **out)
{
    pid_t child = fork();
    if (child < 0)
        return fail(THUD_ERR_IO, path, "cannot start a trial read of the file", strerror(errno));
    if (child == 0)
    {
        thud_instance *instance = NULL;
        limit_self(path);
        _exit(read_directly(path, &instance));
    }
    int code = wait_for(child, path);
    return code == CLI_DONE ? read_directly(path, out) : code;
}
