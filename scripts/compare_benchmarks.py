#!/usr/bin/env python3
"""Is a benchmark slower than it was? compare_benchmarks.py OLD NEW [FILTER] [ROUNDS]

OLD and NEW are two builds of benchmarks/benchmarks. Each benchmark runs in both in turn, ROUNDS times (default 3); the
least processor time counts, since other work and the clock of the processor only ever add to it. What looks more than 2 %
slower is run again, ten rounds more. Prints one line for each; exit code 1 when one stays more than 5 % slower.
"""
import json
import os
import subprocess
import sys

UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def names(program, pattern):
    listed = subprocess.run([program, "--benchmark_list_tests", f"--benchmark_filter={pattern}"], capture_output=True,
                            text=True, check=True)
    return [line for line in listed.stdout.split("\n") if line]


def seconds(program, name):
    run = subprocess.run([program, f"--benchmark_filter=^{name}$", "--benchmark_format=json", "--benchmark_min_time=0.1"],
                         capture_output=True, text=True, check=True)
    return min(entry["cpu_time"] * UNITS[entry["time_unit"]] for entry in json.loads(run.stdout)["benchmarks"])


def least(programs, name, rounds, times):
    for _ in range(rounds):
        times = [min(time, seconds(program, name)) for program, time in zip(programs, times)]
    return times


def main(old, new, pattern=".", rounds="3"):
    programs = [os.path.abspath(old), os.path.abspath(new)]
    known, new_names = set(names(programs[0], pattern)), names(programs[1], pattern)
    for name in sorted(known - set(new_names)):
        print(f"only in the old one: {name}")
    ratios = {}
    for name in new_names:
        if name not in known:
            print(f"only in the new one: {name}")
            continue
        times = least(programs, name, int(rounds), [float("inf")] * 2)
        if times[1] > 1.02 * times[0]:
            times = least(programs, name, 10, times)
        ratios[name] = times[1] / times[0]
        print(f"{ratios[name]:6.3f}  {times[0]:9.3g} s  {times[1]:9.3g} s  {name}", flush=True)
    slower = [name for name, ratio in ratios.items() if ratio > 1.05]
    print(f"{len(ratios)} benchmarks, {sum(ratio > 1.02 for ratio in ratios.values())} more than 2 % slower, {len(slower)} more than 5 %")
    return 1 if slower or not ratios else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
