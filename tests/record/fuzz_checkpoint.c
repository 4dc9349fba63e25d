// A checkpoint of any bytes: taken apart without a crash, whatever it says. The sums are made right
// first, or hardly any input would get past them.
#include "core/checksum.h"
#include "record/checkpoint_format.h"
#include "thud/checkpoint.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void mend_section(uint8_t *bytes, size_t size, size_t at)
{
    thudi_checkpoint_section section;
    memcpy(&section, bytes + at, sizeof section);
    size_t item = thud_field_size((thud_field_type)section.type);
    if (item > 0 && section.offset < size && section.count <= (size - section.offset) / item)
        section.sum = thudi_checksum(0, bytes + section.offset, section.count * item);
    memcpy(bytes + at, &section, sizeof section);
}

// The first byte of the input says which sums are made right.
static void mend(uint8_t *bytes, size_t size, unsigned which)
{
    thudi_checkpoint_header header;
    thudi_checkpoint_end end;
    if (size < sizeof header + sizeof end)
        return;
    memcpy(&header, bytes, sizeof header);
    if (which & 1)
        header.length = size;
    uint64_t room = (size - sizeof header) / sizeof(thudi_checkpoint_section);
    uint64_t count = header.section_count < room ? header.section_count : room;
    for (uint64_t i = 0; i < count && which & 2; i++)
        mend_section(bytes, size, sizeof header + i * sizeof(thudi_checkpoint_section));
    if (which & 4)
        header.table_sum =
            thudi_checksum(0, bytes + sizeof header, count * sizeof(thudi_checkpoint_section));
    if (which & 8)
        header.sum = thudi_checksum(0, &header, offsetof(thudi_checkpoint_header, sum));
    memcpy(bytes, &header, sizeof header);
    end = (thudi_checkpoint_end){thudi_checksum(0, bytes, size - sizeof end), THUDI_CHECKPOINT_END};
    if (which & 16)
        memcpy(bytes + size - sizeof end, &end, sizeof end);
}

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
    mend(bytes, size - 1, data[0]);
    if (thud_checkpoint_parse(bytes, size - 1, NULL, &checkpoint, &fault) == THUD_OK)
        for (int i = 0; i < 3; i++)
            (void)thud_checkpoint_restore(checkpoint, &fields[i], 1, &fault);
    thud_checkpoint_free(checkpoint);
    free(bytes);
    return 0;
}
