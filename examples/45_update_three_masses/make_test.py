#!/usr/bin/env python3
"""Curves of a test that never was: those of the truth (example 01 without its load) with noise of known size.

    microslip run truth.toml && ./make_test.py truth-results/test.csv > test.csv
"""
import csv
import random
import sys

OMEGA_ERROR = 1e-5  # relative standard errors
ZETA_ERROR = 0.01

random.seed(41)
rows = list(csv.DictReader(open(sys.argv[1])))
print("mode,q,omega,omega_error,zeta,zeta_error")
for row in rows:
    if row["mode"] == "1":
        continue
    omega, zeta = float(row["omega_ringdown"]), float(row["zeta"])
    noisy = omega * (1 + OMEGA_ERROR * random.gauss(0, 1)), zeta * (1 + ZETA_ERROR * random.gauss(0, 1))
    print(f'{row["mode"]},{float(row["q"]):.6g},{noisy[0]:.8g},{OMEGA_ERROR * omega:.3g},'
          f'{noisy[1]:.6g},{ZETA_ERROR * zeta:.3g}')
