"""bench/frames.py over the demo on what this machine has: frames_test.py FRAMES.PY SLUICE-DEMO"""
import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

SCRIPT, DEMO = sys.argv[1:3]


def run(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True)


class Frames(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_measures_what_there_is_and_says_why_not_the_rest(self):
        results = self.folder / "results.json"
        done = run(DEMO, results, "--scenes", "points", "--instances", 1000, "--frames", 5, "--skip", 2, "--size", "64x64")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = {row["route"]: row for row in json.loads(results.read_text())["frames"]}
        self.assertEqual(set(rows), {"cpu", "vulkan", "cuda", "inline"})
        for route in ("cpu", "vulkan"):
            self.assertEqual(rows[route]["status"], "measured")
            self.assertEqual(rows[route]["frames"], 3)
            self.assertGreater(rows[route]["gpuMicroseconds"]["draw"]["median"], 0)
            self.assertTrue(0 < rows[route]["kept"] < 1000)
        self.assertEqual(rows["cpu"]["kept"], rows["vulkan"]["kept"])
        self.assertIn("compact", rows["vulkan"]["gpuMicroseconds"])
        self.assertIn("compact", rows["cpu"]["hostMicroseconds"])
        for row in rows.values():
            if row["status"] == "refused":
                self.assertIn(f"--route {row['route']} is not available: ", row["reason"])

    def test_fails_with_the_sentence_of_a_demo_that_fails(self):
        demo = self.folder / "demo"
        demo.write_text("#!/bin/sh\necho 'it broke' >&2\nexit 1\n")
        demo.chmod(demo.stat().st_mode | stat.S_IXUSR)
        done = run(demo, self.folder / "results.json", "--routes", "vulkan")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("it broke", done.stderr)
        self.assertFalse((self.folder / "results.json").exists())


unittest.main(argv=sys.argv[:1])
