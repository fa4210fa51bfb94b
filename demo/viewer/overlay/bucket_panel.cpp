#include "viewer/overlay/bucket_panel.h"

#include <imgui.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "base/failure.h"

namespace demo {
namespace {

constexpr size_t kMaxVisibleBuckets = 8;
const ImVec4 kOverflowColour(1.0f, 0.35f, 0.3f, 1.0f);

// Draws the next cells of a row, whose numbers have so many digits.
void showCells(std::initializer_list<uint64_t> values, bool overflows, int digits = 8) {
  if (overflows) ImGui::PushStyleColor(ImGuiCol_Text, kOverflowColour);
  for (const uint64_t value : values) {
    ImGui::TableNextColumn();
    ImGui::Text("%*llu", digits, static_cast<unsigned long long>(value));
  }
  if (overflows) ImGui::PopStyleColor();
}

SluBucketCount sumOf(std::span<const SluBucketCount> counts) {
  SluBucketCount sum = {};
  for (const SluBucketCount& count : counts) {
    sum.keptCount += count.keptCount;
    sum.demandedCount += count.demandedCount;
  }
  return sum;
}

// A bucket that is packed has no capacity of its own.
void showBucket(const SluBucketCount& count, const std::optional<uint64_t>& capacity) {
  const bool overflows = count.demandedCount > count.keptCount;
  if (capacity)
    showCells({count.keptCount, count.demandedCount, *capacity}, overflows);
  else
    showCells({count.keptCount, count.demandedCount}, overflows);
}

}  // namespace

void showBuckets(const RunFacts& facts, std::span<const SluBucketCount> counts) {
  if (counts.empty() || counts.size() != facts.capacities.size()) return;
  // The head, the sum, and the first of the buckets, which scroll under these two.
  const size_t rows = 2 + std::min(counts.size(), kMaxVisibleBuckets);
  const ImVec2 size(0.0f, static_cast<float>(rows) * ImGui::GetTextLineHeightWithSpacing() + 2.0f);
  if (!ImGui::BeginTable("buckets", 4, ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingStretchProp, size)) return;
  ImGui::TableSetupScrollFreeze(0, 2);
  for (const char* name : {"mesh,LOD", "    kept", "demanded", "capacity"}) ImGui::TableSetupColumn(name);
  ImGui::TableHeadersRow();
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted("all");
  showBucket(sumOf(counts), facts.room);

  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(counts.size()));
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      const auto bucket = static_cast<uint32_t>(row);
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::Text("%4u, %u", bucket / facts.lodCount, bucket % facts.lodCount);
      showBucket(counts[bucket], facts.isPacked ? std::nullopt : std::optional<uint64_t>(facts.capacities[bucket]));
    }
  }
  ImGui::EndTable();
}

void showLods(const RunFacts& facts, std::span<const SluBucketCount> counts) {
  if (facts.lodCount < 2 || counts.size() != facts.capacities.size()) return;
  std::vector<uint64_t> kept(facts.lodCount);
  for (size_t bucket = 0; bucket < counts.size(); ++bucket) kept[bucket % facts.lodCount] += counts[bucket].keptCount;
  const uint64_t most = std::max<uint64_t>(*std::max_element(kept.begin(), kept.end()), 1);
  for (uint32_t lod = 0; lod < facts.lodCount; ++lod) {
    char text[48];
    std::snprintf(text, sizeof(text), "LOD %u: %llu", lod, static_cast<unsigned long long>(kept[lod]));
    const float share = static_cast<float>(kept[lod]) / static_cast<float>(most);
    ImGui::ProgressBar(share, ImVec2(-1.0f, ImGui::GetTextLineHeightWithSpacing()), text);
  }
}

void showViews(const RunFacts& facts, const FrameReport& frame) {
  if (!ImGui::BeginTable("views", 5, ImGuiTableFlags_SizingFixedFit)) return;
  for (const char* name : {"view", "   kept", facts.isPacked ? " packed" : "   room", "", "draws"})
    ImGui::TableSetupColumn(name);
  ImGui::TableHeadersRow();
  for (uint32_t view = 0; view < facts.viewCount; ++view) {
    const SluStatistics& counts = view ? frame.shadowStatistics[view - 1] : frame.statistics;
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::Text("%u %s", view, view ? "shadow" : "camera");
    showCells({counts.keptCount, facts.room}, counts.demandedCount > counts.keptCount, 7);
    ImGui::TableNextColumn();
    if (facts.room) ImGui::Text("%5.1f%%", 100.0 * counts.keptCount / static_cast<double>(facts.room));
    showCells({counts.drawCount}, false, 5);
  }
  ImGui::EndTable();
}

void showGroups(const RunFacts& facts, std::span<const uint32_t> drawCounts) {
  const size_t groupCount = facts.groups.size();
  if (!groupCount || drawCounts.size() != groupCount * facts.viewCount) return;
  if (!ImGui::BeginTable("groups", static_cast<int>(1 + facts.viewCount), ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("draws");
  for (uint32_t view = 0; view < facts.viewCount; ++view) ImGui::TableSetupColumn(sentence("   ", view).c_str());
  ImGui::TableHeadersRow();
  for (size_t group = 0; group < groupCount; ++group) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(facts.groups[group]);
    for (size_t view = 0; view < facts.viewCount; ++view) showCells({drawCounts[view * groupCount + group]}, false, 4);
  }
  ImGui::EndTable();
}

}  // namespace demo
