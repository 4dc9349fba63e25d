# Builds the viewer as a C file that holds its page.
#
#     cmake -DVIEWER=viewer -DOUT=page_template.c -DNODE=node -DNPM=npm -P BuildViewer.cmake
#
# What npm installs is kept in viewer/node_modules with a copy of the lockfile it was made by; npm is
# asked only when that differs, so that later builds need no network.
cmake_minimum_required(VERSION 3.22)

set(modules ${VIEWER}/node_modules)
set(made_by ${modules}/.thud-lock.json)
file(LOCK ${VIEWER}/.install.lock GUARD PROCESS TIMEOUT 600)
set(differs 1)
if(EXISTS ${made_by})
    execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${VIEWER}/package-lock.json ${made_by}
        RESULT_VARIABLE differs OUTPUT_QUIET ERROR_QUIET)
endif()
if(differs)
    if(NOT NPM)
        message(FATAL_ERROR "npm is needed to fetch the viewer's libraries, "
            "or configure with -DTHUD_VIEWER=OFF")
    endif()
    execute_process(COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
        WORKING_DIRECTORY ${VIEWER} RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "npm could not fetch the viewer's libraries (${failed}); "
            "configure with -DTHUD_VIEWER=OFF to do without")
    endif()
    file(COPY_FILE ${VIEWER}/package-lock.json ${made_by})
endif()

execute_process(COMMAND ${NODE} build.mjs ${OUT} WORKING_DIRECTORY ${VIEWER}
    RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "the viewer could not be built (${failed})")
endif()
