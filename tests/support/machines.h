// The machines of this process, one of each kind, made when first asked for.
#pragma once

#include <string>

#include "machine.h"

namespace slu::test {

// A route and the host that it runs for.
enum class MachineKind { cpu, vulkan, cuda, cudaVulkan, inlined };
constexpr MachineKind kMachineKinds[] = {MachineKind::cpu, MachineKind::vulkan, MachineKind::cuda,
                                         MachineKind::cudaVulkan, MachineKind::inlined};

// "cpu", "vulkan", "cuda", "cuda_vulkan", "inline".
std::string machineName(MachineKind kind);

// Null where the route is absent; reason then tells why in the library's words.
Machine* findMachine(MachineKind kind, std::string& reason);

// Destroys the machines; what the validation layer says about that is in takeValidationMessages.
void destroyMachines();

// The messages of the validation layer since the last call, one per line.
std::string takeMessages();

}  // namespace slu::test
