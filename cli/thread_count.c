// The number of threads: a matter of time alone, results do not depend on it.
#include "thread_count.h"
#include "report.h"

#include <math.h>
#include <omp.h>
#include <string.h>
#include <thud/text.h>

int cli_use_threads(const cli_call *call)
{
    const char *text = cli_value(call, "threads", NULL);
    double count = 0;
    if (!text)
        return CLI_DONE;
    if (!thud_number_read(text, strlen(text), &count) || !(count >= 1 && count <= 1024) ||
        count != floor(count))
        return cli_usage_error("such as --threads 2",
                               "--threads needs a whole number from 1 to 1024; not '%s'", text);
    omp_set_num_threads((int)count);
    return CLI_DONE;
}

int cli_threads(void)
{
    return omp_get_max_threads();
}
