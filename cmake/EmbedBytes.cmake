# embed_bytes(FILE IDENTIFIER TEXT): appends to the variable TEXT a C array that holds the bytes of
# FILE and a zero behind them.
function(embed_bytes file identifier text)
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    set(${text} "${${text}}static const unsigned char ${identifier}[] = {${bytes}0};\n" PARENT_SCOPE)
endfunction()
