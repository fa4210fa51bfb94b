#!/usr/bin/env python3
"""Draws what sluice-bench and sluice-demo measured: bench/report/plots.py FOLDER RESULTS.json...

Writes each plot as SVG into FOLDER, and says which were left out, and why. RESULTS.json are what `sluice-bench
--json RESULTS.json` or `sluice-demo --headless --benchmark RESULTS.json` wrote, of one GPU; where two measured the same,
the later one counts. Each arena has plots of its own, with its name in theirs unless it is CUDA. Needs matplotlib
(Debian: python3-matplotlib).
"""
import collections
import math
import os
import sys
import textwrap

import results as bench
from results import count_text, median, percent_text

try:
    import matplotlib
except ImportError:
    sys.exit("plots.py: matplotlib is not installed (Debian: python3-matplotlib)")
matplotlib.use("Agg")
from matplotlib import pyplot
from matplotlib.ticker import FuncFormatter, NullFormatter

matplotlib.rcParams.update({
    "font.family": "DejaVu Sans", "font.size": 10, "axes.titlesize": 10, "axes.grid": True, "axes.axisbelow": True,
    "grid.color": "#dddddd", "axes.spines.top": False, "axes.spines.right": False, "lines.linewidth": 1.4,
    "lines.markersize": 5, "legend.frameon": False, "savefig.facecolor": "white", "svg.hashsalt": "sluice-bench",
    "svg.fonttype": "none",
})

COLUMNS = 3  # panels side by side
WIDTH_INCHES = 9.3
PANEL_INCHES = 2.5  # of height, more where there is a single row
LEGEND_COLUMNS = 6
LEGEND_INCHES = 0.2  # a row
FOOT_INCHES = 0.32  # of two lines
FOOT_CHARACTERS = 140
COPY = "copy"  # the fastest one
BASELINE = "cub"
COLORS = {
    "copy": "#666666", "copy-kernel": "#999999", "sluice": "#0b62c4", "cub": "#d1495b", "cub-tuned": "#e58a00",
    "cub-flagged": "#8d5fb5", "cub-flagged-tuned": "#c3a6e0", "cub-partition": "#2a9d8f", "thrust-copy-if": "#a4673f",
    "cub-sort": "#7b1e3a",
}
OTHER_COLORS = ("#17becf", "#bcbd22", "#e377c2", "#2ca02c", "#6a3d9a", "#ff9896", "#7f5539", "#b2df8a", "#a6761d",
                "#555599", "#fdbf6f", "#222222")  # of competitors that have none above, in order of their names
MARKERS = "osD^v<>PXp*h8"

# Workloads that differ in nothing but the rate of survival form a series.
Series = collections.namedtuple("Series", "size count buckets order outputs pattern predicate placement residence")


def series_of(workload):
    return Series(workload["recordBytes"], workload["recordCount"], workload["buckets"], workload["order"],
                  workload["outputs"], workload["pattern"], bench.predicate_of(workload), bench.placement_of(workload),
                  workload.get("l2"))


class Style:
    """A colour and a marker per competitor, the same in every plot of an arena."""

    def __init__(self, results, arena):
        names = {entry["name"] for workload in results["workloads"] for entry in workload["competitors"]
                 if entry.get("arena", bench.ARENA) == arena}
        # Copies last: few plots show them, and there are only so many colours.
        self.order = list(COLORS) + sorted(names - set(COLORS), key=lambda name: (name.startswith("copy"), name))
        others = self.order[len(COLORS):]
        self.colors = COLORS | {name: OTHER_COLORS[i % len(OTHER_COLORS)] for i, name in enumerate(others)}

    def line(self, name):
        style = {"color": self.colors[name]}
        if name in ("sluice", BASELINE):
            style |= {"linewidth": 2.2, "zorder": 4}
        if name in (COPY, "copy-kernel"):
            return style | {"linestyle": "--"}
        return style | {"marker": MARKERS[self.order.index(name) % len(MARKERS)]}


class Plots:
    """What all plots of an arena have in common: where they go, the style, the footer."""

    def __init__(self, results, arena, folder):
        self.results = results
        self.arena = arena
        self.folder = folder
        self.style = Style(results, arena)
        self.runs = set()  # that the next plot shows something of
        self.workloads = [w for w in results["workloads"] if bench.measured_entries(w, arena)]

    def save(self, figure, name):
        footer = f"{bench.machine_text(self.results)}, {' | '.join(sorted(self.runs))}"
        figure.text(0.01, 0.01, textwrap.fill(footer, FOOT_CHARACTERS), fontsize=8, color="#666666", va="bottom")
        self.runs.clear()
        if self.arena != bench.ARENA:
            name = f"{name}-{self.arena}"
        path = os.path.join(self.folder, name + ".svg")
        figure.savefig(path, metadata={"Date": None})
        pyplot.close(figure)
        print(path)

    def save_bars(self, figure, name):
        figure.tight_layout(rect=(0, FOOT_INCHES / figure.get_figheight(), 1, 1))
        self.save(figure, name)

    def skip(self, name, reason):
        print(f"{name} ({self.arena}): left out, {reason}")

    def entries(self, workload):
        """The fastest copy and all that compact, by name."""
        entries = bench.measured_entries(workload, self.arena)
        others = {e["name"]: e for e in entries if e["role"] not in ("copy", "study")}
        copy = bench.copy_of(workload, self.arena)
        return others | ({COPY: copy} if copy else {})

    def lines(self, points, value):
        """Name to ([x...], [y...]) of points (x, workload). value: of an entry and a workload, or None."""
        lines = {}
        for x, workload in sorted(points, key=lambda point: point[0]):
            for name, entry in self.entries(workload).items():
                y = value(entry, workload)
                if y is not None:
                    self.runs.add(entry["run"])
                    xs, ys = lines.setdefault(name, ([], []))
                    xs.append(x)
                    ys.append(y)
        return dict(sorted(lines.items(), key=lambda item: self.style.order.index(item[0])))

    def draw_panels(self, name, title, panels, x_label, y_label, prepare):
        """panels: list of (title, lines). prepare: sets up an axis that has its lines."""
        columns = min(COLUMNS, len(panels))
        rows = math.ceil(len(panels) / columns)
        legend_names = [n for n in self.style.order if any(n in lines for _, lines in panels)]
        head = 0.4 + LEGEND_INCHES * math.ceil(len(legend_names) / LEGEND_COLUMNS)
        height = head + PANEL_INCHES * max(rows, 1.3) + FOOT_INCHES
        figure, axes = pyplot.subplots(rows, columns, figsize=(WIDTH_INCHES, height), sharey=True, squeeze=False)
        flat = axes.flatten()
        handles = {}
        for axis, (panel_title, lines) in zip(flat, panels):
            axis.set_title(panel_title)
            for line_name, (xs, ys) in lines.items():
                handles[line_name], = axis.plot(xs, ys, **self.style.line(line_name))
            prepare(axis)
        for axis in flat[len(panels):]:
            axis.set_visible(False)
        for i, axis in enumerate(flat[:len(panels)]):
            axis.set_xlabel(x_label)
            if i % columns == 0:
                axis.set_ylabel(y_label)
        figure.text(0.01, 1 - 0.1 / height, title, fontsize=12, va="top")
        figure.legend([handles[n] for n in legend_names], legend_names, loc="upper left", ncol=LEGEND_COLUMNS,
                      bbox_to_anchor=(0, 1 - 0.28 / height), fontsize=9, columnspacing=1.4, handlelength=2.2)
        bottom, top = FOOT_INCHES / height, 1 - head / height
        figure.tight_layout(rect=(0, bottom, 1, top))
        self.save(figure, name)


def rate_of(entry):
    return entry["gigabytesPerSecond"]


def rate(entry, _workload):
    return rate_of(entry)


def is_common(series):
    """What is not the subject of a plot of its own."""
    return series.buckets == 1 and series.pattern == "random" and series.predicate == "word"


def survival_panels(plots, order, outputs, value):
    """A panel per record size, of the count that has most survivals, the largest of several such."""
    groups = {}
    for workload in plots.workloads:
        series = series_of(workload)
        if is_common(series) and (series.order, series.outputs) == (order, outputs):
            groups.setdefault(series, []).append((workload["survivalPercent"], workload))
    fullest = {}
    for series in sorted(groups, key=lambda series: (len(groups[series]), series.count)):
        if len(groups[series]) > 1:
            fullest[series.size] = series
    panels = [(f"{size} B x {count_text(series.count)}", plots.lines(groups[series], value))
              for size, series in sorted(fullest.items())]
    return [panel for panel in panels if panel[1]]


def axis_from_zero(axis):
    axis.set_ylim(0, max(axis.dataLim.ymax * 1.05, axis.get_ylim()[1]))  # the other panels' axis, too


def survival_axis(axis):
    axis.set_xlim(-4, 104)
    axis.set_xticks([0, 25, 50, 75, 100])
    axis_from_zero(axis)


def draw_over_survival(plots, kind, title, y_label, value, prepare):
    drawn = False
    for outputs in ("records", "indices"):
        for order in ("unordered", "stable"):
            panels = survival_panels(plots, order, outputs, value)
            if not panels:
                continue
            drawn = True
            suffix = "" if outputs == "records" else f"-{outputs}"
            plots.draw_panels(f"{kind}-{order}{suffix}", f"{title}, {order}, {outputs}", panels, "records kept, %",
                              y_label, prepare)
    if not drawn:
        plots.skip(kind, "no workload was measured at several survivals")


def draw_bandwidth(plots):
    title = "Bandwidth: bytes that no method can avoid over time"
    draw_over_survival(plots, "bandwidth", title, "GB/s", rate, survival_axis)


def times_baseline(plots):
    def value(entry, workload):
        baseline = bench.measured(workload, BASELINE, plots.arena)
        return None if baseline is None or entry["role"] in ("copy", "study") else median(baseline) / median(entry)

    return value


def draw_ratio(plots):
    draw_over_survival(plots, "ratio", "Speed as a multiple of cub::DeviceSelect::If's", "times CUB's speed",
                       times_baseline(plots), survival_axis)


def draw_times(plots, name, title, panels, x_label):
    """Microseconds over counts, which are logarithmic, with ticks at those that were measured."""
    panels = [(title, {name: line for name, line in lines.items() if len(line[0]) > 1}) for title, lines in panels]
    panels = [panel for panel in panels if panel[1]]
    if not panels:
        return plots.skip(name, "nobody was measured at more than one count")
    times = [y for _, lines in panels for _, ys in lines.values() for y in ys]

    def prepare(axis):
        counts = sorted({round(x) for line in axis.get_lines() for x in line.get_xdata()})
        step = math.ceil(len(counts) / 8)
        axis.set_xscale("log", base=2)
        axis.set_xticks(counts[::step])
        axis.xaxis.set_minor_formatter(NullFormatter())
        axis.xaxis.set_major_formatter(FuncFormatter(lambda x, _: power_text(round(x))))
        if max(times) < 20 * min(times):
            return axis_from_zero(axis)
        axis.set_yscale("log")
        axis.yaxis.set_major_formatter(FuncFormatter(lambda y, _: f"{y:g}"))
        axis.yaxis.set_minor_formatter(NullFormatter())

    plots.draw_panels(name, title, panels, x_label, "us per frame", prepare)


def power_text(count):
    return f"$2^{{{count.bit_length() - 1}}}$" if count > 1 and bench.is_power_of_two(count) else f"{count:,}"


def draw_size(plots):
    """Time over the number of records, at the survival that was measured at most sizes."""
    groups = {}
    for workload in plots.workloads:
        series = series_of(workload)
        if is_common(series) and series.outputs == "records":
            key = (series.size, workload["survivalPercent"], series.residence == "cold")
            groups.setdefault(key, {}).setdefault(series.order, []).append((series.count, workload))
    best = {}
    for key, by_order in groups.items():
        counts = {count for points in by_order.values() for count, _ in points}
        if len(counts) > 2 and len(counts) > len(best.get(key[0], ((), ()))[0]):
            best[key[0]] = (counts, key)
    panels = []
    for size, (_, key) in sorted(best.items()):
        for order, points in groups[key].items():
            powers = [point for point in points if bench.is_power_of_two(point[0])]
            points = powers if len({count for count, _ in powers}) > 2 else points
            lines = plots.lines(points, lambda entry, _: median(entry))
            panels.append((f"{size} B, {percent_text(key[1])} kept, {order}", lines))
    if not panels:
        return plots.skip("size", "no record size was measured at more than two counts")
    draw_times(plots, "size", "Time of a frame over its records", panels, "records")


def draw_buckets(plots):
    groups = {}
    for workload in plots.workloads:
        series = series_of(workload)
        kind = (series.pattern, series.outputs, series.predicate, series.placement)
        if kind == ("random", "records", "word", ("reserved", 0)):
            key = (series.size, series.count, workload["survivalPercent"], series.residence, series.order)
            groups.setdefault(key, []).append((series.buckets, workload))
    panels = []
    for (size, count, percent, _, order), points in groups.items():
        if len({buckets for buckets, _ in points}) > 2:
            title = f"{size} B x {count_text(count)}, {percent_text(percent)} kept, {order}"
            panels.append((title, plots.lines(points, lambda entry, _: median(entry))))
    if not panels:
        return plots.skip("buckets", "nothing was measured with more than two bucket counts")

    draw_times(plots, "buckets", "Time of a frame over its buckets", panels, "buckets")


def phases_of(entry):
    return [phase for phase in entry.get("phases", []) if phase["name"] != "draw"]


def draw_phases(plots):
    """Bars of what a frame is made of but for its draws, beside which nothing else of the demo's frames is seen: for the
    workload for which most competitors told, the largest, with half of the records kept or as near to that as there is."""
    def told(workload):
        return [entry for entry in bench.measured_entries(workload, plots.arena) if phases_of(entry)]

    def weight(workload):
        return (len(told(workload)), workload["recordBytes"] * workload["recordCount"],
                -abs(workload["survivalPercent"] - 50))

    workload = max(plots.workloads, key=weight, default=None)
    entries = told(workload) if workload else []
    if not entries:
        return plots.skip("phases", "no competitor was measured phase by phase")
    names = list(dict.fromkeys(phase["name"] for entry in entries for phase in phases_of(entry)))
    palette = pyplot.get_cmap("tab20").colors
    height = 1.3 + 0.34 * len(entries)
    figure, axis = pyplot.subplots(figsize=(9.3, max(height, 2.5)))
    for row, entry in enumerate(entries):
        left = 0
        for phase in phases_of(entry):
            axis.barh(row, phase["microseconds"], left=left, color=palette[names.index(phase["name"]) % len(palette)])
            left += phase["microseconds"]
        plots.runs.add(entry["run"])
    cut_longest(axis, entries)
    name_bars(axis, [entry["name"] for entry in entries])
    axis.set_xlabel("us")
    without_draws = ", draws left out" if any(phases_of(entry) != entry["phases"] for entry in entries) else ""
    axis.set_title(f"Phases of a frame{without_draws}, {workload['name']}", loc="left", fontsize=12)
    patches = [matplotlib.patches.Patch(color=palette[i % len(palette)], label=name) for i, name in enumerate(names)]
    axis.legend(handles=patches, loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9)
    plots.save_bars(figure, "phases")


def name_bars(axis, names):
    axis.set_yticks(range(len(names)), names)
    axis.invert_yaxis()
    axis.grid(axis="y", visible=False)


def cut_longest(axis, entries):
    """Ends the axis behind the second longest bar where the longest would leave nothing to see of the others."""
    totals = [sum(phase["microseconds"] for phase in phases_of(entry)) for entry in entries]
    if len(totals) < 2 or max(totals) < 4 * sorted(totals)[-2]:
        return
    axis.set_xlim(0, 1.25 * sorted(totals)[-2])
    axis.text(0.99, totals.index(max(totals)), f"{max(totals):,.0f} us", transform=axis.get_yaxis_transform(),
              ha="right", va="center", fontsize=9, bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})


def draw_copies(plots):
    """Bars of the copies' rates, for the largest input that most of them copied."""
    def copies(workload):
        entries = bench.measured_entries(workload, plots.arena)
        return [entry for entry in entries if entry["role"] in ("copy", "study")]

    def weight(workload):
        return len(copies(workload)), workload["recordBytes"] * workload["recordCount"]

    workload = max(plots.workloads, key=weight, default=None)
    entries = sorted(copies(workload), key=rate_of, reverse=True) if workload else []
    if len(entries) < 3:
        return plots.skip("copies", "there are no more than two")
    figure, axis = pyplot.subplots(figsize=(9.3, 1.3 + 0.28 * len(entries)))
    for row, entry in enumerate(entries):
        axis.barh(row, rate_of(entry), color=COLORS["copy" if entry["role"] == "copy" else "sluice"])
        plots.runs.add(entry["run"])
    name_bars(axis, [entry["name"] for entry in entries])
    axis.set_xlabel("GB/s, read and written")
    size = count_text(workload["recordBytes"] * workload["recordCount"])
    axis.set_title(f"Copies of {size} bytes", loc="left", fontsize=12)
    plots.save_bars(figure, "copies")


def draw_handoffs(plots):
    """Bars of a renderer's frames by where they are compacted, and the part that is over before their draws begin. Hand-offs
    alone are no frames."""
    entries = {name: entry for name, entry in bench.measured_handoffs(plots.results).items() if not bench.is_alone(entry)}
    if not entries:
        return plots.skip("handoffs", "nobody handed frames over")
    figure, axis = pyplot.subplots(figsize=(9.3, 1.3 + 0.28 * len(entries)))
    parts = (("frameMicroseconds", "frame", "#aec7e8"), ("gapMicroseconds", "of it before its draws", COLORS["sluice"]))
    for key, label, color in parts:
        axis.barh(range(len(entries)), [entry[key]["median"] for entry in entries.values()], color=color, label=label)
    plots.runs |= {entry["run"] for entry in entries.values()}
    name_bars(axis, list(entries))
    axis.set_xlabel("us")
    axis.set_title("A renderer's frames, by where they are compacted", loc="left", fontsize=12)
    axis.legend(loc="upper right", fontsize=9)
    plots.save_bars(figure, "handoffs")


DRAWINGS = (draw_bandwidth, draw_ratio, draw_size, draw_buckets, draw_phases, draw_copies)


def arenas_of(results):
    arenas = {entry.get("arena", bench.ARENA) for workload in results["workloads"] for entry in workload["competitors"]}
    return [bench.ARENA] + sorted(arenas - {bench.ARENA})


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder = sys.argv[1]
    results = bench.load_all(sys.argv[2:])
    os.makedirs(folder, exist_ok=True)
    for arena in arenas_of(results):
        plots = Plots(results, arena, folder)
        for draw in DRAWINGS:
            draw(plots)
    draw_handoffs(Plots(results, bench.ARENA, folder))


if __name__ == "__main__":
    main()
