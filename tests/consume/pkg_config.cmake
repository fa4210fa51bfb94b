# A host without CMake: compiles a program with what PKG_CONFIG says of the package below PREFIX, which was moved since
# it was installed, and runs it. OPTIONS is --static or nothing.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
file(REMOVE_RECURSE ${FOLDER})
file(COPY ${PREFIX}/ DESTINATION ${FOLDER}/moved)
file(GLOB_RECURSE package ${FOLDER}/moved/sluice.pc)
cmake_path(GET package PARENT_PATH packages)
cmake_path(GET packages PARENT_PATH libraries)
set(ENV{PKG_CONFIG_PATH} ${packages})
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs ${OPTIONS} sluice OUTPUT_VARIABLE line COMMAND_ERROR_IS_FATAL ANY)
message(STATUS "pkg-config: ${line}")
if(NOT line MATCHES "${FOLDER}/moved")
  message(FATAL_ERROR "The package does not follow its folder to ${FOLDER}/moved.")
endif()
separate_arguments(flags UNIX_COMMAND "${line}")
separate_arguments(own UNIX_COMMAND "${C_FLAGS}")
run(${C_COMPILER} ${own} -std=c99 -Wall -Wextra -Wpedantic -Werror ${CMAKE_CURRENT_LIST_DIR}/install/main.c
  -o ${FOLDER}/consumer ${flags})
run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libraries} ${FOLDER}/consumer)
