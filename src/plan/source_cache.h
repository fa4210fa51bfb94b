// Shares what is compiled from a source between the plans of one route of a context.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plan/custom_predicate.h"

namespace slu {

// Loaded: the kernels of a source, compiled for the route's device. They are unloaded with the last plan that holds
// them. Kernel: what names one.
template <typename Loaded, typename Kernel>
class SourceCache {
 public:
  // Returns what a living plan has of the same source, options, size of the state, kind of keys and kernels. Without such
  // a plan, returns make(), which is a shared_ptr. If make throws, nothing is kept.
  template <typename Make>
  std::shared_ptr<Loaded> get(const CustomPredicate& predicate, const std::vector<Kernel>& kernels, const Make& make) {
    std::erase_if(entries_, [](const Entry& entry) { return entry.loaded.expired(); });
    if (includesFiles(predicate)) return make();
    const Key key{predicate.source,    predicate.modules,     predicate.options,
                  predicate.stateSize, predicate.computesKey, kernels};
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    if (found != entries_.end()) return found->loaded.lock();
    std::shared_ptr<Loaded> loaded = make();
    entries_.push_back({key, loaded});
    return loaded;
  }

 private:
  // What the compiled kernels depend on. The state itself is an argument of each launch.
  struct Key {
    bool operator==(const Key&) const = default;
    std::string source;
    SpirvModules modules;
    std::vector<std::string> options;
    std::uint32_t stateSize;
    bool computesKey;
    std::vector<Kernel> kernels;
  };
  struct Entry {
    Key key;
    std::weak_ptr<Loaded> loaded;
  };

  // Returns whether the source may include files, by a directive or an option. Any occurrence of the letters counts.
  // What includes files is not shared, since the files may change from one plan to the next.
  static bool includesFiles(const CustomPredicate& predicate) {
    const auto names = [](std::string_view text) { return text.find("include") != std::string_view::npos; };
    return names(predicate.source) || std::ranges::any_of(predicate.options, names);
  }

  std::vector<Entry> entries_;
};

}  // namespace slu
