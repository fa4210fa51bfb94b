#!/usr/bin/env python3
"""Writes the tables of measured rates into pages: bench/tables.py RESULTS.json PAGE.md...

Replaces what stands between the lines "<!-- table: NAME -->" and "<!-- end of table -->" of each page. RESULTS.json is what
`sluice-bench --suite targets --json RESULTS.json` wrote. NAMEs: machine, words, records, small, buckets,
summary.
"""
import re
import sys

from results import copy_of, count_text, load, machine_text, measured, median, percent_text, samples_text


def microseconds(entry):
    value = median(entry)
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def markdown(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def machine(results):
    return [f"{machine_text(results)}; {samples_text(results)}."]


def is_large(workload):
    input_bytes = workload["recordBytes"] * workload["recordCount"]
    return workload["buckets"] == 1 and (input_bytes > 1 << 28 or (input_bytes == 1 << 28 and workload["recordBytes"] == 4))


def rate_cell(workload):
    ours, cub = measured(workload, "sluice"), measured(workload, "cub")
    fraction = ours["gigabytesPerSecond"] / copy_of(workload)["gigabytesPerSecond"]
    ratio = f", {median(cub) / median(ours):.2f}x" if cub else ""
    return f"{fraction:.2f}{ratio}"


def large(results, is_wanted, wanted=None):
    workloads = [workload for workload in results["workloads"] if is_large(workload) and is_wanted(workload["recordBytes"])]
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
    for workload in results["workloads"]:
        if workload["buckets"] != 1 or is_large(workload) or workload["recordBytes"] != 4:
            continue
        row = [f"{count_text(workload['recordCount'])}, {workload['order']}"]
        rows.append(row + [microseconds(measured(workload, name)) for name in ("sluice", "cub")])
    return markdown(["words, half of them kept", "Sluice, us", "CUB, us"], rows)


def buckets(results):
    rows = []
    one = {}
    for workload in results["workloads"]:
        if workload["recordBytes"] != 16 or workload["recordCount"] != 1 << 24:
            continue
        ours = measured(workload, "sluice")
        one.setdefault(workload["order"], median(ours))
        fraction = one[workload["order"]] / median(ours)
        rows.append([f"{workload['buckets']}, {workload['order']}", microseconds(ours), f"{fraction:.2f}"])
    return markdown(["buckets", "us", "of one bucket"], rows)


TABLES = {
    "machine": machine, "words": words, "records": records, "small": small, "buckets": buckets, "summary": summary
}


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    results = load(sys.argv[1])

    def replace(match):
        return match[1] + "\n".join(TABLES[match[2]](results)) + "\n" + match[3]

    for page in sys.argv[2:]:
        with open(page, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", replace, text, flags=re.DOTALL)
        with open(page, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
