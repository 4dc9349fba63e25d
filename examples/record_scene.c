// A scene recorded as 'thud run' does it:  record_scene SCENE FOLDER
//
// The run directory is the same, and so is the sentence on a step that fails. It is C++, too.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <thud/recording.h>

// Sees every step; what is not 0 stops the run, after a checkpoint.
static int watch(const thud_view *view, void *user)
{
    int *most = (int *)user;
    if (view->state->multiplier_count > *most)
        *most = view->state->multiplier_count;
    return 0;
}

int main(int argc, char **argv)
{
    int most = 0;
    thud_fault fault;
    thud_scene *scene = NULL;
    thud_recording *recording = NULL;
    thud_scene_def from;
    thud_recording_def def;
    if (argc != 3)
        return 2;
    memset(&from, 0, sizeof from);
    from.path = argv[1];
    thud_status status = thud_scene_read(&from, &scene, &fault);
    memset(&def, 0, sizeof def);
    def.scene = scene;
    def.folder = argv[2];
    def.observe = watch;
    def.user = &most;
    if (status >= 0)
        status = thud_recording_create(&def, &recording, &fault);
    if (status >= 0)
        status = thud_recording_run(recording, INFINITY, &fault);
    if (status < 0)
        fprintf(stderr, "%s\n  hint: %s\n", fault.text, fault.hint);
    if (recording)
    {
        thud_recording_figures how = thud_recording_summary(recording);
        printf("%s at t = %g, contacts that push: at most %d\n", how.ending, how.reached, most);
    }
    if (thud_recording_close(recording, &fault) < 0)
        fprintf(stderr, "%s: %s\n", fault.file, fault.text);
    thud_scene_destroy(scene);
    return status < 0;
}
