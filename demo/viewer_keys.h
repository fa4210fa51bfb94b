// The keys of the window.
#pragma once

namespace demo {

struct ViewerKey {
  const char* name;
  const char* meaning;
};

constexpr ViewerKey kViewerKeys[] = {
    {"V", "vsync on, off"},
    {"F11", "full screen"},
    {"P", "write a picture"},
    {"Escape", "close"},
};

}  // namespace demo
