// The contract suite with shaders that number their subgroups themselves, as those in HLSL must. They are linked instead of
// the library's own.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "numbered/compact_atomic64.h"
#include "numbered/compact_native.h"
#include "numbered/count_native.h"
#include "numbered/count_views_native.h"
#include "numbered/emit_native.h"
#include "numbered/ordered_native.h"
#include "numbered/persistent_native.h"
#include "numbered/publish_native.h"
#include "numbered/scan_native.h"
#include "numbered/sorted_native.h"
#include "numbered/sparse_emit_native.h"
#include "numbered/sparse_places_native.h"
#include "numbered/sparse_publish_native.h"
#include "numbered/sparse_rank_native.h"
#include "numbered/sparse_sums_native.h"
#include "routes/vulkan/spirv/shader_code.h"

namespace slu {
namespace {

std::uint32_t used = 0;

struct Numbered {
  const char* name;
  std::span<const std::uint32_t> words;
};
const Numbered kNumbered[] = {{"compact_native", numbered_compact_native},
                              {"compact_atomic64", numbered_compact_atomic64},
                              {"ordered_native", numbered_ordered_native},
                              {"persistent_native", numbered_persistent_native},
                              {"sorted_native", numbered_sorted_native},
                              {"count_native", numbered_count_native},
                              {"count_views_native", numbered_count_views_native},
                              {"scan_native", numbered_scan_native},
                              {"publish_native", numbered_publish_native},
                              {"emit_native", numbered_emit_native},
                              {"sparse_rank_native", numbered_sparse_rank_native},
                              {"sparse_sums_native", numbered_sparse_sums_native},
                              {"sparse_publish_native", numbered_sparse_publish_native},
                              {"sparse_places_native", numbered_sparse_places_native},
                              {"sparse_emit_native", numbered_sparse_emit_native}};

class NumberedCode final : public ShaderCode {
 public:
  std::vector<std::uint32_t> of(Kernel kernel, ShaderVariant variant) const override {
    const std::string name = shaderName(kernel, variant);
    const auto found = std::ranges::find(kNumbered, name, &Numbered::name);
    if (found == std::end(kNumbered)) fail(SLU_ERROR_INTERNAL, name, " has no counterpart that numbers its subgroups");
    ++used;
    return {found->words.begin(), found->words.end()};
  }
};

}  // namespace

std::unique_ptr<const ShaderCode> makeOwnCode() { return std::make_unique<const NumberedCode>(); }

}  // namespace slu

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  std::cout << "Shader modules that number their subgroups: " << slu::used << "\n";
  const bool hasRun = testing::UnitTest::GetInstance()->successful_test_count() != 0;
  return hasRun && slu::used == 0 ? 1 : result;
}
