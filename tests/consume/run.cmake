# For the scripts of this folder: run(COMMAND...) ends the test with what the command wrote, if it fails. What all
# consumers are configured with comes as TOOLCHAIN, a list that is separated by "|".
cmake_minimum_required(VERSION 3.22)
string(REPLACE "|" ";" TOOLCHAIN "${TOOLCHAIN}")

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  list(JOIN ARGN " " command)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${command}: ${result}\n${text}")
  endif()
  message(STATUS "${command}\n${text}")
endfunction()
