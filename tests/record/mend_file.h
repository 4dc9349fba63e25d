// Sums of logs and checkpoints made right, for tests that change their bytes.
#ifndef MEND_FILE_H
#define MEND_FILE_H

#include <stddef.h>

// As far as the numbers allow. which: 1 for the sum of the header, 2 for those of heads and steps,
// 4 for those of blocks; add them up.
void mend_file(unsigned char *bytes, size_t size, unsigned which);

#endif
