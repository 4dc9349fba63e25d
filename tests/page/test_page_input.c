// The page against its input: names cannot leave their place; what fails leaves no page.
#include "page_rig.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    FRAMES = 9
};

static int occurrences(const char *text, const char *what)
{
    int count = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

// What the scene and run.json say is in the head alone, and there without any tag.
static void hostile_names(void)
{
    page_rig rig;
    page_parts page = {0};
    thud_page_size size = {0};
    if (page_rig_make(&rig, PAGE_SPHERES_3D, 2, 1))
    {
        thud_page_def def = page_rig_def(&rig, "a.html");
        CHECK(thud_page_write(&def, &size, NULL) == THUD_OK);
        if (page_read(&page, def.path))
        {
            CHECK(occurrences(page.html, "<script") == 3);
            CHECK(occurrences(page.html, "</script>") == 3);
            CHECK(occurrences(page.html, "<img") == 0);
            CHECK(occurrences(page.html, "onerror=") == 3);
            CHECK(occurrences(page.head, "\\u003cimg src=x onerror=alert(1)\\u003e") == 3);
            CHECK(!page.head[strcspn(page.head, "<>&")]);
            CHECK(strstr(page.head, "\\u2028 ") && !strstr(page.html, "\xe2\x80\xa8"));
            CHECK(strstr(page.head, "\"error\":\"\\u0022\\u005c\\u000a\\u0009\\u003c\\u007f\""));
        }
        else
            CHECK(!"the page can be read");
    }
    page_free(&page);
    page_rig_free(&rig);
}

// What the scene says of how walls are shown, for the viewer; where all are solid there is no word
// of it.
static void shown(void)
{
    page_rig rig;
    page_parts page = {0};
    for (int kind = PAGE_SPHERES_3D; kind <= PAGE_SHOWN; kind++)
    {
        thud_page_size size = {0};
        REQUIRE(page_rig_make(&rig, (page_rig_kind)kind, 2, 1));
        thud_page_def def = page_rig_def(&rig, "a.html");
        CHECK(thud_page_write(&def, &size, NULL) == THUD_OK);
        REQUIRE(page_read(&page, def.path));
        if (kind == PAGE_SHOWN)
        {
            CHECK(strstr(page.head, "\"shows\":[\"outline\",\"solid\",\"hidden\"]"));
            CHECK(strstr(page.head, "\"name\":\"ball\",\"kind\":\"solid\",\"show\":\"hidden\""));
            CHECK(strstr(page.head, "\"name\":\"fin\",\"kind\":\"sheet\",\"show\":\"outline\""));
            CHECK(strstr(page.head, "\"name\":\"block\",\"kind\":\"solid\",\"triangles\""));
        }
        else
            CHECK(!strstr(page.head, "\"shows\"") && !strstr(page.head, "\"show\""));
        page_free(&page);
        page_rig_free(&rig);
    }
}

static void bad_defs(void)
{
    page_rig rig;
    thud_page_size size;
    thud_fault fault = {0};
    if (page_rig_make(&rig, PAGE_SPHERES_2D, FRAMES, 2))
    {
        thud_page_def good = page_rig_def(&rig, "a.html"), bad[8];
        for (int i = 0; i < 8; i++)
            bad[i] = good;
        bad[0].first = -1;
        bad[1].last = FRAMES;
        bad[2].first = 5;
        bad[2].last = 4;
        bad[3].stride = -1;
        bad[4].path = "";
        bad[5].log = NULL;
        bad[6].folder = NULL;
        bad[7].max_bytes = -1;
        for (int i = 0; i < 8; i++)
            CHECK(thud_page_write(&bad[i], &size, &fault) == THUD_ERR_ARGUMENT && fault.text[0]);
        good.path = rig_path(rig.folder, "no/such/folder.html");
        CHECK(thud_page_write(&good, &size, &fault) == THUD_ERR_IO && fault.text[0]);
        CHECK(rig_count(rig.folder) == 1);
    }
    page_rig_free(&rig);
}

static thud_status write_with_series(page_rig *rig, const char *text, size_t length)
{
    thud_page_size size;
    thud_page_def def = page_rig_def(rig, "a.html");
    CHECK(rig_file_write(rig_path(rig->folder, "run/series.csv"), text, length));
    return thud_page_write(&def, &size, NULL);
}

static void series(void)
{
    page_rig rig;
    page_parts page = {0};
    static const char quoted[] = "step,t,\"a,\"\"b\"\"\"\n0,0,1\n1,0.5,inf\n2,1,0x\n";
    if (page_rig_make(&rig, PAGE_SPHERES_2D, 3, 3))
    {
        // the last line is wrong; cut off, it is left out
        CHECK(write_with_series(&rig, quoted, sizeof quoted - 1) == THUD_ERR_RECORD);
        CHECK(write_with_series(&rig, quoted, sizeof quoted - 3) == THUD_OK);
        CHECK(page_read(&page, rig_path(rig.folder, "a.html")));
        CHECK(page.head && strstr(page.head, "[\"step\",\"t\",\"a,\\u0022b\\u0022\"]"));
        CHECK(page_number(&page, "rows") == 2);
        CHECK(write_with_series(&rig, "step,\xe2\x80\xae\n", 9) == THUD_ERR_RECORD);
        CHECK(write_with_series(&rig, "step", 4) == THUD_ERR_RECORD);
        CHECK(write_with_series(&rig, "step,t\n1\n", 9) == THUD_ERR_RECORD);
        CHECK(write_with_series(&rig, "step,t\n1,2,3\n", 13) == THUD_ERR_RECORD);
        CHECK(write_with_series(&rig, "step,t\n1,\0\n", 11) == THUD_ERR_RECORD);
        CHECK(unlink(rig_path(rig.folder, "run/series.csv")) == 0);
        thud_page_size size;
        thud_page_def def = page_rig_def(&rig, "a.html");
        CHECK(thud_page_write(&def, &size, NULL) == THUD_ERR_RECORD);
    }
    page_free(&page);
    page_rig_free(&rig);
}

// A long series is thinned out, and its worst values stay.
static void long_series(void)
{
    page_rig rig;
    page_parts page = {0};
    const int lines = 10007;
    size_t used = 0, room = 40 * (size_t)lines;
    char *text = malloc(room);
    if (text && page_rig_make(&rig, PAGE_SPHERES_2D, 3, 3))
    {
        used += (size_t)snprintf(text, room, "step,t,min_gap,sweeps\n");
        for (int i = 0; i < lines; i++)
            used += (size_t)snprintf(text + used, room - used, "%d,%d,%d,%d\n", i, i,
                                     i == 5000 ? -1 : 7, i == 5001 ? 99 : 3);
        CHECK(write_with_series(&rig, text, used) == THUD_OK);
        CHECK(page_read(&page, rig_path(rig.folder, "a.html")));
        CHECK(page_number(&page, "rows") == 3336); // of three lines each, the last of two
        size_t rows = 3336, columns = 4;
        page.at = page.data_length - rows * (8 + 4 * columns) + 8 * (rows - 1);
        CHECK(page_f64(&page) == lines - 1);
        double smallest = 8, largest = 0;
        page.at += 8 * rows;
        for (size_t i = 0; i < rows; i++)
            smallest = fmin(smallest, page_f32(&page));
        for (size_t i = 0; i < rows; i++)
            largest = fmax(largest, page_f32(&page));
        CHECK(smallest == -1 && largest == 99 && page.at == page.data_length);
        page_free(&page);
        page_rig_free(&rig);
    }
    free(text);
}

static void failing_memory(void)
{
    page_rig rig;
    for (int kind = PAGE_SPHERES_3D; kind <= PAGE_INCLUSION; kind += 2)
    {
        if (!page_rig_make(&rig, (page_rig_kind)kind, 3, 4))
            return;
        test_meter meter = {.fail_at = 1};
        thud_status status = THUD_ERR_MEMORY;
        for (; status == THUD_ERR_MEMORY && meter.fail_at < 1000; meter.fail_at++)
        {
            thud_fault fault = {0};
            thud_page_size size;
            thud_allocator allocator = {test_meter_resize, &meter};
            thud_page_def def = page_rig_def(&rig, "a.html");
            def.allocator = &allocator;
            meter.calls = 0;
            status = thud_page_write(&def, &size, &fault);
            CHECK(meter.blocks == 0);
            CHECK(rig_count(rig.folder) == (status == THUD_OK ? 2 : 1));
            CHECK(status == THUD_OK || (status == THUD_ERR_MEMORY && fault.text[0]));
        }
        CHECK(status == THUD_OK && meter.fail_at > 15);
        page_rig_free(&rig);
    }
}

// Files may not grow beyond a limit: a page that does leaves the one before as it was.
static void file_limit(void)
{
    page_rig rig;
    if (!page_rig_make(&rig, PAGE_SPHERES_2D, 3, 5))
        return;
    thud_page_def def = page_rig_def(&rig, "a.html");
    CHECK(rig_file_write(def.path, "before", 6));
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0)
    {
        thud_fault fault = {0};
        thud_page_size size;
        struct rlimit limit = {100000, 100000};
        (void)signal(SIGXFSZ, SIG_IGN);
        bool fine = setrlimit(RLIMIT_FSIZE, &limit) == 0 &&
                    thud_page_write(&def, &size, &fault) == THUD_ERR_IO && fault.hint[0];
        _exit(fine ? 0 : 1);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    size_t length = 0;
    unsigned char *bytes = rig_file_read(def.path, &length);
    CHECK(bytes && length == 6 && rig_count(rig.folder) == 2);
    free(bytes);
    page_rig_free(&rig);
}

int main(int argc, char **argv)
{
    static const test_case cases[] = {
        {"hostile-names", hostile_names}, {"shown", shown},
        {"bad-defs", bad_defs},           {"series", series},
        {"long-series", long_series},     {"failing-memory", failing_memory},
        {"file-limit", file_limit},
    };
    return test_main(argc, argv, cases, (int)(sizeof cases / sizeof *cases));
}
