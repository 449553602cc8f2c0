#!/usr/bin/env python3
"""Curves of a test that never was: those of the truth with the noise of a ring-down.

    microslip run truth.toml && ./make_test.py truth-results > test.csv

Rows of a ring-down are straight lines through phase and logarithm of the amplitude over some cycles. White noise, a
share of the amplitude there, gives both slopes the standard error sqrt(12/n) share/T over n samples in a time T.
"""
import csv
import math
import random
import sys

NOISE = 1e-3     # of the largest amplitude, 60 dB below it
CYCLES = 40      # of a row
SAMPLES = 4000   # in them

random.seed(46)
print("mode,q,omega,omega_error,zeta,zeta_error")
for name in ("first", "second", "third"):
    rows = list(csv.DictReader(open(f"{sys.argv[1]}/{name}.csv")))
    largest = max(float(row["q"]) for row in rows)
    for row in rows:
        q, omega, zeta = float(row["q"]), float(row["omega_ringdown"]), float(row["zeta"])
        error = math.sqrt(12 / SAMPLES) * NOISE * largest / q / (2 * math.pi * CYCLES)  # of both, over omega
        noisy = omega * (1 + error * random.gauss(0, 1)), zeta + error * random.gauss(0, 1)
        print(f'{row["mode"]},{q:.6g},{noisy[0]:.9g},{error * omega:.3g},{noisy[1]:.6g},{error:.3g}')
