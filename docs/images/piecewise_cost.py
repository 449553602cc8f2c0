#!/usr/bin/env python3
"""Cost of one frequency of the chain with a friction damper over its number of masses.

    build/release/benchmarks/benchmarks --benchmark_filter=piecewise --benchmark_format=json > piecewise.json
    docs/images/piecewise_cost.py piecewise.json docs/images/piecewise_cost.svg
"""
import json
import math
import sys

WIDTH, HEIGHT, LEFT, TOP = 420, 260, 70, 20
LOW, HIGH = -2.0, 4.0  # 0.01 ms to 10 s
SERIES = [("orbit, 10 modes", "#1f5fa8"), ("orbit, all modes", "#2a9d4e"), ("events to steady state, all modes", "#d98200"),
          ("Newmark to steady state, all modes", "#b02a30")]


def read(runs):
    points = [[], [], [], []]
    for run in runs:
        parts = run["name"].split("/")
        masses = float(parts[1])
        if parts[0] == "piecewise_point":
            points[0 if parts[2] == "10" else 1].append((masses, 1e-3 * run["us_a_point"]))
        elif parts[0] == "piecewise_events" and parts[2] == "0":
            points[2].append((masses, run["cpu_time"]))
        elif parts[0] == "piecewise_newmark":
            points[3].append((masses, run["cpu_time"]))
    return points


def main():
    points = read(json.load(open(sys.argv[1]))["benchmarks"])
    to_x = lambda n: LEFT + (math.log10(n) - 1.65) / 1.1 * WIDTH
    to_y = lambda ms: TOP + (HIGH - math.log10(ms)) / (HIGH - LOW) * HEIGHT
    out = [f'<rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>']
    for exponent in range(int(LOW), int(HIGH) + 1):
        y = to_y(10.0**exponent)
        out.append(f'<line x1="{LEFT}" x2="{LEFT + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{10.0**exponent:g}</text>')
    for n in (50, 100, 300, 500):
        out.append(f'<text x="{to_x(n):.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{n}</text>')
    for (label, colour), line in zip(SERIES, points):
        line.sort()
        path = " ".join(f"{to_x(n):.1f},{to_y(ms):.1f}" for n, ms in line)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{to_x(n):.1f}" cy="{to_y(ms):.1f}" r="3" fill="{colour}"/>' for n, ms in line]
        # Below the line, from its middle on; of the highest one above it.
        (n1, first), (n2, last) = line[0], line[-1]
        at = 130.0
        share = math.log(at / n1) / math.log(n2 / n1)
        y = to_y(first) + share * (to_y(last) - to_y(first)) + 22
        if line is points[-1]:
            at, y = 52.0, to_y(2500.0)
        out.append(f'<text x="{to_x(at):.1f}" y="{y:.1f}" fill="{colour}">{label}</text>')
    out.append(f'<text x="{LEFT + WIDTH / 2}" y="{TOP + HEIGHT + 36}" text-anchor="middle">masses</text>')
    middle = TOP + HEIGHT / 2
    out.append(f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">ms a frequency (CPU)</text>')
    with open(sys.argv[2], "w") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 20} {TOP + HEIGHT + 50}" '
                   'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n'
                   + "\n".join(out) + "\n</svg>\n")


if __name__ == "__main__":
    main()
