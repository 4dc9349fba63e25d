// Gauss points: six are exact for polynomials of degree 11, two for degree 3.
#ifndef THUDI_GAUSS_H
#define THUDI_GAUSS_H

typedef void thudi_gauss_fn(double x, double weight, void *user);

static inline void thudi_gauss(double a, double b, thudi_gauss_fn *visit, void *user)
{
    static const double x[3] = {0.23861918608319691, 0.66120938646626451, 0.93246951420315203};
    static const double w[3] = {0.46791393457269105, 0.36076157304813861, 0.17132449237917035};
    double middle = (a + b) / 2, half = (b - a) / 2;
    for (int i = 2; i >= 0; i--)
        visit(middle - half * x[i], half * w[i], user);
    for (int i = 0; i < 3; i++)
        visit(middle + half * x[i], half * w[i], user);
}

static inline void thudi_gauss_two(double a, double b, thudi_gauss_fn *visit, void *user)
{
    double middle = (a + b) / 2, half = (b - a) / 2, x = half * 0.57735026918962576;
    visit(middle - x, half, user);
    visit(middle + x, half, user);
}

#endif
