// A verification by the members of a team. The recorded steps are dealt out: each member judges its
// own. The first member looks at every frame in turn, as one alone does, and takes the judgements
// of the others in place of its own. So it finds the same things in the same order.
#ifndef THUDI_VERIFY_DEAL_H
#define THUDI_VERIFY_DEAL_H

#include "run/recorded/frame_nodes.h"
#include "run/verify/verify_run.h"

// What the checker says of a recorded step: with the recorded force, and with one that it
// integrates itself.
typedef struct thudi_judgement
{
    thud_status failed; // of the member: no memory, or a frame that it cannot read
    thud_status recorded, integrated;
    thud_verdict by_recorded, by_integrated;
    uint32_t sum; // of the frame that was judged, as its member has read it
} thudi_judgement;

// Frames that are dealt out at once. All zero: no team, and no frames.
typedef struct thudi_deal
{
    thud_team *team;
    int64_t first, behind;
    thudi_judgement *judged; // by member, and then by frame; NULL: there is no team
} thudi_deal;

// Judge the step between two nodes, which a frame has. The result says how that went.
void thudi_judge(const thud_recorded *run, const thudi_nodes *nodes, const thud_frame *frame,
                 thudi_judgement *found);

// team: of several members, or nothing is opened.
thud_status thudi_deal_open(thudi_deal *deal, thud_team *team);
// By the first member: all must see the same run and scene. One that does not fails at the next
// order.
thud_status thudi_deal_compare(const thudi_deal *deal, const thud_recorded *run, thud_fault *fault);
void thudi_deal_close(thudi_deal *deal);

// The first member comes to a frame: all members judge theirs of the next frames, unless they have.
thud_status thudi_deal_round(thudi_deal *deal, const thud_recorded *run, thudi_nodes *nodes,
                             int64_t frame, thud_fault *fault);

// The judgement of the frame that was read last, which was dealt out; *found is NULL if there is no
// team. Fails if the member that has it has failed, or has judged another frame.
thud_status thudi_deal_find(const thudi_deal *deal, const thud_recorded *run, int64_t frame,
                            const thudi_judgement **found, thud_fault *fault);

// What the first member orders the others to do.
typedef enum thudi_order_name
{
    THUDI_ORDER_END,
    THUDI_ORDER_COMPARE,
    THUDI_ORDER_JUDGE,
    THUDI_ORDER_RERUN,
    THUDI_ORDER_ENCLOSE
} thudi_order_name;

typedef struct thudi_order
{
    thudi_order_name name;
    int64_t first, behind; // frames to judge
    int64_t node;          // the last one of the log, for COMPARE,
    uint64_t chain;        // its hash,
    thud_digest scene;     // and the scene that judges
} thudi_order;

// By the first member; the others wait for it. Returns the error of the team.
thud_status thudi_order_members(thud_team *team, const thudi_order *order, thud_fault *fault);

// Judge the frames of a round that are this member's, and tell the others. *fault: why it failed.
thud_status thudi_deal_judge(thudi_deal *deal, const thud_recorded *run, thudi_nodes *nodes,
                             thud_fault *fault);

// By all members but the first: do what it orders, until it ends.
thud_status thudi_verify_follow(const thud_recorded *run, const thud_recorded_verify_def *def,
                                thud_fault *fault);

// By the first member: all was done, or status says what ended it. All members get its verdict.
thud_status thudi_verify_part(const thud_recorded_verify_def *def, thud_status status,
                              thud_fault *fault);

#endif
