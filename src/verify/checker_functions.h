// Elementary functions of the checker's own: from + - * / sqrt fma floor and changes of exponents,
// so that residuals, which checkpoints keep, are the same bits whatever the C library. Within 2
// ulps of the exact value, sin and cos of angles up to 1e9.
#ifndef THUDI_CHECKER_FUNCTIONS_H
#define THUDI_CHECKER_FUNCTIONS_H

double thudi_checker_exp(double x);
double thudi_checker_log(double x); // of a positive number
double thudi_checker_sinh(double x);
double thudi_checker_cosh(double x);
double thudi_checker_sin(double x);
double thudi_checker_cos(double x);

// sqrt(x^2 + y^2), without overflow on the way.
double thudi_checker_length(double x, double y);
double thudi_checker_length3(double x, double y, double z); // and z^2

#endif
