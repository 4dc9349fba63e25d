// A record that compares instead of writing: see thud_record_rehearse.
#ifndef THUDI_REHEARSAL_H
#define THUDI_REHEARSAL_H

#include "record/record.h"

// Keep the fault that the stream differs: "WHAT WHICH differs from the record when recomputed".
thud_status thudi_rehearsal_differs(thud_record *record, const thudi_stream *stream, int line,
                                    const char *what, long long which);

thud_status thudi_rehearsal_checkpoint(thud_record *record, const thud_field *fields, int count,
                                       bool planned);

#endif
