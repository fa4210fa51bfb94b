#!/usr/bin/env python3
"""Writes the tables of measured numbers into pages: bench/tables.py [RESULTS.json...] PAGE.md...

Replaces what stands between the lines "<!-- table: NAME RESULTS.json... -->" and "<!-- end of table -->" of each page. The
RESULTS.json of such a line lie where the page says, those of the command line are for lines that name none; they are what
`sluice-bench --json RESULTS.json` or `sluice-demo --headless --benchmark RESULTS.json` wrote on one GPU. Of a workload each
arena is that of the run with most competitors there; the machine is that of the last file with a GPU of CUDA. A table for
which the results hold nothing stays as it is.
"""
import os
import re
import sys

from results import (copy_of, count_text, is_power_of_two, load_all, machine_text, measured, measured_entries,
                     measured_handoffs, median, percent_text, predicate_of, run_text)

USUAL_SIZES = (4, 16, 32, 64, 128)  # bytes per record, of the suite targets


def microseconds(entry):
    """An empty cell without an entry."""
    if entry is None:
        return ""
    value = median(entry)
    return f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"


def limit_of(workload):
    """What the bytes that no method can avoid take at the rate of the fastest copy of the same input; None without one."""
    copy = copy_of(workload)
    return workload["compulsoryBytes"] / copy["gigabytesPerSecond"] / 1000 if copy else None


def markdown(head, rows):
    if not rows:
        return []
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def machine(results):
    return [f"{machine_text(results)}, {run_text(results)}."]


def is_plain(workload):
    return (workload["pattern"], workload["outputs"], predicate_of(workload)) == ("random", "records", "word")


def is_large(workload):
    input_bytes = workload["recordBytes"] * workload["recordCount"]
    return workload["buckets"] == 1 and (input_bytes > 1 << 28 or (input_bytes == 1 << 28 and workload["recordBytes"] == 4))


def plain_workloads(results):
    """Those that Sluice and, with one bucket, CUB took in the cuda arena."""
    return [workload for workload in results["workloads"] if is_plain(workload) and measured(workload, "sluice")]


def rate_cell(workload):
    ours, cub = measured(workload, "sluice"), measured(workload, "cub")
    fraction = ours["gigabytesPerSecond"] / copy_of(workload)["gigabytesPerSecond"]
    ratio = f", {median(cub) / median(ours):.2f}x" if cub else ""
    return f"{fraction:.2f}{ratio}"


def large(results, is_wanted, percents=None):
    workloads = [workload for workload in plain_workloads(results)
                 if is_large(workload) and copy_of(workload) and is_wanted(workload["recordBytes"])]
    percents = percents or sorted({workload["survivalPercent"] for workload in workloads})
    groups = {}
    for workload in workloads:
        key = (workload["recordBytes"], workload["recordCount"], workload["order"])
        groups.setdefault(key, {})[workload["survivalPercent"]] = workload
    rows = []
    for (size, count, order), by_percent in groups.items():
        cells = [rate_cell(by_percent[percent]) if percent in by_percent else "" for percent in percents]
        rows.append([f"{count_text(count)} x {size} B, {order}"] + cells)
    return markdown(["records kept"] + [percent_text(percent) for percent in percents], rows)


def words(results):
    return large(results, lambda size: size == 4)


def records(results):
    return large(results, lambda size: size > 4)


def widths(results):
    return large(results, lambda size: size not in USUAL_SIZES, [10.0, 50.0, 100.0])


def summary(results):
    return large(results, lambda size: True, [1.0, 50.0, 100.0])


def everyone(results):
    """Who compacts the most words, and the fastest copy; by the time for half of them kept."""
    percents = [1.0, 5.0, 50.0, 100.0]
    workloads = [workload for workload in plain_workloads(results)
                 if (workload["buckets"], workload["recordBytes"]) == (1, 4) and workload["survivalPercent"] in percents]
    count = max((workload["recordCount"] for workload in workloads), default=0)
    by_order = {}
    for workload in workloads:
        if workload["recordCount"] == count:
            by_order.setdefault(workload["order"], {})[workload["survivalPercent"]] = workload
    unordered = by_order.get("unordered", {})
    if set(unordered) != set(percents):
        return []

    def times(of_order, find):
        return [find(of_order[percent]) for percent in percents] if set(of_order) == set(percents) else [None]

    lines = [("the fastest copy", times(unordered, copy_of))]
    lines += [(f"**`sluice`, {order}**", times(of_order, lambda workload: measured(workload, "sluice")))
              for order, of_order in by_order.items()]
    others = {entry["name"] for entry in measured_entries(unordered[50.0]) if entry["role"] not in ("copy", "study")}
    lines += [(f"`{name}`", times(unordered, lambda workload, name=name: measured(workload, name)))
              for name in sorted(others - {"sluice"})]
    lines = [line for line in lines if all(line[1])]
    lines.sort(key=lambda line: median(line[1][percents.index(50.0)]))
    return markdown(["records kept"] + [percent_text(percent) for percent in percents],
                    [[name] + [f"{median(entry):,.0f}" for entry in entries] for name, entries in lines])


def sizes(results):
    """Half of the words kept, by their number."""
    columns = {}
    for workload in plain_workloads(results):
        if (workload["buckets"], workload["recordBytes"], workload["survivalPercent"]) != (1, 4, 50):
            continue
        if is_power_of_two(workload["recordCount"]) and measured(workload, "cub"):
            columns.setdefault(workload["recordCount"], {})[workload["order"]] = workload
    counts = sorted(count for count, orders in columns.items() if set(orders) == {"unordered", "stable"})

    def row(label, order, time):
        times = [time(columns[count][order]) for count in counts]
        return [label] + ["" if t is None else f"{t:.2f}" if t < 9.995 else f"{t:.1f}" if t < 99.95 else f"{t:.0f}"
                          for t in times]

    def by(name):
        return lambda workload: median(measured(workload, name))

    rows = [row("unordered", "unordered", by("sluice")), row("stable", "stable", by("sluice")),
            row("CUB", "stable", by("cub")), row("limit", "unordered", limit_of)]
    return markdown(["words, us"] + [count_text(count) for count in counts], rows) if counts else []


def buckets(results):
    """Microseconds, and the part of the speed into one bucket."""
    groups = {}
    limits = {}
    for workload in plain_workloads(results):
        key = (workload["recordCount"], workload["recordBytes"], workload["order"])
        groups.setdefault(key, {})[workload["buckets"]] = measured(workload, "sluice")
        limits.setdefault(key, limit_of(workload))
    groups = {key: entries for key, entries in groups.items() if 1 in entries and len(entries) > 2}
    counts = sorted({count for entries in groups.values() for count in entries})
    rows = []
    for (count, size, order), entries in groups.items():
        one = median(entries[1])
        cells = [f"{microseconds(entries[n])}, {one / median(entries[n]):.2f}" if n in entries else "" for n in counts]
        least = limits[(count, size, order)]
        rows.append([f"{count_text(count)} x {size} B, {order}"] + cells + [f"{least:.1f}" if least else ""])
    return markdown(["buckets"] + [f"{count:,}" for count in counts] + ["limit"], rows)


# Column, competitor, arena.
ROUTE_COLUMNS = (("`cuda`", "sluice", "cuda"), ("`inline`, compute", "sluice-inline", "vulkan"),
                 ("`inline`, graphics", "sluice-inline", "vulkan-graphics"), ("`vulkan`, compute", "sluice-vulkan", "vulkan"),
                 ("`vulkan`, graphics", "sluice-vulkan", "vulkan-graphics"))
CULLING_COLUMNS = (*ROUTE_COLUMNS, ("`cpu`", "sluice-cpu", "host"),
                   ("`vulkan-append`", "vulkan-append", "vulkan"), ("`cub`", "cub", "cuda"), ("`atomics`", "atomics", "cuda"),
                   ("`atomics-shared`", "atomics-shared", "cuda"), ("`warp-shared`", "warp-shared", "cuda"))
FRAME_ROUTES = ("cpu", "vulkan", "cuda", "inline")


def by_columns(title, workloads, columns, limit=False):
    """Microseconds of each workload, of all arenas in one row; columns without a number are left out."""
    by_name = {}
    for workload in workloads:
        by_name.setdefault(workload["name"], []).append(workload)
    rows = []
    for name, same in by_name.items():
        entries = [next(filter(None, (measured(workload, competitor, arena) for workload in same)), None)
                   for _, competitor, arena in columns]
        if not any(entries):
            continue
        least = next(filter(None, map(limit_of, same)), None) if limit else None
        rows.append([name] + [microseconds(entry) for entry in entries] + [f"{least:.1f}" if least else ""])
    head = [title] + [label for label, _, _ in columns] + ["limit"]
    used = [0] + [i for i in range(1, len(head)) if any(row[i] for row in rows)]
    return markdown([head[i] for i in used], [[row[i] for i in used] for row in rows])


def culling(results):
    """Where a million instances are culled and some remain; of other results all that is culled."""
    culled = [workload for workload in results["workloads"] if predicate_of(workload) != "word"]
    usual = [workload for workload in culled if (workload["recordCount"], workload["survivalPercent"]) == (1 << 20, 30)]
    return by_columns("culled, us", usual or culled, CULLING_COLUMNS, limit=True)


def routes(results):
    workloads = [workload for workload in results["workloads"]
                 if is_plain(workload) and measured(workload, "sluice-vulkan", "vulkan")]
    return by_columns("us", workloads, ROUTE_COLUMNS)


def frames(results):
    """Compaction in frames of the demo."""
    rows = [[workload["name"]] + [microseconds(measured(workload, route, "frame")) for route in FRAME_ROUTES]
            for workload in results["workloads"] if measured_entries(workload, "frame")]
    return markdown(["frame of the demo, us"] + [f"`{route}`" for route in FRAME_ROUTES], rows)


def handoffs(results):
    rows = [[f"`{entry['route']}`" + name.removeprefix(entry["route"])] +
            [f"{entry[key + 'Microseconds']['median']:.0f}" for key in ("frame", "gap", "host")]
            for name, entry in measured_handoffs(results).items()]
    return markdown(["compaction", "frame, us", "before its draws, us", "host, us"], rows)


def hostcosts(results):
    rows = [[f"`{cost['competitor']}`, {cost['arena']}", cost["workload"], f"{cost['microsecondsPerCall']:.1f}"]
            for cost in results.get("hostCosts", [])]
    return markdown(["call of a frame", "records", "us"], rows)


TABLES = {
    "machine": machine, "words": words, "records": records, "widths": widths, "everyone": everyone, "sizes": sizes,
    "buckets": buckets, "summary": summary, "culling": culling, "routes": routes, "frames": frames, "handoffs": handoffs,
    "hostcosts": hostcosts
}


def main():
    paths = [path for path in sys.argv[1:] if path.endswith(".json")]
    pages = [path for path in sys.argv[1:] if not path.endswith(".json")]
    if not pages:
        sys.exit(__doc__)
    given = load_all(paths, together=True) if paths else None

    def replaced(match, folder):
        named = [os.path.join(folder, path) for path in match[3].split()]
        results = load_all(named, together=True) if named else given
        lines = TABLES[match[2]](results) if results else []
        if not lines:
            print(f"{match[2]}: left as it is, the results hold nothing for it")
            return match[0]
        return match[1] + "\n".join(lines) + "\n" + match[4]

    for page in pages:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        pattern = r"(<!-- table: (\w+)((?: [^\s>]+\.json)*) -->\n).*?(<!-- end of table -->)"
        text = re.sub(pattern, lambda match, page=page: replaced(match, os.path.dirname(page)), text, flags=re.DOTALL)
        with open(page, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
