"""Journeys walk whole errands through the real window: the desktop's own rules for tests hold here too."""

from __future__ import annotations

from tests.desktop.conftest import installed_theme, theme

__all__ = ["installed_theme", "theme"]
