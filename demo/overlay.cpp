#include "overlay.h"

#include <backends/imgui_impl_glfw.h>
#include <imgui.h>

#include <algorithm>
#include <functional>

#include "options.h"
#include "shaders/rejects.h"
#include "viewer_keys.h"

namespace demo {
namespace {

constexpr float kFontPixels = 13.0f;  // of the built-in font, drawn without blur at multiples
constexpr float kWidth = 310.0f;
constexpr float kPlotLines = 1.6f;  // height, in lines of text
const ImVec4 kProblemColour(1.0f, 0.45f, 0.35f, 1.0f);
constexpr int kMaxSliderCount = 1 << 22;

struct RejectName {
  SluReject reject;
  const char* name;
};
constexpr RejectName kRejectNames[] = {{SLU_REJECT_NOT_LIVE, "not live"}, {SLU_REJECT_KEY, "key"},
                                       {SLU_REJECT_INVALID, "invalid"},   {SLU_REJECT_DISTANCE, "distance"},
                                       {SLU_REJECT_FRUSTUM, "frustum"},   {SLU_REJECT_SIZE, "size"}};

using Pick = std::function<std::optional<double>(const FrameSample&)>;

// A row: name, median, and a plot from 0 on; nothing when no frame has the time.
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

void chooseScene(SceneKind& scene) {
  ImGui::SetNextItemWidth(0.62f * ImGui::GetContentRegionAvail().x);
  if (!ImGui::BeginCombo("scene", sceneName(scene))) return;
  for (const SceneKind kind : kScenes)
    if (ImGui::Selectable(sceneName(kind), kind == scene)) scene = kind;
  ImGui::EndCombo();
}

}  // namespace

Overlay::Overlay(const Device& device, const Window& window) {
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
  ImGui_ImplGlfw_InitForOther(window.get(), true);

  const float scale = std::max(window.contentScale(), 1.0f);
  ImFontConfig font;
  font.SizePixels = std::floor(kFontPixels * scale);
  io.Fonts->AddFontDefault(&font);
  ImGui::GetStyle().ScaleAllSizes(scale);
  ImGui::GetStyle().WindowRounding = 4.0f * scale;
  ImGui::GetStyle().Colors[ImGuiCol_WindowBg] = ImVec4(0.02f, 0.03f, 0.05f, 0.78f);
  renderer_.emplace(device);
}

Overlay::~Overlay() {
  renderer_.reset();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
}

bool Overlay::takesMouse() const { return ImGui::GetIO().WantCaptureMouse; }
bool Overlay::takesKeys() const { return ImGui::GetIO().WantTextInput; }

void Overlay::update(const OverlayFacts& facts, OverlaySwitches& switches) {
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float scale = ImGui::GetFontSize() / kFontPixels;
  ImGui::SetNextWindowPos(ImVec2(8.0f, 8.0f), ImGuiCond_FirstUseEver);
  ImGui::SetNextWindowSizeConstraints(ImVec2(kWidth * scale, 0.0f),
                                      ImVec2(kWidth * scale, std::max(display.y - 16.0f, 32.0f)));
  ImGui::Begin("Sluice", nullptr, ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(facts.device);
  ImGui::Text("route %s", facts.route);
  if (*facts.routeReason) ImGui::TextDisabled("%s", facts.routeReason);
  if (*facts.shaderError) ImGui::TextColored(ImVec4(1.0f, 0.3f, 0.25f, 1.0f), "%s", facts.shaderError);
  if (*facts.problem) ImGui::TextColored(kProblemColour, "%s", facts.problem);
  ImGui::PopTextWrapPos();
  if (!facts.samples.empty())
    showCounts(facts.samples.back().report.statistics, switches.showsGhosts || switches.showsInset);
  showTimes(facts);
  showSwitches(facts, switches);
  if (ImGui::CollapsingHeader("Keys")) {
    ImGui::PushTextWrapPos(0.0f);
    for (const ViewerKey& key : kViewerKeys) ImGui::Text("%s: %s", key.name, key.meaning);
    ImGui::PopTextWrapPos();
  }
  ImGui::End();
  ImGui::Render();
}

void Overlay::showCounts(const SluStatistics& statistics, bool isLegend) const {
  ImGui::Separator();
  if (!ImGui::BeginTable("counts", 3, ImGuiTableFlags_SizingFixedFit)) return;
  row("input", statistics.inputCount, 0);
  row("kept", statistics.keptCount, statistics.inputCount);
  if (statistics.demandedCount > statistics.keptCount)
    row("no room for", statistics.demandedCount - statistics.keptCount, statistics.inputCount);
  for (const RejectName& test : kRejectNames)
    if (const uint32_t count = statistics.rejectedCount[test.reject])
      row(test.name, count, statistics.inputCount, isLegend ? std::optional(outcomeColor(test.reject)) : std::nullopt);
  row("draws", statistics.drawCount, 0);
  ImGui::EndTable();
}

void Overlay::showTimes(const OverlayFacts& facts) const {
  ImGui::Separator();
  if (!ImGui::BeginTable("times", 3)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("median", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("plot", ImGuiTableColumnFlags_WidthStretch);
  for (size_t stage = 0; stage < kStageCount; ++stage) {
    const std::string name = std::string("GPU ") + stageName(static_cast<Stage>(stage));
    plot(name.c_str(), facts.samples, [&](const FrameSample& sample) { return sample.report.gpuMicroseconds[stage]; });
  }
  plot("host compact", facts.samples, [](const FrameSample& sample) { return sample.report.hostCompactMicroseconds; });
  plot("host record", facts.samples, [](const FrameSample& sample) { return sample.report.hostMicroseconds; });
  plot("frame", facts.samples, [](const FrameSample& sample) { return sample.frameMicroseconds; });
  ImGui::EndTable();
}

void Overlay::showSwitches(const OverlayFacts& facts, OverlaySwitches& switches) {
  ImGui::Separator();
  chooseScene(switches.scene);
  ImGui::Checkbox("stable order", &switches.isStable);
  ImGui::Checkbox("freeze culling", &switches.isFrozen);
  ImGui::Checkbox("ghosts", &switches.showsGhosts);
  ImGui::SameLine();
  ImGui::Checkbox("from above", &switches.showsInset);
  ImGui::Checkbox("vsync", &switches.isVsync);
  ImGui::SameLine();
  ImGui::TextDisabled("%s", facts.presentMode);
  if (!isEditing_) editedCount_ = static_cast<int>(switches.instanceCount);
  ImGui::SetNextItemWidth(0.62f * ImGui::GetContentRegionAvail().x);
  ImGui::SliderInt("records", &editedCount_, 1, kMaxSliderCount, "%d",
                   ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
  isEditing_ = ImGui::IsItemActive();
  if (ImGui::IsItemDeactivatedAfterEdit()) switches.instanceCount = static_cast<uint32_t>(editedCount_);
  if (facts.picked) ImGui::TextWrapped("picked %s", describe(*facts.picked).c_str());
  ImGui::Text("camera %s, %.3g units/s", facts.camera, static_cast<double>(facts.speed));
}

void Overlay::record(VkCommandBuffer commands, uint32_t slot) {
  renderer_->record(commands, slot, *ImGui::GetDrawData());
}

}  // namespace demo
