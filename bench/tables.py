#!/usr/bin/env python3
"""Writes the tables of measured rates into pages: bench/tables.py RESULTS.json... PAGE.md...

Replaces what stands between the lines "<!-- table: NAME -->" and "<!-- end of table -->" of each page. RESULTS.json are what
`sluice-bench --json RESULTS.json` wrote on one GPU; of a workload each
arena is that of the run with most competitors there. NAMEs: machine; words,
records, small, buckets and summary of --suite targets; culling of --suite culling; handoffs of --handoffs; hostcosts. A table
for which the results hold nothing stays as it is.
"""
import re
import sys

from results import copy_of, count_text, load_all, machine_text, measured, median, percent_text, samples_text, predicate_of


def microseconds(entry):
    value = median(entry)
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def markdown(head, rows):
    if not rows:
        return []
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def machine(results):
    return [f"{machine_text(results)}; {samples_text(results)}."]


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


def large(results, is_wanted, wanted=None):
    workloads = [workload for workload in plain_workloads(results)
                 if is_large(workload) and copy_of(workload) and is_wanted(workload["recordBytes"])]
    percents = wanted or sorted({workload["survivalPercent"] for workload in workloads})
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


def summary(results):
    return large(results, lambda size: True, [1.0, 50.0, 100.0])


def small(results):
    rows = []
    for workload in plain_workloads(results):
        if (workload["buckets"], workload["recordBytes"], workload["survivalPercent"]) != (1, 4, 50):
            continue
        if workload["recordCount"] not in (1 << 16, 1 << 20) or not measured(workload, "cub"):
            continue
        row = [f"{count_text(workload['recordCount'])}, {workload['order']}"]
        rows.append(row + [microseconds(measured(workload, name)) for name in ("sluice", "cub")])
    return markdown(["words, half of them kept", "Sluice, us", "CUB, us"], rows)


def buckets(results):
    rows = []
    one = {}
    for workload in plain_workloads(results):
        if workload["recordBytes"] != 16 or workload["recordCount"] != 1 << 24:
            continue
        ours = measured(workload, "sluice")
        one.setdefault(workload["order"], median(ours))
        fraction = one[workload["order"]] / median(ours)
        rows.append([f"{workload['buckets']}, {workload['order']}", microseconds(ours), f"{fraction:.2f}"])
    return markdown(["buckets", "us", "of one bucket"], rows)


# Column, competitor, arena.
CULLING_COLUMNS = (("`cuda`", "sluice", "cuda"), ("`inline`, compute", "sluice-inline", "vulkan"),
                   ("`inline`, graphics", "sluice-inline", "vulkan-graphics"), ("`vulkan`, compute", "sluice-vulkan", "vulkan"),
                   ("`vulkan`, graphics", "sluice-vulkan", "vulkan-graphics"), ("`cpu`", "sluice-cpu", "host"),
                   ("`vulkan-append`", "vulkan-append", "vulkan"), ("`cub`", "cub", "cuda"), ("`atomics`", "atomics", "cuda"),
                   ("`atomics-shared`", "atomics-shared", "cuda"), ("`warp-shared`", "warp-shared", "cuda"))


def culling(results):
    """Microseconds by everyone who culls; columns without a number are left out."""
    rows = []
    for workload in results["workloads"]:
        entries = [measured(workload, name, arena) for _, name, arena in CULLING_COLUMNS]
        if predicate_of(workload) != "word" and any(entries):
            rows.append([workload["name"]] + [microseconds(entry) if entry else "" for entry in entries])
    head = ["culled, us"] + [label for label, _, _ in CULLING_COLUMNS]
    used = [0] + [i for i in range(1, len(head)) if any(row[i] for row in rows)]
    return markdown([head[i] for i in used], [[row[i] for i in used] for row in rows])


def handoffs(results):
    def cell(entry, key):
        return f"{entry[key]['median']:.0f}"

    rows = []
    for entry in results.get("handoffs", []):
        if entry["status"] == "measured":
            name = f"`{entry['route']}`, {entry['path']}" + (", drawn a frame later" if entry["latency"] else "")
            rows.append([name] + [cell(entry, key + "Microseconds") for key in ("frame", "gap", "host")])
    return markdown(["compaction", "frame, us", "before its draws, us", "host, us"], rows)


def hostcosts(results):
    rows = [[f"`{cost['competitor']}`, {cost['arena']}", cost["workload"], f"{cost['microsecondsPerCall']:.1f}"]
            for cost in results.get("hostCosts", [])]
    return markdown(["call of a frame", "records", "us"], rows)


TABLES = {
    "machine": machine, "words": words, "records": records, "small": small, "buckets": buckets, "summary": summary,
    "culling": culling, "handoffs": handoffs, "hostcosts": hostcosts
}


def main():
    paths = [path for path in sys.argv[1:] if path.endswith(".json")]
    pages = [path for path in sys.argv[1:] if not path.endswith(".json")]
    if not paths or not pages:
        sys.exit(__doc__)
    results = load_all(paths, together=True)

    def replace(match):
        lines = TABLES[match[2]](results)
        if not lines:
            print(f"{match[2]}: left as it is, the results hold nothing for it")
            return match[0]
        return match[1] + "\n".join(lines) + "\n" + match[3]

    for page in pages:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", replace, text, flags=re.DOTALL)
        with open(page, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
