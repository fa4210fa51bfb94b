"""Runs tables.py on made-up results."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
TABLES = pathlib.Path(__file__).resolve().parents[2] / "report/tables.py"
sys.path.insert(0, str(TABLES.parent))
from results import pack  # pylint: disable=wrong-import-position

PAGE = "".join(f"# {name}\n<!-- table: {name} -->\nold {name}\n<!-- end of table -->\n"
               for name in ("machine", "words", "records", "widths", "everyone", "tuned", "pairs", "sizes", "buckets", "culling",
                            "placements", "routes", "routes_by_survival", "routes_by_width", "routes_by_buckets", "host", "frames",
                            "handoffs", "handoffs_alone", "verbs", "hostcosts", "occlusion", "occlusion_counts"))


def entry(name, role, microseconds, arena="cuda", rate=None):
    return {"name": name, "arena": arena, "role": role, "status": "measured", "microseconds": {"median": microseconds},
            "gigabytesPerSecond": rate or 1000 / microseconds}


def workload(name, competitors, size=4, count=1 << 26, percent=50.0, buckets=1, **more):
    return {"name": name, "recordBytes": size, "recordCount": count, "survivalPercent": percent, "pattern": "random",
            "buckets": buckets, "order": "stable", "outputs": "records", "predicate": "word", "l2": "memory",
            "competitors": competitors, "compulsoryBytes": 3_000_000, **more}


def results(workloads, gpu="Made-up GPU", **more):
    return {"date": "2026-01-02T03:04:05Z", "gpu": {"name": gpu, "driver": "1.2.3", "cudaRuntime": 13000}, "mode": "graph",
            "repetitions": 15, "workloads": workloads, **more}


def summary(median, low, high):
    return {"median": median, "percentile10": low, "percentile90": high}


def small(ours=2.5, cub=4.5, count=1 << 16, order="stable", **more):
    competitors = [entry("sluice", "candidate", ours)] + ([entry("cub", "baseline", cub)] if cub else [])
    return workload(f"{count} {order}", competitors, count=count, **({"order": order} | more))


def large(copies):
    return workload("large", copies + [entry("cub", "baseline", 20.0), entry("sluice", "candidate", 10.0, rate=80.0)])


class TablesTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)

    def write(self, *all_results, text=PAGE):
        page = self.folder / "page.md"
        page.write_text(text, encoding="utf-8")
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
        def spheres(competitors, l2):
            return workload("16 B x 2^20, sphere", competitors, size=16, count=1 << 20, predicate="sphere",
                            outputs="indices", l2=l2)

        on_cuda = spheres([entry("sluice", "candidate", 11.8), entry("copy", "copy", 4.0, rate=1000.0)], "warm")
        on_vulkan = spheres([entry("sluice-inline", "candidate", 13.2, arena="vulkan")], None)
        run, page = self.write(results([small(), small(1.25, order="unordered"), on_cuda]), results([on_vulkan]))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("| unordered | 1.25 |\n| stable | 2.50 |\n| CUB | 4.50 |\n<!--", page)
        self.assertIn("| culled, us | `cuda` | `inline`, compute | limit |", page)
        self.assertIn("| 16 B x 2^20, sphere | 11.8 | 13.2 | 3.0 |", page)
        for name in ("words", "records", "widths", "everyone", "buckets", "routes", "frames"):
            self.assertIn(f"old {name}\n", page)
            self.assertIn(f"{name}: left as it is", run.stdout)
        self.assertIn("Made-up GPU, driver 1.2.3, CUDA 13.0, 2026-01-02; medians of 15 graph replays.", page)

    def test_what_is_compared_was_measured_together(self):
        _, page = self.write(results([small(), small(order="unordered")]),
                             results([small(9.0, cub=None), small(7.0, 8.0, percent=1.0)]))
        self.assertIn("| stable | 2.50 |", page)
        self.assertNotIn("9.0", page)
        self.assertNotIn("7.0", page)

    def test_the_later_file_counts(self):
        _, page = self.write(*[results([small(time), small(time, order="unordered")]) for time in (2.0, 3.0)])
        self.assertIn("| stable | 3.00 |", page)

    def test_pages_name_their_results(self):
        def marked(name, paths):
            return f"<!-- table: {name} {paths} -->\nold {name}\n<!-- end of table -->\n"

        (self.folder / "runs").mkdir()
        for name, percent in (("first", 1.0), ("second", 50.0)):
            text = json.dumps(results([large([entry("copy", "copy", 5.0, rate=100.0)]) | {"survivalPercent": percent}]))
            (self.folder / "runs" / f"{name}.json").write_text(text, encoding="utf-8")
        page = marked("words", "runs/first.json") + marked("summary", "runs/first.json\nruns/second.json") + PAGE
        run, page = self.write(text=page)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("| records kept | 1 % |\n|---|---|\n| 2^26 x 4 B, stable | 0.80, 2.00x |\n", page)
        self.assertIn("| records kept | 1 % | 50 % | 100 % |\n|---|---|---|---|\n| 2^26 x 4 B, stable | 0.80, 2.00x | 0.80, ",
                      page)
        self.assertIn("old words\n", page)
        self.assertNotIn("old summary\n", page)
        run, page = self.write(text=marked("words", "runs/first.json") + marked("summary", "runs/first.json runs/third.json"))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("summary runs/first.json runs/third.json: left as it is, there are no results\n", run.stdout)
        self.assertIn("| records kept | 1 % |", page)
        self.assertIn("old summary\n", page)

    def test_everyone_is_in_the_order_of_their_times(self):
        def kept(percent):
            others = [entry("slow", "candidate", 2000.0), entry("quick", "candidate", 30.0),
                      entry("now and then", "candidate", 1.0)]
            copies = [entry("copy-plain-4", "study", 8.0), entry("copy", "copy", 9.0)]
            return workload("words", copies + others[:3 if percent == 5 else 2] + [entry("sluice", "candidate", 12.0)],
                            percent=percent, order="unordered")

        _, page = self.write(results([kept(percent) for percent in (1.0, 5.0, 50.0, 100.0)]))
        self.assertIn("\n| the fastest copy | 8 | 8 | 8 | 8 |\n| **`sluice`, unordered** | 12 | 12 | 12 | 12 |\n"
                      "| `quick` | 30 | 30 | 30 | 30 |\n| `slow` | 2,000 | 2,000 | 2,000 | 2,000 |\n"
                      "| limit | 24 | 24 | 24 | 24 |\n<!-- end", page)

    def test_tuned_cub_stands_behind_the_default(self):
        def with_tuned(ours, default, tuned, **more):
            return workload("x", [entry("copy", "copy", 5.0), entry("cub", "baseline", default),
                                  entry("cub-tuned", "candidate", tuned), entry("sluice", "candidate", ours)], **more)

        first = [with_tuned(10.0, 20.0, 15.0), with_tuned(10.0, 30.0, 12.0, order="unordered")]
        small_one, culled = with_tuned(1.0, 9.0, 1.0, count=1 << 10), with_tuned(1.0, 9.0, 1.0, predicate="sphere")
        _, page = self.write(results([*first, small_one, culled]), results([with_tuned(10.0, 20.0, 9.0)]))
        self.assertIn("| 2^26 x 4 B, unordered | 0.50, 3.00x, 1.20x |", page)
        self.assertIn("| records | `cub-tuned` over `cub` | `sluice`, unordered, over `cub-tuned` | `sluice`, stable, over "
                      "`cub-tuned` |\n|---|---|---|---|\n"
                      "| 4 B | 1.33 to 2.50 | 1.20 to 1.20 | 0.90 to 1.50 |\n<!--", page)

    def test_pairs_are_counted_in_every_run(self):
        def pair(ours, other, name="other", **more):
            copies = [entry("copy", "copy", 0.1), entry("copy-plain-4", "study", 0.1)]
            return workload(name, [*copies, entry("sluice", "candidate", ours), entry("cub", "baseline", other)], **more)

        append = workload("culled", [entry("sluice-vulkan", "candidate", 4.0, arena="vulkan"),
                                     entry("vulkan-append", "candidate", 3.0, arena="vulkan"),
                                     entry("sluice-inline", "candidate", 2.0, arena="vulkan")], predicate="sphere")
        equal, lost, won = pair(2.0, 2.0, "equal"), pair(2.0, 1.0, "lost"), pair(2.0, 3.0, "lost")
        run, page = self.write(results([equal, lost, append]), results([won, pair(2.0, 5.0, "won", predicate="sphere")]))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("| route | against | pairs | lost | least speedup | culled: pairs | culled: lost | culled: least speedup |\n"
                      "|---|---|---|---|---|---|---|---|\n"
                      "| `cuda` | `cub` | 3 | 1 | 0.50x: lost | 1 | 0 | 2.50x: won |\n"
                      "| `inline`, compute | `vulkan-append` |  |  |  | 1 | 0 | 1.50x: culled |\n"
                      "| `vulkan`, compute | `vulkan-append` |  |  |  | 1 | 1 | 0.75x: culled |\n<!--", page)

    def test_buckets_are_told_as_parts_of_one(self):
        _, page = self.write(results([workload("x", [entry("sluice", "candidate", time)], size=16, buckets=count)
                                      for count, time in ((1, 10.0), (2, 20.0), (1024, 25.0))]))
        self.assertIn("| buckets | 1 | 2 | 1,024 | limit |\n|---|---|---|---|---|\n"
                      "| 2^26 x 16 B, stable | 10.0, 1.00 | 20.0, 0.50 | 25.0, 0.40 |  |\n", page)

    def test_routes_and_frames_have_a_column_each(self):
        words = workload("words", [entry("sluice", "candidate", 2.0), entry("sluice-vulkan", "candidate", 3.0, arena="vulkan")])
        frame = workload("asteroids", [entry("inline", "candidate", 46.4, arena="frame"),
                                       entry("cpu", "candidate", 2751.0, arena="frame")])
        _, page = self.write(results([words, frame]))
        self.assertIn("| us | `cuda` | `vulkan`, compute |\n|---|---|---|\n| words | 2.0 | 3.0 |\n<!--", page)
        self.assertIn("| frame of the demo, us | `cpu` | `vulkan` | `cuda` | `inline` |\n|---|---|---|---|---|\n"
                      "| asteroids | 2,751 |  |  | 46.4 |\n<!--", page)

    def test_packed_results_have_the_same_tables(self):
        words = small(), small(1.25, order="unordered")
        for each in words:
            each["competitors"][0]["microseconds"] |= {"percentile10": 1.2, "percentile90": 2.75, "samples": [1.0, 2.5]}
            each["competitors"].append({"name": "cub-sort", "status": "refused", "reason": "it has one bucket"})
        costs = [{"competitor": "sluice", "arena": "cuda", "workload": "words",
                  "microseconds": summary(4.0, 3.99, 4.02) | {"samples": [4.0]}}]
        whole = results(list(words), hostCosts=costs)
        packed = json.dumps(pack(whole))
        for word in ("samples", "refused", "kept"):
            self.assertNotIn(word, packed)
        run, page = self.write(whole)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("| unordered | 1.25 |", page)
        self.assertEqual(self.write(json.loads(packed))[1], page)

    def test_studies_have_tables(self):
        times = {key + "Microseconds": {"median": value} for key, value in (("frame", 90.4), ("gap", 41.0), ("host", 3.0))}
        frame = {"work": "frame", "path": "CUDA"}
        costs = {"competitor": "sluice", "arena": "cuda", "workload": "words", "microseconds": {"median": 4.52}}
        studies = {"handoffs": [{**frame, "route": "inline", "latency": 1, "status": "measured", **times},
                                {**frame, "route": "vulkan", "latency": 0, "status": "refused", "reason": "none"}],
                   "hostCosts": [costs]}
        run, page = self.write(results([]) | studies, results([]))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("| compaction | frame, us | by compaction, us | before its draws, us | host, us |\n|---|---|---|---|---|\n"
                      "| `inline`, CUDA, drawn a frame later | 90 |  | 41 | 3 |\n<!--", page)
        self.assertIn("| `sluice`, cuda | words | 4.5 |\n<!--", page)
        for name in ("handoffs_alone", "verbs"):
            self.assertIn(f"old {name}\n", page)

    def test_handoffs_are_told_by_what_they_add(self):
        def entry_of(work, route, path, frame, **more):
            times = {key + "Microseconds": {"median": frame / part} for key, part in (("frame", 1), ("gap", 2), ("host", 10))}
            return {"work": work, "route": route, "path": path, "latency": 0, "status": "measured", **times, **more}

        verbs = [{"name": "sluCmdRelease", "microseconds": summary(8.04, 7.5, 9.9)}]
        _, page = self.write(results([], handoffs=[
            entry_of("no compaction", "none", "one submission", 300.0, deltaMicroseconds=None),
            entry_of("frame", "cuda", "CUDA", 680.0, deltaMicroseconds=summary(380.0, 361.0, 399.0), verbs=verbs),
            entry_of("hand-off alone", "none", "three submissions", 20.0, deltaMicroseconds=None),
            entry_of("hand-off alone", "cuda", "CUDA", 320.0, deltaMicroseconds=None)]))
        self.assertIn("| compaction | frame, us | by compaction, us | before its draws, us | host, us |\n"
                      "|---|---|---|---|---|\n| no compaction | 300 |  | 150 | 30 |\n"
                      "| `cuda`, CUDA | 680 | +380 | 340 | 68 |\n\n10th to 90th percentile: 10 % of the median in the median "
                      "cell, 10 % at most (`cuda`, CUDA, by compaction, us).\n<!--", page)
        self.assertIn("| hand-off alone | there and back, us | host, us |\n|---|---|---|\n"
                      "| three submissions | 10.0 | 2.0 |\n| `cuda`, CUDA | 160.0 | 32.0 |\n<!--", page)
        self.assertIn("| call | us | 10th percentile | 90th |\n|---|---|---|---|\n"
                      "| `sluCmdRelease`, cuda | 8.0 | 7.5 | 9.9 |\n<!--", page)

    def test_occlusion_is_compared(self):
        street = {"records": "scattered", "recordCount": 1 << 20, "width": 1920, "height": 1080, "inFrustum": 400_000,
                  "visible": 120_000, "showing": 100_000}

        def work(method, what, last, time, **more):
            return {**street, "method": method, "work": what, "last": last, "status": "measured",
                    "microseconds": {"median": time}, "copyMicroseconds": {"median": 5.0}, **more}

        wrong = {**street, "method": "sluice", "work": "single", "last": None, "status": "wrong", "reason": "record 3"}
        entries = [work("sluice", "frame", None, 20.0), work("sluice", "pyramid", None, 8.0),
                   work("sluice", "both phases", "steady", 30.0), work("levels", "pyramid", None, 20.0),
                   work("levels", "both phases", "steady", 75.0), work("levels", "single", None, 9.0), wrong]
        of_height = [work("sluice", "pyramid", None, 21.0, width=3840, height=2160, inFrustum=1000, visible=240, showing=200)]
        run, page = self.write(results([], occlusions=entries + of_height))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("| picture, records | what | last frame | `sluice`, us | of its `frame` | `levels`, us | speedup | copy, us "
                      "|\n|---|---|---|---|---|---|---|---|\n"
                      "| 1920 x 1080, scattered | frame |  | 20.0 |  |  |  | 5.0 |\n"
                      "| 1920 x 1080, scattered | pyramid |  | 8.0 |  | 20.0 | 2.50x | 5.0 |\n"
                      "| 1920 x 1080, scattered | both phases | steady | 30.0 | 1.50 | 75.0 | 2.50x | 5.0 |\n"
                      "| 3840 x 2160, scattered | pyramid |  | 21.0 |  |  |  | 5.0 |\n<!--", page)
        self.assertIn("| picture, records | records | in the frustum | of these hidden | at most |\n|---|---|---|---|---|\n"
                      "| 1920 x 1080, scattered | 2^20 | 400,000 | 70 % | 75 % |\n"
                      "| 3840 x 2160, scattered | 2^20 | 1,000 | 76 % | 80 % |\n<!--", page)
        self.assertEqual(self.write(pack(results([], occlusions=entries + of_height)))[1], page)

    def test_spread_stands_below_a_table(self):
        words = small(), small(1.25, order="unordered")
        for workload_, low in zip(words, (2.4, 1.0)):
            workload_["competitors"][0]["microseconds"] |= {"percentile10": low, "percentile90": low + 0.25}
        costs = [{"competitor": "sluice", "arena": "cuda", "workload": "words", "microseconds": summary(4.0, 3.99, 4.02)}]
        _, page = self.write(results(words, hostCosts=costs))
        self.assertIn("| CUB | 4.50 |\n\n10th to 90th percentile: 15 % of the median in the median cell, 20 % at most "
                      "(unordered, 2^16).\n<!-- end", page)
        self.assertIn("| `sluice`, cuda | words | 4.0 |\n\n10th to 90th percentile: 0.7 % of the median in the median cell, "
                      "0.7 % at most (`sluice`, cuda, words, us).\n", page)

    def test_sizes_say_how_they_were_measured(self):
        words = small(), small(1.25, order="unordered")
        _, page = self.write(results([dict(each, l2="cold") for each in words], cold=True), results([]))
        self.assertIn("| words, cold, us | 2^16 |", page)
        _, page = self.write(results(words, mode="stream", cold=False))
        self.assertIn("| words, single launches, us | 2^16 |", page)
        self.assertIn("medians of 15 single launches.", page)
        _, page = self.write(results(words, mode="stream"), results([], cold=True))
        self.assertIn("| words, single launches, us | 2^16 |", page)
        self.assertIn("medians of 15 graph replays, cold.", page)

    def test_the_host_has_a_column_per_count(self):
        def on_host(order, count, size=4):
            entries = [entry("memcpy", "copy", 2.0, arena="host"), entry("sluice-cpu", "candidate", 1234.0, arena="host")]
            return workload("x", entries if count > 1024 else entries[:1], size=size, count=count, order=order)

        run = [on_host("unordered", 1 << 20, size=64), on_host("unordered", 1 << 10), on_host("stable", 1 << 20, size=64)]
        _, page = self.write(results(run) | {"gpu": None, "devices": {"host": {"name": "Made-up processor"}}})
        self.assertIn("Made-up processor, 2026-01-02; medians of 15 samples.", page)
        self.assertIn("| words, us | 2^10 | 2^20 x 64 B |\n|---|---|---|\n| `memcpy` | 2.00 | 2.00 |\n"
                      "| `sluice-cpu`, unordered |  | 1,234 |\n| `sluice-cpu`, stable |  | 1,234 |\n"
                      "| limit of one thread | 6.00 | 6.00 |\n<!--", page)

    def test_routes_have_a_row_per_order(self):
        def on_routes(time, order="stable", **more):
            entries = [entry("sluice", "candidate", time), entry("sluice-vulkan", "candidate", 2 * time, arena="vulkan")]
            return workload("x", entries[:1 if order == "stable" and more.get("percent") == 1.0 else 2], order=order, **more)

        def head(columns):
            return f"| {columns} |\n" + "|---" * (columns.count("|") + 1) + "|\n"

        words = [on_routes(time, order, percent=percent) for order in ("unordered", "stable")
                 for percent, time in ((1.0, 5.0), (50.0, 7.0))]
        wide = [on_routes(time, size=size, percent=percent)
                for size, percent, time in ((8, 10.0, 1.0), (8, 100.0, 2.0), (16, 100.0, 4.0), (16, 10.0, 3.0),
                                            (16, 50.0, 9.0))]
        wide.append(on_routes(0.5, size=16, count=1 << 20, percent=10.0))
        into = [on_routes(float(count), size=16, buckets=count) for count in (4, 1024)]
        _, page = self.write(results(words + wide + into))
        self.assertIn(head("2^26 words, us | 1 % | 50 %") + "| `cuda`, unordered | 5.0 | 7.0 |\n| `cuda`, stable |  | 7.0 |\n"
                      "| `vulkan`, compute, unordered | 10.0 | 14.0 |\n| `vulkan`, compute, stable |  | 14.0 |\n<!--", page)
        self.assertIn(head("us, 10 / 100 % kept | 8 B | 16 B") + "| `cuda`, stable | 1.0 / 2.0 | 3.0 / 4.0 |\n"
                      "| `vulkan`, compute, stable | 2.0 / 4.0 | 6.0 / 8.0 |\n<!--", page)
        self.assertIn(head("2^26 x 16 B into buckets, us | 1 | 4 | 1,024") + "| `cuda`, stable | 9.0 | 4.0 | 1,024 |\n", page)

    def test_limits_stand_beside_what_was_copied(self):
        """Vulkan's times have the limit of CUDA's copy, whatever Vulkan's takes."""
        def on_routes(time, copied=True, **more):
            entries = [entry("sluice", "candidate", time), entry("sluice-vulkan", "candidate", time, arena="vulkan"),
                       entry("vulkan-copy", "copy", 50.0, arena="vulkan")]
            copies = [entry("copy", "copy", time / 2), entry("copy-kernel", "copy", time)] if copied else []
            return workload("x", entries + copies, **more)

        words = [on_routes(time, percent=percent, order=order, copied=percent > 1 and order == "stable")
                 for order in ("unordered", "stable") for percent, time in ((1.0, 5.0), (50.0, 8.0))]
        wide = [on_routes(time, time < 9, size=16, percent=percent) for percent, time in ((10.0, 9.0), (100.0, 4.0))]
        into = [on_routes(float(count), size=16, buckets=count) for count in (4, 1024)]
        _, page = self.write(results(words + wide + into))
        for rows in ("| `vulkan`, compute, stable | 5.0 | 8.0 |\n| limit |  | 12.0 |\n<!--",
                     "| `vulkan`, compute, stable | 9.0 / 4.0 |\n| limit | - / 6.0 |\n<!--",
                     "| `vulkan`, compute, stable | 4.0 | 1,024 |\n| limit | 6.0 | 1,536 |\n<!--"):
            self.assertIn(rows, page)
        _, page = self.write(results([on_routes(8.0)]))
        self.assertIn("| us | `cuda` | `vulkan`, compute | limit |\n|---|---|---|---|\n| x | 8.0 | 8.0 | 12.0 |\n<!--", page)

    def test_routes_of_several_runs_are_one(self):
        """A run without the cuda arena does not tell where inputs lie, and counts where it came later."""
        def on_cuda(time, **more):
            return workload("x", [entry("sluice", "candidate", time)], **more)

        def on_vulkan(time, **more):
            return workload("x", [entry("sluice-vulkan", "candidate", time, arena="vulkan")], **more)

        wide = {"size": 16, "percent": 10.0}
        shapes = [{"percent": 1.0}, {"percent": 50.0}, wide, wide | {"buckets": 4}]
        cuda = [on_cuda(5.0 + i, **shape) for i, shape in enumerate(shapes)]
        both = [on_cuda(5.0 + i, **shape) for i, shape in enumerate(shapes)]
        for each, shape in zip(both, shapes):
            each["competitors"] += on_vulkan(99.0, **shape)["competitors"]
        vulkan = [on_vulkan(20.0 + i, **shape) for i, shape in enumerate(shapes)]
        refused = {"name": "sluice", "arena": "cuda", "role": "candidate", "status": "refused", "reason": "no memory"}
        for each in vulkan:
            del each["l2"]
        with_refused = [dict(each, competitors=each["competitors"] + [refused]) for each in vulkan]
        for runs in ([cuda, vulkan], [vulkan, cuda], [both, vulkan], [cuda, with_refused]):
            _, page = self.write(*map(results, runs))
            for rows in ("| `cuda`, stable | 5.0 | 6.0 |\n| `vulkan`, compute, stable | 20.0 | 21.0 |\n<!--",
                         "| `cuda`, stable | 7.0 |\n| `vulkan`, compute, stable | 22.0 |\n<!--",
                         "| `cuda`, stable | 7.0 | 8.0 |\n| `vulkan`, compute, stable | 22.0 | 23.0 |\n<!--"):
                self.assertIn(rows, page)

    def test_what_lay_elsewhere_is_another_workload(self):
        """Cold frames of CUDA and warm ones are two; what the host took is one."""
        def run(l2, time):
            host = entry("memcpy", "copy", time, arena="host")
            return results([dict(each, l2=l2, competitors=each["competitors"] + [host])
                            for each in (small(time), small(time, order="unordered"))], cold=l2 == "cold")

        _, page = self.write(run("cold", 3.0), run("warm", 2.0))
        self.assertIn("| `memcpy` | 2.00 |\n| limit of one thread | 6.00 |\n<!--", page)
        self.assertIn("| stable | 2.00 |", page)

    def test_routes_leave_places_for_what_is_missing(self):
        def on_routes(order, percent, time, **more):
            return workload("x", [entry("sluice-vulkan", "candidate", time, arena="vulkan")], order=order, percent=percent,
                            size=8, **more)

        _, page = self.write(results([on_routes("stable", 100.0, 3.0), on_routes("stable", 10.0, 1.0)] +
                                     [on_routes("unordered", percent, percent) for percent in (10.0, 50.0, 100.0)]))
        self.assertIn("| us, 10 / 50 / 100 % kept | 8 B |", page)
        self.assertIn("| `vulkan`, compute, unordered | 10.0 / 50.0 / 100 |\n"
                      "| `vulkan`, compute, stable | 1.0 / - / 3.0 |\n<!--", page)

    def test_says_what_tables_there_are(self):
        run, page = self.write(results([]), text=PAGE.replace("table: words", "table: nonsense"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("there is no table nonsense; there are machine, words, ", run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        usage = subprocess.run([sys.executable, "-B", TABLES], text=True, capture_output=True, check=False)
        self.assertIn("routes_by_width", usage.stderr)

    def test_studies_of_several_files_are_gathered(self):
        def costs(*arenas, microseconds):
            return results([]) | {"hostCosts": [{"competitor": "sluice", "arena": arena, "workload": "words",
                                                 "microseconds": {"median": microseconds}} for arena in arenas]}

        _, page = self.write(costs("cuda", "vulkan", microseconds=1.0), costs("vulkan", "host", microseconds=2.0))
        rows = [line for line in page.splitlines() if line.startswith("| `sluice`, ")]
        self.assertEqual(rows, ["| `sluice`, cuda | words | 1.0 |", "| `sluice`, vulkan | words | 2.0 |",
                                "| `sluice`, host | words | 2.0 |"])

    def test_culling_stays_out_of_other_tables(self):
        culled = workload("culled", [entry("sluice", "candidate", 2.0), entry("cub", "baseline", 3.0)], size=4,
                          count=1 << 16, predicate="sphere-beside")
        run, page = self.write(results([culled]))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("old sizes\n", page)
        self.assertIn("| culled | 2.0 | 3.0 |", page)

    def test_placements_have_a_column_per_way(self):
        def placed(name, ours, others, **more):
            return workload(name, [entry("sluice", "candidate", ours), *others], size=64, count=1 << 20, percent=30, buckets=64,
                            **more)

        bevy, niagara = entry("bevy", "candidate", 4.0), entry("vulkan-niagara", "candidate", 6.0, arena="vulkan")
        run, page = self.write(results([placed("old", 1.0, []), placed("reserved", 2.0, [bevy], placement="reserved", groups=0),
                                        placed("merged", 3.0, [niagara], placement="merged", groups=0)]))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("| into buckets, us | `cuda` | `bevy` | `vulkan-niagara` |\n", page)
        for row in ("| old | 1.0 |  |  |\n", "| reserved | 2.0 | 4.0 |  |\n", "| merged | 3.0 |  | 6.0 |\n"):
            self.assertIn(row, page)

    def test_packed_buckets_stay_out_of_other_tables(self):
        packed = [workload(f"{count} packed", [entry("sluice", "candidate", 2.0)], size=16, buckets=count, placement="packed",
                           groups=0) for count in (1, 4, 16)]
        _, page = self.write(results(packed))
        self.assertIn("old buckets\n", page)

    def test_tables_tell_a_machine_or_day_of_their_own(self):
        def frame_on(machine, **more):
            frame = workload("frame", [entry("inline", "candidate", 46.4, arena="frame")])
            return results([frame], gpu=None, machine=machine) | more

        def marked(name, *paths):
            return f"<!-- table: {' '.join([name, *paths])} -->\nold {name}\n<!-- end of table -->\n"

        files = {"same": frame_on({"name": "Made-up GPU", "driver": "1.2.3", "cuda": "13.0"}),
                 "later": frame_on({"name": "Made-up GPU", "driver": "1.2.3", "cuda": "13.0"}, date="2026-01-09T00:00:00Z"),
                 "newer": frame_on({"name": "Made-up GPU", "driver": "1.3", "cuda": "13.1"}),
                 "older": frame_on({"name": "Made-up GPU"})}
        for name, each in files.items():
            (self.folder / f"{name}.json").write_text(json.dumps(each), encoding="utf-8")
        for name, told in (
                ("same", ""), ("later", "Measured on 2026-01-09."),
                ("newer", "Measured on Made-up GPU, driver 1.3, CUDA 13.1, 2026-01-02."),
                ("older", "Measured on Made-up GPU, driver not recorded, CUDA not recorded, 2026-01-02."),
                ("same.json later", "Measured in part on 2026-01-09."),
                ("older.json later", "Measured on Made-up GPU, driver not recorded, CUDA not recorded, 2026-01-02, and on "
                                     "2026-01-09.")):
            run, page = self.write(results([small()]), text=marked("frames", f"{name}.json") + marked("machine"))
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertTrue(page.split("<!-- end")[0].endswith(f"46.4 |\n{told and chr(10) + told + chr(10)}"), page)
        _, page = self.write(text=marked("frames", "same.json"))
        self.assertIn("\n\nMeasured on Made-up GPU, driver 1.2.3, CUDA 13.0, 2026-01-02. Medians of 15 samples.\n",
                      page)

    def test_tables_tell_of_how_many_samples_their_medians_are(self):
        def frames_of(repetitions, name):
            frame = workload(name, [entry("inline", "candidate", 46.4, arena="frame")])
            costs = [{"competitor": "sluice", "arena": "cuda", "workload": "words", "microseconds": {"median": 4.0}}]
            return results([frame], repetitions=repetitions, hostCosts=costs)

        def marked(name, *paths):
            return f"<!-- table: {' '.join([name, *paths])} -->\nold {name}\n<!-- end of table -->\n"

        for repetitions in (5, 9, 15):
            text = json.dumps(frames_of(repetitions, f"{repetitions}"))
            (self.folder / f"of{repetitions}.json").write_text(text, encoding="utf-8")
        for paths, told in ((["of15.json"], ""), (["of5.json"], "\nMedians of 5 samples.\n"),
                            (["of9.json", "of15.json", "of5.json"], "\nMedians of 5 or 9 or 15 samples.\n")):
            _, page = self.write(results([]), text=marked("frames", *paths) + marked("machine"))
            self.assertIn(f"46.4 |\n{told}<!-- end", page)
        _, page = self.write(results([]), text=marked("hostcosts", "of5.json") + marked("machine"))
        self.assertIn("| words | 4.0 |\n<!-- end", page)

    def test_older_results_tell_what_they_know_of_the_machine(self):
        _, page = self.write(results([small()]))
        self.assertIn("-->\nMade-up GPU, driver 1.2.3, CUDA 13.0, 2026", page)
        _, page = self.write(results([small()]) | {"gpu": None, "devices": {"host": {"name": "Processor"}}})
        self.assertIn("-->\nProcessor, 2026", page)

    def test_refuses_to_mix_gpus(self):
        run, page = self.write(results([]), results([], gpu="Another GPU"))
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("tables.py: these results are of different GPUs", run.stderr)
        self.assertEqual(page, PAGE)


if __name__ == "__main__":
    unittest.main()
