"""Statements of other languages that change a variable: `X++`, `X -= 2`, and `X := 5`, which makes one."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax.foreign.channels import Channels
from nxdc.tables.operators import BY_SYMBOL, BY_WORD, PREFIX_BY_WORD

_STEPS = {"++": "SETADD 1", "--": "SETADD SUB 1"}
_COMPOUND = {"-=": "SUB", "*=": "MUL", "/=": "DIV", "%=": "MOD"}
_JOIN = frozenset((*BY_WORD, *BY_SYMBOL, *PREFIX_BY_WORD, "AND", "OR", "IF", "TRY", "fn"))  # needs brackets


class Updates(Channels):
    """The part of the classifier that understands such statements."""

    def _updates(self, text: str) -> bool:
        """Whether a symbol changes what stands before it."""
        return (text in _STEPS or text in _COMPOUND) and self._operand and self._names_place()

    def _update(self, i: int, last: int, text: str) -> int:
        """`X++`, `X--`, `X -= 2` ..., behind the X."""
        return self._step(i, last, text) if text in _STEPS else self._compound(i, last, text)

    def _step(self, i: int, last: int, text: str) -> int:
        want = _STEPS[text]
        edit = Edit(Span(self._file, self._end_of(i - 1), self._end_of(i)), " " + want)
        fixes = [Fix(f"write `{want}`", (edit,), SAFE)] if i + 1 >= last else []
        self._sink.report(codes.P1006, "word", self._span(i), fixes=fixes, found=text, want=want)
        self._emit_step(i, text)
        return i + 1

    def _emit_step(self, i: int, text: str) -> None:
        self._set_seen = True
        self._go_on("SETADD", i)
        if text == "--":
            self._emit("NEG", "SUB", i, False)
        self._emit("INT", 1, i, True)

    def _is_step_first(self, i: int, last: int, text: str) -> bool:
        """Whether `++X` is a statement."""
        return text in _STEPS and self._at_start and bool(self._scan.word(i + 1, last))

    def _step_first(self, i: int, last: int, text: str) -> int:
        """`++X`."""
        end = self._end_of(last - 1)
        edits = (Edit(self._span(i), ""), Edit(Span(self._file, end, end), " " + _STEPS[text]))
        fixes = [Fix(f"write `{_STEPS[text]}` behind it", edits, SAFE)]
        self._sink.report(codes.P1006, "word", self._span(i), fixes=fixes, found=text, want=_STEPS[text])
        self._classify(i + 1, last)
        self._emit_step(i, text)
        return last

    def _compound(self, i: int, last: int, text: str) -> int:
        """`X -= 2`: read as `X SET X SUB 2`."""
        file, scan, out = self._file, self._scan, self._out
        word, at = _COMPOUND[text], self._statement_at()
        target = file.text[out.starts[at] : self._end_of(i - 1)]
        want = f"SET {target} {word}"
        fixes = []
        if self._ends_plainly(i + 1, last):
            end = self._end_of(last - 1)
            joined = any(scan.texts[j] in _JOIN for j in range(i + 1, last))
            gap = Span(file, self._end_of(i - 1), scan.starts[i + 1])
            edits = [Edit(gap, f" {want} " + "(" * joined)]
            edits += [Edit(Span(file, end, end), ")")] if joined else []
            fixes.append(Fix(f"write `{want}`", tuple(edits), SAFE))
        self._sink.report(codes.P1006, "word", self._span(i), fixes=fixes, found=text, want=f"{want} ...")
        again = [list(part[at:]) for part in (out.types, out.values, out.starts, out.ends)]
        self._set_seen = True
        self._go_on("SET", i)
        for kind, value, start, stop in zip(*again, strict=True):
            out.emit(str(kind), value, int(start), int(stop))
        return self._infix(word, i)

    def _is_new(self, i: int) -> bool:
        """Whether the `:=` or `=` at `i` makes the variable before it."""
        return i in self.new_names and self._head == "" and len(self._out.types) - self._statement_at() == 1

    def _makes(self, i: int) -> int:
        """`X := 5` and `X = 5`, where there is no X yet."""
        out, at = self._out, self._statement_at()
        start = out.starts[at]
        name = str(out.values[at])
        end = i + 1 if self._scan.texts[i] == "=" else i + 2
        span = self._span(i).to(self._span(end - 1))
        edits = (Edit(Span(self._file, start, start), "LET "), Edit(span, self._between(span.start, span.end, "SET")))
        fix = Fix(f"write `LET {name} SET`", edits, SAFE if self.new_names[i] else LIKELY)
        self._sink.report(codes.P1006, "word", span, fixes=[fix], found=span.text, want=f"LET {name} SET")
        out.types.insert(at, "LET")
        out.values.insert(at, "LET")
        out.starts.insert(at, start)
        out.ends.insert(at, start)
        self._head = "LET"
        self._set_seen = True
        self._go_on("SET", i)
        return end
