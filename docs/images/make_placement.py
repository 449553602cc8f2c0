#!/usr/bin/env python3
"""Draws docs/images/damper_placement.svg from the results of examples/24_damper_placement.

    ./microslip run examples/24_damper_placement/study.toml
    docs/images/make_placement.py [results folder] [picture]

Amplitude of mass 5 at the peak over the strength of the damper, one line a place, one panel a mode. Standard library
only.
"""

import sys
from pathlib import Path

from make import ROOT, Axes, padded, read_columns

COLOURS = ("#d62728", "#ff9d2e", "#2ca02c", "#1f77b4", "#7f4fbf")
PLACES = ("ground–1", "1–2", "2–3", "3–4", "4–5")


def panel(data, mode, left, title):
    place, window = data["joint.damper.between"], data["analysis.omega"]
    strength, height = data["joint.damper.fs"], data["peak_amplitude[5]"]
    rows = [i for i in range(len(place)) if window[i] == mode]
    axes = Axes(left, 50, 370, 300, (0, 10.5), padded([height[i] for i in rows], 0.08), "friction force [N]",
                "peak of mass 5 [m]", title, y_label_offset=56)
    for number, colour in enumerate(COLOURS, start=1):
        line = [i for i in rows if place[i] == number]
        axes.line([strength[i] for i in line], [height[i] for i in line], colour, 1.8)
        axes.dots([strength[i] for i in line], [height[i] for i in line], colour, 2.4)
    return axes


def main():
    results = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "examples/24_damper_placement/study-results"
    output = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "docs/images/damper_placement.svg"
    data = read_columns(results / "placement.csv")
    first, second = panel(data, 1, 80, "First mode"), panel(data, 2, 540, "Second mode")
    second.legend([(f"damper {place}", colour) for place, colour in zip(PLACES, COLOURS)], 560, 258)
    body = "\n".join(part for axes in (first, second) for part in axes.parts)
    output.write_text(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 940 415' width='940' height='415'>\n"
        f"<rect width='940' height='415' fill='white'/>\n{body}\n</svg>\n"
    )
    print(f"wrote {output} ({output.stat().st_size // 1024} kB)")


if __name__ == "__main__":
    main()
