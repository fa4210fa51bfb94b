// Preloaded into sluice-demo where LeakSanitizer runs. The Vulkan loader unloads drivers and layers before leaks are
// looked for: what their globals refer to would appear lost, and no suppression could name them.
#include <dlfcn.h>

#include <initializer_list>

namespace {

const bool kept = [] {
  for (const char* library : {"libvulkan_lvp.so", "libVkLayer_khronos_validation.so"})
    dlopen(library, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  return true;
}();

}  // namespace
