# For WebAssembly with WASI, by Debian's clang-19, lld-19, wasi-libc and libclang-rt-19-dev-wasm32.
# Vectors of 16 bytes are in every browser and in Node.js.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR ar) # makes no index of these objects, and the linker needs none
set(CMAKE_C_ARCHIVE_FINISH "")
set(CMAKE_C_FLAGS_INIT "-msimd128")
# the reader of scenes is recursive, and 64 kB are the usual stack
set(CMAKE_EXE_LINKER_FLAGS_INIT "--ld-path=wasm-ld-19 -Wl,-z,stack-size=1048576")
set(CMAKE_EXECUTABLE_SUFFIX_C .wasm)
