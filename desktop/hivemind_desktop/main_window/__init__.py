"""The main window with its own commands and its status bar."""

from .window import SMALLEST, MainWindow

__all__ = ["SMALLEST", "MainWindow"]
