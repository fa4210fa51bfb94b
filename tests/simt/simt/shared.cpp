#include "shared.h"

#include <algorithm>
#include <utility>

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

SharedArray::SharedArray(Block& block, const void* key, const char* name, std::size_t elementBytes,
                         std::shared_ptr<SharedBytes> memory)
    : block_(block), key_(key), name_(name), elementBytes_(elementBytes), memory_(std::move(memory)) {
  if (elementBytes % memory_->partBytes != 0) block.fault(std::string(name) + ": elements are smaller than is checked");
}

void* SharedArray::read(std::ptrdiff_t index) {
  for (History& part : at(index, "reads")) {
    requireWritten(part, "reads");
    requireOrder(part, part.updates, "updated", "reads");
    note(part.reads, block_.access());
  }
  return address(index);
}

void* SharedArray::write(std::ptrdiff_t index) {
  for (History& part : at(index, "writes")) {
    if (part.written) requireOrder(part, {&part.lastWrite, 1}, "written", "writes");
    requireOrder(part, part.reads, "read", "writes");
    requireOrder(part, part.updates, "updated", "writes");
    part.reads.clear();
    part.updates.clear();
    part.written = true;
    part.lastWrite = block_.access();
  }
  return address(index);
}

void* SharedArray::update(std::ptrdiff_t index) {
  for (History& part : at(index, "updates")) {
    requireWritten(part, "updates");
    requireOrder(part, part.reads, "read", "updates");
    note(part.updates, block_.access());
  }
  return address(index);
}

std::span<SharedBytes::History> SharedArray::at(std::ptrdiff_t index, const char* verb) {
  const std::size_t count = memory_->bytes.size() / elementBytes_;
  if (index < 0 || static_cast<std::size_t>(index) >= count) {
    block_.fault(std::string("out of bounds: ") + verb + " " + name_ + "[" + std::to_string(index) + "] of " +
                 std::to_string(count));
  }
  const std::size_t partsOfElement = elementBytes_ / memory_->partBytes;
  return {&memory_->parts[static_cast<std::size_t>(index) * partsOfElement], partsOfElement};
}

void SharedArray::requireWritten(const History& part, const char* verb) {
  if (!part.written) block_.fault("uninitialised: " + describe(part, verb) + ", which no thread has written");
  requireOrder(part, {&part.lastWrite, 1}, "written", verb);
}

void SharedArray::requireOrder(const History& part, std::span<const Access> earlier, const char* earlierVerb,
                               const char* verb) {
  for (const Access& access : earlier) {
    if (block_.happenedBefore(access)) continue;
    block_.fault("race: " + describe(part, verb) + ", which thread " + std::to_string(access.thread) + " has " +
                 earlierVerb + ", with no barrier between");
  }
}

std::string SharedArray::describe(const History& part, const char* verb) const {
  const auto number = static_cast<std::size_t>(&part - memory_->parts.data());
  return std::string(verb) + " " + name_ + "[" + std::to_string(number * memory_->partBytes / elementBytes_) + "]";
}

}  // namespace simt
