# The libraries that a C++ compiler links and a C compiler does not, which a program without C++ needs for a static
# library in C++.
function(sluice_list_cxx_runtime libraries)
  set(runtime)
  foreach(library IN LISTS CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    if(NOT library IN_LIST CMAKE_C_IMPLICIT_LINK_LIBRARIES AND NOT library IN_LIST runtime)
      list(APPEND runtime ${library})
    endif()
  endforeach()
  set(${libraries} ${runtime} PARENT_SCOPE)
endfunction()
