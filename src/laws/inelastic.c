// Inelastic contacts: u+ = P_C(u-). The step is the projection itself.
#include "laws/laws.h"

const thudi_law thudi_law_inelastic = {
    .info =
        {
            .law = THUD_LAW_INELASTIC,
            .name = "inelastic",
            .help = "bodies that meet do not rebound",
            .contacts = "contacts are inelastic",
            .reading = "",
            .traits = THUD_TRAIT_IMPACTS,
            .unable = "",
        },
};
