"""Checks that the arrows between the folders point one way: reads the #include directives of the tree."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SOURCES = (".h", ".hpp", ".cpp", ".cu", ".cuh")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', flags=re.MULTILINE)

# What the files of a folder may include beside the folder itself and <sluice/...>. The longest name that fits a file
# decides, so a folder below another one states its own.
LAYERS = {
    "shaders/shared": [],
    "base": [],
    "interop": ["base"],
    "src/plan": ["base", "shaders/shared"],
    "src/kernels": ["src/kernels/device", "src/kernels/list.h", "base", "shaders/shared", "src/plan"],
    "src/kernels/list.h": [],  # hosts compile it with their predicates
    "src/kernels/device": ["shaders/shared", "src/kernels/list.h"],
    "src/routes": ["base", "src/plan"],  # the interfaces between the API and the routes
    "src/routes/cpu": ["src/routes/route.h", "src/plan", "base", "shaders/shared"],
    "src/routes/vulkan_host": ["src/routes/route.h", "src/routes/cpu", "src/plan", "base", "shaders/shared"],
    "src/routes/d3d12_host": ["base"],
    "src/routes/shaders": ["src/plan", "base", "shaders/shared"],  # what routes share whose kernels are shaders
    "src/routes/vulkan": ["src/routes/route.h", "src/routes/shaders", "src/routes/vulkan_host",
                          "src/routes/vulkan_pyramid", "src/routes/vulkan/spirv/packed_spirv.h", "src/plan", "base",
                          "shaders/shared"],
    "src/routes/vulkan/spirv/packed_spirv.h": [],
    "src/routes/vulkan_pyramid": ["src/routes/route.h", "src/routes/vulkan_host",
                                  "src/routes/vulkan/spirv/packed_spirv.h", "src/plan", "base", "shaders/shared"],
    "src/routes/d3d12": ["src/routes/d3d12/hlsl", "src/routes/route.h", "src/routes/shaders", "src/routes/d3d12_host",
                         "src/plan", "base", "shaders/shared"],
    "src/routes/d3d12/hlsl": ["src/routes/shaders", "base", "shaders/shared"],
    "src/routes/cuda": ["src/routes/route.h", "src/routes/handoff.h", "src/routes/vulkan_handoff.h",
                        "src/routes/d3d12_handoff.h", "src/routes/vulkan_host", "src/routes/d3d12_host", "src/kernels",
                        "src/plan", "interop", "base", "shaders/shared"],
    "src/routes/inline": ["src/routes/route.h", "src/routes/vulkan_host", "src/routes/vulkan_pyramid", "src/kernels",
                          "src/plan", "base", "shaders/shared"],
    "src/api": ["src", "base", "shaders/shared"],
    "demo/shaders": [],
    "demo/base": ["programs", "demo/shaders"],
    "demo/vulkan": ["programs", "demo/base"],
    "demo/models": ["demo/base"],
    "demo/render": ["demo/vulkan", "demo/models", "demo/base", "demo/shaders"],
    "demo/frame": ["programs", "demo/render", "demo/vulkan", "demo/base", "demo/shaders"],  # what embedders read
    "demo/verify": ["demo/frame", "demo/render", "demo/vulkan", "demo/base", "demo/shaders"],
    "demo/inspect": ["programs", "demo/verify", "demo/frame", "demo/render", "demo/vulkan", "demo/base",
                     "demo/shaders"],
    "demo/scenes": ["demo/scenes/scene_kind.h", "demo/inspect", "demo/frame", "demo/render", "demo/models",
                    "demo/vulkan", "demo/base", "demo/shaders"],
    "demo/options": ["demo/scenes/scene_kind.h", "demo/frame", "demo/render", "demo/base"],
    "demo/scenes/scene_kind.h": [],
    "demo/report": ["programs", "demo/options", "demo/scenes/scene_kind.h", "demo/frame", "demo/render", "demo/base"],
    "demo/viewer": ["programs", "demo/report", "demo/options", "demo/inspect", "demo/frame", "demo/render",
                    "demo/vulkan", "demo/base"],
    "demo/app": ["programs", "demo"],
    "demo/d3d12": ["programs", "demo/render", "demo/base", "demo/shaders"],  # what hosts of Direct3D 12 copy
    "programs": [],
    "bench/base": ["programs"],
    "bench/workload": ["bench/base"],
    "bench/judge": ["bench/workload", "bench/base"],
    "bench/arena": ["bench/workload", "bench/base"],
    "bench/host": ["bench/arena", "bench/judge", "bench/workload", "bench/base"],
    "bench/vulkan": ["bench/host", "bench/arena", "bench/judge", "bench/workload", "bench/base", "programs"],
    "bench/cuda": ["bench/arena", "bench/judge", "bench/workload", "bench/base"],
    "bench/reduction": ["bench/cuda", "bench/arena"],
    "bench/occlusion": ["bench/literature", "bench/cuda", "bench/arena", "bench/workload", "bench/base"],
    "bench/literature": ["bench/cuda", "bench/workload"],
    "bench/competitors": ["bench/literature", "bench/cuda", "bench/arena", "bench/workload", "bench/base"],
    "bench/report": ["bench/arena", "bench/base"],
    "bench/program": ["bench", "programs"],
}
# These files name no route: src/api/route_table.cpp says what each one is.
WITHOUT_ROUTES = ("src/api/api.cpp", "src/api/context.cpp", "src/api/frame_checks.cpp", "src/api/objects.h",
                  "src/plan/predicate_checks.cpp", "src/plan/predicate_checks.h", "src/plan/plan_checks.cpp")
ROUTE = re.compile(r"SLU_ROUTE_(?!AUTO|COUNT)[A-Z]+")


def is_within(path, folder):
    return path == folder or path.startswith(folder + "/")


def layer_of(path):
    fitting = [layer for layer in LAYERS if is_within(path, layer)]
    return max(fitting, key=len) if fitting else None


def targets_of(file):
    """The files of the tree that a file includes; what the build generates is not among them."""
    top = ROOT / file.relative_to(ROOT).parts[0]
    for name in INCLUDE.findall(file.read_text(encoding="utf-8")):
        for folder in (file.parent, top, ROOT, ROOT / "src", ROOT / "programs"):
            target = (folder / name).resolve()
            if target.is_file() and target.is_relative_to(ROOT):
                yield target.relative_to(ROOT).as_posix()
                break


class LayersTest(unittest.TestCase):
    def files(self):
        for folder in ("shaders/shared", "base", "interop", "src", "programs", "demo", "bench"):
            for file in sorted((ROOT / folder).rglob("*")):
                if file.suffix in SOURCES and "tests" not in file.relative_to(ROOT).parts:
                    yield file

    def test_arrows_point_one_way(self):
        checked = 0
        for file in self.files():
            path = file.relative_to(ROOT).as_posix()
            layer = layer_of(path)
            self.assertIsNotNone(layer, f"{path}: lies in no layer; give its folder a line in LAYERS")
            for target in targets_of(file):
                own = layer_of(target) == layer
                allowed = own or any(is_within(target, other) for other in LAYERS[layer])
                self.assertTrue(allowed, f"{path} includes {target}; {layer} may include {LAYERS[layer]}")
                checked += 1
        self.assertGreater(checked, 500, "the includes were not found")

    def test_no_layer_is_a_circle(self):
        def reached(layer, seen):
            for other in LAYERS[layer]:
                below = layer_of(other) or other
                if below != layer and below not in seen and below in LAYERS:
                    seen.add(below)
                    reached(below, seen)
            return seen
        for layer in LAYERS:
            self.assertNotIn(layer, reached(layer, set()), f"{layer} reaches itself")

    def test_shaders_reckon_with_places_in_one_file(self):
        address = re.compile(r"\bWords[124]\b|\bLong\(|\bBucket\(|\b\d+ul \*|buffer_reference\b(?! :)|_device_address")
        binding = re.compile(r"\.at\b|\b(?:words|pairs|quads)(?:[A-Z]\w*|##\w+)\.v\b|Place\(uvec2|\bSLU_BINDING\w*")
        files = [file for suffix in ("*.comp", "*.glsl") for file in sorted((ROOT / "shaders").rglob(suffix))]
        self.assertGreater(len(files), 20)
        for file in files:
            text = file.read_text(encoding="utf-8")
            for kind in (address, binding):
                found = kind.findall(text)
                if file.name == "places.glsl":
                    self.assertTrue(found, "the file no longer says what a place is")
                else:
                    self.assertEqual(found, [], f"{file.relative_to(ROOT)}: goes past shaders/places.glsl")

    def test_only_the_table_names_routes(self):
        for name in WITHOUT_ROUTES:
            found = ROUTE.findall((ROOT / name).read_text(encoding="utf-8"))
            self.assertEqual(found, [], f"{name}: names routes; a row of src/api/route_table.cpp says what a route is")


if __name__ == "__main__":
    unittest.main()
