#include "occlusion/traffic.h"

#include <algorithm>

#include "occlusion/levels.h"
#include "workload/traffic.h"

namespace bench {
namespace {

// Of the sectors that hold elements for which isRead(record) holds. Elements follow one another.
template <typename IsRead>
uint64_t sectorBytes(uint32_t recordCount, uint64_t elementBytes, const IsRead& isRead) {
  uint64_t sectors = 0;
  uint64_t next = 0;  // the first sector that is not counted yet
  for (uint32_t record = 0; record < recordCount; ++record) {
    if (!isRead(record)) continue;
    const uint64_t first = std::max(next, record * elementBytes / kSectorBytes);
    const uint64_t end = ((record + 1) * elementBytes - 1) / kSectorBytes + 1;
    if (end > first) sectors += end - first;
    next = std::max(next, end);
  }
  return sectors * kSectorBytes;
}

}  // namespace

uint64_t frameBytes(const Street& street, StreetFrame frame, const std::vector<uint32_t>& last,
                    const std::vector<uint8_t>& kept) {
  const uint32_t count = street.settings.recordCount;
  const bool isFirst = frame == StreetFrame::First;
  const bool isSecond = frame == StreetFrame::Second;
  const auto isTested = [&](uint32_t record) { return !isFirst || hasBit(last, record); };
  const uint64_t bounds =
      sectorBytes(count, sizeof(StreetBox), isTested) + sectorBytes(count, sizeof(StreetMatrix), isTested);
  const uint64_t buckets = sectorBytes(count, sizeof(uint32_t), [&](uint32_t record) { return kept[record] != 0; });
  const uint64_t bitBytes = uint64_t{street.visibilityWords()} * sizeof(uint32_t);
  const uint64_t bits =
      (isFirst || isSecond ? bitBytes : 0) + (isSecond || frame == StreetFrame::Single ? bitBytes : 0);
  const auto keptCount = static_cast<uint64_t>(std::count(kept.begin(), kept.end(), uint8_t{1}));
  return bounds + buckets + bits + keptCount * sizeof(uint32_t) + street.settings.bucketCount * sizeof(DrawCommand);
}

uint64_t pyramidBytes(const StreetSettings& settings) {
  Levels levels;
  const uint64_t texels = layOutLevels(settings, levels);
  return (uint64_t{settings.width} * settings.height + texels) * sizeof(float);
}

}  // namespace bench
