#version 460
#extension GL_GOOGLE_include_directive : require
// Facades with lit windows, streets under lamps, trees and cars, in the light of the evening.
#include "frame.glsl"
#include "dusk.glsl"
#include "noise.glsl"
#include "shadows.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer MaterialReference { Material at[]; };
// A bit for each pattern that the materials of a pipeline have; what the others need is compiled away.
layout(constant_id = 0) const uint patterns = ~0u;

layout(push_constant) uniform Push {
  FrameReference frame;
  layout(offset = 24) MaterialReference materials;
};
layout(location = 0) in vec3 worldPosition;
layout(location = 1) in vec3 localPosition;
layout(location = 2) in vec3 worldNormal;
layout(location = 3) in vec3 localNormal;
layout(location = 4) flat in uint material;
layout(location = 5) flat in uint seed;
layout(location = 0) out vec4 color;

const vec2 kWindowCell = vec2(2.6, 3.3);  // metres; the height of a floor as the buildings have it

struct Surface {
  vec3 colour;
  float roughness;
  vec3 glow;
  vec3 normal;
};

// Light of the four lamps nearest in the pattern of blocks and of those across the street.
vec3 lampLight(vec3 normal) {
  vec2 inBlock = abs(mod(worldPosition.xz + 0.5 * kBlockPitch, kBlockPitch) - 0.5 * kBlockPitch);
  // The lamp hangs over the street.
  float across = kLampAcross + 1.3;
  vec2 lamps[4] = vec2[](vec2(across, kLampAlong), vec2(kLampAlong, across), vec2(kBlockPitch - across, kLampAlong),
                         vec2(kLampAlong, kBlockPitch - across));
  float sum = 0.0, below = kLampHeight - worldPosition.y;
  for (int lamp = 0; lamp < 4; ++lamp) {
    vec2 away = lamps[lamp] - inBlock;
    float squared = dot(away, away) + below * below;
    // Up-facing ground sees the lamp by its cosine, walls by half.
    float facing = mix(0.45, max(below, 0.0) * inversesqrt(squared), clamp(normal.y, 0.0, 1.0));
    sum += facing / (1.0 + 0.0016 * squared * squared) * smoothstep(-4.0, 1.0, below);
  }
  return vec3(1.0, 0.56, 0.23) * 10.0 * sum;
}

vec3 lampColour(uint h) {
  float kind = unitHash(h + 1u);
  vec3 tint = kind < 0.55 ? vec3(1.0, 0.62, 0.28) : kind < 0.85 ? vec3(1.0, 0.82, 0.56) : vec3(0.66, 0.82, 1.0);
  return tint * (0.35 + 1.25 * unitHash(h + 2u) * unitHash(h + 2u));
}

// Differs between the sides of a building.
uint faceNumber() { return uint(int(round(localNormal.x * 3.0 + localNormal.z * 7.0)) + 16); }

// Windows in a grid over the facade, some of them lit. Where a window is smaller than a pixel, their average.
void addWindows(inout Surface surface, bool isGlass, float distance, float facing) {
  if (abs(localNormal.y) > 0.5 || localPosition.y < (isGlass ? 4.2 : 3.3)) return;
  vec3 tangent = normalize(cross(vec3(0.0, 1.0, 0.0), localNormal));
  vec2 place = vec2(dot(localPosition, tangent), localPosition.y) / kWindowCell;
  vec2 cell = floor(place), within = place - cell;
  uvec2 number = uvec2(ivec2(cell) + 4096);
  uint h = hash(seed ^ hash(number.x * 2654435761u ^ number.y * 40503u ^ faceNumber() * 97u));
  // Offices light whole floors, flats single rooms.
  float floorLit = unitHash(seed ^ number.y * 7919u);
  float share = isGlass ? mix(0.10, 0.72, floorLit * floorLit) : 0.16 + 0.30 * unitHash(seed);
  float lit = step(unitHash(h), share);

  vec2 margin = isGlass ? vec2(0.05, 0.10) : vec2(0.23, 0.22);
  float footprint = distance * constants.right.w / max(facing, 0.2);
  vec2 soft = clamp(vec2(footprint) / kWindowCell, 0.01, 0.5);
  vec2 toEdge = min(within, 1.0 - within), inside = smoothstep(margin - soft, margin + soft, toEdge);
  float area = (1.0 - 2.0 * margin.x) * (1.0 - 2.0 * margin.y);
  float detail = 1.0 - smoothstep(0.5, 1.6, footprint / kWindowCell.x);
  float pane = mix(area, inside.x * inside.y, detail);
  // A ceiling lamp and blinds give a room its gradient.
  float room = 0.55 + 0.6 * within.y + 0.25 * sin(within.x * 9.0 + unitHash(h + 5u) * 6.0) * detail;
  vec3 light = mix(share * vec3(0.62, 0.46, 0.30), lit * lampColour(h) * room, max(detail, 0.35));
  vec3 glass = vec3(0.02, 0.026, 0.034);
  surface.colour = mix(isGlass ? surface.colour * 0.5 + 0.02 : surface.colour, glass, pane);
  surface.roughness = mix(surface.roughness, 0.05, pane);
  surface.glow += pane * light * 1.35;
}

// Shop windows between piers, with lit signs over some of them.
void addShops(inout Surface surface, float footprint) {
  if (abs(localNormal.y) > 0.5) return;
  vec3 tangent = normalize(cross(vec3(0.0, 1.0, 0.0), localNormal));
  float place = dot(localPosition, tangent) / 3.6, bay = floor(place), within = place - bay, up = localPosition.y;
  uint h = hash(seed ^ hash(uint(int(bay) + 512) * 31u + faceNumber()));
  float lit = step(unitHash(h), 0.72), soft = clamp(footprint, 0.03, 1.0);
  float pane = smoothstep(0.06 - 0.2 * soft, 0.06 + 0.2 * soft, min(within, 1.0 - within)) *
               smoothstep(0.55 - soft, 0.55 + soft, up) * smoothstep(2.75 + soft, 2.75 - soft, up);
  float sign = smoothstep(3.0 - soft, 3.0 + soft, up) * smoothstep(3.55 + soft, 3.55 - soft, up) *
               step(0.55, unitHash(h + 7u)) * step(0.1, min(within, 1.0 - within));
  const vec3 signs[4] = vec3[](vec3(1.0, 0.10, 0.16), vec3(0.12, 0.62, 1.0), vec3(1.0, 0.55, 0.10),
                               vec3(0.2, 1.0, 0.5));
  surface.glow += lit * pane * lampColour(h + 3u) * (0.45 + 0.35 * up / 2.7) + sign * signs[h & 3u] * 0.9;
  surface.colour = mix(surface.colour, vec3(0.03), pane);
  surface.roughness = mix(surface.roughness, 0.06, pane);
}

void shadeRoad(inout Surface surface, float footprint) {
  vec2 across = abs(localPosition.xz);
  float far = max(across.x, across.y), near = min(across.x, across.y);
  float along = across.x > across.y ? localPosition.z : localPosition.x;
  float soft = clamp(footprint, 0.02, 2.0);
  float grain = fractalNoise(vec3(worldPosition.xz * 0.6, 1.0), 3);
  surface.colour *= 1.0 + 0.5 * grain;
  // Wet in places.
  surface.roughness = mix(0.22, 0.55, smoothstep(-0.25, 0.25, grain));
  bool isCrossing = near > kPavementHalf;
  float paint = 0.0;
  if (!isCrossing) {
    float dash = smoothstep(0.5 - soft, 0.5 + soft, abs(fract(along / 6.0) - 0.5) * 4.0);
    paint = dash * smoothstep(0.12 + soft, 0.12, 0.5 * kBlockPitch - far);
    // Zebra stripes before the corners.
    float stripes = smoothstep(0.5, 0.6, abs(fract(far / 1.2) - 0.5) * 2.0) * clamp(0.6 / soft, 0.0, 1.0);
    paint = max(paint, stripes * smoothstep(24.0, 24.1, near) * smoothstep(27.6, 27.5, near) *
                           step(kPavementHalf + 0.3, far));
  }
  surface.colour = mix(surface.colour, vec3(0.36), 0.75 * paint * clamp(0.5 / soft, 0.0, 1.0));
}

bool has(uint pattern) { return (patterns >> pattern & 1u) != 0u; }

Surface surfaceOf(float distance, vec3 view) {
  Material m = materials.at[material];
  vec3 normal = normalize(worldNormal);
  Surface surface = Surface(m.colour, m.roughness, m.glow, normal);
  float footprint = distance * constants.right.w, facing = abs(dot(normal, view));
  switch (m.pattern) {
    case kPatternCurtainWall:
      if (has(kPatternCurtainWall)) addWindows(surface, true, distance, facing);
      break;
    case kPatternWindows:
      surface.colour *= 0.75 + 0.5 * unitHash(seed + 3u);
      if (has(kPatternWindows)) addWindows(surface, false, distance, facing);
      break;
    case kPatternShop:
      if (has(kPatternShop)) addShops(surface, footprint);
      break;
    case kPatternRoad:
      if (has(kPatternRoad)) shadeRoad(surface, footprint / max(facing, 0.05));
      break;
    case kPatternPavement: {
      vec2 slab = abs(fract(worldPosition.xz / 1.5) - 0.5);
      float joint = smoothstep(0.46, 0.49, max(slab.x, slab.y)) * clamp(0.15 / footprint, 0.0, 1.0);
      surface.colour *= (0.9 + 0.25 * noise(vec3(worldPosition.xz * 0.35, 0.0)).x) * (1.0 - 0.35 * joint);
      break;
    }
    case kPatternFoliage: {
      if (!has(kPatternFoliage)) break;
      float weight = clamp(0.35 / footprint, 0.0, 1.0);
      vec4 leaves = noise(worldPosition * 2.6);
      surface.colour *= (0.75 + 0.5 * unitHash(seed)) * (1.0 + 0.55 * weight * leaves.x);
      surface.normal = normalize(normal + 0.45 * weight * leaves.yzw);
      break;
    }
    case kPatternPaint: {
      const vec3 paints[6] = vec3[](vec3(0.42, 0.43, 0.45), vec3(0.03, 0.03, 0.035), vec3(0.35, 0.02, 0.02),
                                    vec3(0.03, 0.07, 0.22), vec3(0.55, 0.54, 0.52), vec3(0.16, 0.17, 0.18));
      surface.colour = paints[seed % 6u];
      break;
    }
    case kPatternRoof:
      surface.colour *= (0.7 + 0.6 * unitHash(seed + 9u)) *
                        (1.0 - 0.25 * step(0.8, fract(localPosition.y * 3.0)) * clamp(0.1 / footprint, 0.0, 1.0));
      break;
    default:
      break;
  }
  return surface;
}

void main() {
  constants = frame.value;
  vec3 toEye = constants.eye.xyz - worldPosition;
  float distance = length(toEye);
  vec3 view = toEye / distance;
  Surface surface = surfaceOf(distance, view);
  vec3 normal = surface.normal;

  vec3 sky = mix(vec3(0.030, 0.028, 0.032), vec3(0.085, 0.105, 0.20), 0.5 + 0.5 * normal.y);
  float west = max(dot(normal, kCitySun) * 0.75 + 0.25, 0.0);
  vec3 light = sky + vec3(0.95, 0.36, 0.14) * 0.25 * west * west;
  // Streets are canyons: less of the sky is seen from their floor.
  light *= mix(0.55, 1.0, smoothstep(0.0, 30.0, worldPosition.y));
  light += lampLight(normal);
  vec3 flatNormal = normalize(worldNormal);
  float facing = dot(flatNormal, kCitySun);
  if (facing > 0.0) light += kSunLight * max(dot(normal, kCitySun), 0.0) * sunSeen(worldPosition, flatNormal, facing);
  vec3 lit = surface.colour * light;

  float grazing = pow(1.0 - max(dot(normal, view), 0.0), 5.0);
  float reflectance = mix(0.04, 1.0, grazing) * (1.0 - surface.roughness) * (1.0 - surface.roughness);
  vec3 bounced = reflect(-view, normal);
  bounced.y = abs(bounced.y);
  vec3 mirrored = clearSky(normalize(bounced)) * mix(0.35, 1.0, smoothstep(0.0, 40.0, worldPosition.y));
  // A wet street mirrors the lamps over it.
  mirrored += lampLight(vec3(0.0, 1.0, 0.0)) * 0.25 * step(0.5, normal.y);
  lit = mix(lit, mirrored, min(reflectance * 1.4, 0.85)) + surface.glow;

  vec4 air = haze(constants.eye.xyz, worldPosition);
  color = vec4(mix(lit, air.rgb, air.a), 1.0);
}
