// Keeps settings of the viewer from one run to the next, as JSON in the user's folder of configurations.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "options/options.h"

namespace demo {

// Returns sluice-demo/settings.json in $XDG_CONFIG_HOME or ~/.config, or on Windows in %APPDATA%. Empty when the user
// has no such folder.
std::filesystem::path settingsFile();

// Sets the options that the file keeps, except those that were given on the command line: isGiven gets the name of an
// option there. Returns "", or a sentence when the file exists but cannot be read. The options then stay as they were.
std::string readSettings(const std::filesystem::path& file, const std::function<bool(const char*)>& isGiven,
                         Options& options);

// Replaces the file as a whole or not at all. Returns "", or a sentence when that fails.
std::string writeSettings(const std::filesystem::path& file, const Options& options);

}  // namespace demo
