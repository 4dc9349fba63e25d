// A log of any bytes: opened and read whole, without a crash, whatever it says. The sums are made
// right first, or hardly any input would get past them.
#include "mend_file.h"
#include "record/log_format.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Look at every number of a frame, so that a view that is too long is seen.
static double sum_of(const thud_frame *frame)
{
    double sum = frame->t + frame->h;
    for (int k = 0; k < frame->dim; k++)
        sum += frame->q[k] + frame->u[k] +
               (frame->h != 0 ? frame->u_next[k] + frame->force[k] : 0) +
               (frame->move ? frame->move[k] : 0);
    for (int i = 0; i < frame->before_count; i++)
        sum += frame->before[i].impulse;
    for (int i = 0; i < frame->after_count; i++)
        sum += frame->after[i].impulse;
    for (int i = 0; i < frame->before_count * frame->more_width; i++)
        sum += frame->before_more[i];
    for (int i = 0; i < frame->after_count * frame->more_width; i++)
        sum += frame->after_more[i];
    for (int i = 0; i < frame->direction_count; i++)
        sum += frame->directions[i].normal[2];
    for (int i = 0; i < frame->id_count; i++)
        sum += (double)frame->ids[i].count;
    return sum;
}

static volatile double seen; // so that the compiler keeps the reading

typedef thud_status open_fn(const char *folder, const thud_allocator *allocator, thud_log **out,
                            thud_fault *fault);

static void read_all(const char *folder, open_fn *open_log)
{
    thud_log *log = NULL;
    thud_fault fault;
    if (open_log(folder, NULL, &log, &fault) != THUD_OK)
        return;
    for (int64_t i = 0; i < thud_log_view(log).frame_count; i++)
    {
        thud_frame frame;
        if (thud_log_frame(log, i, &frame, &fault) == THUD_OK)
            seen = sum_of(&frame);
    }
    for (int64_t n = thud_log_view(log).first_node; n < thud_log_view(log).step_count; n++)
        seen = (double)thud_log_chain(log, n);
    thud_log_close(log);
}

static char folder[] = "fuzz-log-XXXXXX";

static void remove_folder(void)
{
    (void)rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[sizeof folder + sizeof THUDI_LOG_NAME];
    if (!path[0])
    {
        if (!mkdtemp(folder) || atexit(remove_folder) != 0)
            abort();
        (void)snprintf(path, sizeof path, "%s/" THUDI_LOG_NAME, folder);
    }
    uint8_t *log = size > 0 ? malloc(size) : NULL;
    if (!log)
        return 0;
    memcpy(log, data + 1, size - 1);
    mend_file(log, size - 1, data[0]); // the first byte says which sums are made right
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(log, 1, size - 1, file) != size - 1 || fclose(file) != 0)
        abort();
    read_all(folder, thud_log_open);
    read_all(folder, thud_log_open_damaged);
    free(log);
    (void)unlink(path);
    return 0;
}
