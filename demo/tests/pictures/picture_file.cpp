#include "picture_file.h"

#include <cstdio>
#include <memory>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb_image.h>

Picture readPicture(const char* file) {
  Picture picture;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(stbi_load(file, &picture.width, &picture.height, nullptr, 3),
                                                         stbi_image_free);
  if (!pixels) {
    std::fprintf(stderr, "%s cannot be read: %s\n", file, stbi_failure_reason());
    return {};
  }
  picture.rgb.assign(pixels.get(), pixels.get() + size_t{3} * static_cast<size_t>(picture.width) *
                                                      static_cast<size_t>(picture.height));
  return picture;
}
