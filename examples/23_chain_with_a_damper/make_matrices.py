#!/usr/bin/env python3
"""Writes M.mtx, K.mtx (500), M100.mtx, ..., K300.mtx: chains of N masses (0.1 kg) and springs (500 N/m), fixed at one end.
C = 0.01 K is in the studies.

    python3 make_matrices.py
"""

from pathlib import Path

MASS, STIFFNESS = 0.1, 500.0
FOLDER = Path(__file__).resolve().parent


def write(name, size, entries):
    with open(FOLDER / name, "w") as file:
        file.write("%%MatrixMarket matrix coordinate real symmetric\n")
        file.write(f"{size} {size} {len(entries)}\n")
        for row, column, value in entries:
            file.write(f"{row} {column} {value:g}\n")


for size, ending in ((100, "100"), (300, "300"), (500, "")):
    write(f"M{ending}.mtx", size, [(i, i, MASS) for i in range(1, size + 1)])
    stiffness = []
    for i in range(1, size + 1):
        stiffness.append((i, i, STIFFNESS * (2 if i < size else 1)))
        if i < size:
            stiffness.append((i + 1, i, -STIFFNESS))
    write(f"K{ending}.mtx", size, stiffness)
