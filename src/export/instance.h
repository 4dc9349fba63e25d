// What the files of stored projections share.
#ifndef THUDI_INSTANCE_H
#define THUDI_INSTANCE_H

#include "core/memory.h"
#include "thud/instance.h"

// An empty instance with room for its vectors; the solution too on demand.
thud_status thudi_instance_create(int dim, int contacts, bool has_solution,
                                  const thud_allocator *allocator, thud_instance **out);

#endif
