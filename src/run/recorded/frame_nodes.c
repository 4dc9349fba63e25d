// The two nodes of a recorded step.
#include "run/recorded/frame_nodes.h"

#include "core/memory.h"
#include "thud/recorded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

thud_status thudi_node_make(thud_state **out, int dim)
{
    double *zeros = calloc((size_t)dim, sizeof *zeros);
    if (!zeros)
        return THUD_ERR_MEMORY;
    thud_status status = thud_state_create(&(thud_state_def){.dim = dim, .h = 1, .q = zeros}, out);
    free(zeros);
    return status;
}

thud_status thudi_nodes_make(thudi_nodes *nodes, int dim)
{
    *nodes = (thudi_nodes){0};
    THUD_TRY(thudi_node_make(&nodes->before, dim));
    return thudi_node_make(&nodes->after, dim);
}

void thudi_nodes_free(thudi_nodes *nodes)
{
    thud_state_destroy(nodes->before);
    thud_state_destroy(nodes->after);
}

thud_status thudi_nodes_fill(thudi_nodes *nodes, const thud_scene *scene, const thud_frame *frame)
{
    thud_state *before = nodes->before, *after = nodes->after;
    size_t size = (size_t)frame->dim * sizeof(double);
    before->t0 = scene->start;
    before->h = frame->h == 0 ? scene->step : frame->h;
    before->n = frame->n;
    memcpy(before->q, frame->q, size);
    memcpy(before->u, frame->u, size);
    THUD_TRY(thud_state_set_multipliers(before, frame->before, frame->before_more,
                                        frame->before_count, frame->more_width));
    THUD_TRY(thud_state_copy(after, before));
    if (frame->h == 0)
        return THUD_OK;
    after->n = frame->n + 1;
    thud_frame_end(frame, after->q);
    memcpy(after->u, frame->u_next, size);
    return thud_state_set_multipliers(after, frame->after, frame->after_more, frame->after_count,
                                      frame->more_width);
}

void thud_scene_name_coordinate(const thud_scene *scene, int64_t k, char *text, size_t size)
{
    if (scene->kind != THUD_SCENE_SPHERES)
    {
        (void)snprintf(text, size, "coordinate '%s'",
                       k < scene->coordinate_count ? scene->coordinates[k].name : "?");
        return;
    }
    int64_t body = k / scene->dim;
    char axis = "xyz"[k % scene->dim];
    const char *name = body < scene->body_count ? scene->bodies[body].name : NULL;
    if (name)
        (void)snprintf(text, size, "body '%s', %c", name, axis);
    else
        (void)snprintf(text, size, "body %lld, %c", (long long)body, axis);
}
