#!/usr/bin/env python3
"""Draws docs/images/three_masses.svg from the results of examples/01_three_masses.

    ./microslip run examples/01_three_masses/study.toml
    docs/images/make.py

Left: the joint's deflection after the blow. Right: its force against the deflection, in the same colours.
Standard library only.
"""

import csv
import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FONT = "font-family='Helvetica, Arial, sans-serif'"
COLOURS = ("#d62728", "#ff9d2e", "#1f77b4")
PHI_MAX = 11.25  # of the joint: F_S (1 + beta)/(K_T (beta + (chi + 1)/(chi + 2)))


def read_columns(path):
    with open(path, newline="") as file:
        rows = csv.reader(file)
        names = next(rows)
        columns = list(zip(*(map(float, row) for row in rows)))
    return dict(zip(names, columns))


def ticks(low, high, count=5):
    """Round numbers within [low, high], about `count` of them."""
    raw = (high - low) / count
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(m * unit for m in (1, 2, 5, 10) if m * unit >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def log_ticks(low, high):
    """Powers of ten within [low, high]."""
    return [10.0**n for n in range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)]


def label(value):
    return f"{value:g}".replace("-", "−")


class Axes:
    """A rectangle of the drawing with its own coordinates, each of them linear or logarithmic."""

    def __init__(self, left, top, width, height, x_range, y_range, x_label, y_label, title, x_log=False, y_log=False,
                 y_label_offset=46):
        self.left, self.top, self.width, self.height = left, top, width, height
        self.x_range, self.y_range = x_range, y_range
        self.x_log, self.y_log = x_log, y_log
        self.y_label_offset = y_label_offset
        self.parts = []
        self._frame(x_label, y_label, title)

    @staticmethod
    def _share(value, low, high, log):
        if log:
            return math.log(value / low) / math.log(high / low)
        return (value - low) / (high - low)

    def x(self, value):
        return self.left + self.width * self._share(value, *self.x_range, self.x_log)

    def y(self, value):
        return self.top + self.height * (1.0 - self._share(value, *self.y_range, self.y_log))

    def text(self, x, y, words, anchor="middle", size=13, colour="#333", extra=""):
        self.parts.append(
            f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}' font-size='{size}' fill='{colour}' {FONT} {extra}>"
            f"{words}</text>"
        )

    def _frame(self, x_label, y_label, title):
        bottom, right = self.top + self.height, self.left + self.width
        for value in (log_ticks if self.x_log else ticks)(*self.x_range):
            x = self.x(value)
            self.parts.append(f"<path d='M{x:.1f} {self.top}V{bottom}' stroke='#e6e6e6' fill='none'/>")
            self.text(x, bottom + 18, label(value))
        for value in (log_ticks if self.y_log else ticks)(*self.y_range):
            y = self.y(value)
            self.parts.append(f"<path d='M{self.left} {y:.1f}H{right}' stroke='#e6e6e6' fill='none'/>")
            self.text(self.left - 8, y + 4.5, label(value), "end")
        self.parts.append(
            f"<rect x='{self.left}' y='{self.top}' width='{self.width}' height='{self.height}' fill='none' "
            "stroke='#888'/>"
        )
        self.text(self.left + self.width / 2, bottom + 40, x_label, size=14)
        x, y = self.left - self.y_label_offset, self.top + self.height / 2
        self.text(x, y, y_label, size=14, extra=f"transform='rotate(-90 {x:.1f} {y:.1f})'")
        self.text(self.left, self.top - 14, title, "start", 15, "#111", "font-weight='bold'")

    def line(self, xs, ys, colour, width=1.3):
        """A curve, without the points that would not show: less than a tenth of a unit off the chord."""
        points = thinned([(self.x(x), self.y(y)) for x, y in zip(xs, ys)], 0.1)
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        self.parts.append(
            f"<path d='{path}' fill='none' stroke='{colour}' stroke-width='{width}' stroke-linejoin='round'/>"
        )

    def dots(self, xs, ys, colour, radius=1.7):
        path = "".join(f"M{self.x(x):.1f} {self.y(y):.1f}h0" for x, y in zip(xs, ys))
        self.parts.append(
            f"<path d='{path}' stroke='{colour}' stroke-width='{2 * radius}' stroke-linecap='round' fill='none'/>"
        )

    def legend(self, entries, x, y):
        for i, (words, colour) in enumerate(entries):
            row = y + 20 * i
            self.parts.append(f"<path d='M{x} {row}h24' stroke='{colour}' stroke-width='2.5'/>")
            self.text(x + 31, row + 4.5, words, "start")


def thinned(points, tolerance):
    """Douglas-Peucker, with a stack instead of recursion."""
    keep = [False] * len(points)
    keep[0] = keep[-1] = True
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        (x0, y0), (x1, y1) = points[first], points[last]
        length = math.hypot(x1 - x0, y1 - y0)
        worst, where = tolerance, None
        for i in range(first + 1, last):
            x, y = points[i]
            if length > 0.0:
                distance = abs((x1 - x0) * (y0 - y) - (x0 - x) * (y1 - y0)) / length
            else:
                distance = math.hypot(x - x0, y - y0)
            if distance > worst:
                worst, where = distance, i
        if where is not None:
            keep[where] = True
            spans += [(first, where), (where, last)]
    return [point for point, kept in zip(points, keep) if kept]


def padded(values, share=0.06):
    low, high = min(values), max(values)
    margin = share * (high - low)
    return low - margin, high + margin


def ringdown(data, end, limit, pieces):
    rows = [i for i, t in enumerate(data["time"]) if t <= end]
    time = [data["time"][i] for i in rows]
    u = [data["u[lap]"][i] for i in rows]
    axes = Axes(70, 50, 520, 300, (0, end), padded(u, 0.1), "time [s]", "deflection of the joint [m]",
                "Ring-down of one mode: macroslip, then microslip")
    for value in (-limit, limit):
        y = axes.y(value)
        axes.parts.append(f"<path d='M70 {y:.1f}h520' stroke='#999' stroke-dasharray='6 4' fill='none'/>")
    axes.text(582, axes.y(limit) - 6, "macroslip beyond", "end", 12, "#777")
    entries = []
    for start, stop, colour in slices(time, pieces):
        axes.line(time[start:stop], u[start:stop], colour)
        entries.append((f"{time[start]:.0f} to {time[stop - 1]:.0f} s", colour))
    axes.legend(entries, 452, 70)
    return axes


def hysteresis(data, pieces):
    rows = [i for i, t in enumerate(data["time"]) if t <= pieces[-1]]
    time = [data["time"][i] for i in rows]
    u = [data["u[lap]"][i] for i in rows]
    f = [data["f[lap]"][i] for i in rows]
    axes = Axes(680, 50, 320, 300, padded(u), padded(f, 0.1), "deflection of the joint [m]", "force of the joint [N]",
                "The joint's force in the same seconds")
    for start, stop, colour in slices(time, pieces):
        axes.line(u[start:stop], f[start:stop], colour)
    return axes


def slices(time, pieces):
    """(start, stop, colour) of the rows up to each time of `pieces`, neighbours joined."""
    start = 0
    for i, until in enumerate(pieces):
        stop = sum(t <= until for t in time)
        yield start, stop, COLOURS[i]
        start = stop - 1


def main():
    results = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "examples/01_three_masses/study-results"
    output = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/images/three_masses.svg"
    data = read_columns(results / "second_mode.csv")
    pieces = [100.0, 200.0, 400.0]
    panels = [ringdown(data, pieces[-1], PHI_MAX, pieces), hysteresis(data, pieces)]
    body = "\n".join(part for axes in panels for part in axes.parts)
    output.write_text(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1030 415' width='1030' height='415'>\n"
        f"<rect width='1030' height='415' fill='white'/>\n{body}\n</svg>\n"
    )
    print(f"wrote {output} ({output.stat().st_size // 1024} kB)")


if __name__ == "__main__":
    main()
