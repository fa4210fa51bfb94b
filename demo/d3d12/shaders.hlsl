// Draws visible points as soft discs of light.
cbuffer Frame : register(b0) {  // the beginning of FrameConstants
  float4x4 viewProjection;
  float4 eye, right, up, forward, viewport, particles;
};
struct Point { float3 center; float radius; float life; uint colour; };
StructuredBuffer<Point> points : register(t0);

struct Corner {
  float4 position : SV_Position;
  float2 place : PLACE;                  // -1 to 1
  nointerpolation float4 light : LIGHT;  // w: softness
};

// One of the four corners of a square that faces the camera.
Corner vertexMain(uint vertex : SV_VertexID, uint index : VISIBLE) {
  Point visible = points[index];
  float4 colour = float4((visible.colour >> uint4(0, 8, 16, 24)) & 255) / 255;
  bool gas = colour.a > 0.3, cloud = colour.a > 0.8;
  Corner corner;
  corner.position = mul(viewProjection, float4(visible.center, 1)) * float4(1, -1, 1, 1);  // the demo's y points down
  corner.place = float2(vertex & 1, vertex >> 1) * 2 - 1;
  float distance = corner.position.w, pixels = 2 * visible.radius / (right.w * max(distance, 0.1));
  float drawn = clamp(pixels, 2, 256);
  corner.position.xy += corner.place * drawn * viewport.zw * distance;
  // A point smaller than it may be drawn is fainter instead; one near the camera fades before it fills the picture.
  float coverage = min(pixels * pixels / (drawn * drawn), 1) * smoothstep(1, 9, distance);
  float energy = (cloud ? 0.024 : gas ? 0.055 : 1.1) * coverage * smoothstep(0, 0.7, visible.life) * particles.x;
  corner.light = float4(colour.rgb * energy, gas ? 3.2 : 5);
  return corner;
}

float4 pixelMain(Corner corner) : SV_Target {
  float softness = corner.light.w;
  return float4(corner.light.rgb * max(exp(-softness * dot(corner.place, corner.place)) - exp(-softness), 0), 0);
}
