// The list of contact laws, in the order of the public list.
#include "laws/laws.h"

const thud_law_info *thud_law_find(int law)
{
    static const thudi_law *const laws[] = {
#define LIST_LAW(NAME, name) &thudi_law_##name,
        THUD_LAW_LIST(LIST_LAW)
#undef LIST_LAW
    };
    int count = (int)(sizeof laws / sizeof *laws);
    return law >= 0 && law < count ? &laws[law]->info : NULL;
}

bool thud_law_has(int law, unsigned traits)
{
    const thud_law_info *info = thud_law_find(law);
    return info && (info->traits & traits) != 0;
}
