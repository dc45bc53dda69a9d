"""How everything looks: tokens, the style sheet made from them, fonts, icons, and the one theme in force."""

from .current import Choice, Theme, colors, figures, font, icon, install, paint_icon, px, theme

__all__ = [
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
