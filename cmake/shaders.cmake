# The shaders of the vulkan route: their texts, the kernels, and in which variants these are compiled. The library's build
# and sluice_add_predicate read it. src/routes/vulkan/spirv/shader_variant.cpp has the same variants.

set(sluice_kernels compact ordered persistent sorted count count_views scan publish emit gather sparse_rank
  sparse_sums sparse_publish sparse_places sparse_emit find_visible)

# sluice_predicate_kernels(RESULT CUSTOM_KEY): those that ask a predicate; `emit` and `find_visible` compute keys alone.
function(sluice_predicate_kernels result custom_key)
  set(kernels compact ordered persistent count sparse_rank)
  if(custom_key)
    list(APPEND kernels emit find_visible)
  endif()
  set(${result} ${kernels} PARENT_SCOPE)
endfunction()

# sluice_shader_variants(RESULT KERNEL): once with the device's subgroups and once with emulated ones; the unordered
# compactions also as one of several dispatches. All of them also with bound buffers; one also with the device's 64-bit
# atomics. find_visible has no subgroups to emulate.
function(sluice_shader_variants result kernel)
  set(variants native emulated bound bound_emulated)
  if(kernel STREQUAL find_visible)
    set(variants native bound)
  endif()
  if(kernel STREQUAL compact)
    list(APPEND variants atomic64 bound_atomic64)
  endif()
  if(kernel MATCHES "^(compact|sorted)$")
    list(APPEND variants dispatches dispatches_emulated bound_dispatches bound_dispatches_emulated)
  endif()
  set(${result} ${variants} PARENT_SCOPE)
endfunction()

# sluice_shader_options(RESULT VARIANT ROOT): of glslangValidator. With bound buffers Vulkan 1.1 will do. ROOT holds the
# folders shaders and include.
function(sluice_shader_options result variant root)
  set(options --quiet -g0 -I${root}/shaders -I${root}/include)
  if(variant MATCHES emulated)
    list(APPEND options -DSLU_EMULATED_SUBGROUPS)
  endif()
  if(variant MATCHES bound)
    list(APPEND options --target-env vulkan1.1 -DSLU_BOUND)
  else()
    list(APPEND options --target-env vulkan1.2)
  endif()
  if(variant MATCHES dispatches)
    list(APPEND options -DSLU_SEVERAL_DISPATCHES)
  endif()
  if(variant MATCHES atomic64)
    list(APPEND options -DSLU_ATOMIC_INT64)
  endif()
  set(${result} ${options} PARENT_SCOPE)
endfunction()

# sluice_shader_texts(RESULT ROOT): paths from ROOT of all that predicates are compiled into, in an order that is always
# the same.
function(sluice_shader_texts result root)
  file(GLOB_RECURSE texts CONFIGURE_DEPENDS RELATIVE ${root} ${root}/shaders/*.comp ${root}/shaders/*.glsl
    ${root}/shaders/*.h ${root}/shaders/*.hlsl)
  list(SORT texts)
  set(headers culling.h culling_types.h language.h occlusion.h pyramid.h pyramid_values.h values.h)
  list(TRANSFORM headers PREPEND include/sluice/)
  set(${result} ${texts} ${headers} PARENT_SCOPE)
endfunction()

# The forms of pyramid.comp, by what they read. They bind their buffers, use no subgroups, and take no predicate.
set(sluice_pyramid_forms buffer image image_layered image_sampled image_sampled_layered)

# sluice_pyramid_options(RESULT FORM ROOT): of glslangValidator.
function(sluice_pyramid_options result form root)
  set(options --quiet -g0 -I${root}/shaders -I${root}/include --target-env vulkan1.1)
  foreach(word IN ITEMS image layered sampled)
    if(form MATCHES ${word})
      string(TOUPPER ${word} name)
      list(APPEND options -DSLU_PYRAMID_${name})
    endif()
  endforeach()
  set(${result} ${options} PARENT_SCOPE)
endfunction()
