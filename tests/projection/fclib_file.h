/// Contact problems from the public collection FCLIB, normal directions only.
#ifndef PROJECTION_FCLIB_FILE_H
#define PROJECTION_FCLIB_FILE_H

#include "scene.h"

/// Read the file. NULL if it cannot be read, or if its mass matrix is not diagonal.
scene *fclib_read(const char *path);

#endif
