#include "fixture.h"

namespace slu::test {
namespace {

testing::AssertionResult compare(SluResult actual, SluResult expected, const std::string& sentence,
                                 const std::string& part) {
  if (actual != expected) {
    return testing::AssertionFailure() << sluGetResultName(actual) << " instead of " << sluGetResultName(expected)
                                       << ": " << sentence;
  }
  if (sentence.find(part) == std::string::npos) {
    return testing::AssertionFailure() << "the sentence does not name " << part << ": " << sentence;
  }
  return testing::AssertionSuccess();
}

}  // namespace

void VulkanTest::SetUp() {
  takeMessages();
  try {
    instance_.emplace();
    device_.emplace(*instance_);
  } catch (const Unavailable& unavailable) {
    GTEST_SKIP() << unavailable.what();
  }
}

void VulkanTest::TearDown() {
  device_.reset();
  instance_.reset();
  EXPECT_EQ(takeMessages(), "");
}

Context VulkanTest::makeContext(const SluVulkanDeviceInfo& info) {
  Context context;
  SluMessage message{};
  EXPECT_EQ(createContext(info, context.put(), &message), SLU_SUCCESS) << message.text;
  return context;
}

testing::AssertionResult failsWith(SluResult actual, SluResult expected, const SluMessage& message,
                                   const std::string& part) {
  return compare(actual, expected, message.text, part);
}

testing::AssertionResult failsWith(SluResult actual, SluResult expected, SluContext context, const std::string& part) {
  return compare(actual, expected, sluGetErrorMessage(context), part);
}

SluResult createContext(const SluVulkanDeviceInfo& info, SluContext* context, SluMessage* message) {
  auto contextInfo = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  contextInfo.pNext = &info;
  return sluCreateContext(&contextInfo, context, message);
}

}  // namespace slu::test
