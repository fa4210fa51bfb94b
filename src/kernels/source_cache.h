// What plans of one route of a context have from the same source, once for all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/list.h"
#include "plan/custom_predicate.h"

namespace slu {

// Loaded: the kernels of a source, compiled for the route's device. It goes with the last plan that holds it.
template <typename Loaded>
class SourceCache {
 public:
  // What a plan that is alive has of the same source, options, size of the state and kernels, or else make(), which
  // gives a shared_ptr. When that throws nothing is kept.
  template <typename Make>
  std::shared_ptr<const Loaded> get(const CustomPredicate& predicate, const std::vector<CudaKernel>& kernels,
                                    const Make& make) {
    std::erase_if(entries_, [](const Entry& entry) { return entry.loaded.expired(); });
    if (includesFiles(predicate)) return make();
    const Key key{predicate.source, predicate.options, predicate.stateSize, kernels};
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    if (found != entries_.end()) return found->loaded.lock();
    std::shared_ptr<const Loaded> loaded = make();
    entries_.push_back({key, loaded});
    return loaded;
  }

 private:
  // What is compiled. The state itself travels with the launch.
  struct Key {
    bool operator==(const Key&) const = default;
    std::string source;
    std::vector<std::string> options;
    std::uint32_t stateSize;
    std::vector<CudaKernel> kernels;
  };
  struct Entry {
    Key key;
    std::weak_ptr<const Loaded> loaded;
  };

  // By a directive or an option, or at least by letters like theirs. Files may change from one plan to the next.
  static bool includesFiles(const CustomPredicate& predicate) {
    const auto names = [](std::string_view text) { return text.find("include") != std::string_view::npos; };
    return names(predicate.source) || std::ranges::any_of(predicate.options, names);
  }

  std::vector<Entry> entries_;
};

}  // namespace slu
