# Writes a C file that holds the glossary, for `thud help WORD`.
#
#     cmake -DFILE=docs/glossary.md -DOUT=glossary_text.c -P EmbedGlossary.cmake
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/EmbedBytes.cmake)
set(array "")
embed_bytes(${FILE} bytes array)
string(REPLACE "static const unsigned char bytes" "const char cli_glossary" array "${array}")
file(CONFIGURE OUTPUT ${OUT} CONTENT
"// Made by cmake/EmbedGlossary.cmake.
#include \"glossary.h\"

@array@" @ONLY)
