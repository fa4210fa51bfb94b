#include "arena/nonzero.h"

#ifdef SLUICE_VULKAN
#include "nonzero_spirv.h"
#endif

namespace bench {

NonzeroPredicate::NonzeroPredicate() {
  host_.isLive = [](const void*, const void* record, uint32_t) -> SluBool32 {
    return *static_cast<const uint32_t*>(record) != 0 ? 1 : 0;
  };
  host_.pNext = &cuda_;
  cuda_.source =
      "struct SluPredicate {\n"
      "  __device__ bool operator()(const void* record, unsigned) const {\n"
      "    return __ldg(static_cast<const unsigned*>(record)) != 0;\n"
      "  }\n"
      "};\n";
#ifdef SLUICE_VULKAN
  spirv_ = nonzero_spirv();
  cuda_.pNext = &spirv_;
#endif
}

}  // namespace bench
