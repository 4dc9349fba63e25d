/// Expressions of time and coordinates, such as "z - A*sin(w*t)", with exact derivatives.
/// (library thud_scene)
///
/// Grammar, loosest first:  sum: + -   product: * /   sign: -x +x   power: x^y (to the right, binds
/// tighter than a sign on its left: -x^2 = -(x^2)).  Numbers as in thud/text.h, names, parentheses.
/// No implied product. Constants: pi, e. Functions of one argument:
///     sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs step (0 below 0, 1 from 0 on)
/// of two:  atan2(y, x) pow(x, y);  of one or more:  min max hypot.
///
/// All but + - * / sqrt abs min max are computed by Thud itself, so that the bits do not depend on
/// the processor or on the C library. Derivatives come from the chain rule, not from differences.
#ifndef THUD_EXPRESSION_H
#define THUD_EXPRESSION_H

#include "thud/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct thud_expression thud_expression; ///< compiled; constant once made

/// The names that an expression may use in addition to functions, pi and e.
typedef struct thud_symbols
{
    const char *const *coordinates; ///< coordinate k is q[k]
    int coordinate_count;
    const char *const *parameters; ///< constants,
    const double *values;          ///< and their values
    int parameter_count;
    bool time; ///< t is the time
    /// NULL, or what the hint for an unknown name gets at its end: "; growth functions: g".
    const char *others;
} thud_symbols;

enum
{
    THUD_EXPRESSION_LENGTH = 4096, ///< characters of an expression at most
    THUD_EXPRESSION_SIZE = 10000,  ///< operations at most
    THUD_EXPRESSION_DEPTH = 64     ///< nested parentheses, calls, signs and powers at most
};

/// Compile text[0 .. length). On failure (THUD_ERR_ARGUMENT for what is written, THUD_ERR_LIMIT,
/// THUD_ERR_MEMORY) `fault` gets text and hint, and the column in the text, from 1. If a name is
/// unknown, its `name` is that name, unless it is too long.
/// A part without coordinates and t is computed now; it must be finite.
/// allocator: NULL for the C library's.
THUD_API thud_status thud_expression_create(const char *text, size_t length,
                                            const thud_symbols *symbols,
                                            const thud_allocator *allocator, thud_expression **out,
                                            thud_fault *fault);
THUD_API void thud_expression_destroy(thud_expression *expression); ///< NULL is allowed

/// What is known of an expression before it is evaluated. Views, as long as it lives.
typedef struct thud_expression_traits
{
    const char *text; ///< as given, ended by a null byte
    bool is_constant; ///< neither t nor coordinates appear
    bool uses_time;
    bool is_affine_in_time;        ///< second derivative in t is 0, and d/dt of the gradient too
    bool is_affine_in_coordinates; ///< gradient does not depend on q
    /// The column (from 1) of the first abs, step, min or max whose arguments depend on t; 0: none.
    /// The theory wants g smooth in time.
    int kink_in_time;
    int kink_in_both;      ///< the first of them whose arguments depend on coordinates too
    int coordinate_count;  ///< coordinates that appear,
    const int *coordinate; ///< in increasing order
    int room;              ///< numbers of scratch memory that an evaluation needs
} thud_expression_traits;
THUD_API const thud_expression_traits *thud_expression_view(const thud_expression *expression);

/// The value at (t, q). room: traits->room numbers of scratch memory, no two threads the same.
/// Never fails: outside of its domain the value is NAN or infinite. Allocates nothing.
THUD_API double thud_expression_value(const thud_expression *expression, double t, const double *q,
                                      double *room);

/// Value and derivatives. The arrays are the caller's, length traits->coordinate_count, in the
/// order of traits->coordinate; NULL when not wanted.
typedef struct thud_jet
{
    double value;
    double t, tt;       ///< first and second partial derivative in time
    double *gradient;   ///< partial derivatives in the coordinates
    double *gradient_t; ///< and their derivatives in time
} thud_jet;

/// As thud_expression_value (the same bits), with derivatives. At a kink of abs, hypot, min, max
/// the derivative of one side is taken: of abs and hypot at 0 the value 0, of step 0, of min and
/// max the first of equal arguments.
THUD_API void thud_expression_differentiate(const thud_expression *expression, double t,
                                            const double *q, double *room, thud_jet *jet);

#ifdef __cplusplus
}
#endif

#endif
