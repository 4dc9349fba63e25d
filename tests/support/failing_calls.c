// The calls that a record makes, which the linker puts here in the place of the C library's
// (--wrap).
#include "failing_calls.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

failing_plan failing_calls;

bool failing_now(void)
{
    if (++failing_calls.calls != failing_calls.fail_at)
        return false;
    errno = failing_calls.error;
    return true;
}

static bool is_interrupted(void)
{
    errno = EINTR;
    return failing_calls.stutter && ++failing_calls.calls % 2;
}

FAILING_CALL(int, ftruncate, (int fd, off_t length), (fd, length))
FAILING_CALL(int, renameat, (int from, const char *old_name, int to, const char *new_name),
             (from, old_name, to, new_name))
FAILING_CALL(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags))
FAILING_CALL(int, fstat, (int fd, struct stat *status), (fd, status))

int __real_fsync(int fd); // NOLINT
int __wrap_fsync(int fd); // NOLINT
int __wrap_fsync(int fd)  // NOLINT
{
    return is_interrupted() || failing_now() ? -1 : __real_fsync(fd);
}

ssize_t __real_writev(int fd, const struct iovec *parts, int count); // NOLINT
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count); // NOLINT
ssize_t __wrap_writev(int fd, const struct iovec *parts, int count)  // NOLINT
{
    if (is_interrupted() || failing_now())
        return -1;
    if (!failing_calls.stutter)
        return __real_writev(fd, parts, count);
    while (count > 0 && parts->iov_len == 0)
        parts++, count--;
    return count > 0 ? write(fd, parts->iov_base, 1) : 0;
}

ssize_t __real_pread(int fd, void *to, size_t length, off_t at); // NOLINT
ssize_t __wrap_pread(int fd, void *to, size_t length, off_t at); // NOLINT
ssize_t __wrap_pread(int fd, void *to, size_t length, off_t at)  // NOLINT
{
    if (is_interrupted() || failing_now())
        return -1;
    return __real_pread(fd, to, failing_calls.stutter && length > 3 ? 3 : length, at);
}

int __real_openat(int folder, const char *name, int flags, ...); // NOLINT
int __wrap_openat(int folder, const char *name, int flags, ...); // NOLINT
int __wrap_openat(int folder, const char *name, int flags, ...)  // NOLINT
{
    return failing_now() ? -1 : __real_openat(folder, name, flags, 0666);
}
