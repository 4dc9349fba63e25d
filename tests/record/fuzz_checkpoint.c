// A checkpoint of any bytes: taken apart without a crash, whatever it says. The sums are made right
// first, or hardly any input would get past them.
#include "mend_file.h"
#include "thud/checkpoint.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    thud_checkpoint *checkpoint = NULL;
    thud_fault fault;
    double q[4];
    int64_t n;
    thud_multiplier multipliers[2];
    const thud_field fields[] = {{"q", THUD_FIELD_DOUBLE, 4, q},
                                 {"n", THUD_FIELD_INT64, 1, &n},
                                 {"multipliers", THUD_FIELD_MULTIPLIER, 2, multipliers}};
    uint8_t *bytes = size > 0 ? malloc(size) : NULL;
    if (!bytes)
        return 0;
    memcpy(bytes, data + 1, size - 1);
    mend_file(bytes, size - 1, data[0]); // the first byte says which sums are made right
    if (thud_checkpoint_parse(bytes, size - 1, NULL, &checkpoint, &fault) == THUD_OK)
        for (int i = 0; i < 3; i++)
            (void)thud_checkpoint_restore(checkpoint, &fields[i], 1, &fault);
    thud_checkpoint_free(checkpoint);
    free(bytes);
    return 0;
}
