// The machines of this process, one of each kind, made when first asked for.
#pragma once

#include <string>

#include "machine.h"

namespace slu::test {

// A route and the host that it runs for. inlined: on a queue that does not draw where the device has one; mixed: the
// inline and the Vulkan route by turns, frame by frame, on a queue of the first family. vulkanBound: the device enables no
// addresses; vulkanDispatches: the Vulkan route in several dispatches.
enum class MachineKind { cpu, vulkan, vulkanBound, vulkanDispatches, cuda, cudaVulkan, inlined, mixed, d3d12 };
constexpr MachineKind kMachineKinds[] = {
    MachineKind::cpu,  MachineKind::vulkan,     MachineKind::vulkanBound, MachineKind::vulkanDispatches,
    MachineKind::cuda, MachineKind::cudaVulkan, MachineKind::inlined,     MachineKind::mixed,
    MachineKind::d3d12};

// "cpu", "vulkan", "vulkan_bound", "vulkan_dispatches", "cuda", "cuda_vulkan", "inline", "inline_vulkan", "d3d12".
std::string machineName(MachineKind kind);

// Another machine instead of the one that would be made, for a suite that stands in for a driver.
void substituteMachine(MachineKind kind, std::unique_ptr<Machine> (*make)());

// Null where the route is absent; reason then tells why in the library's words.
Machine* findMachine(MachineKind kind, std::string& reason);

// Destroys the machines; what the validation layer says about that is in takeValidationMessages.
void destroyMachines();

// The messages of the validation layer and of the machines since the last call, one per line.
std::string takeMessages();

}  // namespace slu::test
