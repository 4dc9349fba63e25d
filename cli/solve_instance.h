// A stored projection solved, and what was proved of the answer.
#ifndef CLI_SOLVE_INSTANCE_H
#define CLI_SOLVE_INSTANCE_H

#include <thud/hypotheses.h>
#include <thud/instance.h>

typedef struct cli_solved
{
    thud_status status; // of the projection: done, infeasible or not converged
    double primal;      // 1/2 |v - w|_M^2
    double dual;        // of the multipliers; never above the optimum
    int loaded, closed; // contacts with mu > 0, and tight ones
    bool unique;        // multipliers
    thud_certificate certificate;
    thud_farkas farkas;             // y is gone
    thud_independence independence; // of the closed contacts
    double stored;                  // |v - v'|_M of the solution in the file, NAN if there is none
    bool is_optimal;                // to rounding
} cli_solved;

// Solve exactly; an error that is not a status of the projection is returned.
thud_status cli_solve(const thud_instance *instance, cli_solved *solved);

// The public set: what each problem is, and how it is made.
enum
{
    CLI_SET_COUNT = 4
};
const char *cli_set_name(int which);
// Run its scene up to its step and take the projection of that. The instance is the caller's.
thud_status cli_set_make(int which, thud_instance **out, thud_fault *fault);

#endif
