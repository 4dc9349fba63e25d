// The contacts of a step as plain arrays, read off its rows.
#include "spheres/cell.h"
#include "spheres/obstacles.h"

#include "rows/key.h"

#include <string.h>

static void read_key(const thud_world *world, thud_key key, int *a, int *b)
{
    int low = thudi_key_low(key, world->keys), high = thudi_key_high(key);
    *a = thudi_key_is_pair(key) ? high : low;
    *b = thudi_key_is_pair(key)   ? low
         : thudi_key_is_wall(key) ? -1 - high
                                  : THUD_OBSTACLE(thudi_world_obstacle_of(world, high));
}

// m of the image, as the bodies are now.
static void read_image(const thud_world *world, thud_key key, int id_a, int id_b, int image[3])
{
    double x[2][3] = {{0}}, m[3] = {0, 0, 0}, shift[3];
    int a = -1, b = -1;
    if (world->is_periodic && id_b >= 0)
    {
        a = thudi_world_find(world, id_a);
        b = thudi_world_find(world, id_b);
    }
    if (a >= 0 && b >= 0)
    {
        size_t size = (size_t)world->dim * sizeof(double);
        memcpy(x[0], world->state->q + (size_t)world->dim * (size_t)a, size);
        memcpy(x[1], world->state->q + (size_t)world->dim * (size_t)b, size);
        thudi_image_of(&world->periods, x[0], x[1], thudi_world_partner_of(world, key, b), m,
                       shift);
    }
    for (int k = 0; k < 3; k++)
        image[k] = (int)m[k];
}

thud_status thud_world_contacts(thud_world *world, const thud_report *report,
                                thud_contacts *contacts)
{
    int count = report->rows ? thud_rows_count(report->rows) : 0, dim = world->dim;
    size_t room = (size_t)count;
    THUD_TRY(thud_float_check());
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->contact_body, 5 * room));
    THUD_TRY(thudi_array_reserve(&world->allocator, &world->contact_data, 7 * room));
    int *a = world->contact_body.items, *b = a + count, *image = b + count;
    double *gap = world->contact_data.items, *lin = gap + count, *impulse = lin + count;
    double *force = impulse + count, *normal = force + count;
    for (int i = 0; i < count; i++)
    {
        thud_row_room arrays;
        thud_row row = thud_rows_get(report->rows, i, &arrays);
        const double *slope = row.slope + (size_t)(row.count - 1) * (size_t)dim;
        read_key(world, row.key, &a[i], &b[i]);
        read_image(world, row.key, a[i], b[i], &image[3 * (size_t)i]);
        gap[i] = row.gap;
        lin[i] = report->lin[i];
        impulse[i] = report->impulse[i];
        // in first order the multiplier is the force already
        force[i] = world->def.order == THUD_FIRST_ORDER ? impulse[i] : impulse[i] / world->state->h;
        for (int k = 0; k < 3; k++)
            normal[3 * i + k] = k < dim ? slope[k] : 0;
    }
    *contacts = (thud_contacts){count, a, b, gap, lin, normal, impulse, force, image};
    return THUD_OK;
}
