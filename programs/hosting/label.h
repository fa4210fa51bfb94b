// Labels the commands that are recorded while it lives, for debuggers and captures.
#pragma once

#include "hosting/device.h"

namespace hosting {

class Label {
 public:
  Label(const Device& device, VkCommandBuffer commands, const char* name) : device_(device), commands_(commands) {
    device.beginLabel(commands, name);
  }
  ~Label() { device_.endLabel(commands_); }
  Label(const Label&) = delete;
  Label& operator=(const Label&) = delete;

 private:
  const Device& device_;
  VkCommandBuffer commands_;
};

}  // namespace hosting
