// Typing errors that YAML reads as something else, recognised so that messages name the cause.
#ifndef THUDI_SLIPS_H
#define THUDI_SLIPS_H

#include "fields/schema.h"

// A decimal comma: "0,5" or "2*0,5" as a number; [0,5, 1], which YAML reads as [0, 5, 1]. Returns
// false if there is none, otherwise writes a hint.
bool thudi_slip_comma(const thudi_tree *number, char hint[THUDI_HINT_SIZE]);
bool thudi_slip_comma_in_list(const thudi_tree *list, char hint[THUDI_HINT_SIZE]);

// A list such as [1,5, 2] has commas with and without a space after them. It cannot be told from a
// list with decimal commas, whatever its length: a fault.
thud_status thudi_slip_check_list(thudi_reader *r, const thudi_tree *list);

// A key that was not meant as one. The space after its colon is missing, as in "seed:6"; or a
// decimal comma left it, because {radius: 0,5} is read as {radius: 0, 5: }. A fault for these, else
// THUD_OK.
thud_status thudi_slip_check_space(thudi_reader *r, const thudi_tree *key);
thud_status thudi_slip_check_member(thudi_reader *r, const thudi_tree *member);

#endif
