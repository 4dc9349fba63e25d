// The files that `thud jam` leaves, read back.
#ifndef CLI_JAM_FILES_H
#define CLI_JAM_FILES_H

#include <thud/jamming.h>
#include <thud/text.h>

#define CLI_JAM_PACKING "packing.csv"
#define CLI_JAM_NETWORK "network.csv"
#define CLI_JAM_JSON "jam.json"

typedef struct cli_jam_files
{
    thud_packing packing; // views of what follows
    double *q;
    bool *is_held; // as the file says
    thud_jam_contact *contacts;
} cli_jam_files;

// Does the folder hold a jammed packing, and no run?
bool cli_is_jam(const char *folder);

// Read both tables. THUD_ERR_IO, THUD_ERR_MEMORY, or THUD_ERR_RECORD with file and line.
thud_status cli_jam_read(const char *folder, cli_jam_files *files, thud_fault *fault);
void cli_jam_free(cli_jam_files *files);

#endif
