// The head of the page as it grows: JSON. A comma is written where one is needed.
#ifndef THUDI_PAGE_JSON_H
#define THUDI_PAGE_JSON_H

#include "page/pager.h"

// Text as it is, such as a closing bracket.
void thudi_head_text(thudi_pager *pager, const char *text);
// A string with its quotes; NULL for "".
void thudi_head_string(thudi_pager *pager, const char *text);

// The name and a value; without a name the next item of a list.
void thudi_head_open(thudi_pager *pager, const char *name, const char *bracket);
void thudi_head_field(thudi_pager *pager, const char *name, const char *value);
void thudi_head_number(thudi_pager *pager, const char *name, double x); // not finite: null
void thudi_head_whole(thudi_pager *pager, const char *name, int64_t x);
void thudi_head_flag(thudi_pager *pager, const char *name, bool x);
void thudi_head_numbers(thudi_pager *pager, const char *name, const double *x, int count);

#endif
