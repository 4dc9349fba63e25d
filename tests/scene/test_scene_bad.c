// Malformed scenes: every file of bad/ has the exact message that the program prints for it.
#include "scene_rig.h"
#include "thud_test.h"

#include <dirent.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    LEAST_FILES = 300
};

static int is_scene(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0;
}

static void check_file(const char *name)
{
    char path[512], report[RIG_REPORT_SIZE];
    rig_text expected;
    (void)snprintf(path, sizeof path, "%.*s.expected", (int)strlen(name) - 5, name);
    if (!rig_load(path, &expected))
        return;
    rig_report(&(thud_scene_def){.path = name}, report);
    if (strcmp(report, expected.bytes) != 0)
        test_fail(__FILE__, __LINE__, "%s:\n%swanted:\n%s", name, report, expected.bytes);
    rig_text_free(&expected);
}

static void files(void)
{
    struct dirent **entries = NULL;
    REQUIRE(chdir(SCENE_BAD) == 0);
    int count = scandir(".", &entries, is_scene, alphasort);
    REQUIRE(count >= LEAST_FILES);
    for (int i = 0; i < count; i++)
    {
        check_file(entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    printf("%d malformed scenes\n", count);
}

static void files_in_german(void)
{
    char digits[16];
    REQUIRE(setlocale(LC_ALL, "de_DE.UTF-8"));
    (void)snprintf(digits, sizeof digits, "%.1f", 1.5);
    CHECK(strcmp(digits, "1,5") == 0); // the locale is in force
    files();
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {{"files", files}, {"files-in-german", files_in_german}};
    return test_main(argc, argv, cases, sizeof cases / sizeof *cases);
}
