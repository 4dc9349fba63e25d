// The file of a problem that a command is given.
#ifndef CLI_INSTANCE_ARGUMENT_H
#define CLI_INSTANCE_ARGUMENT_H

#include <thud/instance.h>

// Read it, first on trial: HDF5 may crash or take any memory when a file is damaged. Returns an
// exit code, complaints said.
int cli_instance_read(const char *path, thud_instance **out);

#endif
