// What the viewer keeps from one run to the next, as JSON in the user's folder of configurations.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "options/options.h"

namespace demo {

// sluice-demo/settings.json in $XDG_CONFIG_HOME or ~/.config; on Windows in %APPDATA%. Empty: the user has no such
// folder.
std::filesystem::path settingsFile();

// Sets the options that the file keeps and isGiven, asked by the name on the command line, denies. Returns a sentence
// when the file is there and cannot be read or is damaged: the options then stay as they were. Else "".
std::string readSettings(const std::filesystem::path& file, const std::function<bool(const char*)>& isGiven,
                         Options& options);

// Replaces the file at once or not at all. Returns a sentence when that fails, else "".
std::string writeSettings(const std::filesystem::path& file, const Options& options);

}  // namespace demo
