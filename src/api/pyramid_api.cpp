// The C ABI of sluice_pyramid.h, and what verbs that build pyramids share.
#include <sluice/sluice_pyramid.h>

#include <algorithm>
#include <cstring>

#include "api/frame_checks.h"
#include "api/objects.h"
#include "api/route_table.h"
#include "base/structs.h"

namespace slu {
namespace {

constexpr std::uint32_t kPyramidAlignment = 16;

// Whether the route reads the first struct of the chain.
bool takesChain(const RouteRow& row, const void* chain) {
  if (chain == nullptr) return true;
  const auto isFirst = [&](SluStructureType type) {
    return readHeader(chain).sType == static_cast<std::uint32_t>(type);
  };
  return std::ranges::any_of(row.pyramidChain, isFirst);
}

// For auto, returns the best route that builds such pyramids.
const RouteRow& rowOfPyramid(const ContextState& state, const SluPyramidCreateInfo& info) {
  if (info.route != SLU_ROUTE_AUTO) return rowOf(info.route);
  for (const RouteRow& row : routeRows()) {
    if (state.mayPick(row.route) && takesChain(row, info.pNext)) return row;
  }
  fail(SLU_ERROR_ROUTE_UNAVAILABLE, "pyramid.route: no route reads what pyramid.pNext chains; ",
       state.reason(SLU_ROUTE_AUTO));
}

std::unique_ptr<RoutePyramid> createOn(const RouteRow& row, const SluPyramidCreateInfo& info,
                                       const SluPyramid_T& pyramid) {
  const std::unique_ptr<Route>& route = pyramid.state->routes[row.route];
  if (!route) {
    fail(pyramid.state->refusals[row.route], "pyramid.route: ", row.name,
         " is not available: ", pyramid.state->reason(row.route));
  }
  checkChain(info.pNext, row.pyramidChain, "pyramid");
  return route->createPyramid(pyramid.layout, info.pNext);
}

SluPyramidProperties propertiesOf(const SluPyramid_T& pyramid) {
  const std::uint32_t width = pyramid.layout.width, height = pyramid.layout.height;
  SluPyramidProperties properties{};
  properties.route = pyramid.route;
  properties.levelCount = sluPyramidLevels(width, height);
  properties.bytes = pyramidBytes(width, height, pyramid.layout.layerCount);
  properties.layerBytes = std::uint64_t{4} * sluPyramidLayerWords(width, height);
  properties.scratchBytes = pyramid.routePyramid->scratchBytes();
  for (std::uint32_t level = 0; level < properties.levelCount; ++level) {
    properties.levels[level] = {std::uint64_t{4} * sluPyramidTexel(width, height, 0, level, 0, 0),
                                sluPyramidLevelSize(width, level), sluPyramidLevelSize(height, level)};
  }
  return properties;
}

void bindBuild(const SluPyramidBuildInfo& info, const SluPyramid_T& pyramid, std::uint64_t depthBytes,
               PyramidBuild& build) {
  const auto bind = [&](const Part& part, const SluBinding& given) {
    require(given.buffer != nullptr, part.field, ": is not bound; give it a buffer");
    return bindPart(part, given, *pyramid.state, pyramid.route, "pyramid");
  };
  const std::uint64_t bytes = pyramidBytes(build.width, build.height, pyramid.layout.layerCount);
  build.pyramid = bind({"build.pyramid", Use::output, bytes, kPyramidAlignment}, info.pyramid);
  if (pyramid.routePyramid->readsImages()) return;
  build.depth = bind({"build.depth", Use::input, depthBytes}, info.depth);
  require(!shareBytes(build.pyramid, build.depth), "build.pyramid: its ", bytes, " bytes overlap the ", depthBytes,
          " bytes of build.depth; bind another place");
}

}  // namespace

SluResult buildPyramid(SluPyramid pyramid, const SluPyramidBuildInfo* info, void* target, const char* verb) noexcept {
  if (pyramid == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*pyramid->state, [&] {
    const RouteRow& row = rowOf(pyramid->route);
    if (std::strcmp(row.buildVerb, verb) != 0) {
      fail(SLU_ERROR_ROUTE_UNAVAILABLE, "pyramid.route: the pyramid is one of the ", row.name, " route, whose verb is ",
           row.buildVerb, ", not ", verb);
    }
    require(target != nullptr || row.targetName == nullptr, row.targetName, ": is null");
    const auto read = readStruct(info, SLU_STRUCTURE_TYPE_PYRAMID_BUILD_INFO, sizeof(*info), "build");
    checkChain(read.pNext, row.buildChain, "build");
    PyramidBuild build;
    const std::uint64_t depthBytes =
        checkPyramidBuild(read, pyramid->layout, pyramid->routePyramid->readsImages(), build);
    bindBuild(read, *pyramid, depthBytes, build);
    pyramid->routePyramid->build(build, target);
  });
}

}  // namespace slu

using namespace slu;

SluResult sluCreatePyramid(SluContext context, const SluPyramidCreateInfo* info, SluPyramid* pyramid) {
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*context->state, [&] {
    const auto read = readStruct(info, SLU_STRUCTURE_TYPE_PYRAMID_CREATE_INFO, sizeof(*info), "pyramid");
    require(pyramid != nullptr, "pyramid: the pointer that receives the handle is null");
    checkEnum(read.route, SLU_ROUTE_COUNT - 1, "pyramid.route");
    auto created = std::make_unique<SluPyramid_T>();
    created->state = context->state;
    created->layout = checkPyramid(read);
    const RouteRow& row = rowOfPyramid(*context->state, read);
    created->route = row.route;
    created->routePyramid = createOn(row, read, *created);
    *pyramid = created.release();
  });
}

void sluDestroyPyramid(SluPyramid pyramid) { delete pyramid; }

SluResult sluGetPyramidProperties(SluPyramid pyramid, SluPyramidProperties* properties) {
  if (pyramid == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*pyramid->state, [&] {
    checkOutput(properties, SLU_STRUCTURE_TYPE_PYRAMID_PROPERTIES, sizeof(*properties), "properties");
    writeStruct(properties, propertiesOf(*pyramid));
  });
}

SluResult sluBuildPyramid(SluPyramid pyramid, const SluPyramidBuildInfo* build) {
  return buildPyramid(pyramid, build, nullptr, "sluBuildPyramid");
}
