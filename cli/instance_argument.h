// The file of a problem that a command is given.
#ifndef CLI_INSTANCE_ARGUMENT_H
#define CLI_INSTANCE_ARGUMENT_H

#include <thud/instance.h>

// Read it, first in a trial process: HDF5 may crash or take any amount of memory if a file is
// damaged. Returns an exit code, after printing a message on failure.
int cli_instance_read(const char *path, thud_instance **out);

#endif
