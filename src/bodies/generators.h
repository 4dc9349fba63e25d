// Bodies made by rule: lattices, random fills, files. They know nothing of scene files; the reader
// translates, and turns their complaints into faults with a place.
#ifndef THUDI_GENERATORS_H
#define THUDI_GENERATORS_H

#include "thud/spheres.h"
#include "thud/text.h"

// Radii: one value, or drawn from a distribution. Values are checked by the reader: 0 < min <= max.
typedef enum thudi_radius_kind
{
    THUDI_RADIUS_FIXED,     // a
    THUDI_RADIUS_UNIFORM,   // between a and b
    THUDI_RADIUS_NORMAL,    // mean a, deviation b, drawn again until within [min, max]
    THUDI_RADIUS_LOGNORMAL, // median a, sigma b of the logarithm, drawn again likewise
    THUDI_RADIUS_CHOICES    // each of choices equally likely
} thudi_radius_kind;

typedef struct thudi_radius_law
{
    thudi_radius_kind kind;
    double a, b, min, max;
    const double *choices;
    int choice_count;
} thudi_radius_law;

typedef struct thudi_lattice
{
    int dim;
    double origin[3], spacing[3];
    int count[3]; // 1 in the third direction of two dimensions
    double jitter;
    thudi_radius_law radius;
    double velocity[3];
    uint64_t seed;
} thudi_lattice;

// Write count[0] * count[1] * count[2] spheres, x fastest; masses are left 0.
// THUD_ERR_LIMIT: a law of radii drew 1,000,000 times without a value within [min, max].
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
    double gap; // kept between bodies, and to the border
    int attempts;
    thudi_radius_law radius;
    double velocity[3];
    uint64_t seed;
    thud_cell cell; // the region is in it, on the periodic axes; so are bodies that are there
    double shear;   // of the cell
} thudi_fill;

// Draw all radii, place the largest first at random positions free of overlap with each other and
// with `there`, all images of a periodic cell counted, and write the spheres in the order they were
// drawn (not by size), masses 0. THUD_ERR_LIMIT when one found no place in `attempts` tries, or a
// law of radii never hits: *placed tells how many had one. Takes time in proportion to the tries,
// whatever the sizes (cells by size).
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

// Parse text[0 .. length). *rows is allocated for *count rows and freed with
// thudi_body_rows_free. Numbers must be finite, radii and masses > 0. On failure (THUD_ERR_SCENE,
// THUD_ERR_LIMIT, THUD_ERR_MEMORY) fault has line, column, text and hint; its file is the caller's.
thud_status thudi_body_rows_read(thudi_body_format format, int dim, const char *text, size_t length,
                                 const thud_allocator *allocator, thudi_body_row **rows, int *count,
                                 thud_fault *fault);
void thudi_body_rows_free(const thud_allocator *allocator, thudi_body_row *rows, int count);

#endif
