"""How everything looks: tokens, the style sheet made from them, fonts, icons, and the one theme in force."""

from .current import STYLE, STYLED, Choice, Theme, colors, figures, font, icon, install, paint_icon, px, theme

__all__ = [
    "STYLE",
    "STYLED",
    "Choice",
    "Theme",
    "colors",
    "figures",
    "font",
    "icon",
    "install",
    "paint_icon",
    "px",
    "theme",
]
