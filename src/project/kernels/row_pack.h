// Eight pair rows that share no body, as one unit of the sweep, and the kernels that work on them.
//
// A pair row pushes bodies a and b apart along its normal. Each body has one mass. The row has the
// constraint velocity v and the diagonal A, as in sweeper.h:
//     v = level + normal . (U_b - U_a),   A = |normal|^2 (1/m_a + 1/m_b).
// Rows are scaled so that A = 1: a sweep then needs no diagonal. Masses and velocities are in the
// units of the packs: see packs.h. A row with one body has the idle body in the place of a. The
// idle body has infinite mass and velocity 0. A pack with fewer than eight rows is filled up with
// rows that have the idle body twice and normal 0.
//
// All kernels give the same bits. So the width 8 is part of the algorithm, and so is every fma of
// pack_kernel.h, pack_passes.h and pack_floats.h.
//
// A row stores two multipliers. x[parity] is the present one; x[1 - parity] is that of the sweep
// before. The next sweep overwrites the older one, and then parity changes.
#ifndef THUDI_ROW_PACK_H
#define THUDI_ROW_PACK_H

enum
{
    THUDI_PACK_WIDTH = 8
};

typedef struct thudi_pack
{
    int a[THUDI_PACK_WIDTH], b[THUDI_PACK_WIDTH]; // index into `velocity`: 4 times the body
    float inverse_tolerance[THUDI_PACK_WIDTH];    // 1 / largest residual allowed, rounded upwards
    double normal[3][THUDI_PACK_WIDTH];
    double level[THUDI_PACK_WIDTH]; // (gap - shift) / h, scaled with the row
    double x[2][THUDI_PACK_WIDTH];  // multipliers, scaled with the row
} thudi_pack;

_Static_assert(sizeof(thudi_pack) == 480, "a pack is seven cache lines and a half");

// The same numbers as floats, in three fifths of the bytes. A sweep over small packs computes in
// floats, because a vector holds twice as many of them. Pushes and residuals are computed in
// doubles from the stored floats.
typedef struct thudi_small_pack
{
    int a[THUDI_PACK_WIDTH], b[THUDI_PACK_WIDTH];
    float inverse_tolerance[THUDI_PACK_WIDTH];
    float normal[3][THUDI_PACK_WIDTH];
    float level[THUDI_PACK_WIDTH];
    float x[2][THUDI_PACK_WIDTH];
} thudi_small_pack;

_Static_assert(sizeof(thudi_small_pack) == 288, "a small pack is four cache lines and a half");

// Sums and maxima over the rows of some packs, from one sweep. y, x and x_new are those of
// thudi_kernel.sweep, and f is the dual objective.
typedef struct thudi_pack_sums
{
    double turn;     // sum of (y - x_new) (x_new - x): > 0 if the momentum points uphill
    double decrease; // f(x_new) - f(y), <= 0
    double worst;    // largest residual / tolerance of a row, when the sweep reached the row
    double largest;  // largest x_new
} thudi_pack_sums;

// The functions of one kernel. The array `velocity` has four numbers per body: three components of
// U and 1 / m. Packs and arrays of doubles are aligned to 32 bytes, arrays of floats to 16.
typedef struct thudi_kernel
{
    const char *name;
    // One forward Gauss-Seidel sweep from y = x + beta (x - before), with x = x[parity] and
    // before = x[1 - parity]. `velocity` must belong to y, as after `extrapolate`. x_new overwrites
    // x[1 - parity], and `velocity` then belongs to x_new. *sums is updated with these rows.
    void (*sweep)(thudi_pack *packs, int count, int parity, double beta, double *velocity,
                  thudi_pack_sums *sums);
    // velocity += M^-1 G^T x[parity], where G has the gradients of the rows
    void (*push)(const thudi_pack *packs, int count, int parity, double *velocity);
    // The largest residual / tolerance of a row, at x[parity] and the velocity that belongs to it.
    double (*residual)(const thudi_pack *packs, int count, int parity, const double *velocity);
    // The same on small packs: sweeps in floats, on velocities that are floats too.
    void (*small_sweep)(thudi_small_pack *packs, int count, int parity, float beta, float *velocity,
                        thudi_pack_sums *sums);
    void (*small_push)(const thudi_small_pack *packs, int count, int parity, double *velocity);
    double (*small_residual)(const thudi_small_pack *packs, int count, int parity,
                             const double *velocity);
    // With the old U on every right-hand side: U <- U + beta (U - before), before <- U. Returns the
    // sum of half_mass |U - before|^2 over the bodies, with the old U and the old `before`.
    double (*extrapolate)(int bodies, double beta, const double *half_mass, double *velocity,
                          double *before);
    double (*small_extrapolate)(int bodies, double beta, const double *half_mass, float *velocity,
                                float *before);
    int (*is_supported)(void); // not 0 if this processor has the kernel's instructions
} thudi_kernel;

extern const thudi_kernel thudi_kernel_plain, thudi_kernel_vector;
extern const thudi_kernel thudi_kernel_avx2; // of x86-64 alone

// The fastest kernel that this processor supports.
const thudi_kernel *thudi_kernel_choose(void);

// The kernel `name`: "plain", "vector" or "avx2". NULL if there is none, or this processor does not
// support it.
const thudi_kernel *thudi_kernel_find(const char *name);

#endif
