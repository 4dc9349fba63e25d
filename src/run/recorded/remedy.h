// What can be done about a run that is damaged.
#ifndef THUDI_REMEDY_H
#define THUDI_REMEDY_H

#include <thud/record.h>
#include <thud/text.h>

// The kinds of damage.
typedef enum thudi_damage
{
    THUDI_DAMAGE_READ,  // a checksum of the log is wrong
    THUDI_DAMAGE_FOUND, // files can be read, and do not agree
} thudi_damage;

// Where nothing helps.
#define THUDI_DO_NOT_RELY "do not rely on this run: it was changed, or another program wrote it"

// Write a hint that says what works for the run in `folder`, unless the fault has one. It compares
// checkpoints, log and series, which takes as long as reading them.
void thudi_remedy(const char *folder, thudi_damage damage, thud_fault *fault);

// The same where the run cannot be continued in its own directory.
void thudi_remedy_elsewhere(const char *folder, thud_fault *fault);

#endif
