// The machines of this process, one per route, made when first asked for.
#pragma once

#include <string>

#include "machine.h"

namespace slu::test {

// Null where the route is absent; reason then tells why in the library's words.
Machine* findMachine(SluRoute route, std::string& reason);

// Destroys the machines; what the validation layer says about that is in takeValidationMessages.
void destroyMachines();

// The messages of the validation layer since the last call, one per line.
std::string takeMessages();

}  // namespace slu::test
