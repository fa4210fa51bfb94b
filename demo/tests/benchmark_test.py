"""What sluice-demo --benchmark wrote: benchmark_test.py RESULTS.json..."""
import json
import pathlib
import sys
import unittest

FILES = [pathlib.Path(name) for name in sys.argv[1:]]


class Benchmark(unittest.TestCase):
    def workloads(self):
        for file in FILES:
            results = json.loads(file.read_text())
            self.assertEqual(results["mode"], "frames")
            self.assertEqual(results["repetitions"], 3)
            self.assertTrue(results["devices"]["frame"]["name"])
            self.assertEqual(results["machine"]["name"], results["devices"]["frame"]["name"])
            self.assertTrue(results["machine"]["driver"])
            self.assertIn("cuda", results["machine"])
            self.assertEqual([workload["order"] for workload in results["workloads"]], ["unordered", "stable"])
            yield from results["workloads"]

    def test_every_route_has_times_or_a_reason(self):
        for workload in self.workloads():
            routes = {entry["name"]: entry for entry in workload["competitors"]}
            self.assertEqual(list(routes), ["cpu", "vulkan", "cuda", "inline"])
            for name in ("cpu", "vulkan"):
                self.assertEqual(routes[name]["status"], "measured")
            for name, entry in routes.items():
                if entry["status"] != "measured":
                    self.assertIn(f"--route {name} is not available: ", entry["reason"])
                    continue
                self.assertEqual(len(entry["microseconds"]["samples"]), 3)
                for times in [entry["microseconds"], *entry["gpuMicroseconds"].values(), *entry["hostMicroseconds"].values()]:
                    marks = [times[f"percentile{percent}"] for percent in (10, 25, 75, 90)]
                    self.assertEqual(marks, sorted(marks))
                    self.assertTrue(0 < marks[1] <= times["median"] <= marks[2])
                self.assertIn("draw", entry["gpuMicroseconds"])
                self.assertIn("frame", entry["hostMicroseconds"])
                self.assertIn("compact", [phase["name"] for phase in entry["phases"]])
            self.assertIn("compact", routes["cpu"]["hostMicroseconds"])
            self.assertNotIn("compact", routes["cpu"]["gpuMicroseconds"])
            self.assertIn("compact", routes["vulkan"]["gpuMicroseconds"])

    def test_counts_stand_for_the_scene(self):
        for workload in self.workloads():
            self.assertEqual(workload["recordCount"], 1000)
            self.assertTrue(0 < workload["kept"] < 1000)
            self.assertAlmostEqual(workload["survivalPercent"], workload["kept"] / 10)


unittest.main(argv=sys.argv[:1])
