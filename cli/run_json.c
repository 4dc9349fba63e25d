// What run.json says.
#include "run_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <thud/text.h>

void cli_run_json_read(const char *folder, char text[CLI_RUN_JSON])
{
    char path[1100];
    (void)snprintf(path, sizeof path, "%s/run.json", folder);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, CLI_RUN_JSON - 1, file) : 0;
    text[length] = '\0';
    if (file)
        (void)fclose(file);
}

void cli_run_json_value(const char *json, const char *name, char *value, size_t size)
{
    char key[80];
    (void)snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(json, key);
    at = at ? at + strlen(key) : "";
    at += *at == '"';
    size_t length = strcspn(at, "\n");
    while (length > 0 && (at[length - 1] == ',' || at[length - 1] == '"'))
        length--;
    (void)snprintf(value, size, "%.*s", (int)length, at);
}

double cli_run_json_number(const char *json, const char *name)
{
    char value[80];
    double x = NAN;
    cli_run_json_value(json, name, value, sizeof value);
    (void)thud_number_read(value, strlen(value), &x);
    return x;
}
