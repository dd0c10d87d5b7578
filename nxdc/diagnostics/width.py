"""How wide text is on a terminal: tabs, wide and combining characters."""

from __future__ import annotations

TAB = 4

# Ranges of characters that take two columns (East Asian wide and full width, emoji).
_WIDE = (
    (0x1100, 0x115F), (0x231A, 0x231B), (0x2329, 0x232A), (0x23E9, 0x23EC), (0x25FD, 0x25FE), (0x2614, 0x2615),
    (0x2648, 0x2653), (0x26AA, 0x26AB), (0x26BD, 0x26BE), (0x26CE, 0x26CE), (0x26D4, 0x26D4), (0x2705, 0x2705),
    (0x270A, 0x270B), (0x2728, 0x2728), (0x274C, 0x274C), (0x2753, 0x2755), (0x2757, 0x2757), (0x2795, 0x2797),
    (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2E80, 0x303E), (0x3041, 0x33FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xA000, 0xA4CF), (0xA960, 0xA97F), (0xAC00, 0xD7A3), (0xF900, 0xFAFF), (0xFE10, 0xFE19), (0xFE30, 0xFE6F),
    (0xFF00, 0xFF60), (0xFFE0, 0xFFE6), (0x16FE0, 0x18AFF), (0x1B000, 0x1B2FF), (0x1F004, 0x1F004),
    (0x1F0CF, 0x1F0CF), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A), (0x1F200, 0x1F320), (0x1F32D, 0x1F335),
    (0x1F337, 0x1F37C), (0x1F37E, 0x1F393), (0x1F3A0, 0x1F3CA), (0x1F3CF, 0x1F3D3), (0x1F3E0, 0x1F3F0),
    (0x1F3F4, 0x1F3F4), (0x1F3F8, 0x1F43E), (0x1F440, 0x1F440), (0x1F442, 0x1F4FC), (0x1F4FF, 0x1F53D),
    (0x1F54B, 0x1F54E), (0x1F550, 0x1F567), (0x1F57A, 0x1F57A), (0x1F595, 0x1F596), (0x1F5A4, 0x1F5A4),
    (0x1F5FB, 0x1F64F), (0x1F680, 0x1F6C5), (0x1F6CC, 0x1F6CC), (0x1F6D0, 0x1F6D2), (0x1F6D5, 0x1F6D7),
    (0x1F6DC, 0x1F6DF), (0x1F6EB, 0x1F6EC), (0x1F6F4, 0x1F6FC), (0x1F7E0, 0x1F7EB), (0x1F7F0, 0x1F7F0),
    (0x1F90C, 0x1F93A), (0x1F93C, 0x1F945), (0x1F947, 0x1F9FF), (0x1FA70, 0x1FAFF), (0x20000, 0x3FFFD),
)  # fmt: skip


def is_wide(char: str) -> bool:
    """Whether the character takes two columns."""
    code = ord(char)
    low, high = 0, len(_WIDE)
    while low < high:
        middle = (low + high) // 2
        if _WIDE[middle][1] < code:
            low = middle + 1
        else:
            high = middle
    return low < len(_WIDE) and _WIDE[low][0] <= code


def is_zero_width(char: str) -> bool:
    """Whether the character takes no column of its own: combining marks, joiners, variation selectors."""
    code = ord(char)
    if code < 0x300:
        return False
    if 0x200B <= code <= 0x200F or 0x202A <= code <= 0x202E or 0x2060 <= code <= 0x2064 or code == 0xFEFF:
        return True
    if 0xFE00 <= code <= 0xFE0F or 0x1F3FB <= code <= 0x1F3FF or 0xE0100 <= code <= 0xE01EF:
        return True
    import unicodedata

    return unicodedata.category(char) in ("Mn", "Me", "Cf")


def expand(line: str) -> tuple[str, list[int]]:
    """The line as shown, and the column of every character of it (and of its end): tabs become blanks, control
    characters a dot.

    A tab goes to the next multiple of TAB.
    """
    if line.isascii() and line.isprintable():
        return line, list(range(len(line) + 1))
    shown: list[str] = []
    columns: list[int] = []
    column = 0
    for char in line:
        columns.append(column)
        if char == "\t":
            width = TAB - column % TAB
            shown.append(" " * width)
        elif not char.isprintable() and not is_zero_width(char):
            shown.append("\N{REPLACEMENT CHARACTER}")
            width = 1
        elif is_zero_width(char):
            if char.isprintable():
                shown.append(char)
            width = 0
        else:
            shown.append(char)
            width = 2 if is_wide(char) else 1
        column += width
    columns.append(column)
    return "".join(shown), columns


def clip(shown: str, start: int, end: int) -> str:
    """The part of a shown line between two columns; a wide character cut in half becomes a blank."""
    if shown.isascii():
        return shown[start:end]
    out: list[str] = []
    column = 0
    for char in shown:
        width = 0 if is_zero_width(char) else 2 if is_wide(char) else 1
        if column >= start and column + width <= end:
            out.append(char)
        elif column < end and column + width > start and width:
            out.append(" " * (min(end, column + width) - max(start, column)))
        column += width
    return "".join(out)
