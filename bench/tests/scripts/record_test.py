"""Tests of bench/record: that its runs are those that the pages and their results show, and what it does with programs.
Argument: sluice-bench."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
BENCH = pathlib.Path(__file__).resolve().parents[2]
RECORD = BENCH / "record"
DOCS = BENCH.parent / "docs"
PREFIX = "h200"

sys.path.insert(0, str(BENCH / "report"))
from results import load  # pylint: disable=wrong-import-position
loader = importlib.machinery.SourceFileLoader("record", str(RECORD))
record = importlib.util.module_from_spec(importlib.util.spec_from_loader("record", loader))
loader.exec_module(record)

# A program that does as asked: writes what it is given, or fails as the word in it says.
PROGRAM = """#!/bin/sh
for path; do :; done
[ {word} = fails ] && : >"$path" && exit 3
[ {word} = stops ] && echo '{{"half": ' >"$path" && exit 1
[ {word} = elsewhere ] && echo '{{"machine": {{"name": "Another GPU"}}}}' >"$path" && exit
echo '{{ "arguments": "'"$*"'", "text": "\u00e4" }}' >"$path"
"""


def option(arguments, name, default):
    words = shlex.split(arguments)
    return words[words.index(name) + 1] if name in words else default


def workload_names(program, arguments):
    listed = subprocess.run([program, *shlex.split(arguments), "--list"], text=True, capture_output=True, check=True)
    return set(listed.stdout.splitlines())


class RunsTest(unittest.TestCase):
    def test_files_and_runs_agree(self):
        runs = {record.file_name(name, PREFIX) for name in record.RUNS}
        self.assertEqual({path.name for path in (DOCS / "results").iterdir()}, runs)
        self.assertLessEqual(set(record.PLOTTED), set(record.RUNS))

    def test_pages_name_files_that_are_recorded(self):
        runs = {record.file_name(name, PREFIX) for name in record.RUNS}
        tables = 0
        for page in (*DOCS.rglob("*.md"), BENCH.parent / "README.md"):
            text = page.read_text(encoding="utf-8")
            tables += text.count("<!-- table: ")
            self.assertLessEqual(set(re.findall(r"\bresults/([^\s)>]+\.json)", text)), runs, page)
        self.assertGreater(tables, 0)

    def test_files_are_of_these_arguments(self):
        """A run that was stopped leaves what it measured by then. That there is a file for each is another test's."""
        recorded = {}
        for name in record.RUNS:
            path = DOCS / "results" / record.file_name(name, PREFIX)
            if path.exists():
                recorded[name] = load(path)
        self.assertTrue(recorded)
        for name in record.BENCH_RUNS.keys() & recorded.keys():
            with self.subTest(name):
                arguments, results = record.BENCH_RUNS[name], recorded[name]
                measured = {workload["name"] for workload in results["workloads"]}
                self.assertTrue(measured)
                self.assertLessEqual(measured, workload_names(sys.argv[1], arguments))
                self.assertEqual(set(results["devices"]), set(option(arguments, "--arenas", "").split(",")))
                usual = 5 if "--quick" in arguments else 15
                self.assertEqual(results["repetitions"], int(option(arguments, "--repetitions", usual)))
                self.assertEqual(results["mode"], option(arguments, "--mode", "graph"))
                for flag in ("cold", "quick"):
                    self.assertEqual(results[flag], f"--{flag}" in arguments)
                self.assertEqual("--reduction" in arguments, "reductions" in results)
                self.assertEqual("--handoffs" in arguments, bool(results.get("handoffs")))
                self.assertEqual("--occlusion" in arguments, "occlusions" in results)
                competitors = {entry["name"] for workload in results["workloads"] for entry in workload["competitors"]}
                chosen = option(arguments, "--competitors", None)
                if chosen:
                    self.assertLessEqual(competitors, set(chosen.split(",")))
        for name in record.DEMO_RUNS.keys() & recorded.keys():
            arguments, results = record.DEMO_RUNS[name], recorded[name]
            self.assertEqual(results["repetitions"], int(option(arguments, "--frames", 0)))
            for workload in results["workloads"]:
                self.assertEqual(workload["scene"], option(arguments, "--scene", None))
                self.assertEqual("x".join(map(str, workload["size"])), option(arguments, "--size", "1280x720"))
                count = option(arguments, "--instances", workload["recordCount"])
                self.assertEqual(workload["recordCount"], int(count))


class RecordTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)

    def record(self, *arguments, word="works"):
        program = self.folder / "program"
        program.write_text(PROGRAM.format(word=word), encoding="utf-8")
        program.chmod(0o755)
        command = [sys.executable, "-B", RECORD, "--bench", program, "--demo", program, self.folder / "docs", *arguments]
        return subprocess.run(command, text=True, capture_output=True, check=False)

    def results(self):
        return {path.name: path.read_text(encoding="utf-8") for path in (self.folder / "docs/results").iterdir()}

    def test_all_is_recorded_or_what_is_named(self):
        run = self.record("sizes", "targets", "--prefix", "t4")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        files = self.results()
        self.assertEqual(set(files), {"t4.json", "t4-sizes.json"})
        self.assertRegex(files["t4-sizes.json"],
                         r'^\{"arguments":"[^"]* --suite sizes --seed \d+ --json [^"]*","text":"\u00e4"\}$')
        self.record()
        self.assertEqual(set(self.results()) - set(files), {record.file_name(name, PREFIX) for name in record.RUNS})

    def test_a_run_that_fails_leaves_the_file_that_was_there(self):
        self.record("sizes")
        files = self.results()
        run = self.record("sizes", "frames-points", word="fails")
        self.assertEqual(run.returncode, 1)
        self.assertIn("went wrong: sizes, frames-points\n", run.stderr)
        self.assertEqual(self.results(), files)
        run = self.record("sizes", word="stops")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(self.results(), files | {"h200-sizes.new": '{"half": \n'})
        run = self.record("sizes", "--bench", self.folder / "nothing")
        self.assertEqual(run.returncode, 1)
        self.assertIn("nothing: No such file or directory", run.stderr)
        self.assertNotIn("Traceback", run.stderr)

    def test_files_of_another_machine_stay(self):
        self.record("sizes", "cold")
        sizes, other = self.folder / "docs/results/h200-sizes.json", '{"machine":{"name":"Another GPU"}}'
        made_up = '{"machine":{"name":"Made-up GPU"}}'
        sizes.write_text(made_up, encoding="utf-8")
        run = self.record("sizes", "stream", word="elsewhere")
        self.assertEqual(run.returncode, 1)
        self.assertIn("h200-sizes.json is of Made-up GPU, this is Another GPU: give a --prefix", run.stderr)
        self.assertEqual(sizes.read_text(encoding="utf-8"), made_up)
        self.assertEqual(self.results()["h200-sizes.new"], other)
        self.assertNotIn("h200-stream.json", self.results())
        self.assertEqual(self.record("sizes", "--prefix", "other", word="elsewhere").returncode, 0)
        self.assertEqual(self.results()["other-sizes.json"], other)
        self.assertEqual(self.record("sizes", "--prefix", PREFIX, word="elsewhere").returncode, 0)
        self.assertEqual(sizes.read_text(encoding="utf-8"), other)

    def test_says_what_names_there_are(self):
        run = self.record("nonsense")
        self.assertEqual(run.returncode, 2)
        self.assertIn("there is no nonsense; there are targets, sizes, ", run.stderr)

    def test_pages_are_written_where_they_are(self):
        results = {"date": "2026-01-02T03:04:05Z", "repetitions": 15, "mode": "graph", "workloads": [],
                   "gpu": {"name": "Made-up GPU"}, "machine": {"name": "Made-up GPU", "driver": None, "cuda": None}}
        (self.folder / "docs/results").mkdir(parents=True)
        (self.folder / "docs/results/h200.json").write_text(json.dumps(results), encoding="utf-8")
        text = "<!-- table: machine {}results/h200.json -->\nold\n<!-- end of table -->\n"
        pages = {self.folder / "docs/performance.md": text.format(""), self.folder / "README.md": text.format("docs/"),
                 self.folder / "docs/performance/routes.md": text.format("../")}
        (self.folder / "docs/performance").mkdir()
        for page, old in pages.items():
            page.write_text(old, encoding="utf-8")
        run = self.record("pages")
        for page in pages:
            self.assertIn("-->\nMade-up GPU, ", page.read_text(encoding="utf-8"))
        self.assertIn("plots without frames-asteroids, ", run.stdout)
        self.assertEqual(set(self.results()), {"h200.json"})
        plots = os.path.join(self.folder, "docs/plots")
        self.assertRegex(run.stdout, rf"plots\.py {re.escape(plots)} [^ ]*/h200\.json\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
