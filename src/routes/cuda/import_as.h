// Names the field of what could not be imported.
#pragma once

#include "base/error.h"

namespace slu {

// Returns import(). If that rejects its argument, the error sentence begins with field.
template <typename Import>
auto importAs(const char* field, const Import& import) {
  try {
    return import();
  } catch (const Error& error) {
    if (error.result() != SLU_ERROR_INVALID_ARGUMENT) throw;
    fail(error.result(), field, ": ", error.what());
  }
}

}  // namespace slu
