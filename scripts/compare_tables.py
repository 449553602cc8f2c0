#!/usr/bin/env python3
"""Compares the tables of two sets of results number by number: compare_tables.py OLD NEW

A number may differ by twice the error that its row states (columns error, NAME_error), relative to the largest magnitude
of its column; without one by 1e-6 of that magnitude. Rows that say themselves that they are of more than one mode
(clean = 0) state nothing. Counts of iterations and errors themselves are not compared. Tables
with other rows (a curve that took other steps) are listed and compared where their first columns coincide.
Exit code 1 when a number differs by more.
"""
import csv
import math
import os
import sys

BOUND = 1e-6
NOT_COMPARED = ("iterations", "evaluations", "error", "harmonics", "steps", "samples")


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(value) if value else math.nan for value in row] for row in rows[1:]]


def worst(names, old, new):
    """The largest difference over what is allowed and where: of columns without an error of their own, and of those with one."""
    found = {False: (0.0, ""), True: (0.0, "")}
    for c, name in enumerate(names):
        base, bracket, of = name.partition("[")
        if base in NOT_COMPARED or base.endswith("_error"):
            continue
        itself = base + "_error" + bracket + of
        own = itself if itself in names else "error"
        column = names.index(own) if own in names else None
        size = max((abs(row[c]) for row in old if math.isfinite(row[c])), default=0.0)
        clean = names.index("clean") if "clean" in names and column is not None else None
        for number, (a, b) in enumerate(zip(old, new)):
            if clean is not None and not (a[clean] and b[clean]):
                continue
            if a[c] == b[c] or (math.isnan(a[c]) and math.isnan(b[c])):
                continue
            stated = abs(a[column]) + abs(b[column]) if column is not None else 0.0
            scale = 1.0 if own == itself else size
            allowed = max(BOUND * size, 2.0 * stated * scale if math.isfinite(stated) else math.inf)
            ratio = abs(a[c] - b[c]) / allowed if allowed > 0.0 else math.inf
            if math.isnan(ratio):  # a number in one of them only
                ratio = math.inf
            if not ratio <= found[column is not None][0]:
                found[column is not None] = (ratio, f"{name}, row {number + 1}: {a[c]:.9g} and {b[c]:.9g}")
    return found


def main(old_folder, new_folder):
    compared = beyond = beyond_stated = other_rows = 0
    for folder, _, files in sorted(os.walk(old_folder)):
        for file in sorted(files):
            old_path = os.path.join(folder, file)
            new_path = os.path.join(new_folder, os.path.relpath(old_path, old_folder))
            if not file.endswith(".csv") or not os.path.exists(new_path):
                continue
            (names, old), (new_names, new) = read(old_path), read(new_path)
            where = os.path.relpath(old_path, old_folder)
            if names != new_names:
                print(f"other columns: {where}")
                beyond += 1
                continue
            if len(old) != len(new):
                other_rows += 1
                print(f"other rows: {where}: {len(old)} and {len(new)}")
                places = {tuple(row[:2]): row for row in new}
                pairs = [(row, places[tuple(row[:2])]) for row in old if tuple(row[:2]) in places]
                old, new = [a for a, _ in pairs], [b for _, b in pairs]
            compared += 1
            for stated, (ratio, at) in worst(names, old, new).items():
                if ratio > 1.0:
                    beyond += not stated
                    beyond_stated += stated
                    print(f"{ratio:.3g} times {'what its row states' if stated else 'what is allowed'}: {where}: {at}")
    print(f"{compared} tables compared, {other_rows} with other rows; beyond what their rows state: {beyond_stated}; "
          f"columns without an error, beyond {BOUND:g}: {beyond}")
    return 1 if beyond or beyond_stated or not compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
