#!/usr/bin/env python3
"""Writes the tables of measured numbers into pages: bench/report/tables.py [RESULTS.json...] PAGE.md...

Replaces what stands between the lines "<!-- table: NAME RESULTS.json... -->" and "<!-- end of table -->" of each page.
The RESULTS.json of such a mark, which may take several lines, lie where the page says, those of the command line are
for lines that name none; they are what `sluice-bench --json RESULTS.json` or `sluice-demo --headless --benchmark
RESULTS.json` wrote on one GPU. Of a workload each arena is that of the run with most competitors there; the machine is
that of the last file with a GPU of CUDA. A table that lacks a file, or for which the results hold nothing, stays as it
is. Below a table stands how far the times behind its cells spread, where the results tell, and on which machine and day
they were measured, where the page's table "machine" tells another or there is none.
"""
import os
import re
import statistics
import sys
import textwrap

from results import (ARENA, copy_of, count_text, is_alone, is_power_of_two, load_all, machine_text, measured,
                     measured_entries, measured_handoffs, median, origin_of, percent_text, placement_of, predicate_of,
                     run_text, spread)

USUAL_SIZES = (4, 16, 32, 64, 128)  # bytes per record, of the suite targets
ORDERS = ("unordered", "stable")
PAGE_CHARACTERS = 128  # of a line


class Cell(str):
    """A cell's text, with the largest spread of the times behind it. None of these counts, as an entry or a summary."""

    def __new__(cls, text, *times):
        cell = super().__new__(cls, text)
        spreads = [spread(each.get("microseconds", each)) for each in times if each]
        cell.spread = max((each for each in spreads if each is not None), default=None)
        return cell


def time_text(value):
    return f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"


def microseconds(entry):
    """An empty cell without an entry."""
    return Cell(time_text(median(entry)), entry) if entry else ""


def three_digits(value):
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else f"{value:,.0f}"


def limit_of(workload, arena=ARENA):
    """What the bytes that no method can avoid take at the rate of the fastest copy of the same input; None without one.
    Vulkan's arenas have the limit of CUDA's, since their own copy is several times slower than the memory."""
    copy = copy_of(workload, arena)
    return workload["compulsoryBytes"] / copy["gigabytesPerSecond"] / 1000 if copy else None


def limit_text(workloads, text=time_text, arena=ARENA):
    """Of the first that was copied; empty without one."""
    limits = (limit_of(workload, arena) for workload in workloads)
    return next((text(limit) for limit in limits if limit), "")


def markdown(head, rows):
    if not rows:
        return []
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + spread_lines(head, rows)


def limit_rows(cells, label="limit"):
    """The last row of a table; none where nothing was copied."""
    return [[label] + cells] if any(cells) else []


def spread_lines(head, rows):
    """How far the times behind the cells spread, below a table; nothing where the results do not tell."""
    spreads = []
    for row in rows:
        told = [i for i, cell in enumerate(row) if getattr(cell, "spread", None) is not None]
        label = [cell for cell in row[:told[0]] if cell and not isinstance(cell, Cell)] if told else []
        spreads += [(row[i].spread, ", ".join(label + [head[i]])) for i in told]
    if not spreads:
        return []
    worst, where = max(spreads)
    middle = part_text(statistics.median(part for part, _ in spreads))
    text = f"10th to 90th percentile: {middle} of the median in the median cell, {part_text(worst)} at most ({where})."
    return ["", *textwrap.wrap(text, PAGE_CHARACTERS)]


def part_text(part):
    return f"{100 * part:.1f} %" if part < 0.0995 else f"{100 * part:.0f} %"


def machine(results):
    return [f"{machine_text(results)}, {run_text(results)}."]


def origin_lines(results, of_page):
    """Where and when a table was measured, as far as that is not what the page says of itself. of_page: results, or None."""
    page = origin_of(of_page) if of_page else (None, None)
    others = [origin for origin in results["origins"] if origin != page]
    if not others:
        return []
    places = [date if text == page[0] else f"{text}, {date}" for text, date in others]
    part = " in part" if len(others) < len(results["origins"]) else ""
    return [f"Measured{part} on {', and on '.join(places)}."]


def repetition_lines(results, of_page):
    """Of how many samples the medians are, where that is not what the page says of itself."""
    counts = results["repetitionCounts"]
    if of_page and counts == [of_page["repetitions"]]:
        return []
    return [f"Medians of {' or '.join(map(str, counts))} samples."]


def is_plain(workload):
    return (workload["pattern"], workload["outputs"], predicate_of(workload), placement_of(workload)) == (
        "random", "records", "word", ("reserved", 0))


def is_large(workload):
    input_bytes = workload["recordBytes"] * workload["recordCount"]
    return workload["buckets"] == 1 and (input_bytes > 1 << 28 or (input_bytes == 1 << 28 and workload["recordBytes"] == 4))


def plain_workloads(results):
    """Those that Sluice and, with one bucket, CUB took in the cuda arena."""
    return [workload for workload in results["workloads"] if is_plain(workload) and measured(workload, "sluice")]


def rate_cell(workload):
    """The part of the copy's rate, and the speedups over CUB by its default policy and by a tuned one."""
    ours, copy = measured(workload, "sluice"), copy_of(workload)
    others = [measured(workload, name) for name in ("cub", "cub-tuned")]
    fraction = ours["gigabytesPerSecond"] / copy["gigabytesPerSecond"]
    ratios = [f"{median(other) / median(ours):.2f}x" for other in others if other]
    return Cell(", ".join([f"{fraction:.2f}", *ratios]), ours, *others, copy)


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
    rows = [[name] + [Cell(f"{median(entry):,.0f}", entry) for entry in entries] for name, entries in lines]
    limits = [limit_text([unordered[percent]], lambda limit: f"{limit:,.0f}") for percent in percents]
    return markdown(["records kept"] + [percent_text(percent) for percent in percents], rows + limit_rows(limits))


def range_text(values):
    return f"{min(values):.2f} to {max(values):.2f}" if values else ""


def tuned(results):
    """What tuning brings to CUB, and what is left of Sluice's speedup then, in large frames. Of every run, as below."""
    ratios = {}
    for workload in (workload for run in results["runs"] for workload in run["workloads"]):
        ours, default, tuned_cub = (measured(workload, name) for name in ("sluice", "cub", "cub-tuned"))
        if not (ours and default and tuned_cub and is_large(workload) and predicate_of(workload) == "word"):
            continue
        by_column = ratios.setdefault(workload["recordBytes"], {})
        by_column.setdefault("tuned", []).append(median(default) / median(tuned_cub))
        by_column.setdefault(workload["order"], []).append(median(tuned_cub) / median(ours))
    rows = [[f"{size} B"] + [range_text(by_column.get(column)) for column in ("tuned", *ORDERS)]
            for size, by_column in sorted(ratios.items())]
    return markdown(["records", "`cub-tuned` over `cub`", "`sluice`, unordered, over `cub-tuned`",
                     "`sluice`, stable, over `cub-tuned`"], rows)


def pairs(results):
    """How often another was faster than Sluice in the same workload of the same run: of every run, since what is measured
    twice may be lost once."""
    ratios = {}
    for workload in (workload for run in results["runs"] for workload in run["workloads"]):
        is_culled = predicate_of(workload) != "word"
        for label, competitor, arena in ROUTE_COLUMNS:
            ours = measured(workload, competitor, arena)
            others = measured_entries(workload, arena) if ours else []
            for other in others:
                if other["role"] not in ("copy", "study") and not other["name"].startswith("sluice"):
                    by_kind = ratios.setdefault((label, other["name"]), ([], []))
                    by_kind[is_culled].append((median(other) / median(ours), workload["name"]))
    labels = [label for label, _, _ in ROUTE_COLUMNS]
    rows = [[label, f"`{name}`"] + [cell for of_kind in by_kind for cell in pair_cells(of_kind)]
            for (label, name), by_kind in sorted(ratios.items(), key=lambda item: (labels.index(item[0][0]), item[0][1]))]
    head = ["pairs", "lost", "least speedup"]
    return markdown(["route", "against", *head, *(f"culled: {name}" for name in head)], rows)


def pair_cells(ratios):
    """How many, how many of them lost, and the worst of them."""
    if not ratios:
        return ["", "", ""]
    least, where = min(ratios)
    return [f"{len(ratios):,}", str(sum(ratio < 1 for ratio, _ in ratios)), f"{least:.2f}x: {where}"]


def sizes(results):
    """Half of the words kept, by their number."""
    columns = {}
    for workload in plain_workloads(results):
        if (workload["buckets"], workload["recordBytes"], workload["survivalPercent"]) != (1, 4, 50):
            continue
        if is_power_of_two(workload["recordCount"]) and measured(workload, "cub"):
            columns.setdefault(workload["recordCount"], {})[workload["order"]] = workload
    counts = sorted(count for count, orders in columns.items() if set(orders) == {"unordered", "stable"})

    def row(label, order, name):
        entries = [measured(columns[count][order], name) for count in counts]
        return [label] + [Cell(three_digits(median(entry)), entry) for entry in entries]

    rows = [row("unordered", "unordered", "sluice"), row("stable", "stable", "sluice"), row("CUB", "stable", "cub"),
            *limit_rows([limit_text([columns[count]["unordered"]], three_digits) for count in counts])]
    head = [f"words{conditions(columns[count] for count in counts)}, us"] + [count_text(count) for count in counts]
    return markdown(head, rows) if counts else []


def conditions(columns):
    """What is unusual about frames of the cuda arena. columns: workloads by order. Inputs larger than the L2 are "memory"."""
    shown = [workload for orders in columns for workload in orders.values()]
    is_cold = any(workload.get("l2") == "cold" for workload in shown)
    is_stream = any(measured(workload, "sluice")["mode"] == "stream" for workload in shown)
    return (", cold" if is_cold else "") + (", single launches" if is_stream else "")


def host(results):
    """Half of the words, or of wider records, kept on the host, by their number. Only Sluice has two orders. The copy is a
    single thread's."""
    columns, copied = {}, {}
    for workload in results["workloads"]:
        entries = measured_entries(workload, "host")
        if not is_plain(workload) or not entries or (workload["buckets"], workload["survivalPercent"]) != (1, 50):
            continue
        key = (workload["recordBytes"], workload["recordCount"])
        column = columns.setdefault(key, {})
        copied.setdefault(key, []).append(workload)
        for entry in entries:
            order = f", {workload['order']}" if entry["name"].startswith("sluice") else ""
            column.setdefault(f"`{entry['name']}`{order}", entry)
    columns = dict(sorted(columns.items()))
    head = [count_text(count) + (f" x {size} B" if size != 4 else "") for size, count in columns]
    names = dict.fromkeys(name for column in columns.values() for name in column)
    rows = [[name] + [Cell(three_digits(median(column[name])), column[name]) if name in column else ""
                      for column in columns.values()] for name in names]
    limits = [limit_text(copied[key], three_digits, "host") for key in columns]
    return markdown(["words, us"] + head, rows + limit_rows(limits, "limit of one thread"))


def buckets(results):
    """Microseconds, and the part of the speed into one bucket."""
    groups, copied = {}, {}
    for workload in plain_workloads(results):
        key = (workload["recordCount"], workload["recordBytes"], workload["order"])
        groups.setdefault(key, {})[workload["buckets"]] = measured(workload, "sluice")
        copied.setdefault(key, []).append(workload)
    groups = {key: entries for key, entries in groups.items() if 1 in entries and len(entries) > 2}
    counts = sorted({count for entries in groups.values() for count in entries})
    rows = []
    for key, entries in groups.items():
        count, size, order = key
        one = median(entries[1])
        cells = [Cell(f"{microseconds(entries[n])}, {one / median(entries[n]):.2f}", entries[n], entries[1])
                 if n in entries else "" for n in counts]
        rows.append([f"{count_text(count)} x {size} B, {order}"] + cells + [limit_text(copied[key])])
    return markdown(["buckets"] + [f"{count:,}" for count in counts] + ["limit"], rows)


# Column, competitor, arena.
ROUTE_COLUMNS = (("`cuda`", "sluice", "cuda"), ("`inline`, compute", "sluice-inline", "vulkan"),
                 ("`inline`, graphics", "sluice-inline", "vulkan-graphics"), ("`vulkan`, compute", "sluice-vulkan", "vulkan"),
                 ("`vulkan`, graphics", "sluice-vulkan", "vulkan-graphics"))
CULLING_COLUMNS = (*ROUTE_COLUMNS, ("`cpu`", "sluice-cpu", "host"),
                   ("`vulkan-append`", "vulkan-append", "vulkan"), ("`cub`", "cub", "cuda"), ("`cub-tuned`", "cub-tuned", "cuda"),
                   ("`cub-sort`", "cub-sort", "cuda"), ("`atomics`", "atomics", "cuda"),
                   ("`atomics-shared`", "atomics-shared", "cuda"), ("`warp-shared`", "warp-shared", "cuda"))
PLACEMENT_COLUMNS = (*ROUTE_COLUMNS, *((f"`{name}`", name, "cuda") for name in ("cub-sort", "bevy", "niagara", "atomics")),
                     *((f"`{name}`", name, "vulkan") for name in ("vulkan-bevy", "vulkan-niagara")))
FRAME_ROUTES = ("cpu", "vulkan", "cuda", "inline")


def by_columns(title, workloads, columns):
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
        rows.append([name] + [microseconds(entry) for entry in entries] + [limit_text(same)])
    head = [title] + [label for label, _, _ in columns] + ["limit"]
    used = [0] + [i for i in range(1, len(head)) if any(row[i] for row in rows)]
    return markdown([head[i] for i in used], [[row[i] for i in used] for row in rows])


def culling(results):
    """Where a million instances are culled and some remain; of other results all that is culled."""
    culled = [workload for workload in results["workloads"] if predicate_of(workload) != "word"]
    usual = [workload for workload in culled if (workload["recordCount"], workload["survivalPercent"]) == (1 << 20, 30)]
    return by_columns("culled, us", usual or culled, CULLING_COLUMNS)


def placements(results):
    """A million records into buckets, in the order of the suite."""
    placed = [workload for workload in results["workloads"] if predicate_of(workload) == "word" and workload["buckets"] > 1 and
              (workload["recordCount"], workload["survivalPercent"]) == (1 << 20, 30)]
    return by_columns("into buckets, us", placed, PLACEMENT_COLUMNS)


def routes(results):
    workloads = [workload for workload in results["workloads"]
                 if is_plain(workload) and measured(workload, "sluice-vulkan", "vulkan")]
    return by_columns("us", workloads, ROUTE_COLUMNS)


def routes_workloads(results):
    return [workload for workload in results["workloads"] if is_plain(workload) and
            any(measured(workload, "sluice-vulkan", arena) for arena in ("vulkan", "vulkan-graphics"))]


def by_routes(title, columns):
    """Microseconds of each route in each order. columns: by their names what in_columns makes."""
    rows = []
    for label, competitor, arena in ROUTE_COLUMNS:
        for order in ORDERS:
            cells = []
            for by_percent in columns.values():
                entries = [measured(orders[order], competitor, arena) if order in orders else None
                           for orders in by_percent.values()]
                text = " / ".join(time_text(median(entry)) if entry else "-" for entry in entries)
                cells.append(Cell(text, *entries) if any(entries) else "")
            rows.append([f"{label}, {order}"] + cells)
    limits = [[limit_text(orders.values()) for orders in by_percent.values()] for by_percent in columns.values()]
    cells = [" / ".join(limit or "-" for limit in column) if any(column) else "" for column in limits]
    return markdown([title, *columns], [row for row in rows if any(row[1:])] + limit_rows(cells))


def in_columns(workloads, key, text):
    """Of each column the workloads by survival, which stand one behind the other in a cell, and order."""
    columns = {}
    for workload in sorted(workloads, key=lambda workload: (workload[key], workload["survivalPercent"])):
        by_percent = columns.setdefault(text(workload[key]), {})
        by_percent.setdefault(workload["survivalPercent"], {})[workload["order"]] = workload
    return columns


def routes_by_survival(results):
    """Of the largest number of words that was measured at several survivals."""
    words_by_count = {}
    for workload in routes_workloads(results):
        if (workload["buckets"], workload["recordBytes"]) == (1, 4):
            words_by_count.setdefault(workload["recordCount"], []).append(workload)
    several = [count for count, same in words_by_count.items() if len({each["survivalPercent"] for each in same}) > 1]
    if not several:
        return []
    count = max(several)
    return by_routes(f"{count_text(count)} words, us", in_columns(words_by_count[count], "survivalPercent", percent_text))


def routes_by_width(results):
    """Of records that are wider than words, most of each width, at the survivals that all of these have in common."""
    by_size = {}
    for workload in routes_workloads(results):
        if workload["buckets"] == 1 and workload["recordBytes"] > 4:
            by_size.setdefault(workload["recordBytes"], {}).setdefault(workload["recordCount"], []).append(workload)
    largest = [by_count[max(by_count)] for by_count in by_size.values()]
    percents = set.intersection(*({each["survivalPercent"] for each in same} for same in largest)) if largest else set()
    wide = [each for same in largest for each in same if each["survivalPercent"] in percents]
    title = f"us, {' / '.join(f'{percent:g}' for percent in sorted(percents))} % kept"
    return by_routes(title, in_columns(wide, "recordBytes", lambda size: f"{size} B"))


def routes_by_buckets(results):
    """Of the records that were measured into most numbers of buckets."""
    groups = {}
    for workload in routes_workloads(results):
        key = (workload["recordCount"], workload["recordBytes"], workload["survivalPercent"])
        groups.setdefault(key, []).append(workload)
    numbers = {key: len({workload["buckets"] for workload in same}) for key, same in groups.items()}
    key = max(numbers, key=numbers.get, default=None)
    if key is None or numbers[key] < 2:
        return []
    return by_routes(f"{count_text(key[0])} x {key[1]} B into buckets, us",
                     in_columns(groups[key], "buckets", lambda count: f"{count:,}"))


def frames(results):
    """Compaction in frames of the demo."""
    rows = [[workload["name"]] + [microseconds(measured(workload, route, "frame")) for route in FRAME_ROUTES]
            for workload in results["workloads"] if measured_entries(workload, "frame")]
    return markdown(["frame of the demo, us"] + [f"`{route}`" for route in FRAME_ROUTES], rows)


def handoff_label(name, entry):
    return name if entry["route"] == "none" else f"`{entry['route']}`" + name.removeprefix(entry["route"])


def handoffs(results):
    """A renderer's frames."""
    def cell(entry, key, pattern):
        times = entry.get(key)
        return Cell(format(times["median"], pattern), times) if times else ""

    rows = [[handoff_label(name, entry), cell(entry, "frameMicroseconds", ".0f"), cell(entry, "deltaMicroseconds", "+.0f"),
             cell(entry, "gapMicroseconds", ".0f"), cell(entry, "hostMicroseconds", ".0f")]
            for name, entry in measured_handoffs(results).items() if not is_alone(entry)]
    head = ["compaction", "frame, us", "by compaction, us", "before its draws, us", "host, us"]
    return markdown(head, rows)


def handoffs_alone(results):
    rows = [[handoff_label(name, entry).removesuffix(", alone")] +
            [Cell(f"{entry[key]['median']:.1f}", entry[key]) for key in ("gapMicroseconds", "hostMicroseconds")]
            for name, entry in measured_handoffs(results).items() if is_alone(entry)]
    return markdown(["hand-off alone", "there and back, us", "host, us"], rows)


def verbs(results):
    """What calls take the host, each by itself."""
    rows = []
    for entry in measured_handoffs(results).values():
        for verb in entry.get("verbs", []):
            times = [verb["microseconds"][key] for key in ("median", "percentile10", "percentile90")]
            rows.append([f"`{verb['name']}`, {entry['route']}"] + [f"{time:.1f}" for time in times])
    return markdown(["call", "us", "10th percentile", "90th"], rows)


def occlusion(results):
    """A street by Sluice, and as renderers in the open have it. The copy moves the bytes that Sluice's row cannot avoid."""
    streets = {}
    for entry in results.get("occlusions", []):
        if entry["status"] == "measured":
            street = streets.setdefault(tuple(entry[key] for key in ("width", "height", "recordCount", "records")), {})
            street.setdefault((entry["work"], entry["last"] or ""), {})[entry["method"]] = entry
    rows = []
    for (width, height, _, order), works in streets.items():
        whole = works.get(("frame", ""), {}).get("sluice")
        for (work, last), methods in works.items():
            ours, other = methods.get("sluice"), methods.get("levels")
            if not ours:
                continue
            copy = ours["copyMicroseconds"]
            speedup = Cell(f"{median(other) / median(ours):.2f}x", ours, other) if other else ""
            of_whole = Cell(f"{median(ours) / median(whole):.2f}", ours, whole) if whole and work not in ("frame", "pyramid") else ""
            rows.append([f"{width} x {height}, {order}", work, last, microseconds(ours), of_whole, microseconds(other), speedup,
                         Cell(time_text(copy["median"]), copy)])
    return markdown(["picture, records", "what", "last frame", "`sluice`, us", "of its `frame`", "`levels`, us", "speedup",
                     "copy, us"], rows)


def occlusion_counts(results):
    """What hides how much: of each street once."""
    streets = {}
    for entry in results.get("occlusions", []):
        streets[tuple(entry[key] for key in ("width", "height", "recordCount", "records"))] = entry
    rows = [[f"{width} x {height}, {order}", count_text(count), f"{entry['inFrustum']:,}",
             percent_text(round(100 - 100 * entry["visible"] / entry["inFrustum"])),
             percent_text(round(100 - 100 * entry["showing"] / entry["inFrustum"]))]
            for (width, height, count, order), entry in streets.items()]
    return markdown(["picture, records", "records", "in the frustum", "of these hidden", "at most"], rows)


def hostcosts(results):
    rows = []
    for cost in results.get("hostCosts", []):
        times = cost["microseconds"]
        rows.append([f"`{cost['competitor']}`, {cost['arena']}", cost["workload"], Cell(f"{times['median']:.1f}", times)])
    return markdown(["call of a frame", "records", "us"], rows)


TABLES = {table.__name__: table for table in (
    machine, words, records, widths, everyone, tuned, pairs, sizes, buckets, summary, culling, placements, routes,
    routes_by_survival, routes_by_width, routes_by_buckets, host, frames, handoffs, handoffs_alone, verbs, hostcosts,
    occlusion, occlusion_counts)}

# Tables that tell of their samples, or are of calls or counts, not of repetitions.
OWN_SAMPLES = (machine, verbs, hostcosts, occlusion_counts)

PATTERN = re.compile(r"(<!-- table: (\w+)((?:\s[^\s>]+\.json)*) -->\n).*?(<!-- end of table -->)", flags=re.DOTALL)


def main():
    paths = [path for path in sys.argv[1:] if path.endswith(".json")]
    pages = [path for path in sys.argv[1:] if not path.endswith(".json")]
    if not pages:
        sys.exit(f"{__doc__}\nTables: {', '.join(TABLES)}.")
    given = load_all(paths, together=True) if paths else None

    def results_of(match, folder):
        """None where there is no such file."""
        named = [os.path.join(folder, path) for path in match[3].split()]
        if not all(map(os.path.exists, named)):
            return None
        return load_all(named, together=True) if named else given

    def replaced(match, folder, page_results):
        if match[2] not in TABLES:
            sys.exit(f"tables.py: there is no table {match[2]}; there are {', '.join(TABLES)}")
        results = results_of(match, folder)
        lines = TABLES[match[2]](results) if results else []
        if not lines:
            what = "the results hold nothing for it" if results else "there are no results"
            print(f"{' '.join([match[2], *match[3].split()])}: left as it is, {what}")
            return match[0]
        notes = [] if match[2] == "machine" else origin_lines(results, page_results)
        if TABLES[match[2]] not in OWN_SAMPLES:
            notes += repetition_lines(results, page_results)
        if notes:
            lines += ["", *textwrap.wrap(" ".join(notes), PAGE_CHARACTERS)]
        return match[1] + "\n".join(lines) + "\n" + match[4]

    for page in pages:
        folder = os.path.dirname(page)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        marks = [match for match in PATTERN.finditer(text) if match[2] == "machine"]
        results = results_of(marks[0], folder) if marks else None
        text = PATTERN.sub(lambda match, folder=folder, results=results: replaced(match, folder, results), text)
        with open(page, "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
