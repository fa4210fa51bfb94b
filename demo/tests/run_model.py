"""Runs sluice-demo with a model file and judges how it ends: a picture or a sentence, soon, and in little memory."""
import dataclasses
import os
import pathlib
import subprocess
import tempfile
import threading
import time

MAX_SECONDS = 20
# This limit holds for the demo and for the importer's process, so together they stay below 2 GiB.
MAX_MEGABYTES = 1024


@dataclasses.dataclass
class Run:
    model: str
    code: int
    seconds: float
    megabytes: int  # of the larger process
    says: str
    has_picture: bool

    def problem(self, checks_memory=True):
        """Why the run ended badly; None for a picture or a sentence."""
        if self.seconds > MAX_SECONDS:
            return f"took {self.seconds:.1f} s"
        if checks_memory and self.megabytes > MAX_MEGABYTES:
            return f"took {self.megabytes} MiB"
        if self.code == 0:
            return None if self.has_picture and not self.says else f"exit code 0, a picture: {self.has_picture}"
        if self.code != 2:
            return f"exit code {self.code}: {self.says}"
        start = f"sluice-demo: model file {self.model} "
        is_sentence = self.says.startswith(start) and self.says.endswith("\n") and self.says.count("\n") == 1
        return None if is_sentence else f"not a sentence about the file: {self.says!r}"


def start(demo, model, folder):
    arguments = "--headless --size 32x32 --frames 1 --instances 50 --route cpu --quiet".split()
    return subprocess.Popen([demo, *arguments, "--model", model, "--out", folder], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def run_model(demo, model, meanwhile=None):
    """meanwhile: is called with the started process."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        process = start(demo, model, folder)
        # One that hangs is ended, so that it is reported.
        watch = threading.Timer(2 * MAX_SECONDS, process.kill)
        watch.start()
        if meanwhile:
            meanwhile(process)
        says = process.stdout.read().decode(errors="replace")
        process.stdout.close()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - started
        watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        has_picture = (pathlib.Path(folder) / "frame-0000.png").exists()
        return Run(str(model), process.returncode, seconds, usage.ru_maxrss // 1024, says, has_picture)


def skip_without_vulkan(demo):
    devices = subprocess.run([demo, "--list-devices"], capture_output=True, text=True, check=False)
    if devices.returncode != 0:
        print("SKIPPED:", devices.stdout, devices.stderr)
        raise SystemExit(0)
