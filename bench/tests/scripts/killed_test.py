"""A run that is killed leaves the reports of the workloads that it has measured. Argument: the program."""

import json
import pathlib
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    reports = {kind: pathlib.Path(folder) / f"report.{kind}" for kind in ("json", "csv")}
    command = [sys.argv[1], "--count", "1000,2^22", "--order", "stable", "--arenas", "host", "--competitors", "memcpy",
               "--repetitions", "10000", "--json", reports["json"], "--csv", reports["csv"]]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        for line in run.stdout:
            if line.startswith("4 B x 1000,"):
                break
        run.kill()
    measured = json.loads(reports["json"].read_text())["workloads"]
    assert [workload["recordCount"] for workload in measured] == [1000], measured
    assert measured[0]["competitors"][0]["status"] == "measured", measured
    rows = reports["csv"].read_text().splitlines()
    assert len(rows) == 2 and rows[1].startswith("4,1000,"), rows
