# Writes OUTPUT, the PTX of INPUT without comments, blank lines, indentation, alignment and spaces behind commas: a sixth of the
# bytes.
cmake_minimum_required(VERSION 3.22)
file(READ ${INPUT} text)
string(REGEX REPLACE "(\n[ \t]*(//[^\n]*)?)+" "\n" text "\n${text}")
string(REGEX REPLACE "[ \t]+" " " text "${text}")
string(REPLACE ", " "," text "${text}")
file(WRITE ${OUTPUT} "${text}")
