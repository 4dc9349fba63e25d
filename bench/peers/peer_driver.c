// Arguments, start and frames of the programs that run one engine.
#include "peer_driver.h"

#include "peer_frames.h"

#include <stdlib.h>
#include <string.h>

double peer_option(const peer_task *task, const char *name, double otherwise)
{
    size_t length = strlen(name);
    for (int i = 0; i < task->option_count; i++)
        if (strncmp(task->options[i], name, length) == 0 && task->options[i][length] == '=')
            return strtod(task->options[i] + length + 1, NULL);
    return otherwise;
}

int peer_begin(int argc, char **argv, peer_task *task)
{
    if (argc < 4)
    {
        (void)fprintf(stderr, "usage: %s START FRAMES COUNT frame=S per=STEPS [name=number ...]\n",
                      argv[0]);
        return -1;
    }
    *task = (peer_task){.options = argv + 4, .option_count = argc - 4};
    task->frames = strtol(argv[3], NULL, 10);
    task->per = (int)peer_option(task, "per", 1);
    task->step = peer_option(task, "frame", 0.005) / task->per;
    task->state = peer_state_read(argv[1], &task->count);
    task->out = task->state ? fopen(argv[2], "wb") : NULL;
    if (!task->out)
    {
        perror(task->state ? argv[2] : argv[1]);
        peer_end(task);
        return -1;
    }
    return 0;
}

void peer_end(peer_task *task)
{
    free(task->state);
    if (task->out)
        (void)fclose(task->out);
    *task = (peer_task){0};
}

int peer_drive(peer_task *task, int (*step)(void *engine),
               void (*look)(const void *engine, double *state), void *engine)
{
    int failed = peer_frame_write(task->out, task->state, task->count);
    for (long n = 0; n < task->frames && !failed; n++)
    {
        for (int k = 0; k < task->per && !failed; k++)
            failed = step(engine);
        look(engine, task->state);
        if (!failed)
            failed = peer_frame_write(task->out, task->state, task->count);
    }
    return failed != 0;
}
