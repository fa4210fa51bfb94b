#include "viewer/overlay/bucket_panel.h"

#include <imgui.h>

#include <algorithm>

namespace demo {
namespace {

constexpr size_t kMaxVisibleBuckets = 8;
const ImVec4 kOverflowColour(1.0f, 0.35f, 0.3f, 1.0f);

struct BucketRow {
  uint64_t kept = 0, demanded = 0, capacity = 0;

  void show() const {
    const bool overflows = demanded > kept;
    if (overflows) ImGui::PushStyleColor(ImGuiCol_Text, kOverflowColour);
    for (const uint64_t value : {kept, demanded, capacity}) {
      ImGui::TableNextColumn();
      ImGui::Text("%8llu", static_cast<unsigned long long>(value));
    }
    if (overflows) ImGui::PopStyleColor();
  }
};

BucketRow sumOf(const RunFacts& facts, std::span<const SluBucketCount> counts) {
  BucketRow sum;
  for (size_t bucket = 0; bucket < counts.size(); ++bucket) {
    sum.kept += counts[bucket].keptCount;
    sum.demanded += counts[bucket].demandedCount;
    sum.capacity += facts.capacities[bucket];
  }
  return sum;
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
  sumOf(facts, counts).show();

  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(counts.size()));
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      const auto bucket = static_cast<uint32_t>(row);
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::Text("%4u, %u", bucket / facts.lodCount, bucket % facts.lodCount);
      const SluBucketCount& count = counts[bucket];
      BucketRow{count.keptCount, count.demandedCount, facts.capacities[bucket]}.show();
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

}  // namespace demo
