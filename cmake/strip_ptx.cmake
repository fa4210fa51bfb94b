# Writes OUTPUT, the PTX of INPUT without comments, blank lines, indentation and alignment, an eighth of the bytes.
cmake_minimum_required(VERSION 3.22)
file(READ ${INPUT} text)
string(REGEX REPLACE "(\n[ \t]*(//[^\n]*)?)+" "\n" text "\n${text}")
string(REGEX REPLACE "[ \t]+" " " text "${text}")
file(WRITE ${OUTPUT} "${text}")
