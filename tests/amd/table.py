#!/usr/bin/env python3
"""Writes the table of pipelines for AMD's GPUs into a page: tests/amd/table.py REPORT PAGE

REPORT is what test_amd adds lines to (SLUICE_TEST_PIPELINE_REPORT). In PAGE the lines between "<!-- begin: pipelines" and
"<!-- end: pipelines" are replaced.
"""

import statistics
import sys


def read(path):
    """Returns {(family, kernel, buffers): [(vgprs, sgprs, shared bytes, subgroups per SIMD, ms)]}."""
    rows = {}
    with open(path, encoding="utf-8") as report:
        for line in report:
            family, _, variant, kernel, *numbers = line.rstrip("\n").split("\t")
            buffers = "bound" if variant.startswith("bound") else "by address"
            row = (family, kernel.removeprefix("sluice "), buffers)
            rows.setdefault(row, []).append([float(n) for n in numbers])
    return rows


def table(rows):
    lines = ["| GPU | kernel | buffers | pipelines | vector registers | scalar registers | shared bytes "
             "| subgroups per SIMD | ms to create |", "|---|---|---|---|---|---|---|---|---|"]
    for (family, kernel, buffers), pipelines in rows.items():
        vgprs, sgprs, shared, subgroups, ms = zip(*pipelines)
        lines.append(f"| {family} | `{kernel}` | {buffers} | {len(pipelines)} "
                     f"| {statistics.median(vgprs):.0f}, {max(vgprs):.0f} "
                     f"| {statistics.median(sgprs):.0f}, {max(sgprs):.0f} | {max(shared):.0f} "
                     f"| {statistics.median(subgroups):.0f}, {min(subgroups):.0f} "
                     f"| {statistics.median(ms):.0f}, {max(ms):.0f} |")
    return lines


def main(report, page):
    with open(page, encoding="utf-8") as file:
        lines = file.read().splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("<!-- begin: pipelines"))
    end = next(i for i, line in enumerate(lines) if line.startswith("<!-- end: pipelines"))
    lines[begin + 1:end] = [""] + table(read(report)) + [""]
    with open(page, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
