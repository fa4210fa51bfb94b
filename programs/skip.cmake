# Of a run's code and output: says so and ends the script where the program has no Vulkan device or no validation layer,
# unless these are required.
macro(skip_without_vulkan)
  if(NOT "$ENV{SLUICE_REQUIRE_VALIDATION}" AND code EQUAL 3 AND
     output MATCHES "package vulkan-validationlayers|no Vulkan device|no Vulkan loader")
    message("SKIPPED: ${output}")
    return()
  endif()
endmacro()
