// Lets the contract suite's tests of the inline route run on the fake.
#include "fake_machine.h"
#include "machines.h"

namespace slu::test {
namespace {

const int kSubstituted = [] {
  substituteMachine(MachineKind::inlined, [] { return makeFakeMachine(); });
  return 0;
}();

}  // namespace
}  // namespace slu::test
