#include "base/library.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace slu {
namespace {

#ifdef _WIN32

void* openLibrary(const char* name) { return LoadLibraryA(name); }
void* findIn(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
std::string lastReason(const std::string& name) {
  return name + ": LoadLibrary fails with error " + std::to_string(GetLastError());
}

#else

void* openLibrary(const char* name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }
void* findIn(void* library, const char* name) { return dlsym(library, name); }
std::string lastReason(const std::string& name) {
  const char* reason = dlerror();  // which names the file
  return reason != nullptr ? reason : name + ": no reason is given";
}

#endif

}  // namespace

Library::Library(std::span<const std::string> names, const char* sentence) : sentence_(sentence) {
  std::string reasons;
  for (const std::string& name : names) {
    name_ = name;
    handle_ = openLibrary(name.c_str());
    if (handle_ != nullptr) return;
    reasons += "; " + lastReason(name);
  }
  fail(SLU_ERROR_ROUTE_UNAVAILABLE, sentence, reasons);
}

void* Library::findSymbol(const char* name) const { return findIn(handle_, name); }

void* findInLibrary(const char* library, const char* function) noexcept {
  void* const handle = openLibrary(library);
  return handle == nullptr ? nullptr : findIn(handle, function);
}

}  // namespace slu
