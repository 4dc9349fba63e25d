// The first process of an emulated machine: runs the programs named in its arguments, each with all
// its cases, says how they ended, and turns the machine off.
#include <stdio.h>
#include <stdlib.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int run(const char *program)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0)
    {
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return status;
}

int main(int argc, char **argv)
{
    // The machine has one processor: threads that wait must not keep it busy.
    (void)setenv("OMP_WAIT_POLICY", "passive", 1);
    for (int k = 1; k < argc; k++)
    {
        printf("%s: ended with %d\n", argv[k], run(argv[k]));
        (void)fflush(stdout);
    }
    (void)tcdrain(STDOUT_FILENO); // what is still on its way to the serial port
    return reboot(RB_POWER_OFF);
}
