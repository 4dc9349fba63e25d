// Writes and reads a run, for check_disc:  record_tool write|read FOLDER
#include "thud/record.h"

#include <stdio.h>
#include <string.h>

enum
{
    DIM = 1000,
    FRAMES = 100
};

static int write_run(const char *folder)
{
    static const double x[DIM];
    thud_record *record = NULL;
    thud_fault fault = {0};
    thud_frame frame = {.h = 1, .dim = DIM, .q = x, .u = x, .u_next = x, .force = x};
    thud_record_def def = {.folder = folder, .dim = DIM};
    int64_t frames = 0;
    thud_status status = thud_record_create(&def, &record, &fault);
    for (int i = 0; i < FRAMES && status == THUD_OK; i++)
        status = thud_record_frame(record, &frame);
    if (record)
    {
        frames = thud_record_frames(record);
        status = thud_record_close(record, &fault);
    }
    printf("%s frames %d: %s\n", thud_status_name(status), (int)frames, fault.text);
    return 0;
}

static int read_run(const char *folder)
{
    thud_log *log = NULL;
    thud_frame frame;
    thud_fault fault = {0};
    thud_status status = thud_log_open(folder, NULL, &log, &fault);
    int64_t count = log ? thud_log_view(log).frame_count : 0;
    for (int64_t i = 0; i < count && status == THUD_OK; i++)
        status = thud_log_frame(log, i, &frame, &fault);
    printf("%s frames %d: %s\n", thud_status_name(status), (int)count, fault.text);
    thud_log_close(log);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    return strcmp(argv[1], "write") == 0 ? write_run(argv[2]) : read_run(argv[2]);
}
