// Chooses the number of threads. It changes the time of a run, and not the results.
//
// OpenMP's runtime ends the program if the system refuses a thread. So this file first starts as
// many threads itself, all at the same time. OpenMP then uses no more than could be started.
#include "thread_count.h"
#include "members.h"
#include "report.h"
#include "wait_policy.h"

#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <thud/text.h>

enum
{
    MOST_THREADS = 1024,  // the largest value of --threads; no run uses more
    THREADS_MEMORY = 4096 // bytes; omp_set_num_threads needs less
};

// Where threads wait until all have been started.
typedef struct gate
{
    pthread_mutex_t lock;
    pthread_cond_t opens;
    bool is_open;
} gate;

static void *wait_at(void *user)
{
    gate *g = user;
    (void)pthread_mutex_lock(&g->lock);
    while (!g->is_open)
        (void)pthread_cond_wait(&g->opens, &g->lock);
    (void)pthread_mutex_unlock(&g->lock);
    return NULL;
}

// Start threads until there are `wanted`, or the system refuses one; then end them. Returns how
// many existed at once. The calling thread counts in both numbers.
static int try_threads(int wanted)
{
    gate g = {.lock = PTHREAD_MUTEX_INITIALIZER, .opens = PTHREAD_COND_INITIALIZER};
    pthread_t others[MOST_THREADS];
    int count = 0;
    while (count + 1 < wanted && pthread_create(&others[count], NULL, wait_at, &g) == 0)
        count++;
    (void)pthread_mutex_lock(&g.lock);
    g.is_open = true;
    (void)pthread_cond_broadcast(&g.opens);
    (void)pthread_mutex_unlock(&g.lock);
    for (int i = 0; i < count; i++)
        (void)pthread_join(others[i], NULL);
    return count + 1;
}

// Make OpenMP use `count` threads. Its runtime allocates a little memory for this, and ends the
// program if there is none. So test first. Returns an exit code.
static int set_threads(int count)
{
    void *probe = malloc(THREADS_MEMORY);
    if (!probe)
        return cli_fail(THUD_ERR_MEMORY, &(thud_fault){0});
    free(probe);
    omp_set_num_threads(count);
    return CLI_DONE;
}

// Does the command have the option --threads?
static bool may_use_threads(const cli_command *command)
{
    for (int i = 0; i < command->option_count; i++)
        if (strcmp(command->options[i].name, "threads") == 0)
            return true;
    return false;
}

int cli_use_threads(const cli_call *call, char **argv)
{
    const char *text = cli_value(call, "threads", NULL);
    double count = 0;
    if (!may_use_threads(call->command))
        return CLI_DONE;
    if (text && (!thud_number_read(text, strlen(text), &count) ||
                 !(count >= 1 && count <= MOST_THREADS) || count != floor(count)))
        return cli_fail_usage("give a number, as in --threads 2",
                              "--threads must be a whole number from 1 to 1024, not '%s'", text);
    int wanted = text ? (int)count : omp_get_max_threads();
    wanted = wanted < MOST_THREADS ? wanted : MOST_THREADS;
    // This may restart the program, and then does not return.
    if (wanted > 1 && !cli_team()) // a process of a job may not restart
        cli_wait_policy_set(argv, wanted, omp_get_num_procs());
    int granted = try_threads(wanted);
    if (granted < wanted)
        cli_warn("the system does not allow %d threads, only %d; results are the same", wanted,
                 granted);
    return granted == omp_get_max_threads() ? CLI_DONE : set_threads(granted);
}
