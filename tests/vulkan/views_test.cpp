// What the shaders make of views. Where functions passed copies of them on, a culled frame took three times as long with
// NVIDIA's driver, which the other tests do not see.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "compact_atomic64.h"
#include "compact_emulated.h"
#include "compact_native.h"
#include "count_emulated.h"
#include "count_native.h"
#include "mark_emulated.h"
#include "mark_native.h"
#include "move_emulated.h"
#include "move_native.h"
#include "ordered_emulated.h"
#include "ordered_native.h"
#include "scan_emulated.h"
#include "scan_native.h"
#include "sorted_emulated.h"
#include "sorted_native.h"

namespace slu::test {
namespace {

using Words = std::span<const std::uint32_t>;

// Of SPIR-V, section 3 of its specification. Operands of types begin with the id of the type.
constexpr std::size_t kHeaderWords = 5;
constexpr std::uint32_t kOpName = 5;
constexpr std::uint32_t kOpTypeArray = 28;
constexpr std::uint32_t kOpTypeStruct = 30;
constexpr std::uint32_t kOpTypePointer = 32;
constexpr std::uint32_t kOpTypeFunction = 33;
constexpr std::uint32_t kStoragePrivate = 6;
constexpr std::uint32_t kStorageFunction = 7;

// Expects that no variable of an invocation, and no argument, is a view or has one.
void expectNoCopies(Words module) {
  std::set<std::uint32_t> views;  // types that are one or have one; names come before types
  const auto isView = [&](std::uint32_t id) { return views.contains(id); };
  for (std::size_t at = kHeaderWords; at < module.size();) {
    const std::size_t length = module[at] >> 16;
    ASSERT_TRUE(length != 0 && length <= module.size() - at) << "no SPIR-V";
    const Words operands = module.subspan(at + 1, length - 1);
    switch (module[at] & 0xffffu) {
      case kOpName:
        if (std::string("ViewBlock") == reinterpret_cast<const char*>(&operands[1])) views.insert(operands[0]);
        break;
      case kOpTypeArray:
      case kOpTypeStruct:
        if (std::any_of(operands.begin() + 1, operands.end(), isView)) views.insert(operands[0]);
        break;
      case kOpTypePointer:
        EXPECT_FALSE((operands[1] == kStoragePrivate || operands[1] == kStorageFunction) && isView(operands[2]));
        break;
      case kOpTypeFunction:
        EXPECT_FALSE(std::any_of(operands.begin() + 1, operands.end(), isView));
        break;
      default:
        break;
    }
    at += length;
  }
  EXPECT_FALSE(views.empty()) << "no type has this name";
}

TEST(Views, AreNotCopied) {
  const std::pair<const char*, Words> kModules[] = {
      {"compact_native", compact_native},     {"compact_atomic64", compact_atomic64},
      {"compact_emulated", compact_emulated}, {"ordered_native", ordered_native},
      {"ordered_emulated", ordered_emulated}, {"sorted_native", sorted_native},
      {"sorted_emulated", sorted_emulated},   {"mark_native", mark_native},
      {"mark_emulated", mark_emulated},       {"move_native", move_native},
      {"move_emulated", move_emulated},       {"count_native", count_native},
      {"count_emulated", count_emulated},     {"scan_native", scan_native},
      {"scan_emulated", scan_emulated}};
  for (const auto& [name, module] : kModules) {
    SCOPED_TRACE(name);
    expectNoCopies(module);
  }
}

}  // namespace
}  // namespace slu::test
