# Reads a run's `code` and `output`. If the program found no Vulkan device or no validation layer, skips the test and ends
# the script, unless SLUICE_REQUIRE_VALIDATION is set.
macro(skip_without_vulkan)
  if(NOT "$ENV{SLUICE_REQUIRE_VALIDATION}" AND code EQUAL 3 AND
     output MATCHES "package vulkan-validationlayers|no Vulkan device|no Vulkan loader")
    message("SKIPPED: ${output}")
    return()
  endif()
endmacro()
