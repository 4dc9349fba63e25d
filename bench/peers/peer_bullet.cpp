// Bullet on the drop scene, with speculative contacts: a pair is constrained before it touches.
//
//     peer_bullet START FRAMES COUNT frame= per= [iterations=] [reach=radii] [scale=]
//
// Lengths are multiplied by scale: Bullet's tolerances suit bodies of some decimetres. Its own
// routine for two spheres makes no contact before they touch; the general one for convex bodies
// does, within a threshold, and is given the pairs.
#include "drop_scene.h"
#include "peer_driver.h"

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace {
struct engine
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies; // the spheres, then the walls
    double step = 0, scale = 1;
    int count = 0;

    explicit engine(const btDefaultCollisionConstructionInfo &info) : configuration(info)
    {
    }
    engine(const engine &) = delete;
    engine &operator=(const engine &) = delete;
    ~engine()
    {
        for (auto &body : bodies)
            world.removeRigidBody(body.get());
    }
};

void add_body(engine &e, double mass, btCollisionShape *shape, const btVector3 &center,
              const btVector3 &velocity)
{
    // no inertia: what does not rub does not turn
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape);
    info.m_friction = 0;
    info.m_restitution = 0;
    info.m_startWorldTransform.setOrigin(center);
    e.bodies.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody &body = *e.bodies.back();
    body.setLinearVelocity(velocity);
    body.setActivationState(DISABLE_DEACTIVATION);
    e.world.addRigidBody(&body);
}

void add_walls(engine &e)
{
    const auto width = static_cast<btScalar>(DROP_WIDTH * e.scale);
    const btVector3 normals[] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    const btScalar offsets[] = {0, 0, -width, 0, -width};
    for (int i = 0; i < 5; i++)
    {
        e.shapes.push_back(std::make_unique<btStaticPlaneShape>(normals[i], offsets[i]));
        add_body(e, 0, e.shapes.back().get(), {0, 0, 0}, {0, 0, 0});
    }
}

btVector3 scaled(const double *v, double scale)
{
    return {static_cast<btScalar>(scale * v[0]), static_cast<btScalar>(scale * v[1]),
            static_cast<btScalar>(scale * v[2])};
}

void make_world(engine &e, const peer_task &task)
{
    e.step = task.step;
    e.count = task.count;
    e.scale = peer_option(&task, "scale", 100);
    // relative: times the radius
    gContactBreakingThreshold = static_cast<btScalar>(peer_option(&task, "reach", 0.5));
    e.dispatcher.registerCollisionCreateFunc(
        SPHERE_SHAPE_PROXYTYPE, SPHERE_SHAPE_PROXYTYPE,
        e.configuration.getCollisionAlgorithmCreateFunc(CONVEX_HULL_SHAPE_PROXYTYPE,
                                                        CONVEX_HULL_SHAPE_PROXYTYPE));
    e.world.setGravity({0, 0, static_cast<btScalar>(-DROP_GRAVITY * e.scale)});
    btContactSolverInfo &solver = e.world.getSolverInfo();
    solver.m_numIterations = static_cast<int>(peer_option(&task, "iterations", 50));
    solver.m_leastSquaresResidualThreshold = 0;
    e.shapes.push_back(
        std::make_unique<btSphereShape>(static_cast<btScalar>(DROP_RADIUS * e.scale)));
    for (int i = 0; i < task.count; i++)
    {
        const double *x = task.state + 6 * static_cast<size_t>(i);
        add_body(e, drop_mass(), e.shapes.front().get(), scaled(x, e.scale),
                 scaled(x + 3, e.scale));
    }
    add_walls(e);
}

int step(void *user)
{
    engine &e = *static_cast<engine *>(user);
    const auto h = static_cast<btScalar>(e.step);
    e.world.stepSimulation(h, 0, h);
    return 0;
}

void look(const void *user, double *state)
{
    const engine &e = *static_cast<const engine *>(user);
    for (int i = 0; i < e.count; i++)
        for (int k = 0; k < 3; k++)
        {
            const btRigidBody &body = *e.bodies[static_cast<size_t>(i)];
            double *to = state + 6 * static_cast<size_t>(i);
            to[k] = body.getWorldTransform().getOrigin()[k] / e.scale;
            to[3 + k] = body.getLinearVelocity()[k] / e.scale;
        }
}
} // namespace

int main(int argc, char **argv)
{
    peer_task task;
    if (peer_begin(argc, argv, &task) < 0)
        return 2;
    btDefaultCollisionConstructionInfo info;
    info.m_defaultMaxPersistentManifoldPoolSize = 8 * task.count + 4096;
    info.m_defaultMaxCollisionAlgorithmPoolSize = 16 * task.count + 4096;
    int result = 1;
    {
        engine e(info);
        make_world(e, task);
        result = peer_drive(&task, step, look, &e);
    }
    peer_end(&task);
    return result;
}
