/// Contact laws: what bodies do when they touch. thud_law_find describes a law.
///
/// A law has numbers, such as e of restitution. They belong to a row or to a pair of materials. A
/// law may also keep numbers of a row from step to step. docs/models.md has the equations.
#ifndef THUD_LAW_H
#define THUD_LAW_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Every law: X(NAME, name). The enum below, the solver's list and the checker's list are made from
/// this one. The solver's part of a law is one object thudi_law_<name> in src/laws/<name>.c.
/// - inelastic: u+ = P_C(u-). Bodies that meet stay together until a force separates them.
/// - restitution: u+ = P_C u- + e (P_C u- - u-). Every row gives an e; a cluster uses one mean e.
///   The state's u is then not (q_n+1 - q_n) / h. A multiplier stores h lambda of u in `impulse`,
///   and mu of the displacement in `memory`. Keys must be unique, and rows with e > 0 must be
///   convex.
/// - glue: `memory` is gamma, with gamma_min <= gamma <= 0: minus the impulse that has pressed the
///   contact together. The contact opens when it has pulled with the same impulse. Rows with a
///   memory must be pushed.
#define THUD_LAW_LIST(X)                                                                           \
    X(INELASTIC, inelastic)                                                                        \
    X(RESTITUTION, restitution)                                                                    \
    X(GLUE, glue)

/// THUD_LAW_INELASTIC = 0, THUD_LAW_RESTITUTION = 1 and so on, in the order of the list. Law 0 has
/// no numbers and keeps none. So a struct of zeros has inelastic contacts.
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

/// What a law needs from rows and callbacks, and what it changes in a step.
typedef enum thud_law_trait
{
    THUD_TRAIT_ORDER_2 = 1 << 0,     ///< it is defined in second order only
    THUD_TRAIT_CONVEX = 1 << 1,      ///< rows with its numbers must be convex
    THUD_TRAIT_UNIQUE_KEYS = 1 << 2, ///< no two rows may have the same key
    THUD_TRAIT_LOOK_BACK = 1 << 3,   ///< it calls the callback in the phase THUD_LOOK_BACK
    THUD_TRAIT_MOVE_APART = 1 << 4,  ///< the displacement is not h times the velocity of the state
    THUD_TRAIT_HELD_ROWS = 1 << 5,   ///< a row with a memory must be pushed, at any distance
    THUD_TRAIT_PULLS = 1 << 6,       ///< impulses may be below 0, and memories change w
    /// An impact is u+ = P_C u- + e (P_C u- - u-). e is the first number, or 0 for a law without
    /// numbers. So code can follow impacts one by one.
    THUD_TRAIT_IMPACTS = 1 << 7
} thud_law_trait;

/// One number of a law.
typedef struct thud_law_number
{
    const char *key;  ///< its name in scenes and messages
    const char *unit; ///< "" for a number without a unit
    double low, high; ///< its range, both ends included
    double none;      ///< the value of a contact that does not use the law
    const char *help; ///< one sentence; scenes write numbers below 0 without the sign
    const char *hint; ///< what to do if the value is out of range; "" for no hint
} thud_law_number;

/// The description of a law, for problems, scenes, reports and documents.
typedef struct thud_law_info
{
    thud_law law;
    const char *name;               ///< one word: "glue"
    const char *help;               ///< one sentence: what a contact does
    const char *contacts;           ///< a clause for reports: "contacts stick"
    const char *reading;            ///< what certificates of its steps mean; "": as usual
    const thud_law_number *numbers; ///< length number_count
    int number_count;               ///< at most THUD_NUMBERS_MAX
    int kept;        ///< numbers kept per row in addition to the impulse; the first is the memory
    unsigned traits; ///< a sum of thud_law_trait
    /// In shifts: a row whose gap ends below this must be in the step. 0: no such condition.
    double row_margin;
    double row_bytes;   ///< memory of a row in a step, in addition to that of an inelastic row
    const char *unable; ///< solids and containers that cannot have this law; "" for none
} thud_law_info;

/// The description of a law; NULL if the number is not one of a law. Laws are numbered from 0.
THUD_API const thud_law_info *thud_law_find(int law);

/// Does a law have at least one of these traits? False if the number is not one of a law.
THUD_API bool thud_law_has(int law, unsigned traits);

#ifdef __cplusplus
}
#endif

#endif
