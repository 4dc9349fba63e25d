// How threads wait for each other.
#ifndef CLI_WAIT_POLICY_H
#define CLI_WAIT_POLICY_H

// Where the processors have other work beside these threads: start the program anew, once, with
// threads that sleep when they wait; unless the user has said how they are to wait. Returns where
// that was done before, need not or cannot be done.
void cli_wait_policy_set(char **argv, int threads, int processors);

#endif
