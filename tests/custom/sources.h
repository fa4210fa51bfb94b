// The predicates of the tests as source.
#pragma once

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace slu::test {

// All of predicates.h, of which `name` is the predicate.
inline std::string sourceOf(const std::string& name) {
  std::ifstream file(SLUICE_PREDICATES);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string once = "#pragma once";  // of no meaning outside headers
  const std::size_t at = text.find(once);
  if (at == std::string::npos) throw std::runtime_error("cannot read " SLUICE_PREDICATES);
  return text.erase(at, once.size()) + "using SluPredicate = " + name + ";\n";
}

}  // namespace slu::test
