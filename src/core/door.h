// The doors: functions by which a program begins to use the library. They call thud_float_check
// before anything else. So they are compiled for every x86-64, whatever the build is compiled for:
// an older processor then gets THUD_ERR_FLOAT, and not the signal SIGILL. What they call before
// they check stands in files that src/CMakeLists.txt compiles so. A door must not call memcpy and
// its like: the compiler cannot put what the C library defines for the build into it.
#ifndef THUDI_DOOR_H
#define THUDI_DOOR_H

#include "thud/base.h"

#if defined __x86_64__ && defined __AVX__
#define THUDI_DOOR __attribute__((target("arch=x86-64")))
#else
#define THUDI_DOOR
#endif

#endif
