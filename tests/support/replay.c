// Feeds files to a fuzz target, as a fuzzer would: each argument is a file, or a folder of files.
// The target's promise is to survive; a crash or a sanitizer's report is the failure.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static long replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
    {
        perror(path);
        exit(1);
    }
    long size = ftell(file);
    // a block of its own for every input, so that a read beyond its end is seen
    uint8_t *data = malloc((size_t)size + (size == 0));
    rewind(file);
    if (!data || fread(data, 1, (size_t)size, file) != (size_t)size)
    {
        perror(path);
        exit(1);
    }
    (void)fclose(file);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return 1;
}

static long replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    long count = 0;
    if (!folder)
    {
        perror(path);
        exit(1);
    }
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
    {
        char name[4096];
        (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.')
            count += replay_file(name);
    }
    (void)closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    long count = 0;
    for (int i = 1; i < argc; i++)
    {
        struct stat what;
        if (stat(argv[i], &what) != 0)
        {
            perror(argv[i]);
            return 1;
        }
        count += S_ISDIR(what.st_mode) ? replay_folder(argv[i]) : replay_file(argv[i]);
    }
    printf("%ld inputs replayed\n", count);
    return count > 0 ? 0 : 1;
}
