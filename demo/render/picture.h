// Writes pictures as PNG files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace demo {

// Creates the folder and makes sure that it can be written to. Throws Failure (Cause::BadInput) otherwise.
void preparePictureFolder(const std::filesystem::path& folder);

// Returns folder/frame-0000.png and so on.
std::filesystem::path picturePath(const std::filesystem::path& folder, uint32_t frame);

// rgba has 8 bits per channel and dense rows, the top one first. Alpha is left out.
void writePicture(const std::filesystem::path& file, uint32_t width, uint32_t height, const std::byte* rgba);

}  // namespace demo
