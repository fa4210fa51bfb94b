#!/usr/bin/env python3
"""What a renderer's frame costs on each route: bench/frames.py SLUICE-DEMO RESULTS.json [option...]

Runs the demo without a window over every route, scene and number of instances, and writes the medians and the 10th and 90th
percentiles of its stages: GPU time by timestamps (on the CUDA route `compact` holds the hand-off to CUDA and back) and host
time of the calls. A route that the machine lacks is written down as refused, with the demo's own sentence.
"""
import argparse
import datetime
import json
import pathlib
import subprocess
import tempfile

ROUTES = ["cpu", "vulkan", "cuda", "inline"]
SCENES = ["asteroids", "points"]
MISSING = 3  # the demo's exit code when the machine lacks something


def percentile(values, fraction):
    """Between the two nearest, weighted linearly."""
    values = sorted(values)
    place = fraction * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (place - low)


def summary(values):
    return {"median": percentile(values, 0.5), "percentile10": percentile(values, 0.1), "percentile90": percentile(values, 0.9)}


def summaries(frames, group):
    """Of each of the group's times that frames have."""
    times = {name: [frame[group][name] for frame in frames if frame[group][name] is not None] for name in frames[0][group]}
    return {name: summary(values) for name, values in times.items() if values}


def measure(arguments, route, scene, instances):
    """The demo's frames, without the first ones, in which caches fill and clocks rise."""
    row = {"route": route, "scene": scene, "order": arguments.order, "instances": instances}
    with tempfile.TemporaryDirectory() as folder:
        stats = pathlib.Path(folder, "stats.json")
        command = [arguments.demo, "--headless", "--quiet", "--no-out", "--route", route, "--scene", scene,
                   "--order", arguments.order, "--instances", str(instances), "--size", arguments.size,
                   "--frames", str(arguments.frames), "--stats", str(stats)]
        if arguments.models:
            command += ["--models", arguments.models]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            if run.returncode != MISSING:
                raise SystemExit(f"frames.py: {' '.join(command)}: {run.stderr.strip()}")
            return {**row, "status": "refused", "reason": run.stderr.strip().removeprefix("sluice-demo: ")}
        results = json.loads(stats.read_text())
    frames = results["frames"][min(arguments.skip, len(results["frames"]) - 1):]
    return {**row, "status": "measured", "device": results["device"], "buckets": results["buckets"], "size": results["size"],
            "frames": len(frames), "kept": percentile([frame["kept"] for frame in frames], 0.5),
            "gpuMicroseconds": summaries(frames, "gpuMicroseconds"),
            "hostMicroseconds": summaries(frames, "hostMicroseconds")}


def describe(row):
    title = f"{row['scene']}, {row['instances']} instances, {row['route']}"
    if row["status"] == "refused":
        return f"{title}: refused, {row['reason']}"
    times = [f"{name} {times['median']:.1f}" for name, times in row["gpuMicroseconds"].items()]
    host = [f"{name} {times['median']:.1f}" for name, times in row["hostMicroseconds"].items()]
    return f"{title}: GPU us {', '.join(times)}; host us {', '.join(host)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("demo", help="the program sluice-demo")
    parser.add_argument("results", type=pathlib.Path, help="file to write")
    parser.add_argument("--routes", nargs="+", default=ROUTES, choices=ROUTES)
    parser.add_argument("--scenes", nargs="+", default=SCENES, choices=SCENES)
    parser.add_argument("--instances", nargs="+", type=int, default=[1000, 1 << 20])
    parser.add_argument("--order", default="unordered", choices=["unordered", "stable"])
    parser.add_argument("--frames", type=int, default=200)
    parser.add_argument("--skip", type=int, default=20, help="frames at the beginning that do not count")
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--models", help="folder of the asteroids' models")
    arguments = parser.parse_args()

    rows = []
    for scene in arguments.scenes:
        for instances in arguments.instances:
            for route in arguments.routes:
                rows.append(measure(arguments, route, scene, instances))
                print(describe(rows[-1]), flush=True)
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    arguments.results.write_text(json.dumps({"date": date, "frames": rows}, indent=2) + "\n")
    if all(row["status"] == "refused" for row in rows):
        raise SystemExit("frames.py: no route could be measured")


if __name__ == "__main__":
    main()
