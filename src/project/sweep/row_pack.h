// Eight pair rows that share no body, as one unit of the sweep, and the kernels that work on them.
//
// A row lets body b move away from body a along its normal; both have one mass each:
//     v = level + normal . (U_b - U_a),   A = |normal|^2 (1/m_a + 1/m_b).
// Rows are scaled so that A = 1: a sweep then needs no diagonal. A row with one body has the idle
// body in the place of a: mass infinite, velocity 0. Rows that fill up a pack have the idle body
// twice and normal 0.
//
// The width 8 is part of the algorithm, and so is every fma written in pack_passes.h: all kernels
// give the same bits. The two multipliers of a row change places with each sweep: x[parity] is the
// present one, the other that of the sweep before, which the next one overwrites.
#ifndef THUDI_ROW_PACK_H
#define THUDI_ROW_PACK_H

enum
{
    THUDI_PACK_WIDTH = 8
};

typedef struct thudi_pack
{
    int a[THUDI_PACK_WIDTH], b[THUDI_PACK_WIDTH]; // bodies: where their velocities are
    float inverse_tolerance[THUDI_PACK_WIDTH];    // 1 / largest residual allowed, rounded upwards
    double normal[3][THUDI_PACK_WIDTH];
    double level[THUDI_PACK_WIDTH]; // (gap - shift) / h
    double x[2][THUDI_PACK_WIDTH];  // multipliers
} thudi_pack;

_Static_assert(sizeof(thudi_pack) == 480, "a pack is seven cache lines and a half");

// The same in three fifths of the bytes, and swept in floats: twice as many lanes. Pushes and
// residuals are computed in doubles from what is stored.
typedef struct thudi_small_pack
{
    int a[THUDI_PACK_WIDTH], b[THUDI_PACK_WIDTH];
    float inverse_tolerance[THUDI_PACK_WIDTH];
    float normal[3][THUDI_PACK_WIDTH];
    float level[THUDI_PACK_WIDTH];
    float x[2][THUDI_PACK_WIDTH];
} thudi_small_pack;

_Static_assert(sizeof(thudi_small_pack) == 288, "a small pack is four cache lines and a half");

// What a sweep over some packs saw.
typedef struct thudi_pack_sums
{
    double turn;     // sum of (y - x_new) (x_new - x)
    double decrease; // f(x_new) - f(y)
    double worst;    // largest residual / stop
    double largest;  // largest x_new
} thudi_pack_sums;

// A velocity has four numbers per body: three components and 1 / m. Packs and velocities are
// aligned to 32 bytes, velocities in floats to 16.
typedef struct thudi_kernel
{
    const char *name;
    // One forward Gauss-Seidel pass from y = x + beta (x - before), adding to *sums.
    void (*sweep)(thudi_pack *packs, int count, int parity, double beta, double *velocity,
                  thudi_pack_sums *sums);
    // velocity += M^-1 G^T x[parity]
    void (*push)(const thudi_pack *packs, int count, int parity, double *velocity);
    // The largest residual / stop of x[parity].
    double (*residual)(const thudi_pack *packs, int count, int parity, const double *velocity);
    // The same on small packs: sweeps in floats, on velocities that are floats too.
    void (*small_sweep)(thudi_small_pack *packs, int count, int parity, float beta, float *velocity,
                        thudi_pack_sums *sums);
    void (*small_push)(const thudi_small_pack *packs, int count, int parity, double *velocity);
    double (*small_residual)(const thudi_small_pack *packs, int count, int parity,
                             const double *velocity);
    // U <- U + beta (U - before), before <- U; returns sum of half_mass |U - before|^2.
    double (*extrapolate)(int bodies, double beta, const double *half_mass, double *velocity,
                          double *before);
    double (*small_extrapolate)(int bodies, double beta, const double *half_mass, float *velocity,
                                float *before);
    int (*is_supported)(void); // by this processor
} thudi_kernel;

extern const thudi_kernel thudi_kernel_plain, thudi_kernel_avx2;

// The fastest kernel this processor has.
const thudi_kernel *thudi_kernel_choose(void);

// A kernel by name ("plain", "avx2"); NULL when unknown or not supported here.
const thudi_kernel *thudi_kernel_find(const char *name);

#endif
