// Gradient-carrying value noise on the integer lattice.

uint latticeHash(uvec3 cell) {
  uint h = cell.x * 73856093u ^ cell.y * 19349663u ^ cell.z * 83492791u;
  h = (h ^ (h >> 15u)) * 0x2c1b3c6du;
  h = (h ^ (h >> 12u)) * 0x297a2d39u;
  return h ^ (h >> 15u);
}

float latticeValue(uvec3 cell) { return float(latticeHash(cell) >> 8u) * (2.0 / 16777216.0) - 1.0; }

// Value in x, -1 to 1; gradient in yzw. Quintic interpolation, so that the gradient is smooth.
vec4 noise(vec3 position) {
  vec3 base = floor(position), f = position - base;
  uvec3 i = uvec3(ivec3(base));
  vec3 u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  vec3 du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
  float a = latticeValue(i), b = latticeValue(i + uvec3(1, 0, 0)), c = latticeValue(i + uvec3(0, 1, 0)),
        d = latticeValue(i + uvec3(1, 1, 0)), e = latticeValue(i + uvec3(0, 0, 1)),
        g = latticeValue(i + uvec3(1, 0, 1)), h = latticeValue(i + uvec3(0, 1, 1)),
        k = latticeValue(i + uvec3(1, 1, 1));
  float kx = b - a, ky = c - a, kz = e - a;
  float kxy = a - b - c + d, kyz = a - c - e + h, kzx = a - b - e + g;
  float kxyz = -a + b + c - d + e - g - h + k;
  float value = a + kx * u.x + ky * u.y + kz * u.z + kxy * u.x * u.y + kyz * u.y * u.z + kzx * u.z * u.x +
                kxyz * u.x * u.y * u.z;
  vec3 gradient = du * vec3(kx + kxy * u.y + kzx * u.z + kxyz * u.y * u.z,
                            ky + kyz * u.z + kxy * u.x + kxyz * u.z * u.x,
                            kz + kzx * u.x + kyz * u.y + kxyz * u.x * u.y);
  return vec4(value, gradient);
}

// Sum of octaves, about -1 to 1.
float fractalNoise(vec3 position, int octaves) {
  float sum = 0.0, amplitude = 0.5;
  for (int octave = 0; octave < octaves; ++octave) {
    sum += amplitude * noise(position).x;
    position = position.zxy * 2.03 + 17.1;
    amplitude *= 0.5;
  }
  return sum;
}
