#include "render/picture.h"

#include <cstdio>
#include <fstream>
#include <vector>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

#include "base/failure.h"

namespace demo {

void preparePictureFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) failInput("--out: folder ", folder.string(), " cannot be created: ", error.message());
  const std::filesystem::path probe = folder / ".sluice-demo-probe";
  const bool writable = std::ofstream(probe).good();
  std::filesystem::remove(probe, error);
  if (!writable) failInput("--out: folder ", folder.string(), " cannot be written to");
}

std::filesystem::path picturePath(const std::filesystem::path& folder, uint32_t frame) {
  char name[32];
  std::snprintf(name, sizeof(name), "frame-%04u.png", frame);
  return folder / name;
}

void writePicture(const std::filesystem::path& file, uint32_t width, uint32_t height, const std::byte* rgba) {
  const size_t pixelCount = size_t{width} * height;
  std::vector<std::byte> rgb(3 * pixelCount);
  for (size_t pixel = 0; pixel < pixelCount; ++pixel)
    for (size_t channel = 0; channel < 3; ++channel) rgb[3 * pixel + channel] = rgba[4 * pixel + channel];

  std::ofstream stream(file, std::ios::binary);
  const auto append = [](void* context, void* data, int bytes) {
    static_cast<std::ofstream*>(context)->write(static_cast<const char*>(data), bytes);
  };
  const int encoded = stbi_write_png_to_func(append, &stream, static_cast<int>(width), static_cast<int>(height), 3,
                                             rgb.data(), static_cast<int>(3 * width));
  stream.close();
  if (!encoded || !stream) failInput("--out: picture ", file.string(), " cannot be written");
}

}  // namespace demo
