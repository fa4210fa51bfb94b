// Lists the keys of the window, for --help and the overlay.
#pragma once

namespace demo {

struct ViewerKey {
  const char* name;
  const char* meaning;
};

constexpr ViewerKey kViewerKeys[] = {
    {"mouse, a button held", "look around"},
    {"W A S D, Q E", "fly; down, up. In orbit: nearer, farther, around"},
    {"wheel", "speed; in orbit: distance"},
    {"C", "fly, or orbit around the middle"},
    {"F", "freeze what is culled: the camera goes on, the lines show the frozen one"},
    {"G", "ghosts of what was dropped, coloured by the test that dropped it"},
    {"I", "the scene from above, in a corner"},
    {"click", "name the instance under the pointer"},
    {"1 2 3 4", "the scene: asteroids, points, planes, city"},
    {"Space", "the scene stands still, or goes on"},
    {"O", "unordered or stable"},
    {"a file dropped", "the asteroids are made of this model"},
    {"T", "next route that is available"},
    {"7 8 9 0", "test of distance, of frustum, of size, of cones on, off"},
    {"Y", "asteroids in clusters, or as whole meshes"},
    {"L", "one level of detail less; after the last all again"},
    {"B", "one mesh for all, so that the buckets of all meshes become its own"},
    {"K", "buckets packed, or with room for each"},
    {"J", "draws by state of the pipeline, or all in one call"},
    {"N", "mesh shaders draw the asteroids, or vertices are drawn"},
    {"X", "occlusion off, in one phase, in two phases"},
    {"U", "the depth pyramid in a corner, level by level; after the last none"},
    {"M", "transforms of instances as matrices, or as position, scale and rotation"},
    {"Page Up, Page Down", "more or less room for what is kept"},
    {"+ -", "twice or half the instances or particles"},
    {"H", "hide or show counts and switches"},
    {"V", "vsync on, off"},
    {"F11", "full screen"},
    {"P", "write a picture"},
    {"R", "record the camera's path, and end the recording"},
    {"Escape", "close"},
};

}  // namespace demo
