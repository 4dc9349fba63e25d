// Elementary functions from + - * / sqrt fma and floor alone: the same bits on every processor of
// the baseline, whatever the C library. exp log pow sin cos are within 1 ulp of the exact value,
// the others within 2. Special values as in C; every NaN returned is the constant NAN.
#ifndef THUDI_ELEMENTARY_H
#define THUDI_ELEMENTARY_H

double thudi_sin(double x);
double thudi_cos(double x);
double thudi_tan(double x);
double thudi_asin(double x);
double thudi_acos(double x);
double thudi_atan(double x);
double thudi_atan2(double y, double x);
double thudi_sinh(double x);
double thudi_cosh(double x);
double thudi_tanh(double x);
double thudi_exp(double x);
double thudi_log(double x);

// x^y; pow(x, 2) is x*x rounded once, and a result that is a double is found exactly.
double thudi_pow(double x, double y);

// sqrt of the sum of the squares of x[index[0]] ... x[index[count - 1]], without overflow on the
// way. Infinite when one of them is, even if another is NAN.
double thudi_hypot(const double *x, const int *index, int count);

#endif
