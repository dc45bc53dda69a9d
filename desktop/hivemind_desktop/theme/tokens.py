"""Design tokens: every colour, size and duration the app may use, for light and dark."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Final, Literal

Role = Literal["display", "title", "heading", "body", "strong", "label", "caption", "mono"]
Motion = Literal["quick", "calm"]


@dataclass(frozen=True, slots=True)
class Colors:
    """One scheme. Values are `#RRGGBB`, only `scrim` is `#AARRGGBB`."""

    # surfaces, back to front
    window: str  # navigation, status bar
    canvas: str  # page background
    surface: str  # cards, lists, inputs
    raised: str  # menus, dialogs, toasts
    sunken: str  # code, wells, progress troughs
    hover: str
    pressed: str
    # lines
    line: str  # hairline between areas: decoration only
    border: str  # outline of a control that its own words already identify
    edge: str  # outline of inputs and boxes, the only sign that they are there: at least 3:1
    # text
    text: str
    text_soft: str  # second rank
    text_faint: str  # captions, placeholders: still at least 4.5:1
    # honey, used sparingly
    honey: str  # fills that carry on_honey text: primary button, count, progress
    honey_hover: str
    honey_edge: str  # outline of honey fills, focus ring, end of a bar: at least 3:1
    honey_text: str  # links and active icons: at least 4.5:1
    honey_tint: str  # selected row, filter in force
    on_honey: str
    hit: str  # behind a matched word, text selection
    # meaning: never without an icon and a word
    ok: str
    ok_tint: str
    warn: str
    warn_tint: str
    danger: str
    danger_tint: str
    info: str
    info_tint: str
    added_tint: str
    removed_tint: str
    scrim: str

    def of(self, token: str) -> str:
        """The colour with this name. Raises AttributeError for a name that is no token."""
        return str(getattr(self, token))

    def as_dict(self) -> dict[str, str]:
        return {field.name: self.of(field.name) for field in fields(self)}


# fmt: off
LIGHT: Final = Colors(
    window="#F4F2ED", canvas="#FBFAF7", surface="#FFFFFF", raised="#FFFFFF", sunken="#F1EEE8",
    hover="#EDEAE3", pressed="#E3DFD6", line="#E6E2DA", border="#CBC5B8", edge="#8F887B",
    text="#211E19", text_soft="#585248", text_faint="#6B6559",
    honey="#EFAE1E", honey_hover="#E5A000", honey_edge="#B47B00", honey_text="#7D5300",
    honey_tint="#FCF1D8", on_honey="#2A1D00", hit="#FFE3A0",
    ok="#1A6E43", ok_tint="#E3F2E9", warn="#99480A", warn_tint="#FBE9DC",
    danger="#B0271E", danger_tint="#FBE8E6", info="#1D5C9E", info_tint="#E4EEF8",
    added_tint="#DDF1E4", removed_tint="#FBE3E0", scrim="#66201B12",
)

DARK: Final = Colors(
    window="#161513", canvas="#1B1A18", surface="#22211E", raised="#2A2926", sunken="#131210",
    hover="#2B2A26", pressed="#35332E", line="#33312C", border="#4C4942", edge="#827B6E",
    text="#F1EEE7", text_soft="#BDB7AB", text_faint="#9E978A",
    honey="#EDB032", honey_hover="#F6BF4A", honey_edge="#D69A1C", honey_text="#F2C25C",
    honey_tint="#352B16", on_honey="#2A1D00", hit="#6A4E0E",
    ok="#74CB9B", ok_tint="#193024", warn="#F3A268", warn_tint="#3A2618",
    danger="#FF9188", danger_tint="#3C201D", info="#86BAF2", info_tint="#1A2A3C",
    added_tint="#1B3A29", removed_tint="#472320", scrim="#99000000",
)
# fmt: on


@dataclass(frozen=True, slots=True)
class EntityLook:
    """Disc colour and Lucide icon of an entity type, the same on both backgrounds."""

    color: str
    icon: str


#: Dark enough for the light canvas, light enough for the dark one, apart under colour-blind vision. The icon
#: inside the disc says the same thing, so colour is never the only signal.
ENTITY: Final[Mapping[str, EntityLook]] = MappingProxyType(
    {
        "person": EntityLook("#3863C8", "user"),
        "organisation": EntityLook("#945B2C", "building-2"),
        "project": EntityLook("#2E9B6F", "folder-kanban"),
        "technology": EntityLook("#8A7AE5", "cpu"),
        "place": EntityLook("#DA5FAE", "map-pin"),
        "event": EntityLook("#87861B", "calendar"),
        "decision": EntityLook("#F55663", "gavel"),
        "concept": EntityLook("#6D677A", "lightbulb"),
    }
)
#: Ink on an entity disc.
ON_ENTITY: Final = "#FFFFFF"
#: Warm black of shadows under floating things; its strength is set where it is drawn.
SHADOW: Final = "#140E04"


@dataclass(frozen=True, slots=True)
class TypeSize:
    """Size and line height in px at 100 % text size, and weight (100 to 900)."""

    px: int
    line: int
    weight: int


TYPE: Final[Mapping[Role, TypeSize]] = MappingProxyType(
    {
        "display": TypeSize(26, 34, 600),
        "title": TypeSize(19, 26, 600),
        "heading": TypeSize(15, 22, 600),
        "body": TypeSize(13, 20, 400),
        "strong": TypeSize(13, 20, 600),
        "label": TypeSize(12, 16, 500),
        "caption": TypeSize(11, 16, 500),
        "mono": TypeSize(12, 18, 400),
    }
)
FONT_UI: Final = "Inter"
FONT_MONO: Final = "JetBrains Mono"

#: Radii in px: chip and badge, control, card and well, dialog.
RADIUS: Final[Mapping[str, int]] = MappingProxyType({"chip": 6, "control": 7, "card": 10, "dialog": 14})
#: Durations in ms; 0 under reduced motion.
MOTION_MS: Final[Mapping[Motion, int]] = MappingProxyType({"quick": 120, "calm": 200})
#: Smallest and largest text size a person may choose, in percent.
TEXT_PERCENT: Final = (90, 150)
