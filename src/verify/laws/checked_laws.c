// The list of the laws that the checker knows.
#include "verify/checked_law.h"

// X(its name in thud_law, its name in the file checked_NAME.c).
#define THUD_LAW_LIST(X)                                                                           \
    X(INELASTIC, inelastic)                                                                        \
    X(RESTITUTION, restitution)                                                                    \
    X(GLUE, glue)

#define DECLARE(NAME, name) extern const thudi_checked_law thudi_checked_##name;
THUD_LAW_LIST(DECLARE)
#undef DECLARE

static const thudi_checked_law *const laws[] = {
#define ENTRY(NAME, name) [THUD_LAW_##NAME] = &thudi_checked_##name,
    THUD_LAW_LIST(ENTRY)
#undef ENTRY
};

const thudi_checked_law *thudi_checked_law_of(thud_law law)
{
    size_t n = (size_t)law;
    return n < sizeof laws / sizeof *laws ? laws[n] : NULL;
}
