#!/usr/bin/env python3
"""Cost of a point of harmonic balance, as curves.

    build/release/benchmarks/benchmarks --benchmark_filter=point_over --benchmark_format=json > cost.json
    docs/images/cost.py cost.json docs/images/harmonic_balance_cost.svg
"""
import json
import math
import sys

PANELS = [("point_over_dofs", "degrees of freedom", "5 joints, 7 harmonics"),
          ("point_over_harmonics", "harmonics", "84 degrees of freedom, 5 joints"),
          ("point_over_joints", "joints", "84 degrees of freedom, 7 harmonics")]
WIDTH, HEIGHT, LEFT, TOP = 230, 170, 60, 30


def panel(points, x0, label, note):
    xs, ys = [math.log10(p[0]) for p in points], [math.log10(p[1]) for p in points]
    low, high = min(xs) - 0.05, max(xs) + 0.05
    to_x = lambda x: x0 + (x - low) / (high - low) * WIDTH
    to_y = lambda y: TOP + HEIGHT - (y + 1.0) / 2.5 * HEIGHT  # 0.1 to 30 ms
    out = [f'<rect x="{x0}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>']
    for tick in (0.1, 1.0, 10.0):
        y = to_y(math.log10(tick))
        out.append(f'<line x1="{x0}" x2="{x0 + WIDTH}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{x0 - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for (value, _), x in zip(points, xs):
        out.append(f'<text x="{to_x(x):.1f}" y="{TOP + HEIGHT + 16}" text-anchor="middle">{value:g}</text>')
    line = " ".join(f"{to_x(x):.1f},{to_y(y):.1f}" for x, y in zip(xs, ys))
    out.append(f'<polyline points="{line}" fill="none" stroke="#1f5fa8" stroke-width="2"/>')
    out += [f'<circle cx="{to_x(x):.1f}" cy="{to_y(y):.1f}" r="3" fill="#1f5fa8"/>' for x, y in zip(xs, ys)]
    out.append(f'<text x="{x0 + WIDTH / 2}" y="{TOP + HEIGHT + 34}" text-anchor="middle">{label}</text>')
    out.append(f'<text x="{x0 + WIDTH / 2}" y="{TOP - 10}" text-anchor="middle" fill="#555">{note}</text>')
    return out


def main():
    runs = json.load(open(sys.argv[1]))["benchmarks"]
    body = []
    for i, (name, label, note) in enumerate(PANELS):
        points = [(float(r["name"].split("/")[1]), 1e3 * r["point"]) for r in runs if r["name"].startswith(name + "/")]
        body += panel(sorted(points), LEFT + i * (WIDTH + 60), label, note)
    middle = TOP + HEIGHT / 2
    body.append(f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">ms a point (CPU)</text>')
    width = LEFT + 3 * WIDTH + 2 * 60 + 20
    with open(sys.argv[2], "w") as out:
        out.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {TOP + HEIGHT + 50}" '
                  'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="white"/>\n'
                  + "\n".join(body) + "\n</svg>\n")


main()
