// The catalogue without scene files: test_catalogue needs no reader of scenes.
#include "catalogue.h"

cat_file *file_open(cat_trial *trial)
{
    (void)trial;
    return NULL;
}

void file_close(cat_file *file)
{
    (void)file;
}

int file_finish(int result)
{
    return result;
}
