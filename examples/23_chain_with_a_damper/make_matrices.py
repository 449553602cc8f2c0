#!/usr/bin/env python3
"""Writes M.mtx, K.mtx: a chain of N masses (0.1 kg) and springs (500 N/m), fixed at one end. C = 0.01 K is in the study.

    python3 make_matrices.py [N]
"""

import sys
from pathlib import Path

N = int(sys.argv[1]) if len(sys.argv) > 1 else 500
MASS, STIFFNESS = 0.1, 500.0
FOLDER = Path(__file__).resolve().parent


def write(name, entries):
    with open(FOLDER / name, "w") as file:
        file.write("%%MatrixMarket matrix coordinate real symmetric\n")
        file.write(f"{N} {N} {len(entries)}\n")
        for row, column, value in entries:
            file.write(f"{row} {column} {value:g}\n")


write("M.mtx", [(i, i, MASS) for i in range(1, N + 1)])
stiffness = []
for i in range(1, N + 1):
    stiffness.append((i, i, STIFFNESS * (2 if i < N else 1)))
    if i < N:
        stiffness.append((i + 1, i, -STIFFNESS))
write("K.mtx", stiffness)
