"""Every model file below a folder ends with a picture or a sentence:
all_models.py sluice-demo FOLDER [--every N] [--sanitized]
--every N: each Nth file only, from a random one, unless SLUICE_TEST_ALL=1; --sanitized: of a build whose memory says
nothing"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import sys

import run_model

options = argparse.ArgumentParser()
options.add_argument("demo")
options.add_argument("folder", type=pathlib.Path)
options.add_argument("--every", type=int, default=1)
options.add_argument("--sanitized", action="store_true")
options = options.parse_args()
run_model.skip_without_vulkan(options.demo)

every = 1 if os.environ.get("SLUICE_TEST_ALL") == "1" else options.every
files = sorted(file for file in options.folder.rglob("*") if file.is_file())[random.randrange(every)::every]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
    runs = list(threads.map(lambda file: run_model.run_model(options.demo, file), files))
codes = collections.Counter(run.code for run in runs)
print(f"{len(files)} files: {codes[0]} with a picture, {codes[2]} with a sentence")
for name, key in (("slowest", lambda run: run.seconds), ("largest", lambda run: run.megabytes)):
    for run in sorted(runs, key=key, reverse=True)[:3]:
        print(f"{name}: {run.seconds:.1f} s, {run.megabytes} MiB, {run.model}")
problems = [f"{run.model}: {problem}" for run in runs if (problem := run.problem(not options.sanitized))]
print(*problems, sep="\n")
# Most are good: a demo that refuses all would pass otherwise.
sys.exit(bool(problems) or not files or codes[0] < len(files) / 3)
