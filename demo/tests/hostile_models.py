"""Model files that are broken or meant to harm, written here because most are large:
hostile_models.py sluice-demo [--sanitized]
--sanitized: of a build whose memory says nothing, and in which too little memory ends as a crash"""
import json
import math
import os
import pathlib
import random
import re
import signal
import struct
import sys
import tempfile
import threading
import time
import unittest

import run_model

DEMO = sys.argv[1]
SANITIZED = "--sanitized" in sys.argv[2:]

TRIANGLE = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
DEPTH = 200000
CRASHED = r"cannot be read: assimp crashed \(signal 11\); export it again or in another format"
NO_MEMORY = r"cannot be read: assimp needed more than 1024 MiB of memory; "
if SANITIZED:
    CRASHED = r"cannot be read: assimp crashed \("
    NO_MEMORY = f"({NO_MEMORY}|{CRASHED})"
# Another version of assimp may refuse what this one dies of.
REFUSED = f"({CRASHED}|cannot be read: |has more than [0-9]+ nodes|has no triangles)"
TOO_LONG = r"cannot be read: assimp took longer than 10 s; "
NOTHING = r"has no triangles.*, so nothing to draw"
OUT_OF_RANGE = r"is damaged: a face has vertex [0-9]+ of 3; export it again"


def ply(faces, vertex_count=3, face_count=None):
    lines = ["ply", "format ascii 1.0", f"element vertex {vertex_count}"]
    lines += [f"property float {axis}" for axis in "xyz"]
    lines += [f"element face {face_count or len(faces)}", "property list uchar int vertex_indices", "end_header"]
    lines += [" ".join(map(str, vertex)) for vertex in TRIANGLE]
    lines += [" ".join(map(str, (len(face), *face))) for face in faces]
    return "\n".join(lines) + "\n"


def obj(vertices, faces):
    lines = ["v " + " ".join(map(str, vertex)) for vertex in vertices]
    return "\n".join(lines + ["f " + " ".join(map(str, face)) for face in faces]) + "\n"


def stl(count, triangles):
    return bytes(80) + struct.pack("<I", count) + b"".join(
        struct.pack("<12fH", 0, 0, 0, *(value for corner in triangle for value in corner), 0) for triangle in triangles)


def gltf(nodes, **more):
    return json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes, **more})


def gltf_mesh(uri, corner_count=3, index_bytes=0):
    """A mesh whose buffer lies elsewhere; with 16-bit indices behind the vertices."""
    primitive = {"attributes": {"POSITION": 0}}
    accessors = [{"bufferView": 0, "componentType": 5126, "count": corner_count, "type": "VEC3"}]
    if index_bytes:
        primitive["indices"] = 1
        accessors.append({"bufferView": 0, "byteOffset": 12 * corner_count, "componentType": 5123,
                          "count": index_bytes // 2, "type": "SCALAR"})
    size = 12 * corner_count + index_bytes
    return {"meshes": [{"primitives": [primitive]}], "accessors": accessors,
            "bufferViews": [{"buffer": 0, "byteLength": size}], "buffers": [{"byteLength": size, "uri": uri}]}


def collada(before, after):
    model = pathlib.Path(__file__).parent / "models" / "nan.dae"
    text, count = re.subn(r'<node id="broken".*?</matrix>', before, model.read_text())
    assert count == 1
    return text.replace("</node>", after)


def tetrahedron(size):
    corners = [(0, 0, 0), (size, 0, 0), (0, size, 0), (0, f"-{size}", size)]
    return obj(corners, [(1, 2, 3), (1, 2, 4), (1, 4, 3), (2, 3, 4)])


def dust(count):
    """Triangles so small and so far apart that simplifying leaves none."""
    places = random.Random(7)
    triangles = []
    for _ in range(count):
        center = [places.random() for _ in range(3)]
        triangles.append([[value + 1e-4 * places.random() for value in center] for _ in range(3)])
    return stl(count, triangles)


def circle(count):
    turns = (math.tau * corner / count for corner in range(count))
    return obj(((math.cos(turn), math.sin(turn), 0) for turn in turns), [range(1, count + 1)])


# name: (what the file holds, what the demo says of it; None for a picture)
FILES = {
    "far_index.ply": lambda: (ply([(0, 1, 2), (0, 1, 400000000)]), OUT_OF_RANGE),
    "negative_index.ply": lambda: (ply([(0, 1, 2), (0, 1, -7)]), OUT_OF_RANGE),
    "next_index.ply": lambda: (ply([(0, 1, 2), (0, 1, 3)]), OUT_OF_RANGE),
    "zero_index.obj": lambda: (obj(TRIANGLE, [(0, 1, 2)]), "cannot be read: |is damaged: "),
    "many_vertices.ply": lambda: (ply([(0, 1, 2)], vertex_count=4000000000), NO_MEMORY),
    "many_faces.ply": lambda: (ply([(0, 1, 2)], face_count=4000000000), NO_MEMORY),
    "many_of_both.off": lambda: ("OFF\n2000000000 2000000000 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", NO_MEMORY),
    "many_triangles.stl": lambda: (stl(0xffffffff, [TRIANGLE]), "cannot be read: "),
    "cut_off.stl": lambda: (stl(3, [TRIANGLE]), "cannot be read: "),
    "child_is_parent.gltf": lambda: (gltf([{"children": [1]}, {"children": [0]}]), REFUSED),
    "child_is_itself.gltf": lambda: (gltf([{"children": [0]}]), REFUSED),
    "child_is_far.gltf": lambda: (gltf([{"children": [5000000]}]), REFUSED),
    "deep_nodes.gltf": lambda: (gltf([{"children": [node + 1]} for node in range(DEPTH)] + [{}]), REFUSED),
    "deep_nodes.dae": lambda: (collada("<node>" * DEPTH, "</node>" * DEPTH), REFUSED),
    "deep_json.gltf": lambda: ('{"asset": {"version": "2.0"}, "extras": ' + "[" * 2000000, REFUSED),
    "repeated.gltf": lambda: (
        gltf([{"children": [*range(1, 20001)]}] + [{"mesh": 0}] * 20000, **gltf_mesh("zeros.bin", 3, 600)),
        "has more than 1200000 triangles; simplify it"),
    "huge.obj": lambda: (tetrahedron("1e38"), None),
    "largest.obj": lambda: (tetrahedron("3.4e38"), None),
    "tiny.obj": lambda: (tetrahedron("1e-45"), None),
    "small.obj": lambda: (tetrahedron("1e-30"), None),
    "both.obj": lambda: (obj([(0, 0, 0), ("1e-45", 0, 0), ("3e38", 0, 0), (0, "-3e38", 1)], [(1, 2, 3), (1, 3, 4)]),
                         None),
    "dust.stl": lambda: (dust(20000), None),
    "line.obj": lambda: (obj([(0, 0, 0), (1, 0, 0), (2, 0, 0)], [(1, 2, 3)]), NOTHING),
    "place.obj": lambda: (obj([(1, 2, 3)] * 3, [(1, 2, 3)]), NOTHING),
    "vertices.obj": lambda: (obj(TRIANGLE, []), f"{NOTHING}|cannot be read: "),
    "nodes.gltf": lambda: (gltf([{}]), NOTHING),
    "many_corners.obj": lambda: (circle(200000), TOO_LONG),
    "text.obj": lambda: ("nothing\n" * 1000, f"{NOTHING}|cannot be read: "),
    "text": lambda: ("nothing\n" * 1000, "is of no format that assimp reads; export it as glTF or OBJ"),
}


class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.place = pathlib.Path(self.folder.name)
        (self.place / "zeros.bin").write_bytes(bytes(636))

    def judge(self, model, says, meanwhile=None):
        run = run_model.run_model(DEMO, model, meanwhile)
        print(f"{run.seconds:.1f} s, {run.megabytes} MiB, {run.code} {run.says.strip() or model}")
        self.assertIsNone(run.problem(not SANITIZED))
        if says is None:
            self.assertEqual(run.code, 0, run.says)
        else:
            self.assertEqual(run.code, 2, run.says)
            self.assertRegex(run.says[len(f"sluice-demo: model file {model} "):], f"^({says})")

    def hang(self):
        """A model whose buffer is a pipe into which nobody writes."""
        os.mkfifo(self.place / "pipe.bin")
        model = self.place / "hangs.gltf"
        model.write_text(gltf([{"mesh": 0}], **gltf_mesh("pipe.bin")))
        return model

    def importer_of(self, process):
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        for _ in range(200):
            for child in children.read_text().split():
                if b"--import-model" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes():
                    return int(child)
            time.sleep(0.05)
        self.fail("there is no process of the importer's")

    def test_hang(self):
        self.judge(self.hang(), TOO_LONG)

    def test_crash(self):
        def crash(process):
            # AddressSanitizer's handler of SIGSEGV may block where the signal is not of the code that it interrupts.
            os.kill(self.importer_of(process), signal.SIGKILL if SANITIZED else signal.SIGSEGV)

        self.judge(self.hang(), CRASHED, crash)

    def test_importer_ends_with_the_demo(self):
        with tempfile.TemporaryDirectory() as folder:
            with run_model.start(DEMO, self.hang(), folder) as process:
                try:
                    importer = self.importer_of(process)
                finally:
                    process.kill()
        # A sanitizer's start, after which the importer finds itself alone, may take many seconds.
        state = ""
        for _ in range(1200):
            try:
                state = pathlib.Path(f"/proc/{importer}/stat").read_text().rsplit(")", 1)[1].split()[0]
            except (FileNotFoundError, ProcessLookupError):
                return
            if state == "Z":
                return
            time.sleep(0.05)
        self.fail(f"the importer goes on without the demo, in state {state}")

    def test_no_file(self):
        (self.place / "nowhere.obj").symlink_to("missing.obj")
        (self.place / "itself.obj").symlink_to("itself.obj")
        (self.place / "empty.obj").touch()
        os.mkfifo(self.place / "pipe.obj")
        self.judge(self.place, "is a directory; ")
        self.judge(self.place / "pipe.obj", "is not a regular file; ")
        self.judge("/dev/zero", "is not a regular file; ")
        self.judge(self.place / "empty.obj", "is empty")
        self.judge(self.place / "empty.obj" / "below.obj", "does not exist or cannot be reached")
        for name in ("missing.obj", "nowhere.obj", "itself.obj", "x" * 300 + ".obj"):
            self.judge(self.place / name, "does not exist or cannot be reached")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_no_permission(self):
        model = self.place / "secret.obj"
        model.write_text(tetrahedron("1"))
        model.chmod(0)
        self.judge(model, "cannot be opened; check its permissions")

    def test_size_that_lies(self):
        for name in ("sparse.stl", "sparse.obj"):
            with open(self.place / name, "wb") as model:
                model.truncate(1 << 40)
            self.judge(self.place / name, f"{NO_MEMORY}|{TOO_LONG}")

    def test_file_that_grows(self):
        model = self.place / "grows.obj"
        model.write_text(tetrahedron("1"))
        done = threading.Event()

        def grow():
            with open(model, "a", encoding="ascii") as stream:
                for _ in range(5000):  # 60 MB
                    if done.is_set():
                        break
                    stream.write("v 1 2 3 4 5\n" * 1000)

        writer = threading.Thread(target=grow)
        writer.start()
        try:
            run = run_model.run_model(DEMO, model)
        finally:
            done.set()
            writer.join()
        print(f"{run.seconds:.1f} s, {run.megabytes} MiB, {run.code} {run.says.strip() or model}")
        self.assertIsNone(run.problem(not SANITIZED))


def add_test(name, make):
    def test(self):
        content, says = make()
        model = self.place / name
        model.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.judge(model, says)

    setattr(Hostile, f"test_{name.replace('.', '_')}", test)


for file_name, make_file in FILES.items():
    add_test(file_name, make_file)
run_model.skip_without_vulkan(DEMO)
unittest.main(argv=sys.argv[:1])
