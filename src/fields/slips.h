// Slips of writing that YAML takes for something else, recognised so that messages name the cause.
#ifndef THUDI_SLIPS_H
#define THUDI_SLIPS_H

#include "fields/schema.h"

// A decimal comma: "0,5" or "2*0,5" as a number; [0,5, 1], which YAML reads as [0, 5, 1].
// False: there is none. Else there is a hint.
bool thudi_slip_comma(const thudi_tree *number, char hint[THUDI_HINT_SIZE]);
bool thudi_slip_comma_in_list(const thudi_tree *list, char hint[THUDI_HINT_SIZE]);

// A list in which some commas have a space after them, and one does not, as [1,5, 2], cannot be
// told from one with decimal commas, however long it may be: a fault.
thud_status thudi_slip_check_list(thudi_reader *r, const thudi_tree *list);

// A key that was not meant as one: "seed:6", without a space after the colon; or what a decimal
// comma leaves, because {radius: 0,5} is read as {radius: 0, 5: }. A fault for these, else THUD_OK.
thud_status thudi_slip_check_space(thudi_reader *r, const thudi_tree *key);
thud_status thudi_slip_check_member(thudi_reader *r, const thudi_tree *member);

#endif
