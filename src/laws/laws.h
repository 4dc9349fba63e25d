// The objects of all contact laws, as the public list names them.
#ifndef THUDI_LAWS_H
#define THUDI_LAWS_H

#include "step/law.h"

#define THUDI_DECLARE_LAW(NAME, name) extern const thudi_law thudi_law_##name;
THUD_LAW_LIST(THUDI_DECLARE_LAW)
#undef THUDI_DECLARE_LAW

#endif
