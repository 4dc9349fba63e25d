// Takes the power from a file system: nothing that is not on its disk yet will get there
// (FS_IOC_SHUTDOWN). Only for one mounted from an image, below the folder for temporary files.
//
//     power_off FOLDER 1|2     1: the journal is written out first, data is not; 2: nothing is
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHUTDOWN _IOR('X', 125, uint32_t)

static int refuse(const char *why)
{
    (void)fprintf(stderr, "power_off: %s\n", why);
    return 2;
}

int main(int argc, char **argv)
{
    struct stat root, here;
    char *path = argc == 3 ? realpath(argv[1], NULL) : NULL;
    if (!path)
        return refuse("power_off FOLDER 1|2");
    if (strncmp(path, "/tmp/", 5) != 0)
        return refuse("not below /tmp");
    if (stat("/", &root) != 0 || stat("/tmp", &here) != 0)
        return refuse("cannot look");
    dev_t temporary = here.st_dev;
    if (stat(path, &here) != 0 || here.st_dev == root.st_dev || here.st_dev == temporary)
        return refuse("this is no file system of its own");
    uint32_t how = argv[2][0] == '1' ? 1 : 2;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(path);
    if (fd < 0 || ioctl(fd, SHUTDOWN, &how) != 0)
        return refuse("the file system cannot do that");
    return close(fd);
}
