#include "uniform_flow.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace slu::test {
namespace {

namespace op {
constexpr std::uint32_t name = 5, extInst = 12, entryPoint = 15, typePointer = 32, constant = 43, specConstantOp = 52,
                        function = 54, functionParameter = 55, functionEnd = 56, functionCall = 57, variable = 59,
                        load = 61, store = 62, accessChain = 65, inBoundsAccessChain = 66, decorate = 71,
                        vectorShuffle = 79, compositeExtract = 81, compositeInsert = 82, equal = 170, notEqual = 171,
                        controlBarrier = 224, memoryBarrier = 225, atomicLoad = 227, atomicStore = 228,
                        lastAtomic = 242, loopMerge = 246, selectionMerge = 247, label = 248, branch = 249,
                        branchConditional = 250, switchTo = 251, kill = 252, returns = 253, returnValue = 254,
                        unreachable = 255, firstGroup = 333, lastGroup = 366;
}

constexpr std::uint32_t kInput = 1, kWorkgroup = 4, kPrivate = 6, kStorageBuffer = 12, kPhysicalStorageBuffer = 5349;
constexpr std::uint32_t kBuiltIn = 11;
// NumWorkgroups, WorkgroupId, SubgroupSize, NumSubgroups.
const std::set<std::uint32_t> kUniformBuiltIns = {24, 26, 36, 38};

struct Instruction {
  std::uint32_t op;
  std::vector<std::uint32_t> operands;
};

bool isAtomic(std::uint32_t op) { return op >= op::atomicLoad && op <= op::lastAtomic; }
bool isGroupOperation(std::uint32_t op) { return op >= op::firstGroup && op <= op::lastGroup; }
bool isBuffer(std::uint32_t storage) { return storage == kStorageBuffer || storage == kPhysicalStorageBuffer; }

// Whether the instruction has a result whose value its operands decide.
bool isValue(std::uint32_t op) {
  switch (op) {
    case op::store:
    case op::atomicStore:
    case op::controlBarrier:
    case op::memoryBarrier:
    case op::loopMerge:
    case op::selectionMerge:
    case op::label:
    case op::branch:
    case op::branchConditional:
    case op::switchTo:
    case op::kill:
    case op::returns:
    case op::returnValue:
    case op::unreachable:
    case op::variable:
    case op::functionCall:
      return false;
    default:
      return true;
  }
}

// The operands of a value that are values, and no literal numbers.
std::span<const std::uint32_t> sources(const Instruction& instruction) {
  const std::span<const std::uint32_t> all = instruction.operands;
  if (all.size() < 3) return {};
  switch (instruction.op) {
    case op::extInst:
      return all.subspan(4);
    case op::load:
    case op::compositeExtract:
      return all.subspan(2, 1);
    case op::compositeInsert:
    case op::vectorShuffle:
      return all.subspan(2, 2);
    default:
      return all.subspan(2);
  }
}

struct FunctionCode {
  std::vector<std::uint32_t> parameters;
  std::vector<Instruction> body;
};

struct Module {
  explicit Module(Words words) {
    FunctionCode* open = nullptr;
    forEachInstruction(words, [&](std::uint32_t op, Words operands) {
      switch (op) {
        case op::name:
          names[operands[0]] = reinterpret_cast<const char*>(&operands[1]);
          return;
        case op::entryPoint:
          mainFunction = operands[1];
          return;
        case op::decorate:
          if (operands[1] == kBuiltIn) builtIns[operands[0]] = operands[2];
          return;
        case op::typePointer:
          storageOfType[operands[0]] = operands[1];
          return;
        case op::function:
          open = &functions[operands[1]];
          return;
        case op::functionEnd:
          open = nullptr;
          return;
        case op::functionParameter:
          open->parameters.push_back(operands[1]);
          noteType(operands);
          return;
        default:
          break;
      }
      const bool isPartOfConstant = op == op::compositeExtract && constants.contains(operands[2]);
      if ((op >= op::constant - 2 && op <= op::specConstantOp) || isPartOfConstant) constants.insert(operands[1]);
      if (op == op::variable || (open != nullptr && operands.size() >= 2 && isValue(op))) noteType(operands);
      if (open != nullptr) open->body.push_back({op, {operands.begin(), operands.end()}});
    });
  }

  void noteType(Words operands) {
    const auto storage = storageOfType.find(operands[0]);
    if (storage != storageOfType.end()) storageOf[operands[1]] = storage->second;
  }

  std::string nameOf(std::uint32_t id) const {
    const auto found = names.find(id);
    return found == names.end() ? std::to_string(id) : found->second.substr(0, found->second.find('('));
  }

  std::uint32_t storage(std::uint32_t pointer) const {
    const auto found = storageOf.find(pointer);
    return found == storageOf.end() ? ~0u : found->second;
  }

  std::uint32_t mainFunction = 0;
  std::map<std::uint32_t, std::string> names;  // none in what the library holds
  std::map<std::uint32_t, std::uint32_t> builtIns;
  std::map<std::uint32_t, std::uint32_t> storageOfType;
  std::map<std::uint32_t, std::uint32_t> storageOf;  // of pointers
  std::set<std::uint32_t> constants;
  std::map<std::uint32_t, FunctionCode> functions;
};

// ---- Uniform flow ----

// What is known of one call of a function, from main on: compilers inline all of them.
struct Call {
  std::uint32_t function = 0;
  Call* caller = nullptr;
  bool isDivergent = false;  // some invocations make it, and others do not
  bool returnsVarying = false;
  std::set<std::uint32_t> varying;                                     // values, and variables by what they hold
  std::set<std::size_t> divergentLoops;                                // by the place of their OpLoopMerge
  std::map<std::uint32_t, std::pair<Call*, std::uint32_t>> variables;  // that pointers point into
  std::map<std::size_t, std::unique_ptr<Call>> calls;
};

class FlowCheck {
 public:
  explicit FlowCheck(Words words) : module_(words) { main_.function = module_.mainFunction; }

  std::vector<std::string> run() {
    do {
      isChanged_ = false;
      found_.clear();
      walk(main_);
    } while (isChanged_);
    return found_;
  }

 private:
  struct Construct {
    std::uint32_t merge;
    std::uint32_t continueTarget;  // of a loop; else 0
    std::size_t place;
    bool isDivergent;
  };

  void mark(std::set<std::uint32_t>& set, std::uint32_t id) { isChanged_ |= set.insert(id).second; }
  void mark(bool& flag) {
    isChanged_ |= !flag;
    flag = true;
  }

  // The variable that a pointer points into, and whose it is; none for memory.
  std::optional<std::pair<Call*, std::uint32_t>> variableOf(Call& call, std::uint32_t pointer) {
    const auto found = call.variables.find(pointer);
    if (found != call.variables.end()) return found->second;
    const std::uint32_t storage = module_.storage(pointer);
    if (storage == kPrivate) return std::pair(&main_, pointer);
    return std::nullopt;
  }

  bool isVarying(Call& call, std::uint32_t id) { return call.varying.contains(id); }

  bool loadsVarying(Call& call, std::uint32_t pointer, std::uint32_t base) {
    if (isVarying(call, pointer)) return true;
    const std::uint32_t storage = module_.storage(pointer);
    if (storage == kWorkgroup || isBuffer(storage)) return true;
    if (storage == kInput) {
      const auto builtIn = module_.builtIns.find(base);
      return builtIn == module_.builtIns.end() || !kUniformBuiltIns.contains(builtIn->second);
    }
    const auto variable = variableOf(call, pointer);
    return variable && variable->first->varying.contains(variable->second);
  }

  void walk(Call& call) {
    const FunctionCode& code = module_.functions.at(call.function);
    std::vector<Construct> open;
    std::map<std::uint32_t, std::uint32_t> bases;  // of access chains
    bool hasReturned = false;                      // some invocations
    std::uint32_t selection = 0;                   // the merge block of the next branch, or 0
    const auto diverges = [&](std::size_t from = 0) {
      return std::any_of(open.begin() + static_cast<std::ptrdiff_t>(from), open.end(),
                         [](const Construct& construct) { return construct.isDivergent; });
    };
    const auto isDivergent = [&] { return call.isDivergent || hasReturned || diverges(); };
    const auto divergeLoop = [&](Construct& loop) {
      loop.isDivergent = true;
      isChanged_ |= call.divergentLoops.insert(loop.place).second;
    };
    // A way out of a loop, or to its next turn, that not all invocations take together.
    const auto branch = [&](std::uint32_t target, bool isVaryingBranch) {
      for (std::size_t i = 0; i < open.size(); ++i) {
        if (open[i].continueTarget == 0 || (target != open[i].merge && target != open[i].continueTarget)) continue;
        if (isVaryingBranch || diverges(i + 1)) divergeLoop(open[i]);
      }
    };
    for (std::size_t place = 0; place < code.body.size(); ++place) {
      const auto& [op, operands] = code.body[place];
      switch (op) {
        case op::label:
          while (!open.empty() && open.back().merge == operands[0]) open.pop_back();
          break;
        case op::loopMerge:
          open.push_back({operands[0], operands[1], place, call.divergentLoops.contains(place)});
          break;
        case op::selectionMerge:
          selection = operands[0];
          break;
        case op::branch:
          branch(operands[0], false);
          break;
        case op::branchConditional:
        case op::switchTo: {
          const bool isVaryingBranch = isVarying(call, operands[0]);
          branch(operands[1], isVaryingBranch);
          if (op == op::branchConditional) branch(operands[2], isVaryingBranch);
          if (selection != 0) open.push_back({selection, 0, place, isVaryingBranch});
          selection = 0;
          break;
        }
        case op::returns:
        case op::returnValue:
          if (op == op::returnValue && (isVarying(call, operands[0]) || hasReturned || diverges())) {
            mark(call.returnsVarying);
          }
          if (!diverges()) break;
          hasReturned = true;
          for (Construct& construct : open) {
            if (construct.continueTarget != 0) divergeLoop(construct);
          }
          break;
        case op::controlBarrier:
          if (isDivergent()) found_.push_back(pathOf(call));
          break;
        case op::variable:
          call.variables.try_emplace(operands[1], &call, operands[1]);
          break;
        case op::store: {
          const auto variable = variableOf(call, operands[0]);
          if (!variable) break;
          if (isVarying(call, operands[1]) || isVarying(call, operands[0]) || isDivergent()) {
            mark(variable->first->varying, variable->second);
          }
          break;
        }
        case op::functionCall:
          enter(call, place, operands, isDivergent());
          break;
        default:
          if (!isValue(op) || operands.size() < 2) break;
          if (op == op::accessChain || op == op::inBoundsAccessChain) {
            const auto base = bases.find(operands[2]);
            bases[operands[1]] = base == bases.end() ? operands[2] : base->second;
            if (const auto variable = variableOf(call, operands[2])) call.variables.try_emplace(operands[1], *variable);
          }
          if (isVaryingValue(call, code.body[place], bases)) mark(call.varying, operands[1]);
      }
    }
  }

  bool isVaryingValue(Call& call, const Instruction& instruction, const std::map<std::uint32_t, std::uint32_t>& bases) {
    if (isAtomic(instruction.op) || isGroupOperation(instruction.op)) return true;
    if (instruction.op == op::load) {
      const std::uint32_t pointer = instruction.operands[2];
      const auto base = bases.find(pointer);
      return loadsVarying(call, pointer, base == bases.end() ? pointer : base->second);
    }
    const auto used = sources(instruction);
    return std::any_of(used.begin(), used.end(), [&](std::uint32_t id) { return isVarying(call, id); });
  }

  void enter(Call& call, std::size_t place, const std::vector<std::uint32_t>& operands, bool isDivergent) {
    std::unique_ptr<Call>& callee = call.calls[place];
    if (!callee) {
      callee = std::make_unique<Call>();
      callee->function = operands[2];
      callee->caller = &call;
    }
    callee->isDivergent = isDivergent;
    const auto& parameters = module_.functions.at(operands[2]).parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::uint32_t argument = operands[3 + i];
      if (isVarying(call, argument)) mark(callee->varying, parameters[i]);
      if (const auto variable = variableOf(call, argument)) callee->variables.try_emplace(parameters[i], *variable);
    }
    walk(*callee);
    if (callee->returnsVarying) mark(call.varying, operands[1]);
  }

  std::string pathOf(const Call& call) const {
    const std::string name = module_.nameOf(call.function);
    return call.caller == nullptr ? name : pathOf(*call.caller) + " > " + name;
  }

  const Module module_;
  Call main_;
  bool isChanged_ = false;
  std::vector<std::string> found_;
};

// ---- Arrivals ----

// Values and variables that depend on a counter in memory, wherever they are used.
class ArrivalCheck {
 public:
  explicit ArrivalCheck(Words words) : module_(words) {}

  std::size_t run() {
    std::size_t before;
    do {
      before = counted_.size();
      found_ = 0;
      for (const auto& [id, code] : module_.functions) {
        for (const Instruction& instruction : code.body) follow(id, instruction);
      }
    } while (counted_.size() != before);
    return found_;
  }

 private:
  bool isCounted(std::uint32_t id) const { return counted_.contains(id); }

  std::uint32_t rootOf(std::uint32_t pointer) const {
    const auto found = roots_.find(pointer);
    return found == roots_.end() ? pointer : found->second;
  }

  void follow(std::uint32_t function, const Instruction& instruction) {
    const auto& [op, operands] = instruction;
    switch (op) {
      case op::store:
        if (isCounted(operands[1]) && !isBuffer(module_.storage(operands[0]))) counted_.insert(rootOf(operands[0]));
        return;
      case op::load:
        // What lies at a place that was taken does not tell who took it.
        if (!isBuffer(module_.storage(operands[2])) && isCounted(rootOf(operands[2]))) counted_.insert(operands[1]);
        return;
      case op::returnValue:
        if (isCounted(operands[0])) counted_.insert(function);
        return;
      case op::functionCall: {
        const auto& parameters = module_.functions.at(operands[2]).parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i) {
          const std::uint32_t argument = rootOf(operands[3 + i]);
          if (isCounted(argument)) counted_.insert(parameters[i]);
          if (module_.storageOf.contains(parameters[i]) && isCounted(parameters[i])) counted_.insert(argument);
        }
        if (isCounted(operands[2])) counted_.insert(operands[1]);
        return;
      }
      case op::accessChain:
      case op::inBoundsAccessChain:
        roots_[operands[1]] = rootOf(operands[2]);
        return;
      default:
        break;
    }
    if (!isValue(op) || operands.size() < 3) return;
    if (isAtomic(op) && isBuffer(module_.storage(operands[2]))) counted_.insert(operands[1]);
    const auto used = sources(instruction);
    if (!std::any_of(used.begin(), used.end(), [&](std::uint32_t id) { return isCounted(id); })) return;
    counted_.insert(operands[1]);
    const bool hasConstant =
        std::any_of(used.begin(), used.end(), [&](std::uint32_t id) { return module_.constants.contains(id); });
    if ((op == op::equal || op == op::notEqual) && !hasConstant) ++found_;
  }

  const Module module_;
  std::set<std::uint32_t> counted_;
  std::map<std::uint32_t, std::uint32_t> roots_;
  std::size_t found_ = 0;
};

}  // namespace

std::vector<std::string> barriersInVaryingFlow(Words module) { return FlowCheck(module).run(); }

std::size_t comparisonsOfArrivals(Words module) { return ArrivalCheck(module).run(); }

}  // namespace slu::test
