"""Measure the tokens: WCAG contrast ratios and distances under colour-blind vision. The tests call it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from .tokens import Colors

Vision = Literal["typical", "protan", "deutan", "tritan"]
Rgb = tuple[float, float, float]

TEXT: Final = 4.5
CONTROL: Final = 3.0


@dataclass(frozen=True, slots=True)
class ContrastRule:
    """`ink` must reach `least`:1 on every one of `grounds` (WCAG 2.x, 1.4.3 and 1.4.11)."""

    ink: str
    grounds: tuple[str, ...]
    least: float


_PAPER: Final = ("window", "canvas", "surface", "raised", "sunken", "hover", "honey_tint")
_TINTS: Final = ("ok_tint", "warn_tint", "danger_tint", "info_tint")
RULES: Final = (
    ContrastRule("text", (*_PAPER, "hit", "pressed", "added_tint", "removed_tint", *_TINTS), TEXT),
    ContrastRule("text_soft", (*_PAPER, "pressed"), TEXT),
    ContrastRule("text_faint", (*_PAPER, "danger_tint", "info_tint"), TEXT),
    ContrastRule("honey_text", (*_PAPER, "pressed", *_TINTS), TEXT),
    ContrastRule("on_honey", ("honey", "honey_hover"), TEXT),
    ContrastRule("honey_edge", ("window", "canvas", "surface", "raised", "sunken", "honey_tint"), CONTROL),
    ContrastRule("edge", ("window", "canvas", "surface", "raised", "sunken", "honey_tint"), CONTROL),
    ContrastRule("ok", ("canvas", "surface", "window", "ok_tint", "added_tint"), TEXT),
    ContrastRule("warn", ("canvas", "surface", "window", "warn_tint"), TEXT),
    ContrastRule("danger", ("canvas", "surface", "raised", "window", "danger_tint", "removed_tint"), TEXT),
    ContrastRule("info", ("canvas", "surface", "info_tint"), TEXT),
)
#: Machado, Oliveira and Fernandes 2009, severity 1.0, applied to linear RGB.
_SEEN: Final[Mapping[Vision, tuple[Rgb, Rgb, Rgb]]] = MappingProxyType(
    {
        "protan": (
            (0.152286, 1.052583, -0.204868),
            (0.114503, 0.786281, 0.099216),
            (-0.003882, -0.048116, 1.051998),
        ),
        "deutan": (
            (0.367322, 0.860646, -0.227968),
            (0.280085, 0.672501, 0.047413),
            (-0.011820, 0.042940, 0.968881),
        ),
        "tritan": (
            (1.255528, -0.076749, -0.178779),
            (-0.078411, 0.930809, 0.147602),
            (0.004733, 0.691367, 0.303900),
        ),
    }
)


def linear(color: str) -> Rgb:
    """`#RRGGBB` as linear-light red, green, blue in 0..1."""
    channels = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return r, g, b


def luminance(color: str) -> float:
    r, g, b = linear(color)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def ratio(one: str, other: str) -> float:
    """WCAG contrast ratio, 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def oklab(rgb: Rgb) -> Rgb:
    """Linear RGB as OKLab lightness, a, b."""
    r, g, b = (max(c, 0.0) for c in rgb)
    long = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)
    medium = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    short = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
    )


def seen_by(color: str, vision: Vision) -> Rgb:
    """Linear RGB of a colour as this kind of vision sees it."""
    rgb = linear(color)
    if vision == "typical":
        return rgb
    r, g, b = (sum(weight * c for weight, c in zip(row, rgb, strict=True)) for row in _SEEN[vision])
    return r, g, b


def distance(one: str, other: str, vision: Vision = "typical") -> float:
    """How far apart two colours look: OKLab distance × 100."""
    pairs = zip(oklab(seen_by(one, vision)), oklab(seen_by(other, vision)), strict=True)
    return float(100 * sum((x - y) ** 2 for x, y in pairs) ** 0.5)


def failures(colors: Colors) -> list[str]:
    """Every rule this scheme breaks, in words; empty when it keeps them all."""
    return [
        f"{rule.ink} on {ground}: {value:.2f} < {rule.least}"
        for rule in RULES
        for ground in rule.grounds
        if (value := ratio(colors.of(rule.ink), colors.of(ground))) < rule.least
    ]
