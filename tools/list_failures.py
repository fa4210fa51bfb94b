#!/usr/bin/env python3
"""Prints the ends of what the tests wrote that failed in ctest's last run: list_failures.py FOLDER, its Testing/Temporary"""
import pathlib
import re
import sys

LINES = 40

folder = pathlib.Path(sys.argv[1])
log = folder / "LastTestsFailed.log"
failed = {line.split(":", 1)[1] for line in log.read_text().splitlines()} if log.exists() else set()
tests = (folder / "LastTest.log").read_text(errors="replace")
for part in re.split(r"^(?=\d+/\d+ Testing: )", tests, flags=re.MULTILINE):
    name = re.search(r"\d+/\d+ Testing: (.*)\n", part)
    if name is None or name[1] not in failed:
        continue
    output = part.partition("Output:\n")[2].partition("<end of output>")[0].splitlines()
    print(f"---- {name[1]}, the last {LINES} lines at most:", *output[1:][-LINES:], sep="\n")
