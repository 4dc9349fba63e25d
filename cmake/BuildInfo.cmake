# Writes build_info.h: the commit and how the program was compiled. Run as a script at every build;
# the file changes only when its contents do.
#
#     cmake -DSOURCE=.. -DOUT=build_info.h -DCOMPILER=.. -DFLAGS=.. -P BuildInfo.cmake
cmake_minimum_required(VERSION 3.22)
set(commit unknown)
find_program(GIT git)
if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse --short=12 HEAD
        OUTPUT_VARIABLE found ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
    if(status EQUAL 0)
        set(commit ${found})
        execute_process(COMMAND ${GIT} -C ${SOURCE} diff --quiet HEAD RESULT_VARIABLE changed
            OUTPUT_QUIET ERROR_QUIET)
        if(NOT changed EQUAL 0)
            string(APPEND commit "+changes")
        endif()
    endif()
elseif(EXISTS ${SOURCE}/.git/HEAD)
    # a machine without git can still read which commit this is
    file(STRINGS ${SOURCE}/.git/HEAD head LIMIT_COUNT 1)
    if(head MATCHES "^ref: (.*)" AND EXISTS ${SOURCE}/.git/${CMAKE_MATCH_1})
        file(STRINGS ${SOURCE}/.git/${CMAKE_MATCH_1} head LIMIT_COUNT 1)
    endif()
    if(head MATCHES "^[0-9a-f]+$")
        string(SUBSTRING ${head} 0 12 commit)
    endif()
endif()
string(REPLACE ";" " " FLAGS "${FLAGS}")
file(CONFIGURE OUTPUT ${OUT} CONTENT
"// Made by cmake/BuildInfo.cmake.
#define THUD_COMMIT \"@commit@\"
#define THUD_COMPILER \"@COMPILER@\"
#define THUD_FLAGS \"@FLAGS@\"
" @ONLY)
