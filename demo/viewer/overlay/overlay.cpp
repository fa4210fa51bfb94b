#include "viewer/overlay/overlay.h"

#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <algorithm>
#include <functional>

#include "inspect/inset.h"
#include "inspect/reject_tests.h"
#include "viewer/overlay/bucket_panel.h"
#include "viewer/viewer_keys.h"

namespace demo {
namespace {

constexpr float kFontPixels = 13.0f;  // of the built-in font, drawn without blur at multiples
constexpr float kWidth = 310.0f;
constexpr float kPlotLines = 1.6f;  // height, in lines of text
constexpr float kMargin = 8.0f;
constexpr float kLeastHeight = 32.0f;
const ImVec4 kProblemColour(1.0f, 0.45f, 0.35f, 1.0f);

using Pick = std::function<std::optional<double>(const FrameSample&)>;

// Draws a row with name, median, and a plot from 0 on. Draws nothing when no frame has the time.
void plot(const char* name, const std::deque<FrameSample>& samples, const Pick& pick) {
  std::vector<float> values;
  for (const FrameSample& sample : samples)
    if (const std::optional<double> microseconds = pick(sample))
      values.push_back(static_cast<float>(*microseconds / 1000.0));
  if (values.empty()) return;
  std::vector<float> ordered = values;
  const auto middle = ordered.begin() + static_cast<ptrdiff_t>(ordered.size() / 2);
  std::nth_element(ordered.begin(), middle, ordered.end());
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  ImGui::TableNextColumn();
  ImGui::Text("%8.3f ms", static_cast<double>(*middle));
  ImGui::TableNextColumn();
  ImGui::PushID(name);
  ImGui::PlotLines("", values.data(), static_cast<int>(values.size()), 0, nullptr, 0.0f,
                   1.1f * *std::max_element(values.begin(), values.end()),
                   ImVec2(ImGui::GetContentRegionAvail().x, kPlotLines * ImGui::GetFontSize()));
  ImGui::PopID();
}

void row(const char* name, uint32_t value, uint32_t whole, const std::optional<glm::vec3>& color = std::nullopt) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (color)
    ImGui::TextColored(ImVec4(color->r, color->g, color->b, 1.0f), "%s", name);
  else
    ImGui::TextUnformatted(name);
  ImGui::TableNextColumn();
  ImGui::Text("%10u", value);
  ImGui::TableNextColumn();
  if (whole) ImGui::Text("%5.1f %%", 100.0 * value / whole);
}

void showMemory(const MemoryUse& memory) {
  if (!ImGui::BeginTable("memory", 2, ImGuiTableFlags_SizingFixedFit)) return;
  const std::pair<const char*, uint64_t> rows[] = {{"inputs", memory.inputs},
                                                   {"outputs", memory.outputs},
                                                   {"scratch", memory.scratch},
                                                   {"pictures", memory.pictures}};
  for (const auto& [name, bytes] : rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(name);
    ImGui::TableNextColumn();
    ImGui::Text("%10s", readableBytes(bytes).c_str());
  }
  ImGui::EndTable();
}

void showDistricts(const DistrictCounts& counts, uint32_t planCount) {
  ImGui::Text("%u of %u resident, in/out %u/%u", counts.resident, counts.districts, counts.in, counts.out);
  ImGui::Text("%u mesh rows written, %u plan%s created", counts.meshWrites, planCount, planCount == 1 ? "" : "s");
}

ImVec2 aboveInset(const ImVec2& most, const ImVec2& display, float margin) {
  const VkRect2D inset = insetPlace({static_cast<uint32_t>(display.x), static_cast<uint32_t>(display.y)});
  return {most.x, std::clamp(static_cast<float>(inset.offset.y) - 2.0f * margin, kLeastHeight, most.y)};
}

}  // namespace

// When the pointer's coordinates are pixels, the display's scale enlarges the units. Otherwise they are large already.
OverlayScale scaleOf(const Window& window) {
  const float font = std::max(window.contentScale(), 1.0f);
  return {font, std::max(font / window.pixelDensity(), 1.0f)};
}

Overlay::Overlay(const Device& device, const Window& window)
    : device_(device), window_(window), scale_(scaleOf(window)) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  ImGui_ImplGlfw_InitForOther(window.get(), true);
  makeFont();
}

void Overlay::makeFont() {
  renderer_.reset();
  ImGuiIO& io = ImGui::GetIO();
  ImFontConfig font;
  font.SizePixels = std::floor(kFontPixels * scale_.font);
  io.Fonts->Clear();
  io.Fonts->AddFontDefault(&font);
  io.FontGlobalScale = scale_.units / scale_.font;
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.ScaleAllSizes(scale_.units);
  style.WindowRounding = 4.0f * scale_.units;
  style.Colors[ImGuiCol_WindowBg] = ImVec4(0.02f, 0.03f, 0.05f, 0.78f);
  renderer_.emplace(device_);
}

void Overlay::setTarget(const Renderer& renderer) {
  if (!fitsWindow()) {
    scale_ = scaleOf(window_);
    makeFont();
  }
  renderer_->setTarget(renderer);
}

Overlay::~Overlay() {
  renderer_.reset();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

bool Overlay::takesMouse() const { return ImGui::GetIO().WantCaptureMouse; }
bool Overlay::takesKeys() const { return ImGui::GetIO().WantTextInput; }

void Overlay::update(const OverlayFacts& facts, Options& options, bool& isFrozen) {
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = kWidth * scale_.units, margin = kMargin * scale_.units;
  const ImVec2 least(width, 0.0f), most(width, std::max(display.y - 2.0f * margin, kLeastHeight));
  const bool isWide = display.x >= 2.0f * width + 3.0f * margin;
  ImGui::SetNextWindowPos(ImVec2(margin, margin), ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints(least, most);
  ImGui::Begin("Sluice", nullptr, ImGuiWindowFlags_AlwaysAutoResize);
  showMain(facts, options, isFrozen);
  if (!isWide) showDetails(facts);
  ImGui::End();
  if (isWide) {
    ImGui::SetNextWindowPos(ImVec2(display.x - margin, margin), ImGuiCond_Always, ImVec2(1.0f, 0.0f));
    ImGui::SetNextWindowSizeConstraints(least, options.inset ? aboveInset(most, display, margin) : most);
    ImGui::Begin("Details", nullptr, ImGuiWindowFlags_AlwaysAutoResize);
    showDetails(facts);
    ImGui::End();
  }
  ImGui::Render();
}

void Overlay::showMain(const OverlayFacts& facts, Options& options, bool& isFrozen) {
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(facts.device);
  ImGui::Text("route %s", sluGetRouteName(facts.run.route));
  if (*facts.shaderError) ImGui::TextColored(kProblemColour, "%s", facts.shaderError);
  if (*facts.problem) ImGui::TextColored(kProblemColour, "%s", facts.problem);
  ImGui::PopTextWrapPos();
  if (!facts.samples.empty()) showCounts(facts.samples.back().report, options.ghosts || options.inset);
  showTimes(facts);
  ImGui::Separator();
  switches_.show(facts.run, facts.routes, facts.presentMode, options, isFrozen);
  if (facts.picked) ImGui::TextWrapped("picked %s", describe(*facts.picked).c_str());
  ImGui::Text("camera %s, %.3g units/s", facts.camera, static_cast<double>(facts.speed));
  if (ImGui::CollapsingHeader("Keys")) {
    ImGui::PushTextWrapPos(0.0f);
    for (const ViewerKey& key : kViewerKeys) ImGui::Text("%s: %s", key.name, key.meaning);
    ImGui::PopTextWrapPos();
  }
}

void Overlay::showDetails(const OverlayFacts& facts) const {
  const std::vector<SluBucketCount> none;
  const auto& counts = facts.samples.empty() ? none : facts.samples.back().report.bucketCounts;
  if (!facts.samples.empty()) {
    const FrameReport& frame = facts.samples.back().report;
    if (ImGui::CollapsingHeader("Views", ImGuiTreeNodeFlags_DefaultOpen)) showViews(facts.run, frame);
    if (!facts.run.groups.empty() && ImGui::CollapsingHeader("Groups of draws", ImGuiTreeNodeFlags_DefaultOpen))
      showGroups(facts.run, frame.drawCounts);
    if (frame.districts && ImGui::CollapsingHeader("Districts", ImGuiTreeNodeFlags_DefaultOpen))
      showDistricts(*frame.districts, frame.planCount);
  }
  if (ImGui::CollapsingHeader("Buckets", ImGuiTreeNodeFlags_DefaultOpen)) showBuckets(facts.run, counts);
  if (facts.run.lodCount > 1 && ImGui::CollapsingHeader("Levels of detail", ImGuiTreeNodeFlags_DefaultOpen))
    showLods(facts.run, counts);
  if (ImGui::CollapsingHeader("Memory", ImGuiTreeNodeFlags_DefaultOpen)) showMemory(facts.run.memory);
  if (ImGui::CollapsingHeader("Routes", ImGuiTreeNodeFlags_DefaultOpen)) showRoutes(facts.run, facts.routes);
}

void Overlay::showCounts(const FrameReport& frame, bool isLegend) const {
  const SluStatistics& statistics = frame.statistics;
  ImGui::Separator();
  if (!ImGui::BeginTable("counts", 3, ImGuiTableFlags_SizingFixedFit)) return;
  row("input", statistics.inputCount, 0);
  row("kept", statistics.keptCount, statistics.inputCount);
  if (statistics.demandedCount > statistics.keptCount)
    row("no room for", statistics.demandedCount - statistics.keptCount, statistics.inputCount);
  for (uint32_t reject = 0; reject < SLU_REJECT_COUNT; ++reject)
    if (const uint32_t count = statistics.rejectedCount[reject])
      row(outcomeName(reject), count, statistics.inputCount,
          isLegend ? std::optional(outcomeColor(reject)) : std::nullopt);
  row("draws", statistics.drawCount, 0);
  ImGui::EndTable();
  const auto showTriangles = [](const char* which, uint64_t left, uint64_t drawn) {
    const auto part = static_cast<double>(left), rest = static_cast<double>(drawn);
    ImGui::Text("%s: %.0f triangles, %.1f %%", which, part, left ? 100.0 * part / (part + rest) : 0.0);
  };
  if (frame.cones) showTriangles("facing away", frame.cones->facingAwayTriangles, frame.cones->passedTriangles);
  if (frame.occlusion && frame.occlusion->hiddenTriangles)
    showTriangles("hidden", *frame.occlusion->hiddenTriangles, *frame.occlusion->drawnTriangles);
}

void Overlay::showTimes(const OverlayFacts& facts) const {
  ImGui::Separator();
  if (!ImGui::BeginTable("times", 3)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("median", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("plot", ImGuiTableColumnFlags_WidthStretch);
  for (size_t stage = 0; stage < kStageCount; ++stage) {
    const bool handsOff = static_cast<Stage>(stage) == Stage::Compact && facts.run.route == SLU_ROUTE_CUDA;
    const char* work = handsOff && facts.run.simulatesInCuda ? "CUDA" : stageName(static_cast<Stage>(stage));
    const std::string name = std::string("GPU ") + work + (handsOff ? ", hand-off" : "");
    plot(name.c_str(), facts.samples, [&](const FrameSample& sample) { return sample.report.gpuMicroseconds[stage]; });
  }
  for (const HandOffCall& call : kHandOffCalls)
    plot((std::string("host ") + call.name).c_str(), facts.samples,
         [&](const FrameSample& sample) { return call.timeIn(sample.report); });
  plot("host compact", facts.samples, [](const FrameSample& sample) { return sample.report.hostCompactMicroseconds; });
  plot("host record", facts.samples, [](const FrameSample& sample) { return sample.report.hostMicroseconds; });
  plot("frame", facts.samples, [](const FrameSample& sample) { return sample.frameMicroseconds; });
  ImGui::EndTable();
}

void Overlay::record(VkCommandBuffer commands, uint32_t slot) {
  renderer_->record(commands, slot, *ImGui::GetDrawData());
}

}  // namespace demo
