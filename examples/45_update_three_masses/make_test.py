#!/usr/bin/env python3
"""Curves of a test that never was: those of the truth (example 01 without its load) with noise of known size.

    microslip run truth.toml
    ./make_test.py truth-results/test.csv > test.csv
    ./make_test.py truth-results/pulled.csv > loop.csv      # the joint by itself, gauges not set to zero
"""
import csv
import random
import sys

OMEGA_ERROR = 1e-5  # relative standard errors
ZETA_ERROR = 0.01
FORCE_ERROR = 0.01  # of the largest force
U_ZERO, F_ZERO = 2.0, 5.0

random.seed(41)
rows = list(csv.DictReader(open(sys.argv[1])))
if "f[lap]" in rows[0]:
    cycle = [(float(row["u[lap]"]), float(row["f[lap]"])) for row in rows]
    cycle = cycle[[u for u, _ in cycle].index(max(u for u, _ in cycle)):]
    largest = max(f for _, f in cycle)
    print("u,f")
    for u, f in cycle:
        print(f"{u + U_ZERO:.6g},{f + F_ZERO + FORCE_ERROR * largest * random.gauss(0, 1):.6g}")
    sys.exit()
print("mode,q,omega,omega_error,zeta,zeta_error")
for row in rows:
    if row["mode"] == "1":
        continue
    omega, zeta = float(row["omega_ringdown"]), float(row["zeta"])
    noisy = omega * (1 + OMEGA_ERROR * random.gauss(0, 1)), zeta * (1 + ZETA_ERROR * random.gauss(0, 1))
    print(f'{row["mode"]},{float(row["q"]):.6g},{noisy[0]:.8g},{OMEGA_ERROR * omega:.3g},'
          f'{noisy[1]:.6g},{ZETA_ERROR * zeta:.3g}')
