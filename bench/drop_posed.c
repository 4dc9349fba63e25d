// Steps of the drop scene, up to the one whose projection is wanted.
#include "drop_posed.h"

#include "drop_scene.h"

bool drop_posed_take(drop_posed *drop, int count, int steps)
{
    drop->world = drop_scene(count, drop_box_of(count), 0.005, &DROP_PREVIEW, 0);
    if (!drop->world)
        return false;
    thud_work_def def = thud_world_work(drop->world);
    bool fine = thud_work_create(&def, &drop->work) >= 0;
    for (int n = 0; n < steps && fine; n++)
    {
        thud_inclusion inclusion = thud_world_inclusion(drop->world);
        fine = posed_take(&drop->taken, &inclusion, thud_world_state(drop->world), drop->work);
    }
    return fine;
}

void drop_posed_free(drop_posed *drop)
{
    posed_free(&drop->taken);
    thud_work_destroy(drop->work);
    thud_world_destroy(drop->world);
}
