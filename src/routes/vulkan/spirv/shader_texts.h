// The text of the library's shaders, into which predicates in GLSL are compiled.
#pragma once

#include <map>
#include <string>

namespace slu {

// By name: "compact.comp", "steps/rank.glsl", "sluice/culling.h".
std::map<std::string, std::string> shaderTexts();

}  // namespace slu
