"""Declarations as other languages write them: default values, variants divided by `|`, payloads with names, bounds of
type parameters, `from m import f`. Each is told and read as what NXD has for it."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix, Grade
from nxdc.source.span import Span
from nxdc.syntax import keywords as kw
from nxdc.syntax.foreign.updates import Updates

_BODIES = frozenset(("STRUCT", "ENUM", "UNION"))
_CLOSE = frozenset((",", ")", "}", "]"))


class Declared(Updates):
    """The part of the classifier that understands such declarations."""

    # ------------------------------------------------------------------------------------------------ default values

    def _default(self, i: int, last: int) -> int:
        """A default value whose `=` or SET stands at `i`; index behind it, -1 when that is no default value."""
        if not self._operand or self._scan.symbol(i + 1, last) == ":":
            return -1
        wording = self._default_of()
        if not wording or (wording == "member_value" and self._scan.kinds[i] == "WORD"):  # `ENUM { GET SET }`
            return -1
        helps = {
            "field_default": "a function that makes the value gives it: `FUNC NEW_T(): T: RETURN T { ... }`",
            "member_value": "a function with a MATCH gives each member its value",
            "default": "declare a second FUNC of the same name with fewer parameters that calls this one",
        }[wording]
        end = self._part_end(i + 1, last)
        span = Span(self._file, self._scan.starts[i], self._end_of(end - 1))
        self._sink.report(codes.P1006, wording, span, helps=[helps])
        return end

    def _default_of(self) -> str:
        """What would have a default value here: the wording that says so."""
        top, stack = self._top, self._stack
        if self._head == "FUNC":
            in_params = len(stack) == 1 and not stack[0].inline and top.opener == "("
            return "default" if in_params else ""
        kind = self._block if not stack else self._kind if self._head == "TYPE" else ""
        if not top.names_only or top.opener not in ("", "{"):
            return ""
        return {"fields": "field_default", "members": "member_value"}.get(kind, "")

    def _part_end(self, i: int, last: int) -> int:
        """The end of what stands at `i`: a comma or the bracket around it."""
        depth = 0
        while i < last:
            text = self._scan.symbol(i, last)
            if depth == 0 and text in _CLOSE:
                return i
            depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
            i += 1
        return last

    # ------------------------------------------------------------------------------------------------ types

    def _colon_before_type(self, i: int) -> None:
        """`X int` where a parameter, a field or a variable is declared: read with the colon between them."""
        if not self._operand or not self._declares_name():
            return
        end = self._end_of(i - 1)
        before, type_ = self._out.values[-1], self._scan.texts[i]
        fix = Fix("put the colon in", (Edit(Span(self._file, end, end), ":"),), SAFE)
        found, want = f"{before} {type_}", f"{before}: {type_}"
        self._sink.report(codes.P1006, "word", self._span(i), fixes=[fix], found=found, want=want)
        self._result_seen = self._result_seen or self._out.types[-1] == "RPAREN"
        self._out.emit("COLON", ":", end, end)
        self._operand = False

    def _declares_name(self) -> bool:
        """Whether what has just been read wants a type: the name of a parameter, a field or a variable that is
        declared, or the parameters of a function."""
        types = self._out.types
        if types[-1] == "RPAREN":
            return self._head == "FUNC" and not self._stack and not self._result_seen
        if types[-1] != "NAME" or len(types) < 2:
            return False
        if types[-2] in ("LET", "CONST"):
            return True
        fits = self._default_of() in ("default", "field_default") or self._top.role == "lambda"
        new_line = "\n" in self._file.text[self._out.ends[-2] : self._out.starts[-1]]  # a field a line needs no comma
        return fits and (new_line or types[-2] in ("LPAREN", "LBRACE", "COMMA", "INDENT", "NEWLINE"))

    # ------------------------------------------------------------------------------------------------ unions

    def _is_type_line(self) -> bool:
        return self._head == "TYPE" and not self._stack

    def _colon_before_body(self, i: int, last: int) -> bool:
        """Whether the colon of `TYPE U: UNION` stands at `i`; reported then."""
        if not self._is_type_line() or self._scan.word(i + 1, last) not in _BODIES:
            return False
        blank = "" if self._file.text[self._end_of(i)].isspace() else " "
        fix = Fix("leave it out", (Edit(self._span(i), blank),), SAFE)
        self._sink.report(codes.P1006, "type_equal", self._span(i), fixes=[fix], found=":")
        return True

    def _variants(self, i: int, last: int) -> int:
        """`TYPE U UNION = A | B` and `TYPE U = A | B`, whose `=` stands at `i`; -1 when no variants follow."""
        scan, word = self._scan, self._out.types[-1]
        named = word in _BODIES
        if not named and not any(scan.symbol(j, last) == "|" for j in range(i + 1, last)):
            return -1
        word = word if named else "UNION"
        span = Span(self._file, scan.starts[i], self._end_of(last - 1))
        names = [j for j in range(i + 1, last) if scan.symbol(j, last) not in ("|", ",")]
        plain = bool(names) and all(scan.word(j, last) and scan.texts[j] not in kw.LOWER_WORDS for j in names)
        helps = [f"write `TYPE T {word} {{ A, B(int) }}`"]
        fixes = []
        if plain:
            text = "" if named else "UNION "
            text += "{ " + ", ".join(scan.texts[j] for j in names) + " }"
            fixes.append(Fix(f"write `{text}`", (Edit(span, text),), LIKELY))
        self._sink.report(codes.P1006, "variants", span, helps=[] if fixes else helps, fixes=fixes, word=word)
        if not plain:
            self._dropped = True
            return last
        if not named:
            self._emit("UNION", "UNION", i, False)
        self._emit("LBRACE", "{", i, False)
        self._emit_names(names)
        self._kind = ""
        self._emit("RBRACE", "}", last - 1, True)
        return last

    def _emit_names(self, names: list[int]) -> None:
        """Names that are the raw tokens `names`, with commas between them."""
        for number, j in enumerate(names):
            if number:
                self._emit("COMMA", ",", j, False)
            self._emit("NAME", self._scan.texts[j].upper(), j, True)

    def _bar(self, i: int, last: int) -> int:
        """`|` between variants or members, or before the first; -1 when it stands elsewhere."""
        in_lines = self._block in ("variants", "members") and not self._stack
        if not in_lines and not (self._head == "TYPE" and self._top.opener == "{" and self._top.names_only):
            return -1
        if not self._operand:
            gap = Span(self._file, self._scan.starts[i], self._scan.starts[min(i + 1, last - 1)])
            fix = Fix("leave it out", (Edit(gap, ""),), SAFE)
            self._sink.report(codes.P1006, "bar", self._span(i), fixes=[fix])
            return i + 1
        return self._comma_for(i)

    def _comma_for(self, i: int) -> int:
        """A word or symbol in the place of a comma."""
        start = self._end_of(i - 1)
        fix = Fix("write `,`", (Edit(Span(self._file, start, self._end_of(i)), ","),), SAFE)
        self._sink.report(codes.P1006, "word", self._span(i), fixes=[fix], found=self._scan.texts[i], want=",")
        return self._emit("COMMA", ",", i, False)

    def _payload(self, i: int, last: int) -> int:
        """`CIRCLE(R: float)` and `CIRCLE { R: float }` in a union, at the bracket; -1 when the payload has no names."""
        scan = self._scan
        kind = self._block if not self._stack else self._kind
        close = scan.closing(i, last)
        named = scan.word(i + 1, last) and scan.symbol(i + 2, last) == ":"
        if kind != "variants" or not self._operand or close >= last or not named:
            return -1
        parts, at = [], i + 1
        while at < close:
            end = min(self._part_end(at, close), close)
            parts.append((at + 2 if scan.symbol(at + 1, close) == ":" else at, end))
            at = end + 1
        span = self._span(i).to(self._span(close))
        texts = [self._file.text[scan.starts[start] : self._end_of(end - 1)] for start, end in parts if start < end]
        want = f"({', '.join(texts)})"
        edit = Edit(Span(self._file, self._end_of(i - 1), span.end), want)
        fix = Fix(f"write `{want}`", (edit,), LIKELY)  # `S.R` elsewhere must change as well
        helps = ["the cases of a MATCH name them: `CASE CIRCLE(R):`; or let the payload be a struct"]
        self._sink.report(codes.P1006, "payload", span, fixes=[fix], helps=helps)
        self._open(i, last, "(")
        for number, (start, end) in enumerate(parts):
            if number:
                self._emit("COMMA", ",", start - 1, False)
            self._classify(start, end)
        return self._close(close, last, ")")

    # ------------------------------------------------------------------------------------------------ the rest

    def _bad_type_params(self, i: int, last: int) -> int:
        """`FUNC F<T any>`: what stands between `<` and `>` is not what NXD has there; -1 when `<` is something else."""
        scan, types = self._scan, self._out.types
        if self._stack or types[-1] != "NAME" or types[-2:-1] not in (["FUNC"], ["TYPE"], ["TRAIT"]):
            return -1
        close = next((j for j in range(i + 1, last) if scan.symbol(j, last) == ">"), last)
        if close >= last:
            return -1
        groups, start = [], i + 1
        for j in range(i + 1, close + 1):
            if j == close or scan.symbol(j, last) == ",":
                groups.append([scan.texts[k] for k in range(start, j)])
                start = j + 1
        if not all(group and group[0].isidentifier() for group in groups):
            return -1
        span = self._span(i).to(self._span(close))
        bounds = [_bound(group) for group in groups]
        grade: Grade = SAFE if all(len(group) == 1 or group[1:] == ["any"] for group in groups) else LIKELY
        want = f"<{', '.join(bound or '' for bound in bounds)}>"
        fixes = [Fix(f"write `{want}`", (Edit(span, want),), grade)] if all(bounds) else []
        helps = [] if fixes else ["write `<T>`, or `<T : TRAIT>` for types that implement a trait"]
        self._sink.report(codes.P1006, "type_params", span, fixes=fixes, helps=helps)
        self._emit("TLT", "<", i, False)
        for number, group in enumerate(groups):
            if number:
                self._emit("COMMA", ",", i, False)
            self._out.emit("NAME", group[0].upper(), span.start, span.end)
        return self._emit("TGT", ">", close, True)

    def _is_from_import(self, i: int, last: int) -> bool:
        """Whether `FROM m IMPORT NAMES` starts at `i`."""
        end = self._path_end(i + 1, last)
        return end > i + 1 and self._scan.word(end, last).upper() == "IMPORT"

    def _path_end(self, i: int, last: int) -> int:
        scan = self._scan
        if not scan.word(i, last):
            return i
        i += 1
        while scan.symbol(i, last) == "." and scan.word(i + 1, last):
            i += 2
        return i

    def _from_import(self, i: int, last: int) -> int:
        """`FROM m IMPORT F, G`, read as `IMPORT m F, G`."""
        scan = self._scan
        middle = self._path_end(i + 1, last)
        path = self._file.text[scan.starts[i + 1] : self._end_of(middle - 1)]
        names = [j for j in range(middle + 1, last) if scan.texts[j] not in (",", "(", ")")]
        plain = all(scan.word(j, last) and scan.texts[j].upper() != "AS" for j in names)
        everything = len(names) == 1 and scan.symbol(names[0], last) in ("*",)
        listed = "" if everything else ", ".join(scan.texts[j].upper() for j in names)
        want = f"IMPORT {path} {listed}".rstrip()
        span = Span(self._file, scan.starts[i], self._end_of(last - 1))
        fixes = [Fix(f"write `{want}`", (Edit(span, want),), SAFE)] if names and (plain or everything) else []
        helps = [] if fixes else ["write `IMPORT m NAME, NAME`, or `IMPORT m AS U` for `U.NAME`"]
        self._sink.report(codes.P1006, "from_import", span, fixes=fixes, helps=helps)
        self._head_word("IMPORT", "IMPORT", i)
        for j in range(i + 1, middle):
            self._emit("DOT" if scan.texts[j] == "." else "NAME", scan.texts[j], j, True)
        if plain and not everything:
            for number, j in enumerate(names):
                if number:
                    self._emit("COMMA", ",", j, False)
                self._emit("NAME", scan.texts[j].upper(), j, True)
        return last

    def _lacks_params(self, i: int) -> int:
        """`FUNC MAIN:`, whose colon stands at `i`: the brackets are put in."""
        if self._stack or self._out.types[-1] != "NAME" or self._out.types[-2:-1] != ["FUNC"]:
            return i
        place = Span(self._file, self._end_of(i - 1), self._end_of(i - 1))
        fix = Fix("put the brackets in", (Edit(place, "()"),), SAFE)
        self._sink.report(codes.P1006, "no_params", self._span(i - 1), fixes=[fix])
        self._emit("LPAREN", "(", i, False)
        self._emit("RPAREN", ")", i, True)
        return i

    def _open(self, i: int, last: int, text: str) -> int:
        """An opening bracket (`Symbols`)."""
        raise NotImplementedError

    def _close(self, i: int, last: int, text: str) -> int:
        """A closing bracket (`Symbols`)."""
        raise NotImplementedError


def _bound(group: list[str]) -> str | None:
    """A type parameter of another language as NXD writes it: `T any`, `T extends A`; None when that is not certain."""
    name, rest = group[0].upper(), [word for word in group[1:] if word not in (":", "extends", "implements")]
    if not rest or rest == ["any"]:
        return name
    return f"{name} : {rest[0].upper()}" if len(rest) == 1 and rest[0].isidentifier() else None
