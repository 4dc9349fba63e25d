// ODE's QuickStep on the drop scene:  peer_ode START FRAMES COUNT frame= per= [iterations=]
#include "drop_scene.h"
#include "peer_driver.h"

#include <ode/ode.h>
#include <stdlib.h>

typedef struct engine
{
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    dBodyID *bodies;
    int count;
    double step;
} engine;

// One frictionless contact for two shapes that touch.
static void touch(void *user, dGeomID a, dGeomID b)
{
    engine *e = user;
    dContact contact = {0};
    if (!dGeomGetBody(a) && !dGeomGetBody(b))
        return;
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) == 1)
        dJointAttach(dJointCreateContact(e->world, e->contacts, &contact), dGeomGetBody(a),
                     dGeomGetBody(b));
}

static int step(void *user)
{
    engine *e = user;
    dSpaceCollide(e->space, e, touch);
    int done = dWorldQuickStep(e->world, (dReal)e->step);
    dJointGroupEmpty(e->contacts);
    return !done;
}

static void look(const void *user, double *state)
{
    const engine *e = user;
    for (int i = 0; i < e->count; i++)
        for (int k = 0; k < 3; k++)
        {
            state[6 * (size_t)i + (size_t)k] = dBodyGetPosition(e->bodies[i])[k];
            state[6 * (size_t)i + 3 + (size_t)k] = dBodyGetLinearVel(e->bodies[i])[k];
        }
}

static void make_world(engine *e, const peer_task *task)
{
    e->world = dWorldCreate();
    e->space = dHashSpaceCreate(NULL);
    dHashSpaceSetLevels(e->space, -6, -5); // cells of 1/64 and 1/32 m, the size of the spheres
    e->contacts = dJointGroupCreate(0);
    dWorldSetGravity(e->world, 0, 0, (dReal)-DROP_GRAVITY);
    dWorldSetERP(e->world, (dReal)0.2);
    dWorldSetCFM(e->world, (dReal)1e-10);
    dWorldSetQuickStepNumIterations(e->world, (int)peer_option(task, "iterations", 20));
    dWorldSetAutoDisableFlag(e->world, 0);
    dCreatePlane(e->space, 0, 0, 1, 0);
    for (int k = 0; k < 2; k++)
    {
        dCreatePlane(e->space, k == 0, k == 1, 0, 0);
        dCreatePlane(e->space, -(k == 0), -(k == 1), 0, (dReal)-DROP_WIDTH);
    }
    for (int i = 0; i < task->count; i++)
    {
        const double *x = task->state + 6 * (size_t)i, *u = x + 3;
        dMass mass;
        dMassSetSphereTotal(&mass, (dReal)drop_mass(), (dReal)DROP_RADIUS);
        e->bodies[i] = dBodyCreate(e->world);
        dBodySetMass(e->bodies[i], &mass);
        dBodySetPosition(e->bodies[i], (dReal)x[0], (dReal)x[1], (dReal)x[2]);
        dBodySetLinearVel(e->bodies[i], (dReal)u[0], (dReal)u[1], (dReal)u[2]);
        dGeomSetBody(dCreateSphere(e->space, (dReal)DROP_RADIUS), e->bodies[i]);
    }
}

int main(int argc, char **argv)
{
    peer_task task;
    if (peer_begin(argc, argv, &task) < 0)
        return 2;
    engine e = {.count = task.count, .step = task.step};
    int result = 1;
    e.bodies = calloc((size_t)task.count, sizeof *e.bodies);
    if (e.bodies)
    {
        (void)dInitODE2(0);
        make_world(&e, &task);
        result = peer_drive(&task, step, look, &e);
        dJointGroupDestroy(e.contacts);
        dSpaceDestroy(e.space);
        dWorldDestroy(e.world);
        dCloseODE();
    }
    free(e.bodies);
    peer_end(&task);
    return result;
}
