"""Channels as Go writes them: `CH <- X`, `<-CH`, `make(chan int)`, `case X := <-CH`, `defer`. Each is told and read as
what NXD has for it."""

from __future__ import annotations

from nxdc.diagnostics import codes
from nxdc.diagnostics.model import LIKELY, SAFE, Edit, Fix
from nxdc.source.span import Span
from nxdc.syntax import keywords as kw
from nxdc.syntax.line_state import Bracket
from nxdc.syntax.roles import Roles
from nxdc.tables.operators import BY_SYMBOL, BY_WORD

_BREAKS = frozenset(("NEWLINE", "INDENT", "DEDENT"))


class Channels(Roles):
    """The part of the classifier that understands another language's channels."""

    def _statement_at(self) -> int:
        """Index in the output where the statement being read starts."""
        types = self._out.types
        at = len(types)
        while at > 0 and types[at - 1] not in _BREAKS:
            at -= 1
        return at

    def _end_of(self, i: int) -> int:
        """Offset behind raw token `i`."""
        return self._scan.starts[i] + len(self._scan.texts[i])

    def _ends_plainly(self, i: int, last: int) -> bool:
        """Whether a value stands at `i` that is complete at the end of the line, where something can be put behind
        it."""
        scan = self._scan
        final = scan.texts[last - 1]
        goes_on = final in BY_WORD or final in BY_SYMBOL or final in (":", ",", "AND", "OR")
        return i < last and not goes_on and not any(scan.symbol(j, last) == ";" for j in range(i, last))

    # ------------------------------------------------------------------------------------------------ arrows

    def _is_arrow(self, i: int, last: int) -> bool:
        """Whether `<-` stands at `i`."""
        scan = self._scan
        return scan.symbol(i, last) == "<" and scan.symbol(i + 1, last) == "-" and scan.adjacent(i + 1)

    def _channel_arrow(self, i: int, last: int) -> int:
        """`<-` at `i`: what it sends or receives; -1 where it can be a comparison with a negative number."""
        if not self._operand:
            return self._receives_by_arrow(i, last)
        if not self._stack and not self._set_seen and (self._head == "" or self._names_place()):
            return self._sends_by_arrow(i, last)
        behind = self._scan.starts[i] + 2
        if self._condition or self._scan.adjacent(i) or not self._file.text[behind : behind + 1].isspace():
            return -1
        self._sink.report(codes.P1006, "send", self._span(i).to(self._span(i + 1)), target="CHANNEL")
        self._dropped = True
        return i + 2

    def _names_place(self) -> bool:
        """Whether a statement that only names something is being read."""
        raise NotImplementedError

    def _receives_by_arrow(self, i: int, last: int) -> int:
        """`<-CH`."""
        arrow = self._span(i).to(self._span(i + 1))
        fixes = []
        if i + 2 < last:
            fixes.append(Fix("write `RECV`", (Edit(Span(self._file, arrow.start, self._scan.starts[i + 2]), "RECV "),)))
        self._sink.report(codes.P1006, "receive", arrow, fixes=fixes)
        self._count(i)
        self._emit("RECV", "RECV", i, False)
        return i + 2

    def _sends_by_arrow(self, i: int, last: int) -> int:
        """`CH <- X` as a statement."""
        file, scan = self._file, self._scan
        start = self._out.starts[self._statement_at()]
        target = file.text[start : self._end_of(i - 1)]
        fixes = []
        if self._ends_plainly(i + 2, last):
            end = self._end_of(last - 1)
            edits = (Edit(Span(file, start, scan.starts[i + 2]), "SEND "), Edit(Span(file, end, end), f" TO {target}"))
            fixes.append(Fix(f"write `SEND ... TO {target}`", edits, SAFE))
        arrow = self._span(i).to(self._span(i + 1))
        self._sink.report(codes.P1006, "send", arrow, fixes=fixes, target=target)
        self._set_seen = True
        self._go_on("SEND", i)
        return i + 2

    # ------------------------------------------------------------------------------------------------ SELECT

    def _choice(self, i: int, last: int) -> int:
        """CASE at `i`, in a SELECT."""
        scan = self._scan
        self._head_word("CASE", "CASE", i)
        first = i + 1
        value = self._received(first, last)
        if value >= 0 and scan.word(value + 1, last).upper() == "AS" and scan.symbol(value + 3, last) == ":":
            return self._case_receives_as(first, value)
        if value >= 0:
            return self._case_receives(first, first, value, "_ FROM ")
        if scan.word(first, last):
            assigned = first + (2 if scan.symbol(first + 1, last) == ":" else 1)
            is_set = scan.symbol(assigned, last) == "=" or scan.word(assigned, last).upper() == "SET"
            value = self._received(assigned + 1, last) if is_set else -1
            if value >= 0:
                self._special(first, last, scan.texts[first])
                return self._case_receives(first, first + 1, value, " FROM ")
            if scan.word(first + 1, last).upper() == "IN" and scan.word(first + 2, last):
                self._special(first, last, scan.texts[first])
                return self._case_receives(first, first + 1, first + 2, " FROM ")
        arrow = next((j for j in range(first + 1, last) if self._is_arrow(j, last)), last)
        colon = self._first_colon(first, last)
        return self._case_sends(first, arrow, colon) if arrow + 2 < colon else first

    def _received(self, i: int, last: int) -> int:
        """Index of the channel when `<-CH` or `RECV CH` stands at `i`; -1 otherwise."""
        if self._is_arrow(i, last):
            return i + 2 if i + 2 < last else -1
        word = self._scan.word(i, last)
        following = self._scan.word(i + 1, last)
        return i + 1 if word.upper() == "RECV" and following and following.upper() not in ("FROM", "TO") else -1

    def _case_receives(self, first: int, i: int, value: int, text: str) -> int:
        """What stands in [i, value) means FROM."""
        scan = self._scan
        start = self._end_of(first) if i > first else scan.starts[first]
        edit = Edit(Span(self._file, start, scan.starts[value]), text)
        fixes = [Fix(f"write `{text.strip()}`", (edit,), SAFE)]
        self._sink.report(codes.P1006, "case_receive", self._span(i).to(self._span(value - 1)), fixes=fixes)
        if i == first:
            self._emit("WILD", "_", first, True)
        self._go_on("FROM", i)
        return value

    def _case_receives_as(self, first: int, value: int) -> int:
        """`CASE RECV CH AS V:`."""
        scan = self._scan
        name, channel = scan.texts[value + 2], scan.texts[value]
        span = self._span(first).to(self._span(value + 2))
        fixes = [Fix(f"write `{name} FROM {channel}`", (Edit(span, f"{name} FROM {channel}"),), SAFE)]
        self._sink.report(codes.P1006, "case_receive", span, fixes=fixes)
        self._emit("NAME", name.upper(), value + 2, True)
        self._go_on("FROM", first)
        self._emit("NAME", channel.upper(), value, True)
        return value + 3

    def _first_colon(self, i: int, last: int) -> int:
        depth = 0
        for j in range(i, last):
            text = self._scan.symbol(j, last)
            depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
            if text == ":" and depth == 0:
                return j
        return last

    def _case_sends(self, first: int, arrow: int, colon: int) -> int:
        """`CASE CH <- X:`: the channel is emitted at the colon, behind the value."""
        file, scan = self._file, self._scan
        target = file.text[scan.starts[first] : self._end_of(arrow - 1)]
        end = self._end_of(colon - 1)
        edits = (
            Edit(Span(file, scan.starts[first], scan.starts[arrow + 2]), "SEND "),
            Edit(Span(file, end, end), f" TO {target}"),
        )
        fixes = [Fix(f"write `SEND ... TO {target}`", edits, LIKELY)]  # who means to receive writes it as well
        helps = [f"what is received from `{target}` is named by `CASE V FROM {target}:`"]
        span = self._span(arrow).to(self._span(arrow + 1))
        self._sink.report(codes.P1006, "send", span, helps=helps, fixes=fixes, target=target)
        self._emit("SEND", "SEND", arrow, False)
        self._sent = (first, arrow)
        return arrow + 2

    def _emit_sent(self, i: int) -> None:
        """Before the colon at `i`: the channel that the case sends to, out of order."""
        first, arrow = self._sent
        self._sent = (0, 0)
        self._go_on("TO", i)
        self._classify(first, arrow)

    # ------------------------------------------------------------------------------------------------ the rest

    def _is_make(self, i: int, last: int) -> bool:
        """Whether `make(chan T)`, `make(chan T, 4)` or `MAKE(CHANNEL<T>)` starts at `i`."""
        scan = self._scan
        if scan.symbol(i + 1, last) != "(" or scan.word(i + 2, last).upper() not in ("CHAN", "CHANNEL"):
            return False
        start = i + 3 + (scan.symbol(i + 3, last) == "<")
        return scan.closing(i + 1, last) < last and scan.type_end(start, last) >= 0

    def _make(self, i: int, last: int) -> int:
        """A channel made as in Go."""
        file, scan = self._file, self._scan
        close = scan.closing(i + 1, last)
        start = i + 3 + (scan.symbol(i + 3, last) == "<")
        end = scan.type_end(start, last)
        comma = end + (scan.symbol(end, last) == ">")
        capacity = "0"  # where Go says nothing, a sender waits for the receiver
        if scan.symbol(comma, last) == "," and comma + 1 < close:
            capacity = file.text[scan.starts[comma + 1] : self._end_of(close - 1)]
        elif comma != close:
            return self._name(i)
        want = f"MAKE_CHANNEL<{file.text[scan.starts[start] : self._end_of(end - 1)]}>(CAPACITY {capacity})"
        span = self._span(i).to(self._span(close))
        fix = Fix(f"write `{want}`", (Edit(span, want),), SAFE)
        self._sink.report(codes.P1006, "word", span, fixes=[fix], found=span.text, want=want)
        self._emit("NAME", "MAKE_CHANNEL", i, True)
        self._emit("TLT", "<", i + 1, False)
        self._stack.append(self._top)
        self._top = Bracket("<", True, True, "", -1, self._load, 0, False, [])
        self._classify(start, end)
        self._top = self._stack.pop()
        for kind in ("TGT", "LPAREN", "RPAREN"):
            self._emit(kind, "", close, True)
        return close + 1

    def _is_defer(self, i: int, last: int) -> bool:
        """Whether `defer` stands before a call: `defer close(CH)`."""
        following = self._scan.word(i + 1, last)
        return bool(following) and following.upper() not in kw.AFTER_OPERAND

    def _defer(self, i: int) -> int:
        """The statement behind it is read as if `defer` were not there."""
        helps = ["what happens in any case stands in the `FINALLY:` of a `TRY:`"]
        self._sink.report(codes.P1006, "defer", self._span(i), helps=helps, found=self._scan.texts[i])
        return i + 1

    def _classify(self, i: int, last: int) -> None:
        """Classify the raw tokens [i, last) (`Words`)."""
        raise NotImplementedError
