/// Quadruple precision as the reference of tests, with libquadmath. Declared here, because clang
/// (and so clang-tidy) does not find the header of a library that comes with GCC.
#ifndef QUAD_REFERENCE_H
#define QUAD_REFERENCE_H

__extension__ typedef __float128 quad;

quad sinq(quad), cosq(quad), tanq(quad), asinq(quad), acosq(quad), atanq(quad), sinhq(quad);
quad coshq(quad), tanhq(quad), expq(quad), exp2q(quad), logq(quad), sqrtq(quad), fabsq(quad);
quad atan2q(quad, quad), powq(quad, quad), hypotq(quad, quad);
quad frexpq(quad, int *), ldexpq(quad, int);
int isnanq(quad);

/// |got - exact| in units of the last place of the double nearest to exact.
static inline double quad_ulps(double got, quad exact)
{
    int exponent = 0;
    (void)frexpq(exact, &exponent);
    exponent = exponent - 1 < -1022 ? -1022 : exponent - 1;
    return (double)(fabsq((quad)got - exact) / ldexpq(1, exponent - 52));
}

#endif
