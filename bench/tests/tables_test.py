"""Runs tables.py on made-up results."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TABLES = pathlib.Path(__file__).parent.parent / "tables.py"
PAGE = "".join(f"# {name}\n<!-- table: {name} -->\nold {name}\n<!-- end of table -->\n"
               for name in ("machine", "words", "records", "small", "buckets", "culling", "handoffs", "hostcosts"))


def entry(name, role, microseconds, arena="cuda", rate=None):
    return {"name": name, "arena": arena, "role": role, "status": "measured", "microseconds": {"median": microseconds},
            "gigabytesPerSecond": rate or 1000 / microseconds}


def workload(name, competitors, size=4, count=1 << 26, percent=50.0, buckets=1, **more):
    return {"name": name, "recordBytes": size, "recordCount": count, "survivalPercent": percent, "pattern": "random",
            "buckets": buckets, "order": "stable", "outputs": "records", "predicate": "word", "l2": "memory",
            "competitors": competitors, **more}


def results(workloads, gpu="Made-up GPU"):
    return {"date": "2026-01-02T03:04:05Z", "gpu": {"name": gpu, "driver": None, "cudaRuntime": 13000}, "mode": "graph",
            "repetitions": 15, "workloads": workloads}


def large(copies):
    return workload("large", copies + [entry("cub", "baseline", 20.0), entry("sluice", "candidate", 10.0, rate=80.0)])


class TablesTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)

    def write(self, *all_results):
        page = self.folder / "page.md"
        page.write_text(PAGE, encoding="utf-8")
        paths = []
        for number, each in enumerate(all_results):
            paths.append(self.folder / f"{number}.json")
            paths[-1].write_text(json.dumps(each), encoding="utf-8")
        run = subprocess.run([sys.executable, "-B", TABLES, *paths, page], text=True, capture_output=True, check=False)
        return run, page.read_text(encoding="utf-8")

    def test_the_fastest_copy_is_the_measure(self):
        slow, study = entry("copy-kernel", "copy", 5.0, rate=100.0), entry("copy-plain-4", "study", 4.0, rate=160.0)
        _, page = self.write(results([large([slow])]))
        self.assertIn("| 0.80, 2.00x |", page)
        run, page = self.write(results([large([slow, study])]))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("| 0.50, 2.00x |", page)

    def test_files_add_up_and_other_tables_stay(self):
        small = workload("small", [entry("sluice", "candidate", 2.5), entry("cub", "baseline", 4.5)], count=1 << 16)
        spheres = workload("16 B x 2^20, sphere", [entry("sluice", "candidate", 11.8),
                                                   entry("sluice-inline", "candidate", 13.2, arena="vulkan")],
                           size=16, count=1 << 20, predicate="sphere", outputs="indices")
        run, page = self.write(results([small]), results([spheres]))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("| 2^16, stable | 2.5 | 4.5 |", page)
        self.assertIn("| culled, us | `cuda` | `inline`, compute |", page)
        self.assertIn("| 16 B x 2^20, sphere | 11.8 | 13.2 |", page)
        for name in ("words", "records", "buckets"):
            self.assertIn(f"old {name}\n", page)
            self.assertIn(f"{name}: left as it is", run.stdout)
        self.assertIn("Made-up GPU, CUDA 13.0, 2026-01-02; medians of 15 graph replays.", page)

    def test_what_is_compared_was_measured_together(self):
        small = workload("small", [entry("sluice", "candidate", 2.5), entry("cub", "baseline", 4.5)], count=1 << 16)
        alone = workload("small", [entry("sluice", "candidate", 9.0)], count=1 << 16)
        other = workload("few kept", [entry("sluice", "candidate", 7.0), entry("cub", "baseline", 8.0)], count=1 << 16,
                         percent=1.0)
        _, page = self.write(results([small]), results([alone, other]))
        self.assertIn("| 2^16, stable | 2.5 | 4.5 |", page)
        self.assertNotIn("9.0", page)
        self.assertNotIn("7.0", page)

    def test_the_later_file_counts(self):
        def one(microseconds):
            return results([workload("small", [entry("sluice", "candidate", microseconds), entry("cub", "baseline", 4.0)],
                                     count=1 << 16)])

        _, page = self.write(one(2.0), one(3.0))
        self.assertIn("| 2^16, stable | 3.0 | 4.0 |", page)

    def test_studies_have_tables(self):
        times = {key + "Microseconds": {"median": value} for key, value in (("frame", 90.4), ("gap", 41.0), ("host", 3.0))}
        studies = {"handoffs": [{"route": "inline", "path": "CUDA", "latency": 1, "status": "measured", **times},
                                {"route": "vulkan", "path": "CUDA", "latency": 0, "status": "refused", "reason": "none"}],
                   "hostCosts": [{"competitor": "sluice", "arena": "cuda", "workload": "words", "microsecondsPerCall": 4.52}]}
        run, page = self.write(results([]) | studies, results([]))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("| `inline`, CUDA, drawn a frame later | 90 | 41 | 3 |\n<!--", page)
        self.assertIn("| `sluice`, cuda | words | 4.5 |", page)

    def test_studies_of_several_files_are_gathered(self):
        def costs(*arenas, microseconds):
            return results([]) | {"hostCosts": [{"competitor": "sluice", "arena": arena, "workload": "words",
                                                 "microsecondsPerCall": microseconds} for arena in arenas]}

        _, page = self.write(costs("cuda", "vulkan", microseconds=1.0), costs("vulkan", "host", microseconds=2.0))
        rows = [line for line in page.splitlines() if line.startswith("| `sluice`, ")]
        self.assertEqual(rows, ["| `sluice`, cuda | words | 1.0 |", "| `sluice`, vulkan | words | 2.0 |",
                                "| `sluice`, host | words | 2.0 |"])

    def test_culling_stays_out_of_other_tables(self):
        culled = workload("culled", [entry("sluice", "candidate", 2.0), entry("cub", "baseline", 3.0)], size=4,
                          count=1 << 16, predicate="sphere-beside")
        run, page = self.write(results([culled]))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("old small\n", page)
        self.assertIn("| culled | 2.0 | 3.0 |", page)

    def test_refuses_to_mix_gpus(self):
        run, page = self.write(results([]), results([], gpu="Another GPU"))
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("tables.py: these results are of different GPUs", run.stderr)
        self.assertEqual(page, PAGE)


if __name__ == "__main__":
    unittest.main()
