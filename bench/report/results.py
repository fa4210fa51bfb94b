"""What tables.py and plots.py read: the JSON that `sluice-bench --json` and `sluice-demo --benchmark` write, or what pack()
left of it. Unknown keys are ignored."""
import json
import os
import sys

ARENA = "cuda"  # of competitors that name none

# Workloads are the same if these entries are.
IDENTITY = ("name", "recordBytes", "recordCount", "survivalPercent", "pattern", "buckets", "order", "outputs", "predicate")

# The studies that a report can have. Entries of a study are the same if these fields are.
STUDIES = {"handoffs": ("work", "route", "path", "latency"), "hostCosts": ("competitor", "arena", "workload"),
           "occlusions": ("method", "work", "records", "last", "recordCount", "width", "height")}

# A competitor's row in a packed file, which names these columns. Phases are pairs; the row of a competitor without
# phases ends before them.
COLUMNS = ("name", "arena", "role", "median", "percentile10", "percentile90", "gigabytesPerSecond", "phases")

# No table or plot reads these.
UNREAD = {"samples", "percentile25", "percentile75", "wholeRecordBytes", "kept", "sets"}
DIGITS = 13  # of packed numbers; with 12 a plot differs in its last digit


def rounded(value):
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def without_unread(value):
    """A copy."""
    if isinstance(value, dict):
        return {key: without_unread(each) for key, each in value.items() if key not in UNREAD}
    return [without_unread(each) for each in value] if isinstance(value, list) else rounded(value)


def row_of(entry):
    values = {**entry, **entry["microseconds"]}
    row = [values.get(column) for column in COLUMNS[:-1]]
    phases = [[phase["name"], phase["microseconds"]] for phase in entry.get("phases", [])]
    return row + [phases] if phases else row


def entry_of(row, columns):
    entry = {key: value for key, value in zip(columns, row) if value is not None}
    times = {key: entry.pop(key) for key in ("median", "percentile10", "percentile90") if key in entry}
    if "phases" in entry:
        entry["phases"] = [{"name": name, "microseconds": time} for name, time in entry["phases"]]
    return {**entry, "status": "measured", "microseconds": times}


def pack(results):
    """What tables and plots read of results, in a quarter of the bytes: of each workload a row per competitor that was
    measured, and no samples."""
    packed = without_unread(results)
    for workload in packed.get("workloads", []):
        packed["columns"] = COLUMNS
        workload["competitors"] = [row_of(entry) for entry in workload.get("competitors", []) if entry["status"] == "measured"]
    return packed


def unpack(results):
    """Packed results become what the programs wrote, less what was left out; other results stay."""
    columns = results.get("columns")
    for workload in results["workloads"] if columns else []:
        workload["competitors"] = [entry_of(row, columns) for row in workload["competitors"]]
    return results


def load(path):
    """Results of a run; each of them says of which."""
    with open(path, encoding="utf-8") as file:
        results = unpack(json.load(file))
    for entry in (entry for workload in results["workloads"] for entry in workload.get("competitors", [])):
        entry["run"] = run_text(results)
        entry["mode"] = results["mode"]
    for entry in (entry for key in STUDIES for entry in results.get(key, [])):
        entry["run"] = results["date"][:10]
    return results


def load_all(paths, together=False):
    """Results of several runs on one GPU as one; where two measured the same, the later one counts. together: of a workload
    each arena is that of one run, so that what is compared was measured together: of the run with most competitors there."""
    files = [load(path) for path in paths]
    names = {machine_of(results)["name"] for results in files}
    origins = list(dict.fromkeys(origin_of(results) for results in files))
    if len(names) > 1:
        program = os.path.basename(sys.argv[0])
        sys.exit(f"{program}: these results are of different GPUs, take them one by one: {', '.join(sorted(names))}")
    groups = {}
    for workload in (workload for results in files for workload in results["workloads"]):
        arenas = groups.setdefault(tuple(workload.get(name) for name in IDENTITY), {})
        for arena in {entry.get("arena", ARENA) for entry in workload.get("competitors", [])}:
            entries = {entry["name"]: entry for entry in measured_entries(workload, arena)}
            if not entries:
                continue
            # Only the cuda arena tells whether inputs are in the L2 cache, so the others are not asked.
            key = (arena, workload.get("l2") if arena == ARENA else None)
            earlier = arenas[key][1] if key in arenas else {}
            if not together:
                arenas[key] = (workload, earlier | entries)
            elif len(entries) >= len(earlier):
                arenas[key] = (workload, entries)
    merged = [workload for arenas in groups.values() for workload in merge(arenas)]
    studies = {}
    for key, identity in STUDIES.items():
        entries = [entry for results in files for entry in results.get(key, [])]
        if entries:
            studies[key] = list({tuple(entry.get(name) for name in identity): entry for entry in entries}.values())
    newest = next((results for results in reversed(files) if results["gpu"]), files[-1])  # the GPU that most is known of
    repetitions = sorted({results["repetitions"] for results in files})
    return newest | studies | {"workloads": merged, "origins": origins, "repetitionCounts": repetitions, "runs": files}


def merge(arenas):
    """One workload; for each further residence of the cuda arena one of that arena alone. arenas: workload and entries, by
    arena and residence."""
    on_cuda = [key for key in arenas if key[0] == ARENA]
    for key in on_cuda[:-1]:
        workload, entries = arenas[key]
        yield dict(workload, competitors=list(entries.values()))
    rest = [arenas[key] for key in arenas if key not in on_cuda[:-1]]
    if rest:
        workload = arenas[on_cuda[-1]][0] if on_cuda else rest[-1][0]
        yield dict(workload, competitors=[entry for _, entries in rest for entry in entries.values()])


def predicate_of(workload):
    """What keeps a record."""
    return workload.get("predicate", "word")


def placement_of(workload):
    """Where buckets lie, and the groups of draws."""
    return workload.get("placement", "reserved"), workload.get("groups", 0)


def measured_entries(workload, arena=ARENA):
    entries = workload.get("competitors", [])
    return [entry for entry in entries if entry["status"] == "measured" and entry.get("arena", ARENA) == arena]


def measured(workload, competitor, arena=ARENA):
    """None where the competitor has no number."""
    return next((entry for entry in measured_entries(workload, arena) if entry["name"] == competitor), None)


def median(entry):
    return entry["microseconds"]["median"]


def spread(times):
    """Of a summary: from the 10th to the 90th percentile, as a part of the median; None where these are not told."""
    if "percentile10" not in times or not times["median"]:
        return None
    return (times["percentile90"] - times["percentile10"]) / abs(times["median"])


def copy_of(workload, arena=ARENA):
    """The fastest copy of the run; None where nothing was copied."""
    copies = [entry for entry in measured_entries(workload, arena) if entry["role"] in ("copy", "study")]
    return min(copies, key=median, default=None)


def measured_handoffs(results):
    """By name."""
    return {handoff_name(entry): entry for entry in results.get("handoffs", []) if entry["status"] == "measured"}


def handoff_name(entry):
    if entry["work"] == "no compaction":
        return entry["work"]
    route = "" if entry["route"] == "none" else f"{entry['route']}, "
    alone = ", alone" if is_alone(entry) else ""
    return route + entry["path"] + alone + (", drawn a frame later" if entry["latency"] else "")


def is_alone(handoff):
    """A hand-off by itself, with no frame around it."""
    return handoff["work"] == "hand-off alone"


def is_power_of_two(count):
    return count & (count - 1) == 0


def count_text(count):
    return f"2^{count.bit_length() - 1}" if is_power_of_two(count) else f"{count:,}"


def percent_text(percent):
    return f"{percent:g} %"


def machine_of(results):
    """What ran: name, driver, and version of CUDA. None where there is no such thing; what the results do not tell is missing.
    Older results have no `machine`: then the GPU of CUDA, or the host's processors."""
    if "machine" in results:
        return results["machine"]
    gpu = results["gpu"]
    if not gpu:
        return {"name": results["devices"]["host"]["name"], "driver": None, "cuda": None}
    cuda = f"{gpu['cudaRuntime'] // 1000}.{gpu['cudaRuntime'] % 1000 // 10}"
    return {"name": gpu["name"], "driver": gpu["driver"], "cuda": cuda}


def machine_text(results):
    machine = machine_of(results)
    parts = [machine["name"]]
    for key, name in (("driver", "driver"), ("cuda", "CUDA")):
        if key not in machine:
            parts.append(f"{name} not recorded")
        elif machine[key]:
            parts.append(f"{name} {machine[key]}")
    return ", ".join(parts)


def origin_of(results):
    """The machine and the day."""
    return machine_text(results), results["date"][:10]


def run_text(results):
    kind = {"graph": "graph replays", "stream": "single launches"}.get(results["mode"]) if results["gpu"] else None
    kind = kind or ("frames" if results["mode"] == "frames" else "samples")
    cold = ", cold" if results.get("cold") else ""
    return f"{results['date'][:10]}; medians of {results['repetitions']} {kind}{cold}"
