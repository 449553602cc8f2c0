#!/usr/bin/env python3
"""Draws the sketches of docs/theory.md, each from its own equations.

    docs/images/make_theory.py

half_swing.svg   a half swing without net work, and the curve of first loading
front.svg        positions of the sliders of a five-parameter element, and the front of slip
saltation.svg    a disturbed motion that sticks a little later
event_bound.svg  certified steps towards the first zero of an event function

Standard library only.
"""

import math
from pathlib import Path

from make import ROOT, Axes

RED, BLUE, GREEN, GREY = "#d62728", "#1f77b4", "#2ca02c", "#999"


def write(name, axes):
    body = "\n".join(axes.parts)
    output = Path(ROOT / "docs/images" / name)
    output.write_text(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 520 390' width='520' height='390'>\n"
        f"<rect width='520' height='390' fill='white'/>\n{body}\n</svg>\n"
    )
    print(f"wrote {output} ({output.stat().st_size // 1024} kB)")


def frame(x_range, y_range, x_label, y_label, title):
    return Axes(75, 45, 425, 285, x_range, y_range, x_label, y_label, title)


def area(axes, xs, ys, base, colour):
    points = [(x, y) for x, y in zip(xs, ys)] + [(x, b) for x, b in reversed(list(zip(xs, base)))]
    path = "M" + "L".join(f"{axes.x(x):.1f} {axes.y(y):.1f}" for x, y in points) + "Z"
    axes.parts.append(f"<path d='{path}' fill='{colour}' fill-opacity='0.25' stroke='none'/>")


def mark(axes, x, y, words, anchor="start", dx=7, dy=-7):
    axes.dots([x], [y], "#111", 3.0)
    axes.text(axes.x(x) + dx, axes.y(y) + dy, words, anchor)


def arrow(axes, x0, y0, x1, y1, colour):
    """Of plot coordinates."""
    ax, ay, bx, by = axes.x(x0), axes.y(y0), axes.x(x1), axes.y(y1)
    length = math.hypot(bx - ax, by - ay)
    ex, ey = (bx - ax) / length, (by - ay) / length
    axes.parts.append(
        f"<path d='M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}M{bx - 9 * ex - 4 * ey:.1f} {by - 9 * ey + 4 * ex:.1f}"
        f"L{bx:.1f} {by:.1f}L{bx - 9 * ex + 4 * ey:.1f} {by - 9 * ey - 4 * ex:.1f}' stroke='{colour}' "
        "stroke-width='1.6' fill='none'/>"
    )


def half_swing():
    """alpha = K q + k q - k q^2/4, a uniform Iwan element with k = f_q = 1: macroslip at 2. Q_1 = 1.8; Q by bisection."""
    stiffness, start = 0.25, 1.8
    alpha = lambda q: stiffness * q + q - q * q / 4.0
    work = lambda q: 0.5 * stiffness * q * q + q * q / 2.0 - q**3 / 12.0
    low, high = 0.5, start  # of Q, where 2 Q alpha(Q_1) = 4 W(Q)
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if 2.0 * middle * alpha(start) > 4.0 * work(middle) else (low, middle)
    half = 0.5 * (low + high)
    end = start - 2.0 * half
    ways = [2.0 * half * i / 400 for i in range(401)]
    qs = [start - way for way in ways]
    branch = [alpha(start) - 2.0 * alpha(way / 2.0) for way in ways]
    axes = frame((-2.1, 2.1), (-1.7, 1.7), "q", "force", "A half swing does no net work")
    zero = [0.0] * len(qs)
    turn = next(i for i, force in enumerate(branch) if force < 0.0)
    area(axes, qs[:turn], branch[:turn], zero[:turn], GREEN)
    area(axes, qs[turn:], branch[turn:], zero[turn:], RED)
    axes.line([-2.1, 2.1], [0.0, 0.0], "#333", 0.8)
    loading = [start * i / 200 for i in range(201)]
    axes.line(loading, [alpha(q) for q in loading], GREY)
    axes.line(qs, branch, BLUE, 2.0)
    mark(axes, start, alpha(start), "Q₁, α(Q₁)", "end", -8, -8)
    mark(axes, end, branch[-1], "−Q₂", "end", -8, 5)
    axes.text(axes.x(0.75), axes.y(1.05), "α(q), first loading", "end", colour="#777")
    axes.text(axes.x(-0.35), axes.y(-1.35), "α(Q₁) − 2α(y), y = (Q₁ − q)/2", "start", colour=BLUE)
    axes.text(axes.x(1.3), axes.y(0.25), "equal", colour=GREEN)
    axes.text(axes.x(-0.9), axes.y(-0.25), "areas", colour=RED)
    write("half_swing.svg", axes)


def front():
    """Up to 1, down to -0.2, up to 0.35 with theta = 0.4: each slider by its own rule."""
    theta, top = 0.4, 1.0
    strengths = [1.3 * i / 1300 for i in range(1, 1301)]
    positions, slipping, u_now = [0.0] * len(strengths), [False] * len(strengths), 0.0
    for u in (1.0, -0.2, 0.35):
        side = 1.0 if u > u_now else -1.0
        for i, phi in enumerate(strengths):
            slipping[i] = side * (u - positions[i]) >= phi
            if slipping[i]:
                positions[i] = u - side * theta * phi
        u_now = u
    reached = max(phi for phi, slips in zip(strengths, slipping) if slips)
    axes = frame((0.0, 1.3), (-0.35, 1.15), "strength φ of the slider", "position x",
                 "Sliders after u = 0 → 1 → −0.2 → 0.35")
    axes.line([0.0, 0.7], [u_now, u_now - 0.7], GREY, 1.0)
    axes.text(axes.x(0.63), axes.y(-0.2), "x = u − φ: where a spring gives in", "start", colour="#777")
    pieces, first = [], 0
    for i in range(1, len(strengths) + 1):
        if i == len(strengths) or abs(positions[i] - positions[i - 1]) > 0.01 or slipping[i] != slipping[i - 1]:
            pieces.append((first, i))
            first = i
    for a, b in pieces:
        axes.line(strengths[a:b], positions[a:b], RED if slipping[a] else BLUE, 2.4)
    axes.line([0.0, 1.3], [u_now, u_now], "#333", 0.8)
    axes.text(axes.x(1.29), axes.y(u_now) - 6, "u", "end")
    mark(axes, reached, u_now - reached, "front φ*", "end", -9, 12)
    axes.legend([("slip now", RED), ("stick", BLUE)], 390, 65)
    axes.text(axes.x(0.86), axes.y(0.72), "left at 1 − θφ by the way up", "middle", 12, BLUE)
    axes.text(axes.x(1.15), axes.y(0.06), "never slipped", "middle", 12, BLUE)
    write("front.svg", axes)


def saltation():
    """A mass on a spring (omega = 1) slides against friction 0.25 and sticks when its velocity is 0; its neighbour is
    faster and sticks later. In the plane of displacement and velocity."""
    friction = 0.25

    def at(start, t):
        """x'' = -x - friction"""
        x, v = start[0] + friction, start[1]
        return (x * math.cos(t) + v * math.sin(t) - friction, v * math.cos(t) - x * math.sin(t))

    def end(start):
        return math.atan2(start[1], start[0] + friction)

    def curve(axes, start, colour):
        points = [at(start, end(start) * i / 200) for i in range(201)]
        axes.line([x for x, _ in points], [v for _, v in points], colour, 2.2)

    motion, neighbour = (-0.1, 0.8), (-0.2, 1.0)
    axes = frame((-0.3, 1.15), (-0.2, 1.1), "displacement", "velocity", "An event is met later, and elsewhere")
    curve(axes, motion, BLUE)
    curve(axes, neighbour, RED)
    axes.line([-0.3, 1.15], [0.0, 0.0], "#333", 1.2)
    axes.text(axes.x(-0.28), axes.y(0.0) + 18, "g = velocity = 0: it sticks", "start")
    time = end(motion)
    stop, then, last = at(motion, time), at(neighbour, time), at(neighbour, end(neighbour))
    axes.dots([stop[0], then[0], last[0]], [0.0, then[1], 0.0], "#111", 3.0)
    arrow(axes, stop[0], 0.0, then[0], then[1], GREEN)
    axes.text(axes.x(then[0]) + 10, axes.y(then[1]) - 4, "δx⁻, at that time", "start", colour=GREEN)
    arrow(axes, stop[0], -0.07, last[0], -0.07, GREEN)
    axes.text(axes.x(last[0]) + 8, axes.y(-0.07) + 5, "δx⁺ = S δx⁻", "start", colour=GREEN)
    axes.legend([("motion", BLUE), ("its neighbour", RED)], 370, 65)
    write("saltation.svg", axes)


def event_bound():
    """g = 1 + 0.8 e^(-t/8) cos 1.3 t - 0.28 t - 0.2 cos 4 t; |g'''| by its parts."""
    decay, parts = 0.125, ((0.8, 1.3), (-0.2, 4.0))

    def values(t):
        """g, g', g'' and a bound of |g'''| from t on."""
        (a, w), (b, h) = parts
        z = complex(-decay, w)
        wave = a * complex(math.exp(-decay * t) * math.cos(w * t), math.exp(-decay * t) * math.sin(w * t))
        other = b * complex(math.cos(h * t), math.sin(h * t))
        third = abs(a) * math.exp(-decay * t) * abs(z) ** 3 + abs(b) * h**3
        return (1.0 - 0.28 * t + wave.real + other.real, -0.28 + (z * wave).real + (complex(0, h) * other).real,
                (z * z * wave).real - h * h * other.real, third)

    axes = frame((0.0, 4.0), (-0.4, 1.8), "time", "g", "No step passes a zero")
    times = [4.0 * i / 800 for i in range(801)]
    axes.line(times, [values(t)[0] for t in times], BLUE, 2.2)
    axes.line([0.0, 4.0], [0.0, 0.0], "#333", 1.0)
    t = 0.0
    for look in range(60):
        g, first, second, third = values(t)
        bound = lambda s: g + first * s + 0.5 * second * s * s - third * s**3 / 6.0
        h = 0.0
        while bound(h) > 0.0:
            h += 1e-4
        if look < 40 and h > 0.01:
            ways = [1.05 * h * i / 100 for i in range(101)]
            axes.line([t + s for s in ways], [bound(s) for s in ways], RED, 1.0)
            axes.dots([t], [g], "#111", 2.4)
        if h < 1e-3:
            break
        t += h
    mark(axes, t, 0.0, "the first zero", "middle", 0, 34)
    axes.legend([("event function", BLUE), ("cubic that lies below it", RED)], 305, 65)
    write("event_bound.svg", axes)


if __name__ == "__main__":
    half_swing()
    front()
    saltation()
    event_bound()
