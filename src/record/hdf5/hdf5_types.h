// Types, spaces and arrays of HDF5: what their messages are made of.
#ifndef THUDI_H5_TYPES_H
#define THUDI_H5_TYPES_H

#include "record/hdf5/hdf5_bytes.h"

void thudi_h5_begin_message(thudi_h5_bytes *to, int type, int flags);
void thudi_h5_end_message(thudi_h5_bytes *to);

// Write a type. Returns the bytes of an item.
size_t thudi_h5_type(thudi_h5_bytes *to, thudi_h5_kind kind);
// Text of that many bytes, in UTF-8, with a 0 at its end.
void thudi_h5_text_type(thudi_h5_bytes *to, size_t length);
// A space: of one item if rows is 0, a list if columns is 0, or a table.
void thudi_h5_space(thudi_h5_bytes *to, uint64_t rows, uint64_t columns);

#endif
