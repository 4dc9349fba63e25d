# Writes a C file that holds the scenes that come with Thud, for `thud new`.
#
#     cmake -DFOLDER=scenes -DOUT=shipped_scenes.c -P EmbedScenes.cmake
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/EmbedBytes.cmake)
file(GLOB scenes RELATIVE ${FOLDER} ${FOLDER}/*.yaml)
list(SORT scenes)
set(arrays "")
set(table "")
foreach(scene ${scenes})
    get_filename_component(name ${scene} NAME_WE)
    string(MAKE_C_IDENTIFIER scene_${name} identifier)
    embed_bytes(${FOLDER}/${scene} ${identifier} arrays)
    set(mesh "NULL, 0")
    if(EXISTS ${FOLDER}/${name}.stl) # the mesh that the scene of that name needs
        embed_bytes(${FOLDER}/${name}.stl ${identifier}_mesh arrays)
        set(mesh "(const char *)${identifier}_mesh, sizeof ${identifier}_mesh - 1")
    endif()
    string(APPEND table
        "    {\"${name}\", (const char *)${identifier}, sizeof ${identifier} - 1, ${mesh}},\n")
endforeach()
list(LENGTH scenes count)
file(CONFIGURE OUTPUT ${OUT} CONTENT
"// Made by cmake/EmbedScenes.cmake.
#include \"shipped_scenes.h\"

@arrays@
const shipped_scene shipped_scenes[] = {
@table@};
const int shipped_scene_count = @count@;
" @ONLY)
