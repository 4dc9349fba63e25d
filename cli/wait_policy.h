// How threads wait for each other.
#ifndef CLI_WAIT_POLICY_H
#define CLI_WAIT_POLICY_H

// If the processors have other work than these threads, restart the program once, with threads that
// sleep while they wait. A policy that the user has set is kept. Returns if the restart was done
// before, is not needed or is not possible.
void cli_wait_policy_set(char **argv, int threads, int processors);

#endif
