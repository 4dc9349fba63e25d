// What one reduction of a team adds and compares. The result does not depend on the order in which
// packets are joined: sums have no error, and maxima are of numbers that are not NAN.
#ifndef THUDI_PACKET_H
#define THUDI_PACKET_H

#include "core/math/exact_sum.h"
#include "thud/base.h"

enum
{
    THUDI_PACKET_SUMS = 3,
    THUDI_PACKET_MAXIMA = 6
};

// All 0: nothing to add, and no error.
typedef struct thudi_packet
{
    thudi_exact_sum sum[THUDI_PACKET_SUMS];
    double largest[THUDI_PACKET_MAXIMA]; // a smallest number is minus the largest of -x
    int64_t count;                       // a sum of integers
    int failed;         // 1 + the lowest rank of a member that has an error; 0: no member has one
    thud_status status; // its error
} thudi_packet;

// Join what another member has.
void thudi_packet_join(thudi_packet *packet, const thudi_packet *other);

#endif
