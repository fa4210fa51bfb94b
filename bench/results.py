"""What tables.py and plots.py read: the JSON that `sluice-bench --json` and `sluice-demo --benchmark` write. Unknown keys are
ignored."""
import json
import os
import sys

ARENA = "cuda"  # of competitors that name none

# What makes a workload another one.
IDENTITY = ("name", "recordBytes", "recordCount", "survivalPercent", "pattern", "buckets", "order", "outputs", "predicate", "l2")

# What is measured beside the workloads, and what makes an entry the same as another.
STUDIES = {"handoffs": ("route", "path", "latency"), "hostCosts": ("competitor", "arena", "workload")}


def load(path):
    """Results of a run; each of them says of which."""
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    for entry in (entry for workload in results["workloads"] for entry in workload.get("competitors", [])):
        entry["run"] = run_text(results)
    for entry in (entry for key in STUDIES for entry in results.get(key, [])):
        entry["run"] = results["date"][:10]
    return results


def load_all(paths, together=False):
    """Results of several runs on one GPU as one; where two measured the same, the later one counts. together: of a workload
    each arena is that of one run, so that what is compared was measured together: of the run with most competitors there."""
    files = [load(path) for path in paths]
    names = {machine_of(results)["name"] for results in files}
    if len(names) > 1:
        program = os.path.basename(sys.argv[0])
        sys.exit(f"{program}: these results are of different GPUs, take them one by one: {', '.join(sorted(names))}")
    workloads = {}
    for workload in (workload for results in files for workload in results["workloads"]):
        key = tuple(workload.get(name) for name in IDENTITY)
        arenas = workloads.setdefault(key, (workload, {}))[1]
        for arena in {entry.get("arena", ARENA) for entry in workload.get("competitors", [])}:
            entries = {entry["name"]: entry for entry in measured_entries(workload, arena)}
            if not together:
                arenas.setdefault(arena, {}).update(entries)
            elif len(entries) >= len(arenas.get(arena, {})):
                arenas[arena] = entries
    merged = [dict(workload, competitors=[entry for entries in arenas.values() for entry in entries.values()])
              for workload, arenas in workloads.values()]
    studies = {}
    for key, identity in STUDIES.items():
        entries = [entry for results in files for entry in results.get(key, [])]
        if entries:
            studies[key] = list({tuple(entry.get(name) for name in identity): entry for entry in entries}.values())
    newest = next((results for results in reversed(files) if results["gpu"]), files[-1])  # the GPU that most is known of
    return newest | studies | {"workloads": merged}


def predicate_of(workload):
    """What keeps a record."""
    return workload.get("predicate", "word")


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
    return (times["percentile90"] - times["percentile10"]) / times["median"]


def copy_of(workload, arena=ARENA):
    """The fastest copy of the run; None where nothing was copied."""
    copies = [entry for entry in measured_entries(workload, arena) if entry["role"] in ("copy", "study")]
    return min(copies, key=median, default=None)


def measured_handoffs(results):
    """By name."""
    return {handoff_name(entry): entry for entry in results.get("handoffs", []) if entry["status"] == "measured"}


def handoff_name(entry):
    if entry.get("work") == "no compaction":
        return entry["work"]
    route = "" if entry["route"] == "none" else f"{entry['route']}, "
    return route + entry["path"] + (", drawn a frame later" if entry["latency"] else "")


def is_alone(handoff):
    """A hand-off by itself, with no frame around it."""
    return handoff.get("work") == "hand-off alone"


def is_power_of_two(count):
    return count & (count - 1) == 0


def count_text(count):
    return f"2^{count.bit_length() - 1}" if is_power_of_two(count) else f"{count:,}"


def percent_text(percent):
    return f"{percent:g} %"


def machine_of(results):
    """The GPU of CUDA, or the device of another arena where there was none."""
    return results["gpu"] or next(iter(results["devices"].values()))


def machine_text(results):
    gpu = machine_of(results)
    if "cudaRuntime" not in gpu:
        return gpu["name"]
    driver = f"driver {gpu['driver']}, " if gpu.get("driver") else ""
    return f"{gpu['name']}, {driver}CUDA {gpu['cudaRuntime'] // 1000}.{gpu['cudaRuntime'] % 1000 // 10}"


def run_text(results):
    kind = {"graph": "graph replays", "stream": "single launches"}.get(results["mode"]) if results["gpu"] else None
    kind = kind or ("frames" if results["mode"] == "frames" else "samples")
    cold = ", cold" if results.get("cold") else ""
    return f"{results['date'][:10]}; medians of {results['repetitions']} {kind}{cold}"
