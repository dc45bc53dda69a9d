"""Who the program says it is: icon, the version resource of Windows and the property list of macOS."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_HONEY = "#e0a526"
_GROUND = "#1c1a17"


def icon(work: Path, platform: str) -> str:
    """Draw the icon in the platform's form and give its path. For Linux it is a file of its own."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication.instance() or QGuiApplication([])
    shape = (ROOT / "resources" / "icons" / "hexagon-filled.svg").read_text("utf-8").replace("currentColor", _HONEY)
    picture = QImage(256, 256, QImage.Format.Format_ARGB32)
    picture.fill(QColor(0, 0, 0, 0))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(QColor(_GROUND))
    painter.setPen(QColor(0, 0, 0, 0))
    painter.drawRoundedRect(QRectF(8, 8, 240, 240), 52, 52)
    QSvgRenderer(shape.encode()).render(painter, QRectF(44, 44, 168, 168))
    painter.end()
    work.mkdir(parents=True, exist_ok=True)
    file = work / ("hive-mind." + {"win32": "ico", "darwin": "icns"}.get(platform, "png"))
    if not picture.save(str(file)):
        raise SystemExit(f"hive-mind: the icon could not be written to {file}")
    del application
    return str(file)


def version_file(work: Path, project: dict[str, Any]) -> str:
    """What Windows shows under Properties, from pyproject.toml. Returns the path of a file that PyInstaller reads."""
    numbers = [int(part) for part in project["version"].split(".")][:4]
    quad = tuple([*numbers, 0, 0, 0, 0][:4])
    words = {
        "CompanyName": "Hive-Mind",
        "FileDescription": project["description"],
        "FileVersion": project["version"],
        "InternalName": "hive-mind",
        "LegalCopyright": project["license"],
        "ProductName": "Hive-Mind",
        "ProductVersion": project["version"],
    }
    table = ", ".join(f"StringStruct({name!r}, {text!r})" for name, text in words.items())
    work.mkdir(parents=True, exist_ok=True)
    file = work / "version.txt"
    file.write_text(
        f"VSVersionInfo(\n"
        f"  ffi=FixedFileInfo(filevers={quad}, prodvers={quad}, mask=0x3F, flags=0, OS=0x40004, fileType=1),\n"
        f"  kids=[\n"
        f"    StringFileInfo([StringTable('040904B0', [{table}])]),\n"
        f"    VarFileInfo([VarStruct('Translation', [0x409, 1200])]),\n"
        f"  ],\n"
        f")\n",
        "utf-8",
    )
    return str(file)


def mac_properties(project: dict[str, Any]) -> dict[str, Any]:
    """Info.plist: a mind is a document of this program, and the window follows the system's look."""
    return {
        "CFBundleDisplayName": "Hive-Mind",
        "CFBundleShortVersionString": project["version"],
        "LSMinimumSystemVersion": "14.0",
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Hive-Mind memory",
                "CFBundleTypeRole": "Viewer",
                "CFBundleTypeExtensions": ["mind"],
                "LSHandlerRank": "Owner",
            }
        ],
    }
