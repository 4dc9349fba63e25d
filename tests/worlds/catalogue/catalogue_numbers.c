// Quadrature and root finding for the exact references.
#include "catalogue.h"

void gauss_points(double a, double b, point_fn *visit, void *user)
{
    static const double node[3] = {0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
    static const double weight[3] = {0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
    double middle = (a + b) / 2, half = (b - a) / 2;
    for (int i = 0; i < 3; i++)
    {
        visit(middle - half * node[i], half * weight[i], user);
        visit(middle + half * node[i], half * weight[i], user);
    }
}

typedef struct cat_integral
{
    number_fn *f;
    void *user;
    double sum;
} cat_integral;

static void add_point(double x, double weight, void *user)
{
    cat_integral *integral = user;
    integral->sum += weight * integral->f(x, integral->user);
}

double integrate(number_fn *f, double a, double b, int panels, void *user)
{
    cat_integral integral = {f, user, 0};
    for (int i = 0; i < panels; i++)
        gauss_points(a + (b - a) * i / panels, a + (b - a) * (i + 1) / panels, add_point,
                     &integral);
    return integral.sum;
}

double find_root(number_fn *f, double a, double b, void *user)
{
    bool rises = f(a, user) < 0;
    for (int i = 0; i < 200 && nextafter(a, b) != b; i++)
    {
        double middle = a + (b - a) / 2;
        if ((f(middle, user) < 0) == rises)
            a = middle;
        else
            b = middle;
    }
    return a + (b - a) / 2;
}

double distance(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}
