#!/usr/bin/env python3
"""Draws the figures of examples/11_modal_iwan_three_masses and examples/12_modal_iwan_sumali from their results and
prints how far the modal model is off after blows at single points.

    ./microslip run examples/11_modal_iwan_three_masses/study.toml
    ./microslip run examples/12_modal_iwan_sumali/study.toml
    docs/images/make_modal_iwan.py

One row a mode: frequency and damping against amplitude. Grey: each mode struck alone, what the model was fitted to.
Line: the fitted model. Colours: one point struck, the mode filtered out of the motion; each dot the median of a
thirtieth of a ring-down. Standard library only.
"""

import json
import math
import statistics
import sys
from pathlib import Path

from make import ROOT, Axes, padded, read_columns

COLOURS = ("#d62728", "#1f77b4", "#2ca02c")
EXAMPLES = {
    "11_modal_iwan_three_masses": {
        "modes": (1, 2, 3), "levels": 6, "points": ("mass1", "mass2", "mass3"), "blows": 4,
        "words": ("blow on mass 1", "blow on mass 2", "blow on mass 3"), "picture": "modal_iwan_three_masses.svg"},
    "12_modal_iwan_sumali": {
        "modes": (7, 8, 9), "levels": 6, "points": ("p1", "p2", "p3"), "blows": 4,
        "words": ("blow at the tip, p1", "blow at bolt 1, p2", "blow at bolt 2, p3"), "picture": "modal_iwan_sumali.svg"},
}


class Model:
    """Closed forms of a modal Iwan oscillator: src/microslip/identify/modal_iwan_model.hpp, once more and on its own."""

    def __init__(self, fit, row):
        self.k_inf, self.zeta0 = fit["Kinf"][row], fit["zeta0"][row]
        self.f_s, self.k_t = fit["FS"][row], fit["KT"][row]
        self.chi, beta = fit["chi"][row], fit["beta"][row]
        share = beta + (self.chi + 1) / (self.chi + 2)
        self.phi = self.f_s * (1 + beta) / (self.k_t * share)
        self.r = self.f_s * (self.chi + 1) / (self.phi ** (self.chi + 2) * share)
        self.s = self.k_t * beta / (1 + beta)
        self.omega0 = math.sqrt(self.k_inf + self.k_t)
        self.known = {}

    def nearby_zeta(self, q):
        """At the nearest of 200 amplitudes a decade."""
        step = round(200 * math.log10(q))
        if step not in self.known:
            self.known[step] = self.zeta(10 ** (step / 200))
        return self.known[step]

    def slope(self, y):
        return self.k_t - self.r * y ** (self.chi + 1) / (self.chi + 1) if y < self.phi else 0.0

    def force(self, x):
        p = self.chi + 1
        return self.k_t * x - self.r * x ** (p + 1) / (p * (p + 1)) if x < self.phi else self.f_s

    def loss(self, x):
        p = self.chi + 1
        if x < self.phi:
            return 4 * self.r * x ** (p + 2) / ((p + 1) * (p + 2))
        return 4 * self.f_s * x - 4 * (self.r * self.phi ** (p + 2) / (p + 2) + self.s * self.phi**2)

    def omega(self, q, n=400):
        """First harmonic: 8/(pi q^2) int F0'(y) sqrt(y (q - y)) dy with y = q (1 - cos t)/2, midpoint rule."""
        total = sum(self.slope(q * (1 - math.cos(t)) / 2) * math.sin(t) ** 2
                    for t in (math.pi * (i + 0.5) / n for i in range(n)))
        return math.sqrt(self.k_inf + 2 * total / n)

    def zeta(self, q):
        """Decrement over a cycle of a ring-down."""
        viscous = 2 * math.pi * self.zeta0 * self.omega0 * self.omega(q, 60)

        def turn(x, sign):
            return self.k_inf * x + self.force(x) + sign / 4 * (self.loss(x) / x + viscous * x)

        def solve(sign, target, low, high):
            for _ in range(100):
                middle = (low + high) / 2
                low, high = (middle, high) if turn(middle, sign) < target else (low, middle)
            return (low + high) / 2

        before = solve(-1, turn(q, 1), q, 4 * q)
        after = solve(1, turn(q, -1), q / 100, q)
        delta = math.log(before / after) / 2
        return delta / math.hypot(math.pi, delta)


def rows_of(table, mode):
    return [i for i, m in enumerate(table["mode"]) if m == mode]


def medians(points, count):
    """The median of each coordinate over `count` stretches."""
    size = max(1, len(points) // count)
    stretches = [points[i:i + size] for i in range(0, len(points), size)]
    return [tuple(statistics.median(values) for values in zip(*stretch)) for stretch in stretches]


def spread(low, high, count):
    return [low * (high / low) ** (i / (count - 1)) for i in range(count)]


def panel_data(folder, setup, mode):
    """(q, omega, zeta) of the ring-downs of the mode alone, and of each point struck."""
    def pick(name):
        table = read_columns(folder / f"{name}.csv")
        points = medians([(table["q"][i], table["omega"][i], table["zeta"][i]) for i in rows_of(table, mode)], 30)
        return [p for p in points if p[2] > 0]

    alone = [p for i in range(setup["levels"]) for p in pick(f"mode{mode}-{i + 1}")]
    blows = [[p for i in range(setup["blows"]) for p in pick(f"{point}-{i + 1}")] for point in setup["points"]]
    return alone, blows


def draw(folder, setup, models):
    parts = []
    for row, (mode, model) in enumerate(zip(setup["modes"], models)):
        alone, blows = panel_data(folder, setup, mode)
        everything = alone + [p for blow in blows for p in blow]
        q_range = (min(p[0] for p in everything) / 1.3, max(p[0] for p in everything) * 1.3)
        qs = spread(*q_range, 160)
        omegas, zetas = [model.omega(q) for q in qs], [model.zeta(q) for q in qs]
        top = 50 + 300 * row
        frequency = Axes(80, top, 400, 205, q_range, padded(omegas, 0.25), "modal amplitude q [√kg m]",
                         "frequency [rad/s]", f"Mode {mode}", x_log=True, y_label_offset=60)
        shown = [p[2] for p in everything]
        damping = Axes(590, top, 400, 205, q_range, (max(min(shown) / 1.3, 3e-5), max(shown + zetas) * 1.5),
                       "modal amplitude q [√kg m]", "damping ratio", f"Mode {mode}", x_log=True, y_log=True,
                       y_label_offset=60)
        for axes, column, curve in ((frequency, 1, omegas), (damping, 2, zetas)):
            for points, colour, size in [(alone, "#b0b0b0", 2.4)] + [(b, c, 1.4) for b, c in zip(blows, COLOURS)]:
                inside = [p for p in points if axes.y_range[0] < p[column] < axes.y_range[1]]
                axes.dots([p[0] for p in inside], [p[column] for p in inside], colour, size)
            axes.line(qs, curve, "#000", 1.4)
            x = axes.x(model.phi)
            axes.parts.append(f"<path d='M{x:.1f} {axes.top}v{axes.height}' stroke='#999' stroke-dasharray='5 4'/>")
        parts += frequency.parts + damping.parts
    height = 50 + 300 * len(models)
    entries = [("mode struck alone", "#b0b0b0"), ("modal model", "#000")] + list(zip(setup["words"], COLOURS))
    for i, entry in enumerate(entries):
        damping.parts.clear()
        damping.legend([entry], 80 + 190 * i, height - 22)
        parts += damping.parts
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1020 {height}' width='1020' height='{height}'>\n"
            f"<rect width='1020' height='{height}' fill='white'/>\n" + "\n".join(parts) + "\n</svg>\n")


def compare(folder, setup, models):
    """Model over measured damping - 1, of means over each ring-down."""
    dominant = {a["name"]: a.get("dominant_mode") for a in json.loads((folder / "summary.json").read_text())["analyses"]}
    print("blow        mode  q/phi_max first, last  model/measured - 1   (* dominating)")
    kept = {"microslip": [], "macroslip": []}
    for point in setup["points"]:
        for i in range(setup["blows"]):
            name = f"{point}-{i + 1}"
            table = read_columns(folder / f"{name}.csv")
            for mode, model in zip(setup["modes"], models):
                rows = rows_of(table, mode)
                q = [table["q"][k] for k in rows]
                error = sum(map(model.nearby_zeta, q)) / sum(table["zeta"][k] for k in rows) - 1
                star = "*" if dominant[name] == mode else " "
                print(f"{name:11} {mode}{star}   {q[0] / model.phi:9.3g} {q[-1] / model.phi:9.3g}   {100 * error:+8.1f} %")
                everyone = [(m.phi, table["q"][rows_of(table, n)[k]])
                            for n, m in zip(setup["modes"], models) for k in (0, -1)]
                if star == "*" and all(x < 0.1 * phi for phi, x in everyone):
                    kept["microslip"].append(error)
                if star == "*" and min(q) > model.phi:
                    kept["macroslip"].append(error)
    for where, errors in kept.items():
        if errors:
            print(f"dominating, confined to {where}: {100 * sum(errors) / len(errors):+.1f} % (mean of {len(errors)})")


def main():
    for example, setup in EXAMPLES.items():
        folder = ROOT / "examples" / example / "study-results"
        fit = read_columns(folder / "fit.csv")
        models = [Model(fit, fit["mode"].index(mode)) for mode in setup["modes"]]
        output = ROOT / "docs/images" / setup["picture"]
        output.write_text(draw(folder, setup, models))
        print(f"{example}: wrote {output.name} ({output.stat().st_size // 1024} kB)")
        compare(folder, setup, models)


if __name__ == "__main__":
    sys.exit(main())
