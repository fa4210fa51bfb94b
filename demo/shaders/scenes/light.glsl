// The sun, and what stands in its way.

const vec3 kSun = normalize(vec3(0.93, 0.20, -0.30));
const vec3 kSunColor = vec3(1.0, 0.90, 0.76) * 4.2;
const vec3 kPlanetShine = vec3(0.16, 0.30, 0.36);
const vec3 kDust = vec3(0.62, 0.50, 0.40);

// Returns how much of the sun the planet leaves at a point, with a penumbra.
float sunBehindPlanet(vec3 point) {
  float along = dot(point, kSun);
  float offAxis = length(point - along * kSun);
  float open = smoothstep(kPlanetRadius * 0.985, kPlanetRadius * 1.035, offAxis);
  return along < 0.0 ? open : 1.0;
}

// Light scattered by dust: mostly forward (Henyey and Greenstein 1941, g = 0.55), some back.
float dustPhase(float cosine) {
  const float g = 0.55;
  return 0.35 + 0.65 * (1.0 - g * g) / pow(1.0 + g * g - 2.0 * g * cosine, 1.5) * 0.5;
}
