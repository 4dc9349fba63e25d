// What run.json says.
#include "run/run_json.h"

#include "thud/json.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void thudi_run_json_read(const char *folder, char text[THUDI_RUN_JSON])
{
    char path[1100];
    (void)snprintf(path, sizeof path, "%s/run.json", folder);
    // neither a pipe nor a link of that name is ours
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    struct stat what;
    ssize_t length = 0;
    if (file >= 0 && fstat(file, &what) == 0 && S_ISREG(what.st_mode))
        length = read(file, text, THUDI_RUN_JSON - 1);
    text[length > 0 ? length : 0] = '\0';
    if (file >= 0)
        (void)close(file);
}

const char *thudi_run_json_fault(const char *folder, const char *text)
{
    char path[1100];
    struct stat what;
    (void)snprintf(path, sizeof path, "%s/run.json", folder);
    if (text[0] == '\0')
        return lstat(path, &what) == 0 ? "the file is empty, or cannot be read"
                                       : "the file is missing";
    return thud_json_is_object(text) ? NULL : "the file is not JSON: it was cut or altered";
}
