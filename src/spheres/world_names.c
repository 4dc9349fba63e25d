// What messages call the constraints of a world.
#include "spheres/obstacles.h"

#include "rows/key.h"

#include <stdio.h>

void thudi_world_name(thud_key key, char *text, size_t size, void *user)
{
    const thud_world *world = user;
    int high = thudi_key_high(key), low = thudi_key_low(key, world->keys);
    if (world->def.name)
        world->def.name(key, text, size, world->def.user);
    else if (thudi_key_is_pair(key))
        (void)snprintf(text, size, "bodies %d and %d", high, low);
    else if (thudi_key_is_wall(key))
        (void)snprintf(text, size, "body %d and wall %d", low, high);
    else
        (void)snprintf(text, size, "body %d and obstacle %d", low,
                       thudi_world_obstacle_of(world, high));
}
