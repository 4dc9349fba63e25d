# Node.js, which builds the viewer, and npm, which fetches its libraries the first time. What is
# missing is said when the project is configured, not in the middle of the build.
find_program(THUD_NODE NAMES node nodejs DOC "Node.js, which builds the viewer")
find_program(THUD_NPM npm DOC "npm, which fetches the viewer's libraries")

set(missing "")
if(NOT THUD_NODE)
    set(missing "Node.js (the command node)")
elseif(NOT THUD_NPM AND NOT EXISTS ${PROJECT_SOURCE_DIR}/viewer/node_modules/.thud-lock.json)
    set(missing "npm")
endif()
if(missing)
    message(FATAL_ERROR "${missing} was not found. It is needed to build the viewer of 'thud view'.\n"
        "Install it (Debian: apt install nodejs npm), "
        "or configure with -DTHUD_VIEWER=OFF to build without the viewer.")
endif()
