#include "shared.h"

#include <algorithm>

#include "block.h"

namespace simt {
namespace {

// All accesses of an epoch come after all of the epochs before, so those of one epoch are enough.
void note(std::vector<Access>& accesses, const Access& access) {
  if (!accesses.empty() && accesses.front().epoch != access.epoch) accesses.clear();
  const auto own = std::ranges::find(accesses, access.thread, &Access::thread);
  if (own == accesses.end()) {
    accesses.push_back(access);
  } else {
    *own = access;
  }
}

}  // namespace

SharedArray::SharedArray(Block& block, const void* key, const char* name, std::size_t elementBytes, std::size_t count)
    : block_(block),
      key_(key),
      name_(name),
      elementBytes_(elementBytes),
      bytes_(elementBytes * count, std::byte{0xab}),
      history_(count) {}

void* SharedArray::read(std::ptrdiff_t index) {
  History& element = at(index, "reads");
  requireWritten(element, "reads");
  requireOrder(element, element.updates, "updated", "reads");
  note(element.reads, block_.access());
  return address(element);
}

void* SharedArray::write(std::ptrdiff_t index) {
  History& element = at(index, "writes");
  if (element.written) requireOrder(element, {&element.lastWrite, 1}, "written", "writes");
  requireOrder(element, element.reads, "read", "writes");
  requireOrder(element, element.updates, "updated", "writes");
  element.reads.clear();
  element.updates.clear();
  element.written = true;
  element.lastWrite = block_.access();
  return address(element);
}

void* SharedArray::update(std::ptrdiff_t index) {
  History& element = at(index, "updates");
  requireWritten(element, "updates");
  requireOrder(element, element.reads, "read", "updates");
  note(element.updates, block_.access());
  return address(element);
}

SharedArray::History& SharedArray::at(std::ptrdiff_t index, const char* verb) {
  if (index < 0 || static_cast<std::size_t>(index) >= history_.size()) {
    block_.fault(std::string("out of bounds: ") + verb + " " + name_ + "[" + std::to_string(index) + "] of " +
                 std::to_string(history_.size()));
  }
  return history_[static_cast<std::size_t>(index)];
}

void SharedArray::requireWritten(const History& element, const char* verb) {
  if (!element.written) block_.fault("uninitialised: " + describe(element, verb) + ", which no thread has written");
  requireOrder(element, {&element.lastWrite, 1}, "written", verb);
}

void SharedArray::requireOrder(const History& element, std::span<const Access> earlier, const char* earlierVerb,
                               const char* verb) {
  for (const Access& access : earlier) {
    if (block_.happenedBefore(access)) continue;
    block_.fault("race: " + describe(element, verb) + ", which thread " + std::to_string(access.thread) + " has " +
                 earlierVerb + ", with no barrier between");
  }
}

std::string SharedArray::describe(const History& element, const char* verb) const {
  return std::string(verb) + " " + name_ + "[" + std::to_string(index(element)) + "]";
}

}  // namespace simt
