// Writes the table of the CUDA kernels into a page of the documents, or with --check says whether the page has it.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "kernels/table.h"

namespace slu::docs {
namespace {

constexpr const char* kBegin = "<!-- begin: kernels, written by kernel_table from src/kernels/list.h -->\n";
constexpr const char* kEnd = "<!-- end: kernels -->\n";

std::string range(std::uint32_t least, std::uint32_t most) {
  const std::string first = std::to_string(least);
  return least == most ? first : first + " to " + std::to_string(most);
}

std::string recordsOf(const KernelRow& row) {
  return row.leastBytes == 0 ? "any" : range(row.leastBytes, row.mostBytes);
}

const char* deciderOf(const KernelRow& row) {
  switch (row.decider) {
    case Decider::record:
      return "the record";
    case Decider::spheres:
      return "spheres";
    case Decider::meshSpheres:
      return "spheres, with meshes";
    case Decider::scene:
      return "any test of scenes";
    case Decider::any:
      return "any test";
  }
  return "";
}

// Of kernels that list what a plan's tests reject.
const char* rejecterOf(const KernelRow& row) {
  return row.decider == Decider::scene ? "rejection in scenes" : "rejection";
}

std::string countOf(const KernelRow& row) {
  constexpr std::uint32_t kNone = KernelRow().mostRecords;
  std::string text = row.mostRecords != kNone ? "up to " + std::to_string(row.mostRecords) : "";
  if (row.leastRecords != 0) text += "from " + std::to_string(row.leastRecords);
  if (row.gapTo != 0) text += ", not " + range(row.gapFrom + 1, row.gapTo);
  return text.empty() ? "any" : text;
}

std::string tileOf(const KernelRow& row) {
  const std::uint32_t ofLeast = row.tileOf(row.leastBytes), ofMost = row.tileOf(row.mostBytes);
  return row.tileRecords != 0 ? std::to_string(row.tileRecords)
                              : range(std::min(ofLeast, ofMost), std::max(ofLeast, ofMost));
}

// The bytes that launches ask for, or where plans may have the kernel.
std::string sharedOf(const KernelRow& row) {
  const std::uint32_t fixed = row.sharedBytes(row.leastBytes, 0);
  const std::uint32_t perBucket = row.sharedBytes(row.leastBytes, 1) - fixed;
  if (fixed != 0)
    return std::to_string(fixed) + (perBucket != 0 ? " + " + std::to_string(perBucket) + " per bucket" : "");
  if (!row.memory) return "-";
  return *row.memory == SharedMemory::ample ? "ample" : "scarce";
}

std::string table() {
  std::ostringstream text;
  text << "| kernel | order | buckets | decided by | record bytes | records of a plan | tile | threads | blocks | "
          "shared |\n"
       << "|---|---|---|---|---|---|---|---|---|---|\n";
  for (const KernelRow& row : kernelTable()) {
    const bool isBeside = row.isPreparing || row.isFollowing;
    text << "| `" << row.name << "` | "
         << (row.isOfViews || isBeside ? "any"
             : row.isStable            ? "stable"
                                       : "unordered")
         << " | "
         << (row.isOfViews || (isBeside && !row.hasBuckets) ? "any"
             : row.isMerged                                 ? "merged"
             : row.isRanked                                 ? "packed"
             : row.hasBuckets                               ? "several"
                                                            : "one")
         << " | "
         << (isBeside           ? "-"
             : row.listsRejects ? rejecterOf(row)
                                : deciderOf(row))
         << (row.listsCandidates ? ", of candidates" : "") << " | " << recordsOf(row) << " | " << countOf(row) << " | "
         << tileOf(row) << " | " << row.threads << " | " << row.blocks << " | " << sharedOf(row) << " |\n";
  }
  return text.str();
}

std::string read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

int run(const char* path, bool isCheck) {
  const std::string page = read(path);
  const std::size_t begin = page.find(kBegin), end = page.find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    std::cerr << path << ": must hold the lines\n" << kBegin << kEnd;
    return 1;
  }
  const std::string renewed = page.substr(0, begin) + kBegin + "\n" + table() + "\n" + page.substr(end);
  if (renewed == page) return 0;
  if (isCheck) {
    std::cerr
        << path
        << ": differs from src/kernels/list.h. Renew it with: cmake --build --preset dev --target docs_kernel_table\n";
    return 1;
  }
  std::ofstream(path, std::ios::binary) << renewed;
  return 0;
}

}  // namespace
}  // namespace slu::docs

int main(int argc, char** argv) {
  const bool isCheck = argc == 3 && std::string(argv[1]) == "--check";
  if (argc != 2 && !isCheck) {
    std::cerr << "usage: kernel_table [--check] PAGE\n";
    return 2;
  }
  return slu::docs::run(argv[argc - 1], isCheck);
}
