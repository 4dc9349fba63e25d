// Scenes written and read again are the same, bit for bit.
#include "scene_rig.h"
#include "thud_test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {
    "spheres_minimal.yaml", "spheres_full.yaml",  "measures.yaml", "measures_flat.yaml",
    "disks.yaml",           "cloud.yaml",         "growing.yaml",  "plate.yaml",
    "sweeping.yaml",        "awkward_texts.yaml", "included.yaml", "contacts.yaml",
    "sticky.yaml",          "constraints.yaml",   "noisy.yaml",    "obstacles.yaml",
    "obstacles_flat.yaml",  "cell.yaml",          "crowd.yaml"};
enum
{
    NAMES = sizeof names / sizeof *names
};

// Write, read, compare; and written once more it is the same text but for the word "auto".
static void round_trip(const thud_scene *scene, const char *what)
{
    rig_text first = {0}, second = {0};
    CHECK(thud_scene_write(scene, NULL, rig_sink, &first) == THUD_OK);
    thud_scene *again =
        rig_read(&(thud_scene_def){.text = first.bytes, .length = first.length, .folder = "."});
    if (!again || !rig_same(scene, again))
        test_fail(__FILE__, __LINE__, "%s:\n%s", what, first.bytes);
    else
    {
        CHECK(thud_scene_write(again, NULL, rig_sink, &second) == THUD_OK);
        char *word = strstr(first.bytes, " # auto");
        if (word)
            memmove(word, word + 7, strlen(word + 7) + 1);
        if (strcmp(first.bytes, second.bytes) != 0)
            test_fail(__FILE__, __LINE__, "%s, twice:\n%s", what, second.bytes);
    }
    thud_scene_destroy(again);
    rig_text_free(&first);
    rig_text_free(&second);
}

static void files(void)
{
    REQUIRE(chdir(SCENE_GOOD) == 0);
    for (int i = 0; i < NAMES; i++)
    {
        thud_scene *scene = rig_read(&(thud_scene_def){.path = names[i]});
        REQUIRE(scene);
        round_trip(scene, names[i]);
        thud_scene_destroy(scene);
    }
}

static bool save(const char *path, const rig_text *text)
{
    FILE *file = fopen(path, "wb");
    bool fine = file && fwrite(text->bytes, 1, text->length, file) == text->length;
    return file && fclose(file) == 0 && fine;
}

// With all bodies in a file of their own the text depends on no other file.
static void bodies_in_a_file(void)
{
    char folder[] = "/tmp/thud-scene-XXXXXX", path[64], mesh_path[64];
    REQUIRE(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/all bodies.csv", folder);
    (void)snprintf(mesh_path, sizeof mesh_path, "%s/" THUD_SCENE_MESHES, folder);
    REQUIRE(chdir(SCENE_GOOD) == 0);
    for (int i = 0; i < NAMES; i++)
    {
        rig_text text = {0}, bodies = {0}, meshes = {0};
        thud_scene *scene = rig_read(&(thud_scene_def){.path = names[i]});
        REQUIRE(scene);
        CHECK(thud_scene_write(scene, "all bodies.csv", rig_sink, &text) == THUD_OK);
        CHECK(thud_scene_write_bodies(scene, rig_sink, &bodies) == THUD_OK);
        CHECK(save(path, &bodies));
        CHECK(thud_scene_write_meshes(scene, rig_sink, &meshes) == THUD_OK);
        CHECK(save(mesh_path, &meshes));
        CHECK(thud_scene_has_mesh(scene) == (strcmp(names[i], "obstacles.yaml") == 0));
        thud_scene *again = rig_read(
            &(thud_scene_def){.text = text.bytes, .length = text.length, .folder = folder});
        CHECK(again && rig_same(scene, again));
        thud_scene_destroy(again);
        thud_scene_destroy(scene);
        rig_text_free(&text);
        rig_text_free(&bodies);
        rig_text_free(&meshes);
    }
    CHECK(unlink(mesh_path) == 0 && unlink(path) == 0 && rmdir(folder) == 0);
}

// A number with bits at random, finite and not 0.
static double any_number(test_random *random)
{
    double x;
    do
    {
        uint64_t bits = test_random_bits(random);
        memcpy(&x, &bits, sizeof x);
    } while (!isfinite(x) || x == 0);
    return x;
}

static void random_numbers(void)
{
    uint64_t seed = test_seed(20260301);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 200; i++)
    {
        char text[1024], n[6][THUD_NUMBER_SIZE];
        for (int k = 0; k < 6; k++)
            thud_number_write(n[k], any_number(&random));
        (void)snprintf(text, sizeof text,
                       "thud: 1\nkind: spheres\ntime: {step: 0.1, end: 1}\nparameters: {p: %s}\n"
                       "bodies:\n- {at: [%s, %s, %s], velocity: [%s, p, 0], radius: 1, mass: 1}\n"
                       "walls: {w: {plane: {point: [p, %s, t], normal: [1, 0, 0]}}}\n",
                       n[0], n[1], n[2], n[3], n[4], n[5]);
        thud_scene *scene = rig_read_text(text);
        REQUIRE(scene);
        round_trip(scene, text);
        thud_scene_destroy(scene);
    }
}

// Texts made of characters that YAML cares about, spelt as in double quotes.
static void random_texts(void)
{
    static const char *const parts[] = {
        " ",       "\\n",  "\\t",     "a",       "- ",      ": ", " #",     "\\\"",
        "'",       "\\\\", "{",       "[",       "&",       "*",  "!",      "|",
        ">",       "%",    "@",       "`",       "\\n\\n",  "1",  "---\\n", "...\\n",
        "\\ufeff", "?",    "\\u2029", "\\u0080", "\xc3\xbc"};
    uint64_t seed = test_seed(20260302);
    test_random random = test_random_start(seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < 2000; i++)
    {
        char about[128] = "", text[512];
        size_t used = 0;
        for (int k = test_random_int(&random, 1, 8); k > 0; k--)
            used += (size_t)snprintf(
                about + used, sizeof about - used, "%s",
                parts[test_random_int(&random, 0, sizeof parts / sizeof *parts - 1)]);
        (void)snprintf(text, sizeof text,
                       "{thud: 1, kind: inclusion, time: {step: 1, end: 2}, about: \"%s\",\n"
                       "coordinates: {q: {start: 0}}}",
                       about);
        thud_scene *scene = rig_read_text(text);
        REQUIRE(scene);
        round_trip(scene, text);
        thud_scene_destroy(scene);
    }
}

// The law of an entry is named after it, differently from all that have names.
static void law_names(void)
{
    char text[8192];
    int used = snprintf(text, sizeof text,
                        "thud: 1\nkind: spheres\ntime: {step: 0.1, end: 1}\n"
                        "bodies: [{at: [0, 0, 0], radius: 1, mass: 1, growth: 1 + t}]\ngrowth:\n");
    for (int k = 0; k < 80; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "  bodies_0%.*s: 1\n", k,
                         "________________________________________"
                         "________________________________________");
    (void)snprintf(text + used, sizeof text - (size_t)used, "  bodies_0_1: 1\n");
    thud_scene *scene = rig_read_text(text);
    REQUIRE(scene);
    REQUIRE(scene->growth_count == 82);
    CHECK(strcmp(scene->growths[81].name, "bodies_0_2") == 0);
    round_trip(scene, text);
    thud_scene_destroy(scene);
}

static int refuse(const char *bytes, size_t length, void *calls)
{
    (void)bytes;
    (void)length;
    ++*(int *)calls;
    return 1;
}

static void sink_that_refuses(void)
{
    int calls = 0;
    REQUIRE(chdir(SCENE_GOOD) == 0);
    thud_scene *scene = rig_read(&(thud_scene_def){.path = "spheres_full.yaml"});
    REQUIRE(scene);
    CHECK(thud_scene_write(scene, NULL, refuse, &calls) == THUD_ERR_IO && calls == 1);
    CHECK(thud_scene_write_bodies(scene, refuse, &calls) == THUD_ERR_IO && calls == 2);
    CHECK(thud_scene_write(NULL, NULL, refuse, &calls) == THUD_ERR_ARGUMENT);
    CHECK(thud_scene_write(scene, NULL, NULL, NULL) == THUD_ERR_ARGUMENT);
    CHECK(thud_scene_write_bodies(NULL, refuse, &calls) == THUD_ERR_ARGUMENT && calls == 2);
    thud_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"files", files},
                                      {"bodies-in-a-file", bodies_in_a_file},
                                      {"random-numbers", random_numbers},
                                      {"random-texts", random_texts},
                                      {"law-names", law_names},
                                      {"sink-that-refuses", sink_that_refuses}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
