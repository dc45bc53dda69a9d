"""The one style sheet and the palette, both generated from tokens. Widgets choose a look by property."""

from __future__ import annotations

from collections.abc import Iterable
from string import Template

from PySide6.QtGui import QColor, QPalette

from hivemind.paths import resource_path

from .tokens import FONT_MONO, FONT_UI, RADIUS, TYPE, Colors


def read_template() -> Template:
    """The sheet with `$token` places. Raises FileNotFoundError when it is not bundled."""
    return Template(resource_path("qss", "hivemind.qss").read_text(encoding="utf-8"))


def stylesheet(template: Template, colors: Colors, fallback: Iterable[str] = (), scale: float = 1.0) -> str:
    """Fill the sheet.

    fallback: families after Inter and JetBrains Mono; the sheet's family list replaces that of the QFont.
    scale: multiplies every font size and the heights that follow from one.
    """
    values = colors.as_dict()
    values |= {f"{role}_px": str(round(size.px * scale)) for role, size in TYPE.items()}
    values |= {f"{name}_radius": str(px) for name, px in RADIUS.items()}
    # Controls grow with the text but never shrink below the 24 px target.
    values |= {f"tall_{px}": str(max(px, round(px * scale))) for px in (18, 20, 26, 28)}
    values |= {"ui": _families(FONT_UI, *fallback), "mono": _families(FONT_MONO, *fallback)}
    return template.substitute(values)


def _families(*names: str) -> str:
    return ", ".join(f'"{name}"' for name in names)


def palette(c: Colors) -> QPalette:
    """Colours for what the sheet does not reach: native dialogs, rich-text links, Fusion's own parts."""
    result = QPalette()
    role = QPalette.ColorRole
    for target, color in {
        role.Window: c.canvas,
        role.WindowText: c.text,
        role.Base: c.surface,
        role.AlternateBase: c.sunken,
        role.Text: c.text,
        role.PlaceholderText: c.text_faint,
        role.Button: c.surface,
        role.ButtonText: c.text,
        role.Highlight: c.hit,
        role.HighlightedText: c.text,
        role.ToolTipBase: c.raised,
        role.ToolTipText: c.text,
        role.Link: c.honey_text,
        role.LinkVisited: c.honey_text,
        role.Accent: c.honey_edge,
        role.Mid: c.line,
        role.Dark: c.edge,
        role.Light: c.raised,
    }.items():
        result.setColor(target, QColor(color))
    for target in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, target, QColor(c.text_faint))
    return result
