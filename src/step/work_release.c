// The scratch memory of a work space, freed between two steps.
#include "step/work.h"

void thud_work_release(thud_work *work)
{
    thudi_rooms_release(&work->rooms);
}
