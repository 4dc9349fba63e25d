// What is proved of an answer (u, mu), from its problem alone. Scratch comes from the rooms given.
#ifndef THUDI_CERTIFY_H
#define THUDI_CERTIFY_H

#include "certify/row_measures.h"
#include "core/rooms.h"
#include "team/team.h"

// u = w + M^-1 G^T mu, rounded once, lin and the certificate of (u, mu), from the problem alone.
// unit: that of its survey. team: all members have the same problem and share its rows; NULL:
// alone.
thud_status thudi_certify(const thud_projection *problem, int unit, const double *mu,
                          thud_team *team, thud_rooms *rooms, double *u, double *lin,
                          thud_certificate *certificate);

// The enclosures of (u, mu), lin as certified, into the certificate.
thud_status thudi_certify_enclosures(const thud_projection *problem, const double *u,
                                     const double *mu, const double *lin, thud_rooms *rooms,
                                     thud_certificate *certificate);

// The figures of a Farkas vector y for gaps less shift_scale times their shifts, rounded outwards;
// farkas->y is set too. shift_scale 0 makes it a statement on K itself.
thud_status thudi_certify_farkas(const thud_projection *problem, const double *y,
                                 double shift_scale, thud_rooms *rooms, thud_farkas *farkas);

#endif
