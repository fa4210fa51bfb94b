"""Runs plots.py on made-up results. Exits with 77 where matplotlib is missing."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

PLOTS = pathlib.Path(__file__).resolve().parents[2] / "report/plots.py"
sys.dont_write_bytecode = True
sys.path.insert(0, str(PLOTS.parent))


def entry(name, role, microseconds, **more):
    return {"name": name, "role": role, "status": "measured", "framesPerSample": 4,
            "microseconds": {"median": microseconds, "samples": [microseconds]},
            "gigabytesPerSecond": 1000 / microseconds, **more}


def workload(competitors, count=1 << 20, percent=50.0, buckets=1, **more):
    return {"name": f"4 B x {count}, {percent} %", "recordBytes": 4, "recordCount": count, "survivalPercent": percent,
            "pattern": "random", "buckets": buckets, "order": "stable", "outputs": "records", "l2": "memory",
            "competitors": competitors, **more}


def results(workloads, **more):
    gpu = {"name": "Made-up GPU", "driver": "1.2", "cudaRuntime": 12050}
    return {"date": "2026-01-02T03:04:05Z", "gpu": gpu, "mode": "graph", "repetitions": 3, "workloads": workloads,
            **more}


def everyone(microseconds):
    phases = [{"name": "count", "microseconds": 1.0}, {"name": "scatter", "microseconds": 2.5}]
    return [entry("copy", "copy", microseconds), entry("copy-kernel", "copy", microseconds * 1.1),
            entry("cub", "baseline", microseconds * 2), entry("sluice", "candidate", microseconds),
            entry("someone new", "candidate", microseconds * 3, phases=phases)]


def complete():
    return results([workload(everyone(10.0), percent=percent) for percent in (0.0, 50.0, 100.0)] +
                   [workload(everyone(count / 1e5), count=count) for count in (1 << 16, 1000003, 1 << 24)] +
                   [workload(everyone(20.0 + buckets), buckets=buckets) for buckets in (4, 64)])


class PlotsTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)

    def draw(self, *all_results, into="plots"):
        paths = []
        for number, each in enumerate(all_results):
            paths.append(self.folder / f"{number}.json")
            paths[-1].write_text(json.dumps(each), encoding="utf-8")
        return subprocess.run([sys.executable, "-B", PLOTS, self.folder / into, *paths], text=True, capture_output=True,
                              check=False)

    def files(self, folder="plots"):
        return {path.name: path.read_bytes() for path in (self.folder / folder).iterdir()}

    def test_draws_everything(self):
        run = self.draw(complete())
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        files = self.files()
        names = ("bandwidth-stable", "ratio-stable", "size", "buckets", "phases")
        self.assertEqual(set(files), {name + ".svg" for name in names})
        for name in names:
            texts = [e.text for e in xml.etree.ElementTree.fromstring(files[name + ".svg"]).iter() if e.text]
            self.assertIn("someone new", texts, name)
            self.assertTrue(any("Made-up GPU, driver 1.2, CUDA 12.5, 2026-01-02" in text for text in texts), name)

    def test_a_size_of_records_is_drawn_where_most_survivals_are(self):
        runs = [workload(everyone(10.0), count, percent) for count, percents in (
            (1 << 20, (0.0, 50.0, 100.0)), (1 << 22, (0.0, 10.0, 100.0)), (1 << 24, (0.0, 100.0))) for percent in percents]
        self.assertEqual(self.draw(results(runs)).returncode, 0)
        svg = self.files()["bandwidth-stable.svg"]
        self.assertEqual([count for count in (20, 22, 24) if f">4 B x 2^{count}<".encode() in svg], [22])

    def test_packed_buckets_are_not_among_the_others(self):
        packed = [workload(everyone(20.0 + buckets), buckets=buckets, placement="packed", groups=0) for buckets in (4, 64)]
        percents = [workload(everyone(10.0), percent=percent) for percent in (0.0, 100.0)]
        self.assertEqual(self.draw(results(percents + [workload(everyone(9.0))] + packed)).returncode, 0)
        self.assertNotIn("buckets.svg", self.files())

    def test_draws_copies_apart(self):
        study = [entry(f"copy-study-{i}", "study", 2.0 + i) for i in range(3)]
        pair = [entry("copy", "copy", 3.0), entry("sluice", "candidate", 2.0)]
        run = self.draw(results([workload(pair + study, percent=percent) for percent in (0.0, 100.0)]))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        files = self.files()
        for i in range(3):
            self.assertIn(f">copy-study-{i}<".encode(), files["copies.svg"])
            self.assertNotIn(f">copy-study-{i}<".encode(), files["bandwidth-stable.svg"])

    def test_copies_are_no_part_of_ratios(self):
        """Whichever copy is the fastest: those of the study have a role of their own."""
        for copy in (entry("copy", "copy", 1.0), entry("copy-plain-4", "study", 1.0)):
            competitors = [copy, entry("cub", "baseline", 4.0), entry("sluice", "candidate", 2.0)]
            self.draw(results([workload(competitors, percent=percent) for percent in (0.0, 100.0)]))
            self.assertIn(b">copy<", self.files()["bandwidth-stable.svg"])
            self.assertNotIn(b">copy<", self.files()["ratio-stable.svg"])

    def test_names_with_one_marker_have_colours_that_differ(self):
        import plots  # pylint: disable=import-outside-toplevel
        colors = [matplotlib.colors.to_rgb(color) for color in (*plots.COLORS.values(), *plots.OTHER_COLORS)]
        for i, color in enumerate(colors):
            for other in colors[i + len(plots.MARKERS)::len(plots.MARKERS)]:
                self.assertGreater(math.dist(color, other), 0.2)

    def test_phases_are_of_the_largest_workload_half_kept(self):
        runs = [workload(everyone(10.0), count, percent) for count in (1 << 24, 1 << 20) for percent in (5.0, 50.0, 100.0)]
        self.draw(results(runs))
        self.assertIn(f">Phases of a frame, 4 B x {1 << 24}, 50.0 %<".encode(), self.files()["phases.svg"])

    def test_draws_the_same_twice(self):
        self.draw(complete(), into="a")
        self.draw(complete(), into="b")
        self.assertEqual(self.files("a"), self.files("b"))

    def test_packed_results_are_drawn_the_same(self):
        from results import pack  # pylint: disable=import-outside-toplevel
        whole = complete()
        self.draw(whole, into="a")
        self.draw(pack(whole), into="b")
        self.assertEqual(self.files("a"), self.files("b"))

    def test_unites_files(self):
        later = results([workload([entry("latecomer", "candidate", 5.0)], percent=percent) for percent in (0.0, 100.0)])
        self.assertEqual(self.draw(complete(), later).returncode, 0)
        svg = self.files()["bandwidth-stable.svg"]
        self.assertIn(b">latecomer<", svg)
        self.assertIn(b">sluice<", svg)

    def test_arenas_have_plots_of_their_own(self):
        host = [entry("loop", "candidate", 5.0, arena="host"), entry("sluice", "candidate", 2.0)]
        run = self.draw(results([workload(host, percent=percent) for percent in (0.0, 100.0)]))
        self.assertEqual(run.returncode, 0)
        files = self.files()
        self.assertNotIn(b">loop<", files["bandwidth-stable.svg"])
        self.assertIn(b">loop<", files["bandwidth-stable-host.svg"])

    def test_draws_frames_of_the_demo(self):
        phases = [{"name": "compact", "microseconds": 3.0}, {"name": "draw", "microseconds": 9.0}]
        routes = [entry("vulkan", "candidate", 3.0, arena="frame", phases=phases),
                  {"name": "cuda", "arena": "frame", "role": "candidate", "status": "refused", "reason": "no CUDA"}]
        frames = results([workload(routes, pattern="scene", scene="points")], program="sluice-demo 1.2.3", gpu=None,
                         machine={"name": "Made-up device", "driver": None, "cuda": None}, mode="frames")
        run = self.draw(frames)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        files = self.files()
        self.assertEqual(set(files), {"phases-frame.svg"})
        self.assertIn(b">Made-up device, 2026-01-02; medians of 3 frames<", files["phases-frame.svg"])
        self.assertIn(b">Phases of a frame, draws left out, ", files["phases-frame.svg"])
        self.assertIn(b">compact<", files["phases-frame.svg"])
        self.assertNotIn(b">draw<", files["phases-frame.svg"])

    def test_names_the_runs_that_it_shows(self):
        points = [workload([entry("cub", "baseline", 4.0), entry("sluice", "candidate", 2.0)], percent=percent)
                  for percent in (0.0, 100.0)]
        later = results(points[1:]) | {"date": "2026-01-04T00:00:00Z", "repetitions": 5}
        other = results([workload([entry("sluice", "candidate", 2.0)], pattern="alternating")]) | {"repetitions": 99}
        self.assertEqual(self.draw(results(points[:1]), later, other).returncode, 0)
        svg = self.files()["bandwidth-stable.svg"]
        self.assertIn(b">Made-up GPU, driver 1.2, CUDA 12.5, 2026-01-02; medians of 3 graph replays | 2026-01-04; medians of 5",
                      svg)
        self.assertNotIn(b"99", svg[svg.index(b"Made-up GPU"):][:200])

    def test_draws_handoffs(self):
        times = {key + "Microseconds": {"median": value} for key, value in (("frame", 90.0), ("gap", 41.0), ("host", 3.0))}
        handoffs = [{"work": "frame", "route": "cuda", "path": "CUDA", "latency": 1, "status": "measured", **times},
                    {"work": "frame", "route": "vulkan", "path": "one submission", "latency": 0, "status": "refused",
                     "reason": "none"},
                    {"work": "no compaction", "route": "none", "path": "one submission", "latency": 0, "status": "measured",
                     **times},
                    {"work": "hand-off alone", "route": "cuda", "path": "CUDA", "latency": 0, "status": "measured",
                     **times}]
        run = self.draw(results([], handoffs=handoffs))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(set(self.files()), {"handoffs.svg"})
        svg = self.files()["handoffs.svg"]
        for name in (b">cuda, CUDA, drawn a frame later<", b">no compaction<"):
            self.assertIn(name, svg)
        for name in (b">vulkan, one submission<", b"alone<"):
            self.assertNotIn(name, svg)

    def test_says_what_it_leaves_out(self):
        refused = {"name": "cub", "role": "baseline", "status": "refused", "reason": "it has one output"}
        wrong = {"name": "sluice", "role": "candidate", "status": "wrong", "reason": "an element is missing"}
        nothing = workload([])
        del nothing["competitors"], nothing["l2"]
        one = workload([entry("copy", "copy", 3.0, unknown={}), refused, wrong], refusal="", unknown=[1])
        for workloads in ([], [nothing], [nothing, one]):
            run = self.draw(results(workloads, unknown="x"))
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertEqual(run.stdout.count("left out"), 7)
            self.assertEqual(self.files(), {})

    def test_without_baseline_there_is_no_ratio(self):
        pair = [entry("copy", "copy", 3.0), entry("sluice", "candidate", 2.0)]
        run = self.draw(results([workload(pair, percent=percent) for percent in (0.0, 100.0)]))
        self.assertEqual(run.returncode, 0)
        self.assertEqual(set(self.files()), {"bandwidth-stable.svg"})
        self.assertIn("ratio (cuda): left out", run.stdout)

    def test_refuses_to_mix_gpus(self):
        other = complete()
        other["gpu"]["name"] = "Another GPU"
        run = self.draw(complete(), other)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("plots.py: these results are of different GPUs", run.stderr)


if __name__ == "__main__":
    try:
        import matplotlib.colors
    except ImportError:
        print("skipped: matplotlib is not installed for", sys.executable)
        sys.exit(77)
    unittest.main()
