/// Contact laws: what a contact does. One list names them all; thud_law_find describes one.
///
/// A law has numbers, which belong to a row or to a pair of materials, such as e of restitution. It
/// may keep numbers per row from step to step. docs/models.md has the equations.
#ifndef THUD_LAW_H
#define THUD_LAW_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Every law once: X(NAME, name). The enum below, the solver's list and the checker's list are made
/// of it. The solver's side of a law is one object thudi_law_<name> in src/laws/<name>.c.
/// - inelastic: u+ = P_C(u-). Bodies that meet stay together until they are drawn apart.
/// - restitution: u+ = P_C u- + e (P_C u- - u-), e by row and one e per cluster. The state's u is
///   then not (q_n+1 - q_n) / h. Multipliers hold h lambda of u in `impulse`, and mu of the
///   displacement in `memory`. Keys are unique, and rows with e > 0 are convex.
/// - glue: the row remembers in `memory` what has pressed it together, gamma <= 0, at least
///   gamma_min. That is to be paid back before the contact parts. Rows with memory must be pushed.
#define THUD_LAW_LIST(X)                                                                           \
    X(INELASTIC, inelastic)                                                                        \
    X(RESTITUTION, restitution)                                                                    \
    X(GLUE, glue)

/// THUD_LAW_INELASTIC = 0, THUD_LAW_RESTITUTION = 1 and so on, in the order of the list. Law 0 has
/// no numbers and keeps none: structs that are zeroed have inelastic contacts.
typedef enum thud_law
{
#define THUD_LAW_VALUE(NAME, name) THUD_LAW_##NAME,
    THUD_LAW_LIST(THUD_LAW_VALUE)
#undef THUD_LAW_VALUE
} thud_law;

enum
{
    THUD_NUMBERS_MAX = 4, ///< the most numbers that a law may have
    THUD_KEPT_MAX = 16    ///< the most numbers that a law may keep per row
};

/// What a law needs, and what it changes.
typedef enum thud_law_trait
{
    THUD_TRAIT_ORDER_2 = 1 << 0,     ///< it has a meaning in second order only
    THUD_TRAIT_CONVEX = 1 << 1,      ///< rows with its numbers must be convex
    THUD_TRAIT_UNIQUE_KEYS = 1 << 2, ///< no two rows may have one key
    THUD_TRAIT_LOOK_BACK = 1 << 3,   ///< it asks for rows in the phase THUD_LOOK_BACK
    THUD_TRAIT_MOVE_APART = 1 << 4,  ///< the displacement is not h times the velocity kept
    THUD_TRAIT_HELD_ROWS = 1 << 5,   ///< a row with memory must be pushed, however far it is
    THUD_TRAIT_PULLS = 1 << 6,       ///< impulses may be below 0, and memories enter w
    /// An impact is u+ = P_C u- + e (P_C u- - u-), e the first number, 0 for a law without numbers:
    /// impacts can be followed one by one.
    THUD_TRAIT_IMPACTS = 1 << 7
} thud_law_trait;

/// One number of a law.
typedef struct thud_law_number
{
    const char *key;  ///< as scenes and messages name it
    const char *unit; ///< "" for a number without a unit
    double low, high; ///< its range, both ends included
    double none;      ///< the value of a contact that does not use the law
    const char *help; ///< one sentence; numbers below 0 stand in scenes without their sign
    const char *hint; ///< what to do about a value out of range, "" for nothing
} thud_law_number;

/// A law as it is described to problems, scenes, reports and documents.
typedef struct thud_law_info
{
    thud_law law;
    const char *name;               ///< one word: "glue"
    const char *help;               ///< one sentence: what a contact does
    const char *contacts;           ///< a clause for reports: "contacts stick"
    const char *reading;            ///< how to read certificates of its steps, "" for as usual
    const thud_law_number *numbers; ///< length number_count
    int number_count;               ///< at most THUD_NUMBERS_MAX
    int kept;           ///< numbers kept per row beside the impulse; the first is its memory
    unsigned traits;    ///< a sum of thud_law_trait
    double row_margin;  ///< rows that end with gaps below so many shifts must be there; 0: none
    double row_bytes;   ///< memory of a row in a step, beside that of an inelastic row
    const char *unable; ///< solids and containers whose contacts cannot have it, "" for none
} thud_law_info;

/// Describe a law; NULL for a number that is no law. Laws are 0, 1 and so on.
THUD_API const thud_law_info *thud_law_find(int law);

/// Does a law have one of these traits? False for a number that is no law.
THUD_API bool thud_law_has(int law, unsigned traits);

#ifdef __cplusplus
}
#endif

#endif
