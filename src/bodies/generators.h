// Bodies made by rule: lattices, random fills, files. They know nothing of scene files. The reader
// translates, and turns their errors into faults with a place.
#ifndef THUDI_GENERATORS_H
#define THUDI_GENERATORS_H

#include "thud/spheres.h"
#include "thud/text.h"

// Radii: one value, or drawn from a distribution. Values are checked by the reader: 0 < min <= max.
typedef enum thudi_distribution_kind
{
    THUDI_DRAW_FIXED,     // a
    THUDI_DRAW_UNIFORM,   // between a and b
    THUDI_DRAW_NORMAL,    // mean a, deviation b, drawn again until within [min, max]
    THUDI_DRAW_LOGNORMAL, // median a, sigma b of the logarithm, drawn again until within [min,
                          // max]
    THUDI_DRAW_CHOICES    // each of choices equally likely
} thudi_distribution_kind;

typedef struct thudi_distribution
{
    thudi_distribution_kind kind;
    double a, b, min, max;
    const double *choices;
    int choice_count;
} thudi_distribution;

typedef struct thudi_lattice
{
    int dim;
    double origin[3], spacing[3];
    int count[3]; // the third is 1 in two dimensions
    double jitter;
    thudi_distribution radius;
    double velocity[3];
    uint64_t seed;
} thudi_lattice;

// Write count[0] * count[1] * count[2] spheres, x fastest; masses are left 0. THUD_ERR_LIMIT: a
// distribution of radii gave no value within [min, max] in 1,000,000 draws.
thud_status thudi_lattice_make(const thudi_lattice *lattice, thud_sphere *spheres);

typedef struct thudi_region
{
    bool is_ball;
    double low[3], high[3];   // box
    double center[3], radius; // ball
} thudi_region;

typedef struct thudi_fill
{
    int dim;
    thudi_region region;
    int count;
    double gap; // least gap between bodies, and to the border
    int attempts;
    thudi_distribution radius;
    double velocity[3];
    uint64_t seed;
    thud_cell cell; // holds the region on the periodic axes, and the bodies that are there
    double shear;   // of the cell
} thudi_fill;

// Draw all radii, and place the largest first, at random positions free of overlap with each other
// and with `there`. All images of a periodic cell count. The spheres are written in the order they
// were drawn, not by size, with masses 0. THUD_ERR_LIMIT: a body found no place in `attempts`
// tries, or a distribution of radii never gave a value; *placed is the number of bodies with a
// place. The time is proportional to the tries, whatever the sizes (cells by size).
thud_status thudi_fill_make(const thudi_fill *fill, const thud_sphere *there, int there_count,
                            const thud_allocator *allocator, thud_sphere *spheres, int *placed);

// A file of bodies: what a row may hold. Texts are views into the file, not ended by a null byte.
typedef struct thudi_body_row
{
    thud_sphere sphere;                   // radius or mass 0 when there is no such column
    const char *name, *material, *growth; // NULL when there is no such column, or it is empty
    size_t name_length, material_length, growth_length;
    int line; // of the file, from 1
} thudi_body_row;

typedef enum thudi_body_format
{
    THUDI_BODY_CSV,
    THUDI_BODY_XYZ
} thudi_body_format;

// Parse text[0 .. length). *rows is allocated for *count rows and freed with thudi_body_rows_free.
// Numbers must be finite, radii and masses > 0. On failure (THUD_ERR_SCENE, THUD_ERR_LIMIT,
// THUD_ERR_MEMORY) the fault has line, column, text and hint. The caller sets its file.
thud_status thudi_body_rows_read(thudi_body_format format, int dim, const char *text, size_t length,
                                 const thud_allocator *allocator, thudi_body_row **rows, int *count,
                                 thud_fault *fault);
void thudi_body_rows_free(const thud_allocator *allocator, thudi_body_row *rows, int count);

#endif
