"""Small multiples as SVG: step lines and points on linear or log axes."""
import math
from xml.sax.saxutils import escape

FONT = "font-family='system-ui, sans-serif'"
GREY, RULE, INK = "#667085", "#e4e7ec", "#1d2939"


def nice_ticks(low, high, count=4):
    """Round values between low and high."""
    span = (high - low) / max(1, count)
    if span <= 0:
        return [low]
    unit = 10 ** math.floor(math.log10(span))
    step = next(unit * f for f in (1, 2, 5, 10) if unit * f >= span)
    first = math.ceil(low / step - 1e-9)
    return [step * k for k in range(first, math.floor(high / step + 1e-9) + 1)]


def number(x):
    if x == 0:
        return "0"
    if abs(x) >= 1e4 or abs(x) < 1e-3:
        power = math.floor(math.log10(abs(x)) + 1e-9)
        factor = x / 10 ** power
        return f"{factor:.3g}e{power}" if abs(factor - 1) > 1e-9 \
            else f"1e{power}"
    return f"{x:.4g}"


class Panel:
    """One set of axes.  Ranges are in data units; values outside are cut."""

    def __init__(self, title, x_range, y_range, x_log=False, y_log=False,
                 x_label="", y_label=""):
        self.title, self.x_label, self.y_label = title, x_label, y_label
        self.x_range, self.y_range = x_range, y_range
        self.x_log, self.y_log = x_log, y_log
        self.lines, self.dots = [], []

    def steps(self, points, colour, width=1.6, dash=None):
        """Holds each value until the next point."""
        flat = []
        for k, (x, y) in enumerate(points):
            if k:
                flat.append((x, points[k - 1][1]))
            flat.append((x, y))
        self.lines.append((flat, colour, width, dash))

    def line(self, points, colour, width=1.6, dash=None):
        self.lines.append((list(points), colour, width, dash))

    def dot(self, x, y, colour, hint=""):
        self.dots.append((x, y, colour, hint))

    def place(self, value, bounds, log, length):
        low, high = bounds
        if log:
            value, low, high = (math.log10(max(v, 1e-300))
                                for v in (value, low, high))
        share = (value - low) / (high - low) if high > low else 0.5
        return length * min(1.0, max(0.0, share))

    def ticks(self, bounds, log):
        if not log:
            return nice_ticks(*bounds)
        low, high = (math.log10(v) for v in bounds)
        return [10.0 ** k for k in range(math.ceil(low - 1e-9),
                                         math.floor(high + 1e-9) + 1)]

    def draw(self, left, top, width, height):
        out = [f"<g transform='translate({left} {top})'>",
               f"<text x='0' y='-10' font-size='12' font-weight='600' "
               f"fill='{INK}' {FONT}>{escape(self.title)}</text>"]
        at = lambda x, y: (self.place(x, self.x_range, self.x_log, width),
                           height - self.place(y, self.y_range, self.y_log,
                                               height))
        for y in self.ticks(self.y_range, self.y_log):
            py = at(self.x_range[0], y)[1]
            out.append(f"<path d='M0 {py:.1f}H{width}' stroke='{RULE}'/>"
                       f"<text x='-6' y='{py + 3.5:.1f}' font-size='10' "
                       f"text-anchor='end' fill='{GREY}' {FONT}>{number(y)}"
                       "</text>")
        for x in self.ticks(self.x_range, self.x_log):
            px = at(x, self.y_range[0])[0]
            out.append(f"<path d='M{px:.1f} {height}v4' stroke='{GREY}'/>"
                       f"<text x='{px:.1f}' y='{height + 15}' font-size='10' "
                       f"text-anchor='middle' fill='{GREY}' {FONT}>"
                       f"{number(x)}</text>")
        out.append(f"<path d='M0 {height}H{width}' stroke='{GREY}'/>")
        for points, colour, stroke, dash in self.lines:
            if not points:
                continue
            path = "L".join("%.1f %.1f" % at(*p) for p in points)
            dashes = f" stroke-dasharray='{dash}'" if dash else ""
            out.append(f"<path d='M{path}' fill='none' stroke='{colour}' "
                       f"stroke-width='{stroke}' stroke-linejoin='round'"
                       f"{dashes}/>")
        for x, y, colour, hint in self.dots:
            px, py = at(x, y)
            out.append(f"<circle cx='{px:.1f}' cy='{py:.1f}' r='3.5' "
                       f"fill='{colour}' stroke='#fff'>"
                       f"<title>{escape(hint)}</title></circle>")
        if self.x_label:
            out.append(f"<text x='{width}' y='{height + 28}' font-size='10' "
                       f"text-anchor='end' fill='{GREY}' {FONT}>"
                       f"{escape(self.x_label)}</text>")
        if self.y_label:
            out.append(f"<text x='{width}' y='-10' font-size='10' "
                       f"text-anchor='end' fill='{GREY}' {FONT}>"
                       f"{escape(self.y_label)}</text>")
        out.append("</g>")
        return "".join(out)


def figure(title, panels, legend, columns=3, width=270, height=150):
    """legend: [(label, colour, dash or None)].  -> SVG text"""
    columns = max(1, min(columns, len(panels)))
    rows = -(-len(panels) // columns)
    step_x, step_y, top = width + 70, height + 78, 92
    total_x, total_y = columns * step_x + 20, top + rows * step_y - 10
    out = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{total_x}' "
           f"height='{total_y}' viewBox='0 0 {total_x} {total_y}'>",
           f"<title>{escape(title)}</title>",
           f"<rect width='{total_x}' height='{total_y}' fill='#fff'/>",
           f"<text x='20' y='26' font-size='15' font-weight='600' "
           f"fill='{INK}' {FONT}>{escape(title)}</text>"]
    x, y = 20, 50
    for label, colour, dash in legend:
        length = 36 + 6.4 * len(label)
        if x + length > total_x:
            x, y = 20, y + 16
        dashes = f" stroke-dasharray='{dash}'" if dash else ""
        out.append(f"<path d='M{x} {y - 4}h18' stroke='{colour}' "
                   f"stroke-width='2'{dashes}/><text x='{x + 24}' y='{y}' "
                   f"font-size='11' fill='{INK}' {FONT}>{escape(label)}"
                   "</text>")
        x += length
    for k, panel in enumerate(panels):
        out.append(panel.draw(60 + (k % columns) * step_x,
                              top + (k // columns) * step_y + 10,
                              width, height))
    return "\n".join(out) + "\n</svg>\n"
