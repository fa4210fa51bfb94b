#include "expect.h"

#include <algorithm>
#include <string_view>

namespace slu::fuzz {
namespace {

constexpr std::string_view kNames[] = {
    "buffer",         "build",         "commandBuffer", "context",          "cudaBuffer",
    "cudaDevice",     "cudaPredicate", "cudaSource",    "deviceCreateInfo", "frame",
    "handoff",        "memoryFd",      "merge",         "occlusion",        "plan",
    "predicateState", "properties",    "pyramid",       "requirements",     "route",
    "routeInfo",      "stream",        "timelines",     "transfer",         "vulkanAllocate",
    "vulkanBuffer",   "vulkanDepth",   "vulkanDevice",  "vulkanMemory",     "vulkanPyramid"};

bool isPrintable(char c) { return (c >= 0x20 && c < 0x7f) || c == '\n'; }

}  // namespace

void expectSentence(SluResult result, const std::string& sentence) {
  expect(!sentence.empty(), "a failure without a sentence, ", sluGetResultName(result));
  expect(std::all_of(sentence.begin(), sentence.end(), isPrintable), "a sentence is not plain text: ", sentence);
  if (result == SLU_ERROR_OUT_OF_HOST_MEMORY) return;
  expect(result != SLU_ERROR_INTERNAL, "an internal error: ", sentence);
  const std::string_view name(sentence.data(), std::min(sentence.find_first_of(".:[ "), sentence.size()));
  expect(std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames),
         "a sentence names no field first: ", sentence);
}

}  // namespace slu::fuzz
