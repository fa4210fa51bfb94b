#include "machine.h"

namespace slu::test {
namespace {

class CpuMachine;

class CpuSession : public Session {
 public:
  CpuSession(CpuMachine& machine, const Scene& scene) : machine_(machine), scene_(scene) {}
  void execute(std::vector<Bytes>& memories, std::uint32_t times) override;

 private:
  CpuMachine& machine_;
  const Scene& scene_;
};

class CpuMachine : public Machine {
 public:
  CpuMachine() {
    const auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    SluMessage message{};
    if (sluCreateContext(&info, context_.put(), &message) != SLU_SUCCESS) throw std::runtime_error(message.text);
    plans_ = std::make_unique<PlanCache>(context_, SLU_ROUTE_CPU);
  }
  SluRoute route() const override { return SLU_ROUTE_CPU; }
  SluContext context() const override { return context_; }
  std::unique_ptr<Session> record(const Scene& scene) override { return std::make_unique<CpuSession>(*this, scene); }
  SluPlan plan(const PlanSpec& spec) override { return plans_->get(spec); }
  void dropPlans() override { plans_->clear(); }

 private:
  Context context_;
  std::unique_ptr<PlanCache> plans_;
};

void CpuSession::execute(std::vector<Bytes>& memories, std::uint32_t times) {
  const HostFrames frames(machine_.context(), memories);
  for (std::uint32_t i = 0; i < times; ++i) {
    for (const FrameSpec& frame : scene_.frames) frames.run(machine_.plan(scene_.planOf(frame)), frame);
  }
}

}  // namespace

std::unique_ptr<Machine> makeCpuMachine() { return std::make_unique<CpuMachine>(); }

}  // namespace slu::test
