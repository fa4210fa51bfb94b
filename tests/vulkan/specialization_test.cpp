// What the library makes of specialization constants is what a driver makes of them. That no kernel computes anything
// else is what the contract suite shows; the validation layer reads every module.
#include "routes/vulkan/spirv/specialization.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <set>
#include <stdexcept>
#include <vector>

#include "compact_bound.h"
#include "compact_native.h"
#include "count_bound.h"
#include "count_native.h"
#include "fixture.h"
#include "routes/vulkan/pipelines.h"
#include "routes/vulkan/spirv/spirv.h"
#include "specialized/branches.h"
#include "spirv.h"
#ifdef SLUICE_TEST_HAS_OPTIMIZED
#include "specialized/optimized.h"
#endif

namespace slu::test {
namespace {

constexpr std::uint32_t kLanes = 32;  // of specialized.comp
using Values = std::array<std::uint32_t, 3>;

// The words that the shader writes.
class Specialization : public VulkanTest {
 protected:
  std::vector<std::uint32_t> run(Words code, const Values* values, const std::vector<std::uint32_t>& input);

 private:
  template <typename Function>
  Function find(const char* name) const {
    const auto found = reinterpret_cast<Function>(instance().functions.vkGetDeviceProcAddr(device().handle, name));
    if (found == nullptr) throw std::runtime_error(name);
    return found;
  }
};

#define SLU_TEST_FIND(name) const auto name = find<PFN_##name>(#name)

// values: which the driver takes; null: none.
std::vector<std::uint32_t> Specialization::run(Words code, const Values* values,
                                               const std::vector<std::uint32_t>& input) {
  SLU_TEST_FIND(vkCreateShaderModule);
  SLU_TEST_FIND(vkDestroyShaderModule);
  SLU_TEST_FIND(vkCreateDescriptorSetLayout);
  SLU_TEST_FIND(vkDestroyDescriptorSetLayout);
  SLU_TEST_FIND(vkCreatePipelineLayout);
  SLU_TEST_FIND(vkDestroyPipelineLayout);
  SLU_TEST_FIND(vkCreateDescriptorPool);
  SLU_TEST_FIND(vkDestroyDescriptorPool);
  SLU_TEST_FIND(vkAllocateDescriptorSets);
  SLU_TEST_FIND(vkUpdateDescriptorSets);
  SLU_TEST_FIND(vkCreateComputePipelines);
  SLU_TEST_FIND(vkDestroyPipeline);
  SLU_TEST_FIND(vkCmdBindPipeline);
  SLU_TEST_FIND(vkCmdBindDescriptorSets);
  SLU_TEST_FIND(vkCmdDispatch);

  const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                             nullptr};
  VkDescriptorSetLayoutCreateInfo setInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 1, &binding};
  VkDescriptorSetLayout setLayout{};
  check(vkCreateDescriptorSetLayout(device().handle, &setInfo, nullptr, &setLayout), "vkCreateDescriptorSetLayout");
  VkPipelineLayoutCreateInfo layoutInfo{
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, nullptr, 0, 1, &setLayout, 0, nullptr};
  VkPipelineLayout layout{};
  check(vkCreatePipelineLayout(device().handle, &layoutInfo, nullptr, &layout), "vkCreatePipelineLayout");

  VkShaderModuleCreateInfo moduleInfo{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, nullptr, 0, code.size_bytes(),
                                      code.data()};
  VkShaderModule module{};
  check(vkCreateShaderModule(device().handle, &moduleInfo, nullptr, &module), "vkCreateShaderModule");
  const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
  const VkSpecializationInfo specialization{3, entries, sizeof(Values), values};
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  if (values != nullptr) info.stage.pSpecializationInfo = &specialization;
  info.layout = layout;
  VkPipeline pipeline{};
  check(vkCreateComputePipelines(device().handle, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "vkCreateComputePipelines");

  const VkDescriptorPoolSize poolSize{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  const VkDescriptorPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &poolSize};
  VkDescriptorPool pool{};
  check(vkCreateDescriptorPool(device().handle, &poolInfo, nullptr, &pool), "vkCreateDescriptorPool");
  const VkDescriptorSetAllocateInfo allocateInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1,
                                                 &setLayout};
  VkDescriptorSet set{};
  check(vkAllocateDescriptorSets(device().handle, &allocateInfo, &set), "vkAllocateDescriptorSets");
  const VulkanBuffer buffer(device(), 8 * kLanes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, VulkanBuffer::Kind::mapped);
  const VkDescriptorBufferInfo bufferInfo{buffer.handle, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = set;
  write.descriptorCount = 1;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &bufferInfo;
  vkUpdateDescriptorSets(device().handle, 1, &write, 0, nullptr);

  std::memset(buffer.mapped, 0xa5, 8 * kLanes);
  std::memcpy(buffer.mapped, input.data(), 4 * kLanes);
  device().runOnce([&](VkCommandBuffer commands) {
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    vkCmdDispatch(commands, 1, 1, 1);
    device().barrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                     VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  });
  std::vector<std::uint32_t> output(kLanes);
  std::memcpy(output.data(), buffer.mapped + 4 * kLanes, 4 * kLanes);

  vkDestroyDescriptorPool(device().handle, pool, nullptr);
  vkDestroyPipeline(device().handle, pipeline, nullptr);
  vkDestroyShaderModule(device().handle, module, nullptr);
  vkDestroyPipelineLayout(device().handle, layout, nullptr);
  vkDestroyDescriptorSetLayout(device().handle, setLayout, nullptr);
  return output;
}

// The shader as glslang writes it, and with values in registers, which meet in OpPhi, where glslang can.
std::vector<Words> forms() {
  std::vector<Words> all = {specialized_branches};
#ifdef SLUICE_TEST_HAS_OPTIMIZED
  all.push_back(specialized_optimized);
#endif
  return all;
}

TEST_F(Specialization, ComputesWhatTheDriversOwnDoes) {
  Random random;
  std::vector<std::uint32_t> input(kLanes);
  for (std::uint32_t& word : input) word = random.below(kLanes);  // indices of words, too
  std::set<std::vector<std::uint32_t>> results;
  for (const Words code : forms()) {
    for (std::uint32_t i = 0; i < 5 * 4 * 2; ++i) {
      const Values values = {i % 5, i / 5 % 4, i / 20};
      SCOPED_TRACE(testing::PrintToString(values));
      const std::vector<std::uint32_t> expected = run(code, &values, input);
      const std::vector<std::uint32_t> specialized = specialize(code, values);
      EXPECT_EQ(run(specialized, nullptr, input), expected);
      EXPECT_LT(specialized.size(), code.size());
      results.insert(expected);
    }
  }
  EXPECT_EQ(results.size(), 40u);  // every value matters, and both forms compute the same
}

// What is left has no constant_id and no function that nothing calls, and specializes to itself.
void expectComplete(Words module) {
  std::set<std::uint32_t> functions, called, named;
  forEachInstruction(module, [&](std::uint32_t op, Words operands) {
    constexpr std::uint32_t kSpecId = 1;
    EXPECT_FALSE(op == spirv::OpDecorate && operands[1] == kSpecId);
    EXPECT_FALSE(op >= spirv::OpSpecConstantTrue && op <= spirv::OpSpecConstantOp) << op;
    if (op == spirv::OpEntryPoint) called.insert(operands[1]);
    if (op == spirv::OpFunction) functions.insert(operands[1]);
    if (op == spirv::OpFunctionCall) called.insert(operands[2]);
  });
  EXPECT_EQ(functions, called);
  EXPECT_TRUE(std::ranges::equal(specialize(module, Values{}), module));
}

TEST_F(Specialization, LeavesNothingUnused) {
  for (const Words code : forms()) {
    for (std::uint32_t i = 0; i < 5 * 4 * 2; ++i) expectComplete(specialize(code, Values{i % 5, i / 5 % 4, i / 20}));
  }
}

// Of a kernel as a simple plan has it, less than half is left.
TEST(SpecializedKernels, LeaveOutWhatThePlanDoesNotHave) {
  // In the order of KernelConstants: records of 16 bytes whose first word is not zero, indices, one bucket.
  const std::uint32_t values[] = {
      4, SLU_LIVE_NON_EMPTY, 0, 0, 0, 0, 1, SLU_OUTPUT_INDICES_BIT, 0, 1, 0, 32, 4, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0};
  static_assert(sizeof(values) == sizeof(KernelConstants));
  for (const PackedSpirv& packed : {compact_native, compact_bound, count_native, count_bound}) {
    const std::vector<std::uint32_t> module = unpack(packed);
    const std::vector<std::uint32_t> specialized = specialize(module, values);
    EXPECT_LT(2 * specialized.size(), module.size());
    expectComplete(specialized);
  }
}

}  // namespace
}  // namespace slu::test
