// What the libraries were made of.
#include "run/build_info.h"

#include "thud/recording.h"

thud_build thud_build_info(void)
{
    return (thud_build){THUD_COMMIT, THUD_COMPILER, THUD_FLAGS};
}
