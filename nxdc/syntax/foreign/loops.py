"""Loops as C and Go write them: `FOR (I = 0; I < N; I++)`, `FOR I := 0; I < N; I++`, `FOR X := RANGE L`."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax.foreign.functions import Functions


class Loops(Functions):
    """The part of the classifier that understands such loops."""

    def _foreign_loop(self, i: int, last: int) -> int:
        """A loop of another language that starts with the FOR at `i`; -1 when it is none."""
        at = self._range_at(i, last)
        if at >= 0:
            return self._range_loop(i, at)
        if self._scan.symbol(i + 2, last) == "=" and "TO" in map(str.upper, self._scan.texts[i + 3 : last]):
            return self._head_word("LOOP", "LOOP", i)  # `FOR I = 1 TO 9`: the `=` is told where it stands
        bracketed = self._scan.symbol(i + 1, last) == "("
        end = self._scan.closing(i + 1, last) if bracketed else self._header_end(i, last)
        first = i + 1 + bracketed
        if any(self._scan.symbol(j, last) == ";" for j in range(first, end)):
            return self._counted_loop(i, first, end, min(end + bracketed, last))
        return -1

    def _header_end(self, i: int, last: int) -> int:
        """Index of the `:` or `{` before the block."""
        scan = self._scan
        for j in range(i + 1, last):
            text = scan.symbol(j, last)
            if text == "{" or (text == ":" and scan.symbol(j + 1, last) != "="):
                return j
        return last

    # ---- counted loops

    def _counted_loop(self, i: int, first: int, end: int, after: int) -> int:
        """A loop of C: told as a whole, and read as a loop over some numbers, so that its variable is known. Its parts
        are the raw tokens [first, end); the header goes on at `after`."""
        scan = self._scan
        words = [scan.texts[j] for j in range(first, end) if scan.kinds[j] == "WORD"]
        names = [word for word in words if word.upper() not in ("LET", "VAR", "INT")]
        name = names[0].upper() if names else "I"
        span = self._span(i).to(self._span(after - 1))
        want = self._counted(first, end)
        fixes = [Fix(f"write `{want}`", (Edit(span, want),), SAFE)] if want else []
        helps = [f"write `LOOP {name} FROM 0 TO 9:` (both ends are included; `STEP 2` may follow) or `LOOP WHILE C:`"]
        self._sink.report(codes.P1006, "counted_loop", span, helps=[] if fixes else helps, fixes=fixes)
        self._head_word("LOOP", "LOOP", i)
        at = scan.starts[i + 1]
        for kind, value in (("NAME", name), ("FROM", "FROM"), ("INT", 0), ("TO", "TO"), ("INT", 0)):
            self._out.emit(kind, value, at, at)
        self._operand = True
        return after

    def _counted(self, first: int, end: int) -> str:
        """The loop of NXD for `I = A; I < B; I++` with numbers or names for A and B; empty for any other."""
        texts = list(self._scan.texts[first:end])
        if texts and texts[0].upper() in ("LET", "VAR", "INT"):
            del texts[0]
        if texts[1:3] == [":", "="]:
            del texts[1]
        parts = " ".join(texts).split(" ; ")
        if len(parts) != 3:
            return ""
        start, test, step = (part.split(" ") for part in parts)
        if len(start) != 3 or len(test) != 3 or start[1] not in ("=", "SET") or test[0] != start[0]:
            return ""
        if step not in ([start[0], "++"], ["++", start[0]], [start[0], "+=", "1"]):
            return ""
        name, low, high = start[0].upper(), start[2].upper(), test[2].upper()
        if not all(word.replace("_", "").isalnum() for word in (name, low, high)):
            return ""
        if test[1] in ("<", "LT"):
            return f"LOOP {name} IN RANGE({low}, {high})"
        return f"LOOP {name} FROM {low} TO {high}" if test[1] in ("<=", "LTE", "LE") else ""

    # ---- loops over values

    def _range_at(self, i: int, last: int) -> int:
        """Index of the `range` in `FOR X := range L`, `FOR _, X = range L`; -1 when there is none."""
        scan = self._scan
        at = i + 2
        if scan.symbol(at, last) == "," and scan.word(at + 1, last):
            at += 2
        if scan.symbol(at, last) == ":" and scan.symbol(at + 1, last) == "=":
            at += 1
        is_range = scan.word(at + 1, last).upper() == "RANGE" and scan.symbol(at + 2, last) != "("
        return at + 1 if scan.symbol(at, last) == "=" and is_range and scan.word(i + 1, last) else -1

    def _range_loop(self, i: int, at: int) -> int:
        """`FOR X := range L`, read as `LOOP X IN L`. In Go a single name is that of the index, and the first of two is:
        what is meant can only be guessed."""
        scan = self._scan
        two = scan.texts[i + 2] == ","
        named = two and scan.texts[i + 1] != "_"
        name = i + 3 if two else i + 1
        shown = (scan.texts[i + 1].upper() + ", ") * named + scan.texts[name].upper()
        span = Span(self._file, scan.starts[i + 1], scan.starts[at] + len(scan.texts[at]))
        fix = Fix(f"write `{shown} IN`", (Edit(span, f"{shown} IN"),), LIKELY)
        helps = ["the places of a list are `LOOP I IN RANGE(0, LEN(L))`; a MAP gives `LOOP KEY, VALUE IN M`"]
        self._sink.report(codes.P1006, "range_loop", span, helps=helps, fixes=[fix], name=shown)
        self._head_word("LOOP", "LOOP", i)
        if named:
            self._out.emit("NAME", scan.texts[i + 1].upper(), scan.starts[i + 1], scan.starts[i + 2])
            self._out.emit("COMMA", ",", scan.starts[i + 2], scan.starts[i + 3])
        self._out.emit("NAME", scan.texts[name].upper(), scan.starts[name], scan.starts[name] + len(scan.texts[name]))
        return self._go_on("IN", at)
