// The laws that the checker knows: checked_NAME.c for every NAME of THUD_LAW_LIST.
#include "verify/checked_law.h"

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
