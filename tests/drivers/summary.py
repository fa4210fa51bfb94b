#!/usr/bin/env python3
"""Says in a line how a run of tests/run-drivers ended: summary.py NAME FILE CODE SECONDS

FILE.xml is what GoogleTest reported, FILE.log what the program wrote. Exits with 1 if the run failed.
"""

import collections
import os
import sys
import xml.etree.ElementTree as xml


def reason_of(skipped):
    """The sentence, without the place in the source and the traces around it."""
    lines = skipped.get("message", "").splitlines()
    return lines[1] if len(lines) > 1 else lines[0] if lines else "no reason"


def read(path):
    """Returns the names of tests that passed and failed, and {reason: names} of those that were skipped."""
    passed, failed, skipped = [], [], collections.defaultdict(list)
    for case in xml.parse(path).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        if case.get("status") != "run":
            continue
        if case.find("failure") is not None:
            failed.append(name)
        elif case.find("skipped") is not None:
            skipped[reason_of(case.find("skipped"))].append(name)
        else:
            passed.append(name)
    return passed, failed, skipped


def fault(code, passed, failed):
    if failed:
        return "FAILED: " + ", ".join(failed)
    if code != 0:
        return f"FAILED: the program ended with {code}"
    return None if passed else "FAILED: no test ran"


def main(name, file, code, seconds):
    if not os.path.exists(file + ".xml"):
        print(f"{name}: FAILED: the program ended with {code} and no report; see {file}.log ({seconds} s)")
        return 1
    passed, failed, skipped = read(file + ".xml")
    problem = fault(int(code), passed, failed)
    print(f"{name}: {problem + '; ' if problem else ''}{len(passed)} passed, "
          f"{sum(map(len, skipped.values()))} skipped ({seconds} s)")
    for reason, names in skipped.items():
        print(f"  {len(names)} skipped: {reason}")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
