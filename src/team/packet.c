// Packets are joined by sums of integers, maxima, and the error of the lowest rank.
#include "team/packet.h"
#include "thud/team.h"

void thudi_packet_join(thudi_packet *packet, const thudi_packet *other)
{
    for (int i = 0; i < THUDI_PACKET_SUMS; i++)
        thudi_exact_join(&packet->sum[i], &other->sum[i]);
    for (int i = 0; i < THUDI_PACKET_MAXIMA; i++)
        if (other->largest[i] > packet->largest[i])
            packet->largest[i] = other->largest[i];
    packet->count += other->count;
    if (other->failed > 0 && (packet->failed == 0 || other->failed < packet->failed))
    {
        packet->failed = other->failed;
        packet->status = other->status;
    }
}

void thud_team_join(void *packet, const void *other)
{
    thudi_packet_join(packet, other);
}
