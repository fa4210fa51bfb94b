// A library of the system that is loaded when it is needed.
#pragma once

#include <span>
#include <string>

#include "base/error.h"

namespace slu {

class Library {
 public:
  // Opens the first of the names that the system finds. The library is never unloaded: NVRTC leaks 72 KB each time.
  // Throws SLU_ERROR_ROUTE_UNAVAILABLE if there is none, with the sentence and what the system says of each name.
  Library(std::span<const std::string> names, const char* sentence);

  // Finds a function, or throws SLU_ERROR_ROUTE_UNAVAILABLE.
  template <typename Function>
  void find(Function& function, const char* name) const {
    function = reinterpret_cast<Function>(findSymbol(name));
    if (function == nullptr) fail(SLU_ERROR_ROUTE_UNAVAILABLE, sentence_, "; ", name_, " has no ", name);
  }

 private:
  void* findSymbol(const char* name) const;

  void* handle_ = nullptr;
  const char* sentence_;
  std::string name_;
};

// Returns the function of that name in a library of the system, or null if there is no such library or function. The
// library stays loaded.
void* findInLibrary(const char* library, const char* function) noexcept;

}  // namespace slu
